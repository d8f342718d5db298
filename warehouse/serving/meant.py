"""What the words of a person mean: which tool, page or take, and which value of a parameter."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from duckdb import DuckDBPyConnection

from verdicts.warehouse.serving.named_queries import Parameter, Query, nearest, query_named
from verdicts.warehouse.serving.query import Answer, Values, answer_of, question_of
from verdicts.warehouse.storage.errors import QuestionFailed
from verdicts.warehouse.storage.sql_files import read_sql

FIND_TOOL, FIND_PAGE, FIND_RECORD = "find_tool", "find_page", "find_record"

NEAR = "near"

WHOLE_ID = re.compile("[0-9a-f]{32}")

SHOWN = 12
"""Values that a mistake names."""

NUMBERS = MappingProxyType(
    {
        "BIGINT": (re.compile(r"[0-9]{1,18}"), "a whole number such as 10"),
        "DOUBLE": (re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?"), "a number such as 12.5"),
    }
)
"""Type of a parameter to what is a value of it. DuckDB would round 1.5 to 2, and take NaN."""

KNOWN_ADDRESSES = MappingProxyType(
    {
        "rejected": "the page {words!r} was read, but it is no comparison that could be used:",
        "other": "the page {words!r} is no comparison by a panel; its text is in outside.documents:",
        "elsewhere": "no page has the address {words!r}; pages of other hosts with this path:",
        "similar": "no page has the address, id or title {words!r}; pages with a similar title:",
    }
)
"""What is known of an address without a page."""

DIVISORS = ("step", "dots")
"""Numbers that cannot be 0."""


def values_meant(connection: DuckDBPyConnection, query: Query, given: Mapping[str, str]) -> dict[str, str | None]:
    """A value for each parameter, in the spelling of the corpus. Raises QuestionFailed for a value that it cannot have.

    The id of a tool is found by id, slug or name, of a page by address or title.
    """
    values = query.bound(given)
    for name, words in given.items():
        parameter = query.parameter(name)
        if words == parameter.default or (query.name in (FIND_TOOL, FIND_PAGE) and name in RECORDS):
            continue
        if name in RECORDS:
            values[name] = RECORDS[name](connection, words)
        elif parameter.type == "TIMESTAMPTZ":
            values[name] = _moment(name, words)
        elif parameter.type in NUMBERS:
            values[name] = _number(parameter, words)
        else:
            values[name] = _known_value(connection, parameter, words)
    return values


def _moment(name: str, words: str) -> str:
    try:
        return datetime.fromisoformat(words.strip()).isoformat()
    except ValueError:
        raise QuestionFailed(f"{name} cannot be {words!r}; it is a day such as 2026-11-26") from None


def _number(parameter: Parameter, words: str) -> str:
    fits, meaning = NUMBERS[parameter.type]
    if not fits.fullmatch(words.strip()):
        raise QuestionFailed(f"{parameter.name} cannot be {words!r}; it is {meaning}")
    if parameter.name in DIVISORS and not int(words):
        raise QuestionFailed(f"{parameter.name} cannot be 0; it is {meaning}")
    return words.strip()


def _known_value(connection: DuckDBPyConnection, parameter: Parameter, words: str) -> str:
    """The value with these letters; the words themselves if any words will do.

    Values of the corpus are words of pages: an error has them in a second line.
    """
    known = [*parameter.values]
    if parameter.is_open and words not in known:
        found = _answer(connection, read_sql("schema/catalog")["known_values"], {"name": parameter.name})
        known += [str(value) for (value,) in found.rows if value not in known]
    if words in known or not known:
        return words
    for value in known:
        if value.casefold() == words.strip().casefold():
            return value
    near = nearest(words, known)
    meant = f"did you mean {' or '.join(near)}? It" if near else "it"
    listed = ", ".join(known[:SHOWN]) + (f" and {len(known) - SHOWN} more" if len(known) > SHOWN else "")
    place = ":\n" if parameter.is_open else "; "
    raise QuestionFailed(f"{parameter.name} cannot be {words!r}{place}{meant} can be {listed}")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that the words may mean. `how`: id, slug, name, beginning of the id; near: a similar name."""

    how: str
    name: str
    slug: str | None
    tool_id: str


def candidates(connection: DuckDBPyConnection, words: str) -> list[Candidate]:
    """At most ten tools that `words` may mean, the most likely first. Raises QuestionFailed."""
    answer = _found(connection, FIND_TOOL, {"tool": words})
    places = [answer.columns.index(name) for name in Candidate.__slots__]
    return [Candidate(*(row[place] for place in places)) for row in answer.rows]


def the_tool(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the tool that `words` mean. Raises QuestionFailed with the candidates if it is not exactly one."""
    found = candidates(connection, words)
    if len(found) != 1 or found[0].how == NEAR:
        raise QuestionFailed(_not_one(words, found))
    return found[0].tool_id


def the_page(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the page that `words` mean: its id, address, path or title. Raises QuestionFailed if it is not one."""
    if WHOLE_ID.fullmatch(words):
        return words
    answer = _found(connection, FIND_PAGE, {"page": words})
    if len(answer.rows) == 1:
        return str(answer.rows[0][-1])
    if not answer.rows:
        raise no_page(connection, words)
    listed = (f"{page_id[:8]}  {title}  {url or '(no address)'}" for _, title, url, page_id in answer.rows)
    raise QuestionFailed("\n".join([f"{len(answer.rows)} pages match {words!r}; give the address or the id:", *listed]))


def _the_take(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the only take whose id begins so, else the words, which no take has."""
    if WHOLE_ID.fullmatch(words):
        return words
    found = _found(connection, FIND_RECORD, {"words": words}).rows
    takes = [str(id_) for kind, *_, id_ in found if kind == "take"]
    return takes[0] if len(takes) == 1 else words


def no_page(connection: DuckDBPyConnection, words: str) -> QuestionFailed:
    """Why no page has this address, with what is known of it."""
    rows = _answer(connection, read_sql("schema/catalog")["known_address"], {"words": words}).rows
    if not rows:
        return QuestionFailed(f"no page has the address, id or title {words!r}")
    kind = rows[0][0]
    listed = [f"{url}  {detail or ''}".rstrip() for of_kind, url, detail in rows if of_kind == kind]
    return QuestionFailed("\n".join([KNOWN_ADDRESSES[kind].format(words=words), *listed]))


def _not_one(words: str, found: list[Candidate]) -> str:
    if not found:
        return f"no tool is called {words!r}; a search looks into taglines and takes, too"
    if found[0].how == NEAR:
        sentence = f"no tool is called {words!r}; similar names:"
    else:
        sentence = f"{len(found)} tools match {words!r}; give the slug or the beginning of the id:"
    listed = (f"{one.tool_id[:8]}  {one.name}  {one.slug or '(no slug)'}" for one in found)
    return "\n".join([sentence, *listed])


def _found(connection: DuckDBPyConnection, name: str, given: Mapping[str, str]) -> Answer:
    query = query_named(name)
    return _answer(connection, query.sql, query.bound(given))


def _answer(connection: DuckDBPyConnection, sql: str, values: Values) -> Answer:
    return answer_of(question_of(connection, sql, values))


RECORDS: Mapping[str, Callable[[DuckDBPyConnection, str], str]] = MappingProxyType(
    {"tool": the_tool, "page": the_page, "take": _the_take}
)
"""Parameters that are the id of a record, and what finds it."""
