"""Care of the data folder that a night or an operator takes: backups, what is compacted, what a look at it finds.

Imports the stages, `data_folder`, `sources` and `verify`; no step of a night.
"""
