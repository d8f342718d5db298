"""What a data folder and Prefect's database grow by, night by night, on the bundled site.

uv run python -m benchmarks.growth [--nights 5]
"""

import sqlite3
import tempfile
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from builders.command import verdicts
from builders.prefect_server import prefect_server

PARTS = ("raw", "state.sqlite", "records", "warehouse", "serve", "dataset", "reports")


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--nights", type=int, default=5)
    nights = options.parse_args().nights
    rows = []
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        with prefect_server(home / "server") as api:
            settings = {"PREFECT_HOME": str(home / "client"), "NO_PROXY": "127.0.0.1"}
            settings |= {"PREFECT_API_URL": api.url, "PREFECT_API_AUTH_STRING": str(api.auth)}
            empty = database_bytes(home / "server" / "prefect.db")
            for number in range(nights + 1):
                if number:
                    done = verdicts(cwd=home, code="from verdicts.flows.command import cli; cli()", **settings)
                    assert done.returncode == 0, done.stderr
                sizes = [size_of(home / "data" / part) for part in PARTS]
                # What a run sends may come a moment after its end.
                recorded = database_bytes(home / "server" / "prefect.db") - empty
                rows.append((str(number), *(f"{size / 1000:,.0f}" for size in (*sizes, recorded))))
    print(markdown_table(("night", *(f"{part}, KB" for part in PARTS), "Prefect, KB"), rows))


def size_of(path: Path) -> int:
    files = [path] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file())


def database_bytes(path: Path) -> int:
    """Of the pages in use, the log of writes aside."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        pages, free, size = (
            database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
        )
    return (pages - free) * size


if __name__ == "__main__":
    main()
