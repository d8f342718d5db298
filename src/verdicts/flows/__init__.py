"""Thin Prefect flows over `pipeline`, which record each run with its steps. Only this package imports Prefect."""
