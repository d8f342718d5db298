"""The stages of normalization as functions of one partition, and the relations between them (`relations`).

`verdicts.normalize.corpus.STAGES` lists them in order.
"""
