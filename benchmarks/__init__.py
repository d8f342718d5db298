"""Measurements, run by hand; results live in `docs/benchmarks.md`. They measure on what the tests build."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
