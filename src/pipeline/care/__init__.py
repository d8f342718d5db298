"""Care of the data folder that a night or an operator takes: snapshots, compaction, the doctor.

Imports the stages, `data_folder`, `sources` and `verify`; no step of a night.
"""
