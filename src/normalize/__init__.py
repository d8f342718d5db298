"""Records in, rows out: all rows of the corpus, made anew from every record that extraction ever gave.

`corpus.STAGES` is the table of contents: each stage turns the records that a partition was sent into rows of
tables and records for later stages (`work`). `corpus.normalize(observations)` runs the list over one partition,
in memory. An executor may run the partitions of a stage anywhere: the rows do not depend on how many there are, nor on
the order of the observations.

Pure: no network, clock, disk or randomness. Rooms, lowest first: `corrections`, `parse`, `identity`, `dedup`,
`attribution`, `rows`, `external`, `stages`.
"""
