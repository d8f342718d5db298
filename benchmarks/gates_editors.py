"""A second kind of ordinary nights, which shares nothing with the first: people edit tools, and templates flicker.

Nothing is lost page by page. An editor rewrites a tool, which changes all its pages and sometimes leaves a field out
until another one fills it in; a cache serves some pages without a part; on weekends hardly anybody works.
"""

from collections.abc import Iterator
from random import Random

from builders.gate_world import Seen
from pipeline.gates.measures import PAGE_MEASURES

OF_TOOLS = ("panel", "tagline", "slug", "rating", "decision", "price", "amount")
OF_TAKES = ("takes", "take_text", "whole_panel", "side", "seat", "score", "verdict")


def editorial_nights(seed: int, pages: int) -> Iterator[dict[str, Seen]]:
    chance = Random(f"editors {seed}")
    tools = {number: dict.fromkeys(OF_TOOLS, 1.0) | {"edits": 0.0} for number in range(max(8, pages // 4))}
    # A few tools are on many pages, most on few.
    weights = [1 / (rank + 1) for rank in range(len(tools))]
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < min(pages, len(tools) * (len(tools) - 1) // 2):
        a, b = chance.choices(range(len(tools)), weights, k=2)
        if a != b:
            pairs.add((min(a, b), max(a, b)))
    takes = dict.fromkeys(pairs, 1.0)
    day = 0
    while True:
        flicker = {pair: chance.choice(OF_TAKES) for pair in pairs if chance.random() < 0.002}
        missed = {pair for pair in pairs if chance.random() < 0.03}
        yield {
            f"{a} vs {b}": _page(tools[a], tools[b], takes[a, b], flicker.get((a, b)), (a, b))
            for a, b in sorted(pairs - missed)
        }
        day += 1
        for _ in range(chance.choice((0, 1)) if day % 7 >= 5 else chance.choice((0, 1, 2, 2, 3, 5))):
            _edit(chance, tools[chance.randrange(len(tools))])
        for pair in pairs:
            # A take is moved or rewritten on a page, or moderated away.
            if chance.random() < 0.01:
                takes[pair] = max(0.25, min(1.5, takes[pair] * chance.choice((0.75, 0.9, 1.1, 1.25))))


def _edit(chance: Random, tool: dict[str, float]) -> None:
    tool["edits"] += 1
    for name in OF_TOOLS:
        if not tool[name] or chance.random() < 0.04:
            tool[name] = 1.0 - tool[name]


def _page(a: dict[str, float], b: dict[str, float], takes: float, missing: str | None, pair: tuple[int, int]) -> Seen:
    shown: dict[str, float | None] = {"comparison": 1.0}
    shown |= {name: (a[name] + b[name]) / 2 for name in OF_TOOLS}
    shown |= dict.fromkeys(OF_TAKES, 1.0) | {"takes": 8 * takes, "take_text": 400.0}
    if missing is not None:
        shown[missing] = 0.0
    amounts = tuple(shown.get(name) for name in PAGE_MEASURES)
    return Seen(amounts, pair, version=int(a["edits"] * 1000 + b["edits"]))
