"""Writes docs/pictures/explore-*.png: pages over the corpus of 21 nights, taken by Chromium; how large they are.

uv run --group browser python -m benchmarks.explore_pictures
"""

import tempfile
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders.explore_browser import HEIGHT, NARROW, WIDE, Tab, browser, served
from builders.many_nights import make_data
from verdicts.pipeline.data_folder import DataFolder

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
    options = options_of(__doc__)
    options.add_argument("--data", type=Path, help="a data folder, instead of 21 made nights without hostile words")
    options.add_argument("--into", type=Path, default=PICTURES)
    options.add_argument("--only", nargs="+", choices=TAKEN, default=list(TAKEN))
    chosen = options.parse_args()
    chosen.into.mkdir(exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        folder = DataFolder(chosen.data) if chosen.data else make_data(Path(name), is_hostile=False)
        with served(folder) as address:
            for picture in chosen.only:
                path, width, scheme = TAKEN[picture]
                file = chosen.into / f"explore-{picture}.png"
                tab = Tab.opened(chromium, address, viewport={"width": width, "height": HEIGHT}, color_scheme=scheme)
                tab.open(path)
                tab.page.evaluate(WITHOUT_TIMES)
                tab.page.screenshot(path=file)
                tab.page.close()
                rows.append((file.name, f"{file.stat().st_size / 1000:.0f}"))
    print(markdown_table(("picture", "kB"), rows))


if __name__ == "__main__":
    main()
