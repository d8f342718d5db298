"""The order of things.

`steps` and `build` are the night as plain functions, `nightly` the same as Prefect flows, `cli` the command line over
both. Nothing here reads a page or knows a table: it brings fetch, extract, normalize and warehouse together, shows
progress, and turns failures into one line and an exit code.
"""
