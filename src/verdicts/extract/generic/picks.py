"""Short lists of picks: `Best for teams: Alpha`. They add to the tools of a page, or are all that it has. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

from verdicts.extract.generic.promise import Promise, has_audience
from verdicts.extract.generic.section_values import ToolList
from verdicts.extract.generic.stated import key
from verdicts.extract.generic.words import BEST_FOR, LABELS, NAME_MAX, PRAISE
from verdicts.extract.model.blocks import Block, fold
from verdicts.extract.model.records import Fact

PICKS_MIN = 3
"""The fewest picks of a list."""

LINE_MAX = 140
"""The most characters of a pick."""

BEGINNING_MAX = 3 * NAME_MAX
"""The most characters of the key of a pick's name: case folding makes of one letter up to three."""

_PICK = re.compile(r"([^:]{4,80}):\s(.{2,})")
_OPEN = {label.rpartition(" ")[2] for label in BEST_FOR}
"""Last words of labels, whose values are no names: `Best suited for: renters`."""

_IN_BRACKETS = re.compile(r"\s\([^()]*\)$")


@dataclass(frozen=True, slots=True)
class Pick:
    """`Best for teams`, the tool that it names, and the link of the line."""

    said: str
    name: str
    url: str | None


def picks_of(blocks: Sequence[Block]) -> list[Pick]:
    """The picks outside headings and tables, in page order; a name may stand in an element of its own.

    Of lines below each other half must praise: `Easiest to use: Beta` may be one of them.
    """
    picks: list[Pick] = []
    run: list[Pick] = []
    around: tuple[int, ...] = ()
    place = 0
    while place < len(blocks):
        block, parts = blocks[place], blocks[place : place + 2]
        is_parted = len(parts) == 2 and block.text.endswith(":") and block.is_inline and parts[1].path == block.path
        pick = _pick(parts if is_parted else parts[:1])
        within = block.path[:-1] if is_parted else block.path
        if run and (pick is None or within != around):
            picks += _praised(run)
            run = []
        if pick is not None:
            run.append(pick)
        around, place = within, place + 1 + (is_parted and pick is not None)
    return [*picks, *_praised(run)]


def _pick(parts: Sequence[Block]) -> Pick | None:
    line = " ".join(part.text for part in parts)
    picked = _PICK.fullmatch(line) if len(line) <= LINE_MAX else None
    if picked is None or any(part.level is not None or part.cell is not None for part in parts):
        return None
    said, name = picked[1], _IN_BRACKETS.sub("", picked[2]).strip()
    is_label = fold(said) in LABELS or fold(said).rpartition(" ")[2] in _OPEN
    if is_label or PRAISE.match(name) or len(name) > NAME_MAX:
        return None
    return Pick(said, name, parts[-1].href)


def _praised(run: Sequence[Pick]) -> Sequence[Pick]:
    return run if 2 * sum(PRAISE.match(pick.said) is not None for pick in run) >= len(run) else ()


def read_picks(picks: Sequence[Pick], promise: Promise) -> ToolList | None:
    """The picks as the tools that the title promises: each has a link and a name of its own."""
    names = {key(pick.name) for pick in picks}
    if not promise.is_list or not all(pick.url for pick in picks) or not PICKS_MIN <= len(names) == len(picks):
        return None
    facts = [
        fact
        for place, pick in enumerate(picks)
        for fact in (
            Fact(place, pick.url or "", "section", property="url"),
            _read_award(place, pick),
        )
    ]
    return ToolList(tuple(pick.name for pick in picks), tuple(facts))


def read_facts_of_picks(names: Sequence[str], picks: Sequence[Pick]) -> Iterator[Fact]:
    """What the picks say of the tools that they name: by the first words of a name, or a name with more behind."""
    whole: dict[str, set[int]] = defaultdict(set)
    begun: dict[str, set[int]] = defaultdict(set)
    for place, tool in enumerate(names):
        whole[key(tool)].add(place)
        for name in _beginnings(tool):
            begun[name].add(place)
    for pick in picks:
        longer = (whole.get(name, set()) for name in _beginnings(pick.name))
        places = begun.get(key(pick.name), set()).union(*longer)
        if len(places) == 1:
            yield _read_award(places.pop(), pick)


def _read_award(tool: int, pick: Pick) -> Fact:
    return Fact(tool, pick.said, "section", property="best_for" if has_audience(pick.said) else "description")


def _beginnings(name: str) -> Iterator[str]:
    """The first words of a name, one by one, as far as a pick's name may go."""
    return takewhile(lambda words: len(words) <= BEGINNING_MAX, accumulate(key(name).split(), "{} {}".format))
