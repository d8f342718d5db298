"""Where the time of a night goes: each step of a first night as a table, and as a picture.

    uv run python -m benchmarks.where_time_goes [--pages 1000] [--picture docs/time.svg]

The pages are comparisons of the demo site's tools, which another process serves without delays. Times are those of this
process and of the workers of extraction, memory is that of this process.
"""

import asyncio
import signal
import tempfile
from collections.abc import Callable, Mapping
from html import escape
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.measuring import (
    Cost,
    in_own_process,
    make_options,
    markdown_table,
    measure_body,
    peak_bytes,
    serve_elsewhere,
)
from builders.month.nights import render_site
from builders.month.site import HOST, START, first_site
from builders.warehouse_files import publish
from verdicts.demo_site.server import serve
from verdicts.demo_site.site_facts import load_facts
from verdicts.demo_site.site_pages import URL
from verdicts.fetch.model.site import Site
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.build.build import extract_pages, load_rows, normalize_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.nights.reporting import report_night
from verdicts.pipeline.sources.config import DEMO

Costs = dict[str, Cost]
"""What each step of a night costs, in their order."""


def run_night(pages: int) -> Costs:
    """A first night of so many comparisons, at most 1,000."""
    costs: Costs = {}

    def measure(name: str, run: Callable[[], object]) -> object:
        # Linux forgets the peak so far.
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        with measure_body() as costs[name]:
            result = run()
        costs[name].peak_mb = peak_bytes() / 1024 / 1024
        return result

    with tempfile.TemporaryDirectory() as home, serve_elsewhere(_serve, pages) as port:
        folder = DataFolder(Path(home))
        site = Site((HOST,), (URL,), resolve={HOST: ("127.0.0.1", port)}, allow_private=True, delay_s=0, connections=4)
        with open_store(folder.root, command="benchmark") as store:
            measure("crawl", lambda: asyncio.run(crawl(store, [site], user_agent="benchmark (test@bot.example)")))
            with steps.begin_build(store, folder) as building:
                extracted = measure("extract", lambda: extract_pages(building))
                rows = measure("normalize", lambda: normalize_records(building, extracted))
                measure("load", lambda: load_rows(building, extracted, rows))
            # In this process, whose memory is measured.
            measure("publish", lambda: publish(folder.warehouse, folder.serve, at=START))
            measure("export", lambda: steps.export_dataset(folder, folder.dataset))
            measure("verify", lambda: steps.verify_tonight(store))
        ended = NightRecord("20261101T023000Z-0001", START, status="done", exit_code=0)
        measure("report", lambda: report_night(folder, DEMO, ended))
    return costs


def _serve(port: Connection, pages: int) -> None:
    site = first_site(1, len(load_facts().tools), pages)
    with serve(render_site(site)) as (_, number):
        port.send(number)
        signal.pause()


STYLE = """
text { font: 11px system-ui, sans-serif; fill: #24292f } .quiet { fill: #57606a }
.title { font-size: 13px; font-weight: 600 } .bar { fill: #1a7f37 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .quiet { fill: #9198a1 } .bar { fill: #3fb950 } }
"""
NAMES, BAR, ROW = 80, 400, 18
"""Pixels: of the steps' names, of the longest bar, of a line."""


def draw_picture(title: str, costs: Mapping[str, Cost]) -> str:
    """The CPU time of each step as a bar, SVG. Colours follow the reader's light or dark screen."""
    most, total = (pick(cost.cpu_s for cost in costs.values()) for pick in (max, sum))
    lines = [f'<text class="title" x="0" y="{ROW}">{escape(title)}</text>']
    for number, (step, cost) in enumerate(costs.items(), start=2):
        y, width = number * ROW, BAR * cost.cpu_s / most
        lines += [
            f'<text x="{NAMES - 8}" y="{y}" text-anchor="end">{step}</text>',
            f'<rect class="bar" x="{NAMES}" y="{y - 10}" width="{width:.1f}" height="12" rx="2"/>',
            (
                f'<text class="quiet" x="{NAMES + width + 6:.0f}" y="{y}">'
                f"{cost.cpu_s:.2f} s, {cost.cpu_s / total:.0%}</text>"
            ),
        ]
    size = f"0 0 {NAMES + BAR + 100} {(len(costs) + 2) * ROW}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="img">\n<title>{escape(title)}.</title>'
    return "\n".join([head, f"<style>{STYLE}</style>", *lines, "</svg>\n"])


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--pages", type=int, default=1_000, help="comparisons, at most 1,000")
    options.add_argument("--picture", type=Path, help="also draw the CPU time to this file, .svg")
    chosen = options.parse_args()
    costs = in_own_process(run_night, chosen.pages)
    rows = [(step, f"{cost.wall_s:.2f}", f"{cost.cpu_s:.2f}", f"{cost.peak_mb:.0f}") for step, cost in costs.items()]
    sums = [f"{sum(getattr(cost, name) for cost in costs.values()):.2f}" for name in ("wall_s", "cpu_s")]
    most = max(cost.peak_mb for cost in costs.values())
    head = (f"a night of {chosen.pages:,} new pages", "wall s", "CPU s", "peak MB")
    print(markdown_table(head, [*rows, ("in all", *sums, f"{most:.0f}")]))
    if chosen.picture:
        title = f"CPU time of a night of {chosen.pages:,} new pages, by step"
        chosen.picture.write_text(draw_picture(title, costs), encoding="utf-8")


if __name__ == "__main__":
    main()
