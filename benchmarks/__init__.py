"""Measurements: ours and the peers in one run on the same input. Results live in `docs/benchmarks.md`."""
