"""Exports a published corpus as a dataset in files, and reads such a dataset back. Imports every other room."""
