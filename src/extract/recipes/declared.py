"""A recipe out of the text of its file, with all that is wrong in it at once."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from msgspec import ValidationError, convert
from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from verdicts.corpus.toml_and_json import BrokenDocument, parse_toml
from verdicts.extract.recipes.recipe import ANCHORS, PLACES, REVIEW_FIELDS, TOOL_FIELDS, Anchor, Recipe, Records

_KINDS = {"tools": TOOL_FIELDS, "reviews": REVIEW_FIELDS}
_TOP = ("path", "always", *_KINDS)
_RECORDS = (*PLACES, "names_in", "count", "fields", "rows")

ANCHORS_IN: Mapping[str, tuple[str, ...]] = {
    "css": ANCHORS,
    "heading": ("label", "heading", "statement"),
    "statement": ("statement",),
    "table": ("label",),
}
"""How the fields of each kind of record are said: a section has no element around it, and a statement no words."""

_REQUIRED = {"tools": "name", "reviews": "text"}


class BrokenRecipe(ValueError):
    """A recipe cannot be read by. Names the file, and each key with what to do, parted by semicolons."""


def declared_recipe(host: str, text: str | bytes, place: str) -> Recipe:
    """The recipe of a host that a text in TOML declares. `place` names it in messages. Raises `BrokenRecipe`."""
    try:
        declared = parse_toml(text, place)
    except BrokenDocument as error:
        raise BrokenRecipe(str(error)) from error
    mistakes = [*_mistakes(declared)]
    if mistakes:
        raise BrokenRecipe("; ".join(f"{place}: {mistake}" for mistake in mistakes))
    return convert({"host": host, **declared}, Recipe)


def _mistakes(declared: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown("", declared, _TOP)
    if not isinstance(path := declared.get("path", "/"), str) or not path.startswith("/"):
        yield 'path: a path is wanted: "/compare/"'
    if not isinstance(declared.get("always", False), bool):
        yield "always: true or false is wanted"
    if not declared.keys() & _KINDS.keys():
        yield "tools: is missing; write [tools], [reviews] or both, with the element or heading that each one has"
    for kind in (kind for kind in _KINDS if kind in declared):
        records = declared[kind]
        if isinstance(records, dict):
            yield from _mistakes_of_records(kind, records)
        else:
            yield f"{kind}: write [{kind}] as the line above its keys"


def _mistakes_of_records(kind: str, records: Mapping[str, Any]) -> Iterator[str]:
    yield from _unknown(f"{kind}.", records, _RECORDS)
    places = [place for place in PLACES if place in records]
    if len(places) != 1:
        yield f"{kind}: say what a record is by one of {', '.join(PLACES)}; there are {len(places)}"
    plain = {key: value for key, value in records.items() if key in (*PLACES, "names_in", "count")}
    yield from _wrong(kind, plain, Records)
    yield from _wrong_selector(f"{kind}.css", records.get("css"))
    if ("table" in records) != ("names_in" in records):
        yield f'{kind}.names_in: goes with table, and says where the names stand: "columns" (the top) or "rows"'
    if kind == "reviews" and (unfit := {"table", "rows", "heading"} & records.keys()):
        yield f"{kind}.{min(unfit)}: reviews are read by css or statement; take this out"
    place = places[0] if len(places) == 1 else "css"
    fields = records.get("fields", {})
    for table, of_table in (("fields", fields), ("rows", records.get("rows", {}))):
        if not isinstance(of_table, dict):
            yield f"{kind}.{table}: write [{kind}.{table}] as the line above its keys"
            continue
        for name, anchor in of_table.items():
            yield from _mistakes_of_anchor(f"{kind}.{table}.{name}", anchor, place)
    if isinstance(fields, dict):
        yield from _unknown(f"{kind}.fields.", fields, _KINDS[kind])
        if _REQUIRED[kind] not in fields and place not in {"heading", "table"}:
            yield f"{kind}.fields.{_REQUIRED[kind]}: is missing; say where it stands"


def _mistakes_of_anchor(key: str, anchor: object, place: str) -> Iterator[str]:
    if not isinstance(anchor, dict):
        yield f'{key}: say where it stands, as in {{ label = "Price" }}'
        return
    yield from _unknown(f"{key}.", anchor, (*ANCHORS, "attribute"))
    given = [one for one in ANCHORS if one in anchor]
    if len(given) != 1:
        yield f"{key}: say where it stands by one of {', '.join(ANCHORS_IN[place])}; there are {len(given)}"
    elif given[0] not in ANCHORS_IN[place]:
        yield f"{key}.{given[0]}: where a record is a {place}, a field stands by {' or '.join(ANCHORS_IN[place])}"
    if "attribute" in anchor and "css" not in anchor:
        yield f"{key}.attribute: goes with css, and names an attribute of that element"
    yield from _wrong(key, {name: value for name, value in anchor.items() if name in (*ANCHORS, "attribute")}, Anchor)
    yield from _wrong_selector(f"{key}.css", anchor.get("css"))


def _unknown(begin: str, table: Mapping[str, Any], known: Sequence[str]) -> Iterator[str]:
    for key in table:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            yield f"{begin}{key}: there is no such key; {hint}"


def _wrong(key: str, table: Mapping[str, Any], kind: type[Anchor] | type[Records]) -> Iterator[str]:
    """Values of another type than is wanted, each by itself."""
    for name, value in table.items():
        try:
            convert({name: value}, kind)
        except ValidationError as error:
            yield f"{key}.{name}: {str(error).partition(' - at ')[0]}; write another value"


def _wrong_selector(key: str, selector: object) -> Iterator[str]:
    try:
        if isinstance(selector, str) and selector:
            LexborHTMLParser("").css(selector)
    except SelectolaxError:
        yield f"{key}: {selector!r} is no CSS selector; one is a tag, a class or both: div.card"
