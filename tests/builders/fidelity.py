"""How much of a page extraction gets right, field by field, against the answer key."""

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from html import unescape
from typing import Any

from builders.answer_key import expected
from builders.mutations import MUTATIONS, designs, mutated
from builders.redesigns import CARDS, DECISIONS, SCORECARDS, STATS, Design, as_data, page
from builders.renderings import RENDERERS, page_url, rendered
from builders.snapshots import html
from verdicts.demo_site.facts import Facts, Pair, load_facts
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import extract

SEED = 20261101
CARD_FIELDS = ("name", "slug", "tagline", "category", "panel_ship", "chip", "community", "entry", "description")
DECISION_FIELDS = ("verdict", "community", "pricing", "best_for", "category")
TAKE_FIELDS = ("side", "seat", "score", "verdict", "text")


@dataclass(frozen=True)
class Case:
    """A page to read: what was done to it, its HTML or text, and the rendering whose key it has."""

    kind: str
    pair: Pair
    rendering: str
    body: str


@dataclass
class Score:
    """Counts by field: values that are right, that are wrong or should be absent, and that are missing."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    missing: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, value: Any, true: Any) -> None:
        if value == true:
            self.right[name] += true is not None
        elif value is None:
            self.missing[name] += 1
        else:
            self.wrong[name] += 1

    def precision(self, name: str) -> float:
        given = self.right[name] + self.wrong[name]
        return self.right[name] / given if given else 1.0

    def recall(self, name: str) -> float:
        present = self.right[name] + self.wrong[name] + self.missing[name]
        return self.right[name] / present if present else 1.0

    def fields(self) -> list[str]:
        return sorted({*self.right, *self.wrong, *self.missing})


def renderings() -> Iterator[Case]:
    """Every page of the demo site in every rendering."""
    facts = load_facts()
    for rendering, render in RENDERERS.items():
        for pair in facts.pairs:
            yield Case(rendering, pair, rendering, render(facts, pair))


def mutations() -> Iterator[Case]:
    """The mutation set: each mutation on each DOM, each design, and seeded mixtures of both."""
    facts, chance = load_facts(), random.Random(SEED)
    pairs = list(facts.pairs)
    for name in MUTATIONS:
        for rendering in ("html_semantic", "html_flat", "html_jsonld"):
            for pair in chance.sample(pairs, 3):
                body = RENDERERS[rendering](facts, pair)
                yield Case(name, pair, rendering, mutated(body, [name], chance.randrange(10**6)))
    for choice in designs():
        for pair in chance.sample(pairs, 4):
            part, value = next(iter(choice.items()))
            words = ", ".join(value) if isinstance(value, tuple) else value
            yield Case(f"{part}: {words}", pair, "html_semantic", page(facts, pair, Design(**choice)))
    for pair in chance.sample(pairs, 4):
        yield Case("data in a script", pair, "html_semantic", as_data(facts, pair))
    for _ in range(300):
        yield _mixture(facts, chance.choice(pairs), chance)
    for _ in range(150):
        pair, rendering = chance.choice(pairs), chance.choice(("html_semantic", "html_flat", "html_jsonld"))
        names = chance.sample([*MUTATIONS], 4)
        body = mutated(RENDERERS[rendering](facts, pair), names, chance.randrange(10**6))
        yield Case("four at once", pair, rendering, body)


def _mixture(facts: Facts, pair: Pair, chance: random.Random) -> Case:
    order = ["cards", "decision", "scorecard"]
    chance.shuffle(order)
    parts = (chance.choice([*choices]) for choices in (CARDS, STATS, DECISIONS, SCORECARDS))
    design = Design(*parts, order=tuple(order))
    names = chance.sample([*MUTATIONS], 3)
    body = mutated(page(facts, pair, design), names, chance.randrange(10**6))
    return Case("mixtures", pair, "html_semantic", body)


def digest(cases: list[Case]) -> str:
    """Of the whole set: floors measured on another set say nothing. How a library writes its tags does not count."""
    total = hashlib.sha256()
    for case in cases:
        words = re.sub(r"<[^<>]*>|\s+", "", unescape(case.body))
        total.update(f"{case.kind}\0{case.pair.path}\0{words}\0".encode())
    return total.hexdigest()


def read(case: Case, score: Score) -> None:
    """Reads one page and counts its values. A page that is rejected has all of them missing."""
    key = expected(case.pair, case.rendering)
    if case.body == rendered(case.pair, case.rendering).body.decode():
        extracted = extract(rendered(case.pair, case.rendering))
    else:
        extracted = extract(html(case.body, page_url(case.pair)))
    data = asdict(extracted) if isinstance(extracted, Comparison) else None
    _count(score, "card", CARD_FIELDS, data and data["cards"], key["cards"])
    _count(score, "decision", DECISION_FIELDS, data and data["decisions"], key["decisions"])
    takes = {(take["side"], take["seat"], take["text"]): take for take in key["takes"]}
    given = list(data["takes"]) if data else []
    for true in takes.values():
        match = next((take for take in given if take["text"] == true["text"] and take["side"] == true["side"]), None)
        match = match or next((take for take in given if take["text"] == true["text"]), None)
        if match is not None:
            given.remove(match)
        for name in TAKE_FIELDS:
            score.add(f"take {name}", match and match[name], true[name])
    for extra in given:
        score.wrong["take text"] += extra is not None
    cells = {(cell["seat"], cell["side"]) for cell in key["missing_takes"]}
    cells_read = {(cell["seat"], cell["side"]) for cell in data["missing_takes"]} if data else set()
    score.right["missing take"] += len(cells & cells_read)
    score.missing["missing take"] += len(cells - cells_read)
    score.wrong["missing take"] += len(cells_read - cells)


def _count(score: Score, what: str, names: tuple[str, ...], records: Any, true: list[dict[str, Any]]) -> None:
    for index, key in enumerate(true):
        given = records[index] if records else {}
        for name in names:
            score.add(f"{what} {name}", given.get(name), key[name])
