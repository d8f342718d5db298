r"""The report as Markdown, by `report.md.jinja`: for a terminal, a mail, Prefect's artifact, and to make its page of.

Words of pages are cut, freed of characters that act, and escaped: `\*`, `\|`, `:\//`. They make no markup, no link and
no cell of a table.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import ceil

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, pass_context
from jinja2.runtime import Context

from verdicts.pipeline.exit_codes import STORAGE
from verdicts.pipeline.gates.words import DOWN_TODO, accept_command, finding
from verdicts.pipeline.nights.record import STATES, NightCrawl, NightGates, NightRecord, State, age_in_words
from verdicts.pipeline.terminal import block_bar, shown_line

HOSTS_NAMED = 5
"""Hosts named in a sentence."""

COMMAND_CHARS = 400
"""Longer commands are replaced by `verdicts check`. A host name of 250 characters stays below."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$!^@]")
_STARTS = re.compile(r"^(\d*)([-+=.)])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_ADDRESS = re.compile(r"https?://[^\s<>\\|…]+")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for the items of a list and the characters of a text."""

    rows: int
    chars: int


LIMITS = (Limits(40, 300), Limits(20, 200), Limits(12, 120), Limits(6, 60), Limits(3, 30))
"""Widest first. A smaller one is used if the report is too large. A few hosts fit the first, two hundred hosts full of
escapes the last."""


def state_of(record: NightRecord) -> State:
    """The state of a night. One that failed after publication is degraded."""
    is_there = record.status == "failed" and record.published is not None
    return STATES["partial" if is_there else record.status]


def day_of(record: NightRecord) -> str:
    """`21 November 2026`: when the night began."""
    return f"{record.began_at.day} {record.began_at:%B %Y}"


def write_markdown(record: NightRecord, earlier: Sequence[NightRecord], limits: Limits) -> str:
    """`earlier` are the nights before, newest first."""
    text = _template().render(
        night=record,
        outcomes=_outcomes([record, *earlier]),
        crawl=record.crawl,
        gates=record.gates,
        corpus=record.corpus,
        limits=limits,
        state=state_of(record),
        day=day_of(record),
        why=_why(record),
        numbers=_numbers(record),
        next_command=_next_command(record, limits),
    )
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_aligned(text.splitlines()))).strip() + "\n"


def _outcomes(nights: Sequence[NightRecord]) -> list[tuple[NightRecord, list[int | None], float]]:
    """Each night with its addresses by outcome, and their number as a share of the most."""
    crawls = [night.crawl if isinstance(night.crawl, NightCrawl) else None for night in nights]
    counts = [(c.unchanged, c.stored, c.other, c.failed) if c is not None else () for c in crawls]
    most = max(1, *map(sum, counts))
    return [(night, [*row] or [None] * 4, sum(row) / most) for night, row in zip(nights, counts, strict=True)]


@cache
def _template() -> Template:
    made = Environment(
        loader=PackageLoader("verdicts.pipeline", "nights"),
        autoescape=False,  # noqa: S701  Markdown
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "accept_command": accept_command,
        "age": age_in_words,
        "bar": block_bar,
        "before_and_after": _before_and_after,
        "cells": _cells,
        "command": _command,
        "count": _count,
        "finding": finding,
        "grown": _grown,
        "paragraph": _paragraph,
        "percent": percent,
        "plural": _plural,
        "words": _words,
    }
    made.globals |= {"states": STATES, "down_todo": DOWN_TODO}
    return made.get_template("report.md.jinja")


def escaped(words: str) -> str:
    """Escapes words so that Markdown shows them literally, inside a line or a table cell."""
    return _LINKS.sub(lambda match: f"\\{match[0]}", _MARKUP.sub(r"\\\g<0>", words))


@pass_context
def _words(context: Context, text: str | None) -> str:
    """Foreign words in one line, cut and escaped."""
    text, most = text or "", context["limits"].chars
    line = shown_line(" ".join(text[: most + 1].split()) or text[:most])
    return escaped(line if len(line) <= most else f"{line[: most - 1]}…")


@pass_context
def _paragraph(context: Context, text: str) -> str:
    r"""The same for words that begin a line: `1\. x` and `\- x` are no lists."""
    return _STARTS.sub(lambda match: f"{match[1]}\\{match[2]}", _words(context, text))


