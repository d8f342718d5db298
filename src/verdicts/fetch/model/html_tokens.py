"""HTML split into tags, text, comments and raw text as in browsers, by patterns fit for the event loop. Pure.

Follows the tokenizer of the HTML standard (13.2.5). Every alternative ends at its own end or at that of the page, and
every repetition is possessive or in an atomic group: each byte is read at most twice, whatever a host sends. Patterns
match bytes, as decoding a hostile page can take longer than reading it.
"""

import re
from collections.abc import Collection, Iterable
from html import unescape
from html.entities import html5
from itertools import islice

ATTRIBUTES_MAX = 200
"""The most attributes read of a tag; no real page has as many."""

VALUE_MAX = 20_000
"""The most bytes read of a value: ten times an address, as each character may be a reference."""

_WS = rb"[\t\n\f\r ]"
_NAME = rb"[^\t\n\f\r />][^\t\n\f\r />=]*+"
_EQUALS = _WS + rb"*+=" + _WS + rb"*+"
_VALUE = rb"""(?>(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)?)"""

ATTRIBUTES = rb"(?>(?:[\t\n\f\r /]++|" + _NAME + rb"(?>(?:" + _EQUALS + _VALUE + rb")?))*)"
"""What stands between a tag's name and its `>`. A quote opens a value only after `=`: `<a b"c>` ends there."""

NAME_ENDS = rb"(?=[\t\n\f\r />])"

COMMENT = rb"!--(?:-?>|[^-]*+(?>(?:-(?!-!?>)[^-]*+)*)(?:--!?>|\Z))"

BOGUS_COMMENT = rb"(?:[!?]|/(?![a-zA-Z]))[^>]*+(?:>|\Z)"
"""`<!doctype html>`, `<?xml ...?>`, `<![CDATA[...]]>`, `</ >`."""

_SCRIPT_ENDS = rb"/(?i:script)" + NAME_ENDS
_SCRIPT_IN_COMMENT = (
    rb"(?i:script)" + NAME_ENDS + rb"(?>(?:[^<-]++|-(?!->)|<(?!" + _SCRIPT_ENDS + rb"))*)(?:</(?i:script)|(?=-->)|\Z)"
)
_COMMENT_IN_SCRIPT = (
    rb"!--(?:-*+>|(?>(?:[^<-]++|-(?!->)|<" + _SCRIPT_IN_COMMENT + rb"|<(?!" + _SCRIPT_ENDS + rb"))*)(?:-->|(?=<)|\Z))"
)

SCRIPT_TEXT = rb"(?>(?:[^<]++|<" + _COMMENT_IN_SCRIPT + rb"|<(?!" + _SCRIPT_ENDS + rb"))*)"
"""The text of a script. `</script>` does not end it between `<!-- <script>` and `-->`."""


def make_raw_text_pattern(name: bytes) -> bytes:
    """The text of an element such as style or title, where only its own end tag is a tag."""
    return rb"(?>(?:[^<]++|<(?!/(?i:" + name + rb")" + NAME_ENDS + rb"))*)"


MARKUP = re.compile(
    rb"<(?:(?i:script)" + NAME_ENDS + ATTRIBUTES + rb"(?:>" + SCRIPT_TEXT + rb"|\Z)"
    rb"|(?i:style)" + NAME_ENDS + ATTRIBUTES + rb"(?:>" + make_raw_text_pattern(b"style") + rb"|\Z)"
    rb"|/?[a-zA-Z][^\t\n\f\r />]*+" + ATTRIBUTES + rb"(?:>|\Z)|" + COMMENT + rb"|" + BOGUS_COMMENT + rb")"
)
"""What is no text: a tag, a script, a style or a comment."""

TEXT_END = 2_000_000
"""Bytes of a page in which its text is read."""


def count_text(body: bytes, most: int) -> int:
    """The bytes of the text of a page, its words joined by blanks; of its start if that has more than `most`."""
    end, last = most * 3 // 2, min(len(body), TEXT_END)
    while True:
        length = len(b" ".join(MARKUP.sub(b" ", body[: min(end, last)]).split()))
        if length > most or end >= last:
            return length
        end *= 8


_READ_VALUE = rb"""(?>(?:"([^"]*+)"?+|'([^']*+)'?+|([^\t\n\f\r >"'][^\t\n\f\r >]*+))?)"""
_ATTRIBUTE = re.compile(rb"(" + _NAME + rb")(?>(?:" + _EQUALS + _READ_VALUE + rb")?)")
_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}+;?+|#[xX][0-9a-fA-F]{1,6}+;?+|[a-zA-Z][a-zA-Z0-9]{0,40}+[;=]?+)")


def read_attributes(text: bytes, wanted: Collection[bytes]) -> dict[bytes, str]:
    """The wanted attributes of a tag, in UTF-8, by lower-case name. The first of a name counts."""
    values: dict[bytes, str] = {}
    for name, double, single, bare in _split_attributes(text):
        key = name.lower()
        if key in wanted and key not in values:
            value = (double or single or bare)[:VALUE_MAX].decode(errors="replace")
            values[key] = _REFERENCE.sub(_decode_reference, value) if "&" in value else value
    return values


def _split_attributes(text: bytes) -> Iterable[tuple[bytes, ...]]:
    if len(text) < 2 * ATTRIBUTES_MAX:
        return _ATTRIBUTE.findall(text)
    return (match.groups(b"") for match in islice(_ATTRIBUTE.finditer(text), ATTRIBUTES_MAX))


def _decode_reference(match: re.Match[str]) -> str:
    """A character reference in an attribute. `?a=1&copy=2` has none: a name before `=` or a letter needs its `;`."""
    reference = match[0]
    return unescape(reference) if reference[1] == "#" or reference[1:] in html5 else reference
