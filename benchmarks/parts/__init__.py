"""The parts of a corpus past one machine, for real, on loopback: Ceph's S3 gateway, Postgres, Dask.

    uv run python -m benchmarks.parts start DIR [--workers 2]
    . DIR/env.sh
    uv run python -m benchmarks.parts status DIR
    uv run python -m benchmarks.parts stop DIR

All they write is in DIR, which `stop` removes. Programs of the system are looked up, never installed: where one is
missing, `start` says which packages of Debian have it.
"""
