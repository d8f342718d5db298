"""The night's report: a page of HTML and its Markdown twin, there whole or not at all; the newest 90 pairs stay.

The page is made of the Markdown: no script, nothing asked for from outside, every word of a page escaped.
"""

import re
from contextlib import suppress
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.token import Token

from verdicts.fetch.given_files import read_file
from verdicts.fetch.store import checksums
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.report_facts import NightFacts, facts_of
from verdicts.pipeline.nights.report_markdown import GLYPHS, LIMITS, day_of, markdown_of, state_of
from verdicts.pipeline.sources.config_sections import CareConfig
from verdicts.warehouse.storage.durable import replace_text

FORMS = (".html", ".md")
"""As the ends of the names of files."""

PAIRS_KEPT = 90
"""Reports of the newest nights; a quarter of a year, under 30 MB."""

HTML_BYTES_MAX, MARKDOWN_BYTES_MAX = 200_000, 100_000
"""What mail servers take and opens at once; what a mail's body and an artifact bear."""

_STATES = {f"{glyph} {word}": word for word, glyph in GLYPHS.items()}

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
    """Gathers, renders, writes, and removes the pairs beyond the newest 90. Returns the page and its twin.

    Raises `OSError`; nothing is left then of what was begun.
    """
    texts = report_of(facts_of(folder, care, ending))
    page, twin = (_path(folder, ending.night_id, form) for form in FORMS)
    folder.reports.mkdir(parents=True, exist_ok=True)
    try:
        for path in (page, twin):
            with checksums.replaced(path):
                replace_text(path, texts[path.suffix])
    except BaseException:
        with suppress(OSError):
            page.unlink(missing_ok=True)
            checksums.forget(page)
        raise
    _remove_old(folder.reports)
    return page, twin


def kept_report(folder: DataFolder, night_id: str, form: str) -> str | None:
    """The text of a report in `.html` or `.md`, as it was written after the night; None where it is not kept.

    Raises `StoreDamaged`.
    """
    path = _path(folder, night_id, form)
    if not path.exists():
        return None
    checksums.check(path)
    return read_file(path).decode(errors="replace")


def newest_report(folder: DataFolder) -> Path | None:
    """The Markdown of the newest night that has a report."""
    return max(folder.reports.glob("*.md"), default=None, key=lambda path: path.stem)


def report_of(facts: NightFacts) -> dict[str, str]:
    """The report in both forms, with as much as fits."""
    for limits in LIMITS:
        text = markdown_of(facts, limits)
        page = page_of(text, facts.ending)
        if len(page.encode()) < HTML_BYTES_MAX and len(text.encode()) < MARKDOWN_BYTES_MAX:
            break
    return {".html": page, ".md": text}


def page_of(markdown: str, ending: NightEnding) -> str:
    """The Markdown of a report as a page of its own."""
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
    return _PAGE.format(state=state_of(ending), day=day_of(ending), css=css, body=body)


def _text(_renderer: object, tokens: list[Token], number: int, *_: object) -> str:
    """Each side of an arrow stays on its side, also where words run from right to left."""
    text = " → ".join(f"<bdi>{escapeHtml(words)}</bdi>" for words in tokens[number].content.split(" → "))
    return _BARS.sub(r"<i>\g<0></i>", text)


def _path(folder: DataFolder, night_id: str, form: str) -> Path:
    return folder.reports / f"{night_id}{form}"


def _remove_old(reports: Path) -> None:
    nights = sorted({path.stem for form in FORMS for path in reports.glob(f"*{form}")})
    for night_id in nights[:-PAIRS_KEPT]:
        for form in FORMS:
            path = reports / f"{night_id}{form}"
            path.unlink(missing_ok=True)
            checksums.forget(path)
    # Of a night that was killed in mid-report.
    for draft in reports.glob(".*.tmp"):
        draft.unlink(missing_ok=True)
