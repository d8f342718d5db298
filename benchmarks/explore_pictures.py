"""Writes docs/pictures/explore-*.png: pages over the corpus of 21 nights, taken by Chromium.

uv run --group browser python -m benchmarks.explore_pictures
"""

import argparse
import tempfile
from pathlib import Path

from builders.explore_browser import HEIGHT, NARROW, WIDE, Tab, browser, served
from builders.many_nights import make_data
from pipeline.data_folder import DataFolder

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"

TAKEN = {
    "home": ("/", WIDE, "light"),
    "seats": ("/seats", WIDE, "light"),
    "prices": ("/prices", WIDE, "light"),
    "nights": ("/nights", WIDE, "dark"),
    "nights-narrow": ("/nights", NARROW, "light"),
    "sql": (
        "/sql?q=SELECT seat, count(*) AS takes FROM reviews WHERE seat IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
        WIDE,
        "light",
    ),
}
"""Name to path, width and scheme."""

WITHOUT_TIMES = "document.querySelectorAll('.elapsed').forEach(told => told.remove())"
"""A picture says nothing of how busy the machine was on which it was taken."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, help="a data folder, instead of 21 made nights without hostile words")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        folder = DataFolder(chosen.data) if chosen.data else make_data(Path(name), is_hostile=False)
        with served(folder) as address:
            for picture, (path, width, scheme) in TAKEN.items():
                tab = Tab.opened(chromium, address, viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
                tab.open(path)
                tab.page.evaluate(WITHOUT_TIMES)
                tab.page.screenshot(path=PICTURES / f"explore-{picture}.png")
                tab.page.close()


if __name__ == "__main__":
    main()
