"""Where the checkout keeps what tests read."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILDERS = ROOT / "tests" / "builders"
FIXTURES = ROOT / "fixtures"
PAGES = FIXTURES / "pages"
SHARED = ROOT.parent / "shared"
SEEDS = SHARED / "seeds"
"""Five real pages beside the checkout; they are no part of the project."""


needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="the real pages are not beside this checkout")


def seed_files() -> list[Path]:
    return sorted(SEEDS.glob("*.txt"))
