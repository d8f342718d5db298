"""The steps of a night, in their order, as plain functions over one data folder.

This package connects fetch, extract, normalize and warehouse. It does not depend on Prefect or the command line.
"""
