"""A published corpus as a dataset in files, and such a dataset as rows again. Imports every other room."""
