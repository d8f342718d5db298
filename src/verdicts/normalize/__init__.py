"""Records in, rows out: every run makes all rows of the corpus again, from all records of extraction.

`corpus.STAGES` is the table of contents: each stage turns the records that were sent to a partition into rows of tables
and records for later stages (`work`). `corpus.normalize(observations)` runs the list over one partition, in memory. An
executor may run the partitions of a stage anywhere: the rows do not depend on the number of partitions, or on the order
of the observations. Pure: no network, clock, disk or randomness.

Rooms, lowest first: `corrections`, `parse`, `identity`, `dedup`, `attribution`, `rows`, `external`, `stages`.
"""
