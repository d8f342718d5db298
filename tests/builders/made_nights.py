"""A small made corpus and seeded nights of it: pages come, go and come back, takes move, tools are renamed."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from builders import warehouse_rows as make
from builders.warehouse_rows import Corpus
from corpus.rows.tools import ProductRow, ToolRow
from normalize.scope import Scope

NAMES = ("Alpha", "beta", "Beta", "Gamma", "delta")


def nights(seed: int, count: int) -> Iterator[tuple[Corpus, Scope]]:
    """The whole corpus after each night, and a scope that decides all that the night changed, and some more."""
    chance = Random(seed)
    before: Corpus = {}
    for number in range(count):
        rows = before if number and chance.random() < 0.1 else _corpus(chance)
        changed = {
            table: set(rows.get(table, [])).symmetric_difference(before.get(table, []))
            for table in rows.keys() | before.keys()
        }
        unchanged = {table: [row for row in given if chance.random() < 0.1] for table, given in rows.items()}
        yield rows, make.scope_over(changed, unchanged)
        before = rows


def _corpus(chance: Random) -> Corpus:
    """Everything of a few tools, pages and takes is drawn anew with a small chance, from what is seeded by its name."""
    words = [str(place) for place in range(8)]
    tools = [
        make.tool(
            f"tool{word}", name=NAMES[(int(word) + _drawn(chance)) % len(NAMES)], slug=f"slug{word}{_drawn(chance)}"
        )
        for word in words
    ]
    pages = [
        (page, *pair)
        for page in range(12)
        if chance.random() < 0.85
        for pair in [(f"tool{page % 8}", f"tool{(page + 3 + _drawn(chance)) % 8}")]
        if pair[0] != pair[1]
    ]
    appearances = [
        make.appearance(
            f"page{page}", f"take{take}", take, attribution=chance.choices(("matched", "ordered"), (9, 1))[0]
        )
        for page, first, _ in pages
        for take in range(int(first[4:]), int(first[4:]) + 3)
        if chance.random() < 0.9
    ]
    shown: dict[str, list[Any]] = {}
    for row in appearances:
        shown.setdefault(row.review_id, []).append(row)
    reviews = [
        make.review(
            f"take{take}",
            f"tool{take % 8}",
            appearances=len(found),
            attribution="matched" if any(row.attribution == "matched" for row in found) else "ordered",
        )
        for take in range(11)
        if (found := shown.get(make.an_id(f"take{take}")))
    ]
    return {
        "pages": [make.page(f"page{page}", title=f"title {_drawn(chance)}") for page, _, _ in pages],
        "tools": tools,
        "products": _products(chance, tools),
        "tool_cards": [
            make.card(f"page{page}", side, word) for page, *two in pages for side, word in zip("ab", two, strict=True)
        ],
        "verdicts": [make.verdict(f"page{page}", "a", first) for page, first, _ in pages if _drawn(chance) == 0],
        "pricing_tiers": [make.tier(f"tool{word}", 0, plan=f"plan{_drawn(chance)}") for word in words],
        "reviews": reviews,
        "appearances": appearances,
        "tool_history": [make.tool_state(f"tool{word}", tagline=f"line{_drawn(chance)}") for word in words],
        "verdict_history": [make.verdict_state(f"page{page}", "a", first) for page, first, _ in pages],
    }


def _drawn(chance: Random) -> int:
    """0 mostly."""
    return chance.choices((0, 1, 2), (8, 1, 1))[0]


def _products(chance: Random, tools: Sequence[ToolRow]) -> list[ProductRow]:
    two = sorted(chance.sample(tools[:3], 2), key=lambda tool: tool.tool_id) if chance.random() < 0.7 else []
    return [
        ProductRow(tool.tool_id, two[0].tool_id, min((one.name for one in two), key=len), 1.0, "name") for tool in two
    ]
