"""The report of a night, as HTML and Markdown: a rendering of its record.

The HTML is made from the Markdown. It has no scripts and loads nothing, and all words of pages are escaped.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from verdicts.pipeline.nights.record import STATES, NightRecord
from verdicts.pipeline.nights.report_markdown import LIMITS, day_of, state_of, write_markdown

HTML_BYTES_MAX, MARKDOWN_BYTES_MAX = 200_000, 100_000
"""Mail servers take this much HTML, and it opens at once. Mail bodies and artifacts take this much Markdown."""

NIGHTS_SHOWN = 14

_STATES = {f"{state.glyph} {state.word}": state.word for state in STATES.values()}

_BARS = re.compile("[▁-▏]+")

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{state}: night of {day}</title>
<style>{css}</style>
</head>
<body class="{state}">
{body}</body>
</html>
"""


def render_report(record: NightRecord, nights: Sequence[NightRecord]) -> dict[str, str]:
    """Both forms of the report by file name ending, with as many details as fit. `nights` are all, newest first."""
    before = [night for night in nights if night.night_id < record.night_id and night.status != "refused"]
    for limits in LIMITS:
        text = write_markdown(record, before[: NIGHTS_SHOWN - 1], limits)
        page = _write_page(text, record)
        if len(page.encode()) < HTML_BYTES_MAX and len(text.encode()) < MARKDOWN_BYTES_MAX:
            break
    return {".html": page, ".md": text}


def _write_page(markdown: str, record: NightRecord) -> str:
    """The HTML page for a Markdown report."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("text", _text)
    tokens = parser.parse(markdown)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.attrs.pop("style", None) == "text-align:right":
            token.attrSet("class", "number")
        if before is not None and token.content in _STATES:
            before.attrSet("class", _STATES[token.content])
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("rel", "noopener noreferrer")
    css = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    body = parser.renderer.render(tokens, parser.options, {})
    return _PAGE.format(state=state_of(record).word, day=day_of(record), css=css, body=body)


def _text(_renderer: object, tokens: list[Token], number: int, *_: object) -> str:
    """Keeps each side of an arrow on its side, even in text that runs from right to left."""
    text = " → ".join(f"<bdi>{escapeHtml(words)}</bdi>" for words in tokens[number].content.split(" → "))
    return _BARS.sub(r"<i>\g<0></i>", text)
