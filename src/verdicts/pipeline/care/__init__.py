"""Care of the data folder: snapshots, the doctor.

Imports the stages, `data_folder`, `sources` and `verify`, but no step of a night.
"""
