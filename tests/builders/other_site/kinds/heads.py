"""Forms of a take's head: its score and its verdict."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_take, html_of, swapped
from builders.other_site.facts import Take
from builders.other_site.kinds.kind import HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Page, Part


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


FORMS = {
    "scale of ten": lambda take: f"{_short(take.score / 10)}/10 · {take.verdict}",
    "no scale": lambda take: f"{take.score} · {take.verdict}",
    "would ship": lambda take: f"{take.score}/100 · would {take.verdict}",
    "verdict first, no scale": lambda take: f"{take.verdict} {take.score}",
    "score in brackets": lambda take: f"{take.verdict.title()} ({take.score})",
    "spaces and dash": lambda take: f"{take.score} / 100 — {take.verdict}",
    "verdict first": lambda take: f"{take.verdict} · {take.score}/100",
    "out of": lambda take: f"{take.score} out of 100, {take.verdict}",
    "percent": lambda take: f"{take.score}% · {take.verdict}",
    "scale of five": lambda take: f"{_short(take.score / 20)}/5 · {take.verdict}",
    "pipe": lambda take: f"{take.score}/100 | {take.verdict.title()}",
    "upper case": lambda take: f"{take.score}/100 · {take.verdict.upper()}",
}
"""The whole head as one text."""

MARKED = {
    "inline parts": lambda take: f"<b>{take.score}</b><small>/100</small><em>{take.verdict}</em>",
    "verdict as an icon": lambda take: f"{take.score}/100 {ICON.format(take.verdict)}",
    "inline parts, spaced": lambda take: f"<b>{take.score}</b> <span>/ 100</span> <em>{take.verdict}</em>",
}

ICON = '<svg role="img" aria-label="{}" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'

MARKS = {"ship": "🚢", "skip": "⏭"}


def _form(form):
    def change(page: Page, _: Random) -> Page:
        return each_take(page, lambda cell, take: swapped(cell, "head", Part("head", form(take))))

    return change


def labelled_parts(page: Page, _: Random) -> Page:
    def change(cell: Cell, take: Take) -> Cell:
        return swapped(
            cell, "head", Part("head", f"Score: {take.score}/100"), Part("verdict", f"Verdict: {take.verdict}")
        )

    return each_take(page, change)


def verdict_apart(page: Page, _: Random) -> Page:
    def change(cell: Cell, take: Take) -> Cell:
        return swapped(cell, "head", Part("head", f"{take.score}/100"), Part("verdict", take.verdict))

    return each_take(page, change)


def verdict_behind(page: Page, _: Random) -> Page:
    def change(cell: Cell, take: Take) -> Cell:
        cell = swapped(cell, "head", Part("head", f"{take.score}/100"))
        return replace(cell, parts=(*cell.parts, Part("verdict", take.verdict)))

    return each_take(page, change)


def head_behind(page: Page, _: Random) -> Page:
    def change(cell: Cell, _: Take) -> Cell:
        head, *rest = cell.parts
        return replace(cell, parts=(*rest, head))

    return each_take(page, change)


def _around(before, behind):
    def change(page: Page, _: Random) -> Page:
        def badged(cell: Cell, take: Take) -> Cell:
            return swapped(cell, "head", Part("head", before(take) + html_of(cell, "head") + behind(take)))

        return each_take(page, badged)

    return change


def _kind(name, page, touches="head", media=LABELLED):
    return Kind("heads", name, page, touches=frozenset({touches}), media=media)


KINDS = (
    *(_kind(name, _form(form)) for name, form in FORMS.items()),
    *(_kind(name, _form(form), media=HTML_ONLY) for name, form in MARKED.items()),
    _kind("labelled score and verdict", labelled_parts),
    _kind("verdict in an element of its own", verdict_apart),
    _kind("verdict behind the text", verdict_behind, media=HTML_ONLY),
    _kind("head behind the text", head_behind, media=HTML_ONLY),
    _kind("badge before", _around(lambda take: f"{MARKS[take.verdict]} ", lambda _: ""), "badge"),
    _kind("badge behind", _around(lambda _: "", lambda _: " Verified"), "badge"),
    _kind(
        "badge behind in an element",
        _around(lambda _: "", lambda _: ' <span class="badge">Verified</span>'),
        "badge",
        HTML_ONLY,
    ),
)
