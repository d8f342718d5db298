"""Whole nights over real sockets, then a fault: what the gates make of it, from the crawl to the readers.

`uv run python -m benchmarks.gates_served [--pages 20 130] [FAULT...]`
"""

import json
import tempfile
from pathlib import Path
from time import perf_counter

import duckdb

from benchmarks.measuring import options_of
from builders.gate_sites import DAY, FAULTS, START, night, site
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.words import held_lines


def corpus(folder: DataFolder) -> str:
    with duckdb.connect(str(folder.warehouse), read_only=True) as connection:
        tables = ("pages", "tools", "verdicts", "tool_cards", "reviews", "appearances", "price_history")
        rows = {name: sorted(map(repr, connection.sql(f"SELECT * FROM {name}").fetchall())) for name in tables}
    return json.dumps(rows)


def tried(name: str, count: int, quiet: int) -> tuple[str, list[str]]:
    """What a fault came to: the night on which it was held and by what, and the lines that the operator reads."""
    with tempfile.TemporaryDirectory() as root:
        folder, at = DataFolder(Path(root) / "data"), START
        with open_store(folder.root, command="benchmark") as store:
            for _ in range(quiet):
                report = night(store, folder, site(count), at)
                at += DAY
                assert not held_lines(report.gates)
            for number, made in enumerate(FAULTS[name](count), start=1):
                before = corpus(folder)
                report = night(store, folder, made, at)
                at += DAY
                if lines := held_lines(report.gates):
                    order = ("month", "week", "anew", "night", "fixed")
                    held = sorted(
                        (row for row in report.gates if row.state == "held"), key=lambda row: order.index(row.test)
                    )
                    measures = {row.measure: row.test for row in held}
                    words = ", ".join(f"{measure} ({test})" for measure, test in measures.items())
                    kept = "rows as they were" if corpus(folder) == before else "ROWS CHANGED"
                    recovered = night(store, folder, site(count), at)
                    opened = "opens by itself" if not held_lines(recovered.gates) else "STAYS SHUT"
                    return f"night {number}: {words}; {kept}; {opened}", lines
    return "not held", []


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("faults", nargs="*", default=[*FAULTS])
    parser.add_argument("--pages", nargs="*", type=int, default=[20, 130])
    arguments = parser.parse_args()
    for name in arguments.faults:
        for count in arguments.pages:
            began = perf_counter()
            found, lines = tried(name, count, quiet=8 if "night" in name else 2)
            print(f"{name:34} {count:4} pages  {found}  ({perf_counter() - began:.0f} s)", flush=True)
            if count == arguments.pages[0]:
                print("".join(f"    {line}\n" for line in lines), flush=True)


if __name__ == "__main__":
    main()
