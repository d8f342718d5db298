"""What each page of `verdicts explore` reviews and weighs, over a made corpus: requests over a socket, one at a time.

    nice -n 19 uv run python -m benchmarks.explore_speed --reviews 1000000 --rounds 5
    uv run --group browser python -m benchmarks.explore_speed --pictures docs/pictures

With `--pictures` it writes explore-*.png instead: pages over the corpus of 21 nights, taken by Chromium.
"""

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import duckdb
import httpx

from benchmarks.measuring import make_options, markdown_table
from benchmarks.warehouse_corpus import list_files, make_corpus
from builders import many_nights
from builders.command import find_published_file
from builders.explore_browser import HEIGHT, WIDE, Tab, browser, serve_pages
from builders.warehouse_files import publish
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.loading.load import load
from verdicts.warehouse.loading.rows import Logs

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SQL = quote("SELECT reviewer, count(*) AS reviews FROM reviews WHERE reviewer IS NOT NULL GROUP BY 1 ORDER BY 2 DESC")
IDS = "SELECT (SELECT min(tool_id) FROM tools), (SELECT min(review_id) FROM reviews), (SELECT min(page_id) FROM pages)"
PATHS = (
    "/ /tools /tools?sort=spread&offset=1950 /reviews /reviews?reviewer=Skeptic&score_to=50 /reviews.json?words=agent "
    "/pages /pages?reviewer=PM&category=Category+3 /tools/{0} /reviews/{1} /pages/{2} /openapi.json /reviewers /prices "
    "/changes /changes?since=2026-10-01 /nights /doubts /search?words=agent+editor"
    f" /search?words=the+editor+agentmix+never+agentquery /questions /questions/score_histogram /sql?q={SQL}"
)
"""Every page, of a tool, review and page that exist."""

PICTURES = {
    "home": ("/", WIDE, HEIGHT, "light"),
    "reviewers": ("/reviewers", WIDE, HEIGHT, "light"),
    "prices": ("/prices", WIDE, 1250, "light"),
    "compare": ("/compare?one={0}&other={1}", WIDE, HEIGHT, "light"),
    "nights": ("/nights", WIDE, HEIGHT, "dark"),
}
"""Name to path, width, height and scheme."""

WITHOUT_TIMES = "document.querySelectorAll('.elapsed').forEach(told => told.remove())"
"""A picture says nothing of how busy the machine was on which it was taken."""


def make_data(reviews: int, root: Path) -> DataFolder:
    """A published copy of so many reviews, and of a month of nights."""
    folder = DataFolder(root)
    make_corpus(reviews, root / "given")
    nothing = {"logs": Logs(), "loaded_at": NOW, "extractor_version": "1"}
    load(folder.warehouse, list_files(root / "given"), load_id="20261121T000000Z-0001", **nothing)
    with duckdb.connect(folder.warehouse) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute((Path(__file__).parent / "explore_corpus.sql").read_text(encoding="utf-8"))
    publish(folder.warehouse, folder.serve, at=NOW)
    return folder


def measure(address: str, asked: list[str], rounds: int) -> list[list[str]]:
    """Milliseconds until the last byte of each page, the first request of all left out, and its bytes."""
    taken: dict[str, tuple[int, list[float]]] = {}
    with httpx.Client(base_url=address, timeout=60) as client:
        client.get("/questions")
        for _ in range(rounds):
            for path in asked:
                begun = time.perf_counter()
                answer = client.get(path).raise_for_status()
                elapsed = 1000 * (time.perf_counter() - begun)
                taken.setdefault(path, (len(answer.content), []))[1].append(elapsed)
    return [
        [
            f"`{path.partition('?q=')[0]}`",
            f"{statistics.median(ms):.0f}",
            f"{min(ms):.0f} to {max(ms):.0f}",
            f"{size / 1000:.0f}",
        ]
        for path, (size, ms) in taken.items()
    ]


def take_pictures(into: Path, home: Path, only: list[str]) -> list[list[str]]:
    into.mkdir(exist_ok=True)
    rows = []
    with browser() as chromium, serve_pages(many_nights.make_data(home, is_hostile=False)) as address:
        for name in only:
            path, width, height, scheme = PICTURES[name]
            file = into / f"explore-{name}.png"
            tab = Tab.open_at(chromium, address, viewport={"width": width, "height": height}, color_scheme=scheme)
            tools = httpx.get(f"{address}/tools.json?sort=spread&limit=2").json()["rows"]
            tab.open(path.format(*(tool["tool_id"] for tool in tools)))
            tab.page.evaluate(WITHOUT_TIMES)
            tab.page.screenshot(path=file)
            tab.page.close()
            rows.append([file.name, f"{file.stat().st_size / 1000:.0f}"])
    return rows


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--pictures", type=Path, metavar="FOLDER")
    options.add_argument("--only", nargs="+", choices=PICTURES, default=list(PICTURES))
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if chosen.pictures:
            print(markdown_table(["picture", "kB"], take_pictures(chosen.pictures, Path(name), chosen.only)))
            return
        folder = make_data(chosen.reviews, Path(name))
        with duckdb.connect(find_published_file(folder.root), read_only=True) as connection:
            (ids,) = connection.execute(IDS).fetchall()
        with serve_pages(folder) as address:
            rows = measure(address, PATHS.format(*ids).split(), chosen.rounds)
    print(markdown_table(["page", "median ms", "range", "kB"], rows))


if __name__ == "__main__":
    main()
