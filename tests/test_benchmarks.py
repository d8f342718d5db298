"""No benchmark rots: each runs with its smallest input and prints a figure."""

import subprocess
import sys

import pytest

from builders.paths import ROOT

PARTS = 2
"""Imports are paid once for many benchmarks, and no part takes much longer than other tests."""


@pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="a wheel is tested without the benchmarks")
@pytest.mark.whole
@pytest.mark.parametrize("part", range(PARTS))
def test_each_benchmark_runs_with_its_smallest_input(part):
    from benchmarks.smallest import list_benchmarks

    call = [sys.executable, "-m", "benchmarks.smallest", *sorted(list_benchmarks())[part::PARTS]]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
