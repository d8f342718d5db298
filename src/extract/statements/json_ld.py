"""JSON-LD scripts of a page to plain values. Numbers stay as they are written: `24.90`."""

import json
import re
from html import unescape
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.statements.bounds import SCRIPT_MAX

_OPENING = re.compile(r"\s*+(?://\s*+)?(?:<!--|<!\[CDATA\[)")
_CLOSINGS = ("-->", "]]>")
_PART = re.compile(r'"(?:[^"\\]++|\\.)*+"?|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|,(?=\s*+[}\]])', re.DOTALL)
"""Comments, and commas behind the last part, which JSON has not; and strings, in which they are neither."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BETWEEN = " \t\r\n,;\ufeff"
"""What may stand between the values of one script, and behind the last one."""

_DECODER = json.JSONDecoder(strict=False, parse_float=str, parse_int=str, parse_constant=lambda _: None)


class Script(NamedTuple):
    """What one script says; `broken` is how the part begins that is no JSON, None where all of it is."""

    values: list[Any]
    broken: str | None


def scripts(tree: LexborHTMLParser) -> list[Script]:
    """The scripts with statements, in the order of the page."""
    return [_script(node.text(deep=True) or "") for node in tree.css('script[type*="application/ld+json" i]')]


def _script(text: str) -> Script:
    """As it stands; where that does not parse, without comments and trailing commas, then without entities, too."""
    if len(text) > SCRIPT_MAX:
        return Script([], _beginning(text))
    stripped = _unwrapped(text).strip(_BETWEEN)
    best = Script([], None)
    for relaxed in (str, _relaxed, lambda written: _relaxed(unescape(written))):
        read = _one_after_another(relaxed(stripped))
        if read.broken is None:
            return read
        if best.broken is None or len(read.values) > len(best.values):
            best = read
    return best


def _relaxed(text: str) -> str:
    return _PART.sub(lambda part: _string(part[0]) if part[0][0] == '"' else " ", text).strip(_BETWEEN)


def _string(written: str) -> str:
    r"""`"it\'s"`: JavaScript escapes what JSON does not."""
    return _ESCAPE.sub(lambda escape: "'" if escape[1] == "'" else escape[0], written)


def _unwrapped(text: str) -> str:
    """Without the comment around it that old browsers needed: `// <![CDATA[ {...} // ]]>`."""
    opening = _OPENING.match(text)
    text = text if opening is None else text[opening.end() :]
    end = text.rstrip().removesuffix(";").rstrip()
    if not end.endswith(_CLOSINGS):
        return text
    return end[: -len(_CLOSINGS[0])].rstrip().removesuffix("//")


def _one_after_another(text: str) -> Script:
    """`{...}{...}`: the values of one script, up to the first that is none."""
    values: list[Any] = []
    start = 0
    while start < len(text):
        try:
            value, start = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return Script(values, _beginning(text[start:]))
        values.append(value)
        while start < len(text) and text[start] in _BETWEEN:
            start += 1
    return Script(values, None)


def _beginning(text: str) -> str:
    return " ".join(text[:80].split())
