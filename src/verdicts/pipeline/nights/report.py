"""The report of a night, as HTML and Markdown. Both files are written, or neither.

The HTML is made from the Markdown. It has no scripts and loads nothing, and all words of pages are escaped.
"""

import re
from contextlib import suppress
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.kept_reports import FORMS, remove_old, report_path
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.report_facts import NightFacts, facts_of
from verdicts.pipeline.nights.report_markdown import LIMITS, STATES, day_of, markdown_of, state_of
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.warehouse.storage.durable import replace_text

HTML_BYTES_MAX, MARKDOWN_BYTES_MAX = 200_000, 100_000
"""Mail servers take this much HTML, and it opens at once. Mail bodies and artifacts take this much Markdown."""

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


def write_report(folder: DataFolder, care: CareConfig, ending: NightEnding) -> tuple[Path, Path]:
    """Writes both files and removes old pairs. Returns the paths of HTML and Markdown.

    Raises `OSError`, and then leaves neither file.
    """
    texts = report_of(facts_of(folder, care, ending))
    page, twin = (report_path(folder, ending.night_id, form) for form in FORMS)
    folder.reports.mkdir(parents=True, exist_ok=True)
    try:
        for path in (page, twin):
            replace_text(path, texts[path.suffix])
    except BaseException:
        with suppress(OSError):
            page.unlink(missing_ok=True)
        raise
    remove_old(folder.reports)
    return page, twin


def report_of(facts: NightFacts) -> dict[str, str]:
    """Both forms of the report, with as many details as fit."""
    for limits in LIMITS:
        text = markdown_of(facts, limits)
        page = page_of(text, facts.ending)
        if len(page.encode()) < HTML_BYTES_MAX and len(text.encode()) < MARKDOWN_BYTES_MAX:
            break
    return {".html": page, ".md": text}


def page_of(markdown: str, ending: NightEnding) -> str:
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
    return _PAGE.format(state=state_of(ending).word, day=day_of(ending), css=css, body=body)


def _text(_renderer: object, tokens: list[Token], number: int, *_: object) -> str:
    """Keeps each side of an arrow on its side, even in text that runs from right to left."""
    text = " → ".join(f"<bdi>{escapeHtml(words)}</bdi>" for words in tokens[number].content.split(" → "))
    return _BARS.sub(r"<i>\g<0></i>", text)
