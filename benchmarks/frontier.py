"""What an operation of the frontier costs with a thousand known URLs, and with a million.

    uv run python -m benchmarks.frontier [--most 1000000]

Each figure is the median of a hundred rounds of: take a hundred due URLs, look each up, settle it, and add ten links
of it, half of them known.
"""

import resource
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.measuring import markdown_table, options_of
from verdicts.fetch.model.revisit import Revisit
from verdicts.fetch.model.url_state import VisitResult
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import open_store

MOMENT = datetime(2026, 11, 1, tzinfo=UTC)
HOST = "a.example"
TAKEN = 100


def address(number: int) -> str:
    return f"https://{HOST}/compare/tool-{number}-vs-tool-{number * 7 % 1000}"


def microseconds(store, known: int, rounds: int) -> dict[str, float]:
    """The median cost of one operation each, with `known` addresses in the frontier."""
    state, revisit = store.state, Revisit()
    spent: dict[str, list[float]] = {"take": [], "look up": [], "settle": [], "add": [], "commit": []}

    def clocked(name: str, count: int, work):
        began = time.perf_counter()
        result = work()
        spent[name].append((time.perf_counter() - began) / count * 1e6)
        return result

    visit = VisitResult("0" * 64, '"e"', None, is_changed=None, is_unconditional=True)
    for number in range(rounds):
        urls = clocked("take", TAKEN, lambda: frontier.due_urls(state, HOST, "c", MOMENT, TAKEN, ()))
        states = clocked("look up", TAKEN, lambda urls=urls: [frontier.url_state(state, url) for url in urls])
        clocked(
            "settle",
            TAKEN,
            lambda urls=urls, states=states: [
                frontier.settle_fetched(state, url, "c", MOMENT + timedelta(seconds=1), before, visit, revisit)
                for url, before in zip(urls, states, strict=True)
            ],
        )
        links = [address(known + number * 500 + new) for new in range(500)] + [address(new) for new in range(500)]
        clocked("add", 1000, lambda links=links: frontier.add(state, links, crawl_id="c", source="x"))
        clocked("commit", TAKEN, state.commit)
    return {name: statistics.median(values) for name, values in spent.items()}


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--most", type=int, default=1_000_000)
    most = options.parse_args().most
    rows = []
    for known in (1_000, 10_000, 100_000, 1_000_000):
        if known > most:
            break
        with tempfile.TemporaryDirectory() as folder, open_store(Path(folder), command="benchmark") as store:
            for start in range(0, known, 10_000):
                urls = [address(number) for number in range(start, min(start + 10_000, known))]
                frontier.add(store.state, urls, crawl_id="c", source="x")
            store.state.commit()
            costs = microseconds(store, known, min(100, known // TAKEN))
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            rows.append((f"{known:,}", *(f"{cost:.1f}" for cost in costs.values()), f"{peak_mb:.0f}"))
    head = ("URLs known", "take µs", "look up µs", "settle µs", "add µs", "commit µs", "peak MB")
    print(markdown_table(head, rows))


if __name__ == "__main__":
    main()
