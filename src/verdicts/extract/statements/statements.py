"""All statements of a page as one graph, and the unreadable ones. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any, NamedTuple

from verdicts.corpus.text import is_visible, remove_unstorable
from verdicts.extract.html.html_page import Page
from verdicts.extract.model.blocks import clean
from verdicts.extract.model.records import Doubt
from verdicts.extract.statements.item import (
    DEPTH_MAX,
    ITEMS_MAX,
    SCRIPT_MAX,
    Item,
    Value,
    term,
)
from verdicts.extract.statements.markup import microdata, rdfa
from verdicts.fetch.model.addresses import find_base, resolve_link

_OPENING = re.compile(r"\s*+(?://\s*+)?(?:<!--|<!\[CDATA\[)")
_CLOSINGS = ("-->", "]]>")
_PART = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"?|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)(?:\*/)?|,(?=\s*+[}\]])', re.DOTALL)
"""Comments and trailing commas, which JSON does not allow; and strings, which may contain both."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BETWEEN = " \t\r\n,;\ufeff"
"""Characters allowed between the values of one script, and after the last one."""

_DECODER = json.JSONDecoder(strict=False, parse_float=str, parse_int=str, parse_constant=lambda _: None)


class Script(NamedTuple):
    """The values of one script; `broken` is the beginning of its first part that is not JSON, if any."""

    values: list[Any]
    broken: str | None


def _script(text: str) -> Script:
    """Parsed as it is; if that fails, without comments and trailing commas, then also without entities."""
    if len(text) > SCRIPT_MAX:
        return Script([], _beginning(text))
    stripped = _unwrap_script(text).strip(_BETWEEN)
    best = Script([], None)
    for relaxed in (str, _repair_json, lambda written: _repair_json(unescape(written))):
        read = _one_after_another(relaxed(stripped))
        if read.broken is None:
            return read
        if best.broken is None or len(read.values) > len(best.values):
            best = read
    return best


def _repair_json(text: str) -> str:
    return _PART.sub(lambda part: _string(part[0]) if part[0][0] == '"' else " ", text).strip(_BETWEEN)


def _string(written: str) -> str:
    r"""`"it\'s"`: JavaScript escapes more than JSON."""
    return _ESCAPE.sub(lambda escape: "'" if escape[1] == "'" else escape[0], written)


def _unwrap_script(text: str) -> str:
    """Removes the comment for old browsers: `// <![CDATA[ {...} // ]]>`."""
    opening = _OPENING.match(text)
    text = text if opening is None else text[opening.end() :]
    end = text.rstrip().removesuffix(";").rstrip()
    if not end.endswith(_CLOSINGS):
        return text
    return end[: -len(_CLOSINGS[0])].rstrip().removesuffix("//")


def _one_after_another(text: str) -> Script:
    """`{...}{...}`: the values of one script, up to the first invalid one."""
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


KEYWORDS = {"id": "@id", "type": "@type", "graph": "@graph"}
"""The names of JSON-LD's keywords in schema.org's own context."""


class _Place(NamedTuple):
    """Where a value is: its source on the page, and its depth."""

    source: int
    depth: int


class Graph:
    """Items in page order, outer before inner, of several sources: a script's values, the items of the markup.

    `@id`s are relative to `base`. `is_cut`: there were more, or deeper ones.
    """

    def __init__(self, sources: Iterable[Iterable[Any]], base: str) -> None:
        self.base = base
        self.by_id: dict[str, Item] = {}
        self.is_cut = False
        self.items: list[Item] = []
        for number, values in enumerate(sources):
            for value in values:
                self._values(value, _Place(number, 0))
        self.items = [item for item in self.items if item.properties or item.types]

    def _values(self, value: object, place: _Place) -> list[Value]:
        """A value as a list: flat, objects as items, texts cleaned, without empty ones."""
        if place.depth > DEPTH_MAX:
            self.is_cut = True
            return []
        if isinstance(value, list):
            deeper = _Place(place.source, place.depth + 1)
            return [found for part in value for found in self._values(part, deeper)]
        if isinstance(value, dict):
            return self._object(value, place)
        text = "" if value is None else clean(remove_unstorable(unescape(str(value))))
        return [text] if is_visible(text) else []

    def _object(self, value: Mapping[str, Any], place: _Place) -> list[Value]:
        inside = _Place(place.source, place.depth + 1)
        said = [(_term(str(name)), part) for name, part in value.items()]
        for wrapper in ("@value", "@list", "@set"):
            for name, part in said:
                if name == wrapper:
                    return self._values(part, inside)
        graphs = [part for name, part in said if name == "@graph"]
        said = [(name, part) for name, part in said if name not in {"@context", "@graph", "@index", "@language"}]
        item = self._item(said, place) if said else None
        if item is not None:
            for name, part in said:
                self._say(item, name, part, inside)
        held = [found for part in graphs for found in self._values(part, inside)]
        return held if item is None else [item]

    def _item(self, said: Iterable[tuple[str, Any]], place: _Place) -> Item | None:
        """The item with that `@id`, or a new one."""
        given = next((part for name, part in said if name == "@id"), None)
        given = given[0] if isinstance(given, list) and given else given
        identity = self._identity(given, place) if isinstance(given, str) else None
        if identity and identity in self.by_id:
            return self.by_id[identity]
        if len(self.items) >= ITEMS_MAX:
            self.is_cut = True
            return None
        item = Item(identity)
        self.items.append(item)
        if identity:
            self.by_id[identity] = item
        return item

    def _say(self, item: Item, name: str, part: object, place: _Place) -> None:
        if name == "@type":
            types = part if isinstance(part, list) else [part]
            item.types.update(filter(None, (_term(kind) for kind in types if isinstance(kind, str))))
        elif name and not name.startswith("@"):
            _add(item, name, self._values(part, place))

    def _identity(self, written: str, place: _Place) -> str:
        """An absolute address; a name that begins with `_:` is local to its script."""
        written = clean(remove_unstorable(unescape(written)))
        return f"_:{place.source}:{written}" if written.startswith("_:") else self._absolute(written)

    def _absolute(self, written: str) -> str:
        return resolve_link(written, self.base) if written else ""


def _add(item: Item, name: str, values: Iterable[Value]) -> None:
    known = [*dict.fromkeys((*item.properties.get(name, ()), *values))]
    if known:
        item.properties[name] = known


def _term(name: str) -> str:
    return term(KEYWORDS.get(name, name))


class Statements(NamedTuple):
    """Items, outer before inner, in page order: scripts, microdata, RDFa. A broken script is a doubt."""

    items: list[Item]
    doubts: tuple[Doubt, ...]


def statements(page: Page) -> Statements:
    scripts = [_script(text) for kind, text in page.scripts if "application/ld+json" in kind]
    base = page.tree.css_first("base[href]")
    markups = [
        read(page.body)
        for read, mark in ((microdata, "[itemscope]"), (rdfa, "[typeof]"))
        if page.tree.css_first(mark) is not None
    ]
    graph = Graph(
        [*(script.values for script in scripts), *(markup.items for markup in markups)],
        find_base(page.url, None if base is None else base.attributes.get("href")),
    )
    doubts = [
        Doubt("broken_statement", None, "JSON in a script of statements", script.broken)
        for script in scripts
        if script.broken is not None
    ]
    if graph.is_cut or any(markup.is_cut for markup in markups):
        doubts.append(Doubt("cut_statements", None, "statements within the bounds of reading", "more, or deeper, ones"))
    return Statements(graph.items, tuple(dict.fromkeys(doubts)))
