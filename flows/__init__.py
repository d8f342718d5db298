"""Prefect flows over `pipeline`, thin: a record of each run, its steps and its end. Nothing else may import Prefect."""
