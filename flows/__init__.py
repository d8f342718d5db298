"""Prefect flows over `pipeline`, thin: a record of each run, retries, a schedule. Nothing else may import Prefect."""
