"""What each page of `verdicts explore` takes and weighs, over a made corpus: requests over a socket, one at a time.

nice -n 19 uv run --group browser python -m benchmarks.explore_speed --reviews 1000000 --rounds 5
"""

import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import duckdb
import httpx

from benchmarks.measuring import markdown_table, options_of
from benchmarks.warehouse_corpus import make_corpus, rows_of
from builders.explore_browser import served
from builders.warehouse_files import publish
from verdicts.pipeline.data_folder import DataFolder
from verdicts.warehouse.loading.load import load

NOW = datetime(2026, 11, 21, tzinfo=UTC)

SQL = "SELECT seat, count(*) AS takes, avg(score) AS mean FROM reviews GROUP BY seat ORDER BY takes DESC"

IDS = "SELECT (SELECT min(tool_id) FROM tools), (SELECT min(review_id) FROM reviews), (SELECT min(page_id) FROM pages)"


def make_data(reviews: int, root: Path) -> DataFolder:
    """A published copy of so many reviews, and of a month of nights."""
    folder = DataFolder(root)
    given = root / "given"
    make_corpus(reviews, given)
    nothing = {"crawls": (), "fetches": (), "loaded_at": NOW, "extractor_version": "1"}
    load(folder.warehouse, rows_of(given), load_id="20261121T000000Z-0001", **nothing)
    with duckdb.connect(folder.warehouse) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute((Path(__file__).parent / "explore_corpus.sql").read_text(encoding="utf-8"))
    publish(folder.warehouse, folder.serve, at=NOW)
    return folder


def paths(folder: DataFolder) -> list[str]:
    """Every page, of a tool, take and page that exist."""
    copy = folder.serve / (folder.serve / "current").read_text(encoding="utf-8").strip()
    with duckdb.connect(copy, read_only=True) as connection:
        ((tool, take, page),) = connection.execute(IDS).fetchall()
    return [
        "/",
        "/tools",
        "/tools?sort=spread&page=40",
        f"/tools/{tool}",
        f"/takes/{take}",
        f"/pages/{page}",
        "/seats",
        "/prices",
        "/changes",
        "/changes?since=2026-10-01",
        "/nights",
        "/doubts",
        "/search?words=agent+editor",
        "/search?words=the+editor+agentmix+never+agentquery",
        "/questions",
        "/questions/score_histogram",
        f"/sql?q={quote(SQL)}",
    ]


def measure(address: str, asked: list[str], rounds: int) -> dict[str, tuple[int, list[float]]]:
    """Bytes of each page, and milliseconds until its last byte, the first request of all left out."""
    taken: dict[str, tuple[int, list[float]]] = {}
    with httpx.Client(base_url=address, timeout=60) as client:
        client.get("/questions")
        for _ in range(rounds):
            for path in asked:
                begun = time.perf_counter()
                answer = client.get(path)
                elapsed = 1000 * (time.perf_counter() - begun)
                if answer.status_code != 200:
                    raise SystemExit(f"{path} answers {answer.status_code}")
                taken.setdefault(path, (len(answer.content), []))[1].append(elapsed)
    return taken


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--reviews", type=int, default=100_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--data", type=Path, help="a data folder that is there, instead of a made one")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = DataFolder(chosen.data) if chosen.data else make_data(chosen.reviews, Path(name))
        with served(folder) as address:
            taken = measure(address, paths(folder), chosen.rounds)
    rows = (
        [
            f"`{path.partition('?q=')[0]}`",
            f"{statistics.median(ms):.0f}",
            f"{min(ms):.0f} to {max(ms):.0f}",
            f"{size / 1000:.0f}",
        ]
        for path, (size, ms) in taken.items()
    )
    print(markdown_table(["page", "median ms", "range", "kB"], rows))


if __name__ == "__main__":
    main()
