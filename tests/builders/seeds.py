"""The five real pages beside the repository. They are test input and are not part of the project."""

from pathlib import Path

import pytest

from builders.paths import SEEDS

needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="the real pages are not beside this checkout")


def seed_files() -> list[Path]:
    return sorted(SEEDS.glob("*.txt"))