@pass_context
def _before_and_after(context: Context, example: str) -> str:
    """An example of the gates, `http://a.example/x: before → after`, with its page as a link."""
    page, colon, words = example.partition(": ")
    before, arrow, after = words.partition(" → ")
    if not (colon and arrow):
        return f"page: {_words(context, example)}"
    is_whole = len(page) <= context["limits"].chars and page == shown_line(page)
    address = f"<{page}>" if is_whole and _ADDRESS.fullmatch(page) else _words(context, page)
    return f"{address}: {_words(context, before)} → {_words(context, after)}"


def _command(line: str) -> str:
    """A command, never cut, because half a command does something else."""
    shown = shown_line(line)
    return shown if len(shown) <= COMMAND_CHARS else "verdicts check"


def _cells(cells: Iterable[str | int | None]) -> str:
    return f"| {' | '.join(cell if isinstance(cell, str) else _count(cell) for cell in cells)} |"


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _grown(count: tuple[str, int, int | None]) -> str:
    """`130 pages (+2)`."""
    name, now, before = count
    return f"{now:,} {name}" + ("" if before is None or before == now else f" ({now - before:+,})")


def _plural(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 'es' if one.endswith('s') else 's'}"


def percent(share: float) -> str:
    """`83 %`. Rounded so that 100 means all and 0 means nothing."""
    number = share * 100
    if 0 < number < 1:
        return "< 1 %"
    return f"{ceil(number) if number < 50 else int(number)} %"


def _why(record: NightRecord) -> str:
    """Why the night is not simply published."""
    if record.status == "held" and isinstance(record.gates, NightGates) and record.gates.held:
        held = record.gates.held
        left = len(held) - HOSTS_NAMED
        hosts = ", ".join(rows[0].host for rows in held[:HOSTS_NAMED]) + (f" and {left:,} more" if left > 0 else "")
        return f"Held: {hosts}. Readers keep their rows as they were."
    return f"{record.headline.rstrip('.')}."


def _numbers(record: NightRecord) -> str:
    """`12 addresses stored anew, 108 unchanged, 9 failed; 3 new tools`."""
    crawl, corpus = record.crawl, record.corpus
    parts, changes = [], []
    if isinstance(crawl, NightCrawl):
        stored = f"{_plural(crawl.stored, 'address')} stored anew"
        parts.append(f"{stored}, {crawl.unchanged:,} unchanged, {crawl.failed:,} failed")
    if not isinstance(corpus, str):
        named = (
            (corpus.new_tools, "new tool", ""),
            (corpus.vanished_tools, "vanished tool", ""),
            (corpus.verdicts, "verdict", " that turned"),
            (corpus.reviews, "review", " that changed"),
            (corpus.prices, "price", " that changed"),
        )
        changes = [f"{_plural(changed.total, noun)}{clause}" for changed, noun, clause in named if changed.total]
        parts.append("the first copy for readers" if corpus.before is None else ", ".join(changes))
    return "; ".join(filter(None, parts))


def _next_command(record: NightRecord, limits: Limits) -> str | None:
    """None if there is nothing to do, or the command stands beside each held host."""
    gates = record.gates
    if record.status == "held":
        is_said = isinstance(gates, NightGates) and 0 < len(gates.held) <= limits.rows
        return None if is_said else "verdicts check"
    if record.status == "failed" and record.exit_code == STORAGE:
        return "verdicts doctor"
    return {"failed": "verdicts run", "interrupted": "verdicts run", "partial": "verdicts status"}.get(
        str(record.status)
    )


def _aligned(lines: Iterable[str]) -> Iterator[str]:
    """Pads the cells of each table, so that its columns are aligned in the source, too."""
    for is_table, group in groupby(lines, lambda line: line.startswith("| ")):
        if not is_table:
            yield from group
            continue
        rows = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in group]
        sides = [rule.endswith(":") for rule in rows[1]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        rows[1] = ["-" * (width - side) + ":" * side for width, side in zip(widths, sides, strict=True)]
        for row in rows:
            padded = (
                cell.rjust(width) if side else cell.ljust(width)
                for cell, width, side in zip(row, widths, sides, strict=True)
            )
            yield f"| {' | '.join(padded)} |"
