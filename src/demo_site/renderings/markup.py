"""Escaping and joining, and the document head that all pages share."""

import json
from collections.abc import Iterable
from html import escape
from urllib.parse import urlencode

from verdicts.demo_site.facts import Facts, Pair
from verdicts.demo_site.renderings.words import URL, page_title


def text(value: str) -> str:
    """Escaped for text content; quotes are not escaped."""
    return escape(value, quote=False)


def attribute(value: str) -> str:
    return escape(value)


def lines(parts: Iterable[str]) -> str:
    return "\n".join(parts)


def script_json(value: object) -> str:
    """JSON for the inside of a script element: nothing in it can close the element."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def link(href: str, words: str) -> str:
    return f'<a href="{attribute(href)}">{text(words)}</a>'


def reviewer_path(seat: str, category: str) -> str:
    """The address of a reviewer's page: `/reviewer/pm?category=Voice+%26+Audio`."""
    return f"/reviewer/{seat.lower()}?{urlencode({'category': category})}"


def document(title: str, path: str, head: str, body: str) -> str:
    """A whole HTML page; `path` becomes the canonical address."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{text(title)}</title>\n"
        f'<link rel="canonical" href="{attribute(URL.rstrip("/") + path)}">\n'
        f"{head}</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def comparison(facts: Facts, pair: Pair, body: str, head: str = "") -> str:
    return document(page_title(facts, pair), pair.path, head, body)
