"""Where the checkout keeps what tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILDERS = ROOT / "tests" / "builders"
FIXTURES = ROOT / "fixtures"
PAGES = FIXTURES / "pages"
SEEDS = ROOT.parent / "shared" / "seeds"
"""Five real pages beside the checkout; they are no part of the project."""
