r"""The report of a night, as Markdown and HTML: a rendering of its record by `report.md.jinja`.

Words of pages are cut, freed of characters that act, and escaped: `\*`, `\|`, `:\//`. They make no markup, no link and
no cell of a table. The HTML is made from the Markdown; it has no scripts and loads nothing.
"""

import re
from collections.abc import Sequence
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt

from verdicts.corpus.enumerations import GateState
from verdicts.pipeline.gates.holds import DOWN_TODO, describe_loss, group_by_host, make_accept_command
from verdicts.pipeline.nights.record import NightRecord
from verdicts.pipeline.terminal import escape_line

NIGHTS_SHOWN = 14

ROWS_MAX, CHARS_MAX = 20, 200
"""Items of a list, and characters of a text. Two hundred hosts full of escapes stay below a megabyte."""

LOSS_STATES: tuple[GateState, ...] = ("shadow", "accepted", "watch")
"""States of gates besides `held` that are reported."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$!^@]")
_STARTS = re.compile(r"^(\d*)([-+=.)])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_ADDRESS = re.compile(r"https?://[^\s<>\\|…]+")


def render_report(record: NightRecord, nights: Sequence[NightRecord]) -> dict[str, str]:
    """Both forms of the report by file name ending. `nights` are all, newest first."""
    before = [night for night in nights if night.night_id < record.night_id and night.status != "refused"]
    hosts = group_by_host(record.gates)
    text = (
        _environment()
        .get_template("report.md.jinja")
        .render(
            night=record,
            nights=[record, *before[: NIGHTS_SHOWN - 1]],
            hosts=hosts,
            held=sorted((host for host in hosts if host.holds), key=lambda host: -max(row.lost for row in host.holds)),
            losses=sorted(
                (row for host in hosts for row in host.pick(*LOSS_STATES, besides={row.measure for row in host.holds})),
                key=lambda row: -row.lost,
            ),
        )
    )
    text = re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return {".html": _environment().get_template("report.html.jinja").render(night=record, body=body), ".md": text}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("verdicts.pipeline", "nights"),
        autoescape=False,  # noqa: S701  Markdown
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "accept_command": make_accept_command,
        "command": escape_line,
        "example": _write_example,
        "loss": describe_loss,
        "paragraph": _escape_start,
        "plural": _write_count,
        "table": _write_table,
        "words": escape,
    }
    environment.globals |= {"down_todo": DOWN_TODO, "rows_max": ROWS_MAX}
    return environment


def escape(text: str | None) -> str:
    """Foreign words in one line, cut, and escaped so that Markdown shows them literally."""
    text = text or ""
    line = escape_line(" ".join(text[: CHARS_MAX + 1].split()) or text[:CHARS_MAX])
    line = line if len(line) <= CHARS_MAX else f"{line[: CHARS_MAX - 1]}…"
    return _LINKS.sub(lambda match: f"\\{match[0]}", _MARKUP.sub(r"\\\g<0>", line))


def _escape_start(text: str) -> str:
    r"""The same for words that begin a line: `1\. x` and `\- x` are no lists."""
    return _STARTS.sub(lambda match: f"{match[1]}\\{match[2]}", escape(text))


def _write_example(example: str) -> str:
    """An example of the gates, `http://a.example/x: before → after`, with its page as a link."""
    page, colon, words = example.partition(": ")
    before, arrow, after = words.partition(" → ")
    if not (colon and arrow):
        return f"page: {escape(example)}"
    is_whole = len(page) <= CHARS_MAX and page == escape_line(page) and _ADDRESS.fullmatch(page)
    return f"{f'<{page}>' if is_whole else escape(page)}: {escape(before)} → {escape(after)}"


def _write_count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 'es' if noun.endswith('s') else 's'}"


def _write_table(rows: Sequence[Sequence[str | int | None]], *heads: str) -> str:
    """A Markdown table, aligned in the source, too. Numbers stand on the right."""
    cells = [[cell or "" if isinstance(cell, str | None) else f"{cell:,}" for cell in row] for row in rows]
    widths = [max(3, *map(len, column)) for column in zip(heads, *cells, strict=True)]
    sides = [any(isinstance(row[number], int) for row in rows) for number in range(len(heads))]
    rule = ["-" * (width - side) + ":" * side for width, side in zip(widths, sides, strict=True)]
    lines = [
        [cell.rjust(width) if side else cell.ljust(width) for cell, width, side in zip(row, widths, sides, strict=True)]
        for row in (heads, rule, *cells)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
