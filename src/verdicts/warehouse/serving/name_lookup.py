"""Finds the tool, page, review or value of a parameter that the words of a person mean."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from duckdb import DuckDBPyConnection

from verdicts.warehouse.serving.named_queries import WORDS_OF_PAGES, Parameter, Query, nearest, query_named
from verdicts.warehouse.serving.query import Values, make_question, read_answer
from verdicts.warehouse.storage.sql_files import read_sql
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

FIND_TOOL, FIND_PAGE, FIND_RECORD = "find_tool", "find_page", "find_record"

NEAR = "near"

NAME_ALONE = "name:"
"""Before words that are a name on pages, even if a tool of the panel has it, too."""

WHOLE_ID = re.compile("[0-9a-f]{32}")

SHOWN = 12
"""Values that a mistake names."""

NUMBERS = MappingProxyType(
    {
        "BIGINT": (re.compile(r"[0-9]{1,18}(\.0)?"), "a whole number such as 10"),
        "DOUBLE": (re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?"), "a number such as 12.5"),
    }
)
"""Type of a parameter to what is a value of it. DuckDB would round 1.5 to 2, and take NaN."""

KNOWN_ADDRESSES = MappingProxyType(
    {
        "rejected": "the page {words!r} was fetched, but could not be read:",
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
    values = query.bind(given)
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
            values[name] = _match_value(connection, parameter, words)
    for name, least in values.items():
        most = values.get(name.replace("_from", "_to")) if name.endswith("_from") else None
        if least is not None and most is not None and float(least) > float(most):
            raise QuestionFailed(f"{name} {least} is more than {name.replace('_from', '_to')} {most}; swap them")
    return values


def _moment(name: str, words: str) -> str:
    try:
        return datetime.fromisoformat(words.strip()).isoformat()
    except ValueError:
        raise QuestionFailed(f"{name} cannot be {words!r}; it must be a date such as 2026-11-26") from None


def _number(parameter: Parameter, words: str) -> str:
    fits, meaning = NUMBERS[parameter.type]
    if not fits.fullmatch(words.strip()):
        raise QuestionFailed(f"{parameter.name} cannot be {words!r}; it is {meaning}")
    if parameter.name in DIVISORS and not float(words):
        raise QuestionFailed(f"{parameter.name} cannot be 0; it is {meaning}")
    if parameter.bounds is not None and not parameter.bounds[0] <= float(words) <= parameter.bounds[1]:
        least, most = parameter.bounds
        raise QuestionFailed(f"{parameter.name} cannot be {words!r}; it is a number from {least:g} to {most:g}")
    return words.strip()


def _match_value(connection: DuckDBPyConnection, parameter: Parameter, words: str) -> str:
    """The value with these letters; the words themselves if any words will do.

    An error has words of pages in a second line: an assistant gets them as a quote.
    """
    accepted = [*parameter.values]
    if parameter.is_open and words not in accepted:
        stored = _catalog(connection, "known_values", {"name": parameter.name})
        accepted += [row["value"] for row in stored if row["value"] not in accepted]
    if words in accepted or not accepted:
        return words
    for value in accepted:
        if value.casefold() == words.strip().casefold():
            return value
    near = nearest(words, accepted)
    meant = f"did you mean {' or '.join(near)}? It" if near else "it"
    listed = ", ".join(accepted[:SHOWN]) + (f" and {len(accepted) - SHOWN} more" if len(accepted) > SHOWN else "")
    separator = ":\n" if parameter.name in WORDS_OF_PAGES else "; "
    raise QuestionFailed(f"{parameter.name} cannot be {words!r}{separator}{meant} can be {listed}")


def candidates(connection: DuckDBPyConnection, words: str) -> list[dict[str, Any]]:
    """At most ten tools that `words` may mean, the most likely first, each with `how` it is meant."""
    return ask_rows(connection, FIND_TOOL, {"tool": words})


def the_tool(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the tool that `words` mean. Raises QuestionFailed with the candidates if it is not exactly one."""
    tools = candidates(connection, words)
    is_near = any(tool["how"] == NEAR for tool in tools)
    if len(tools) == 1 and not is_near:
        return str(tools[0]["tool_id"])
    if not tools:
        raise QuestionFailed(f"no tool is called {words!r}; 'verdicts search' also looks into taglines and reviews")
    several = f"{len(tools)} tools match {words!r}; give the slug or the beginning of the id:"
    listed = (f"{tool['tool_id'][:8]}  {tool['name']}  {tool['slug'] or '(no slug)'}" for tool in tools)
    raise _several(f"no tool is called {words!r}; similar names:" if is_near else several, listed)


def the_page(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the page that `words` mean: its id, address, path or title. Raises QuestionFailed if it is not one."""
    if WHOLE_ID.fullmatch(words):
        return words
    pages = ask_rows(connection, FIND_PAGE, {"page": words})
    if len(pages) == 1:
        return str(pages[0]["page_id"])
    if not pages:
        raise no_page(connection, words)
    listed = (f"{page['page_id'][:8]}  {page['title']}  {page['url'] or '(no address)'}" for page in pages)
    raise _several(f"{len(pages)} pages match {words!r}; give the address or the id:", listed)


def the_mention(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the one tool of the panel that `words` mean, else the key of this name on pages.

    `name:Alpha` is the name alone. Raises QuestionFailed with similar names if no tool and no page has it.
    """
    if WHOLE_ID.fullmatch(words):
        return words
    words, is_name = words.removeprefix(NAME_ALONE), words.startswith(NAME_ALONE)
    tools = [] if is_name else [row for row in candidates(connection, words) if row["how"] != NEAR]
    if len(tools) == 1:
        return str(tools[0]["tool_id"])
    if (key := find_name_key(connection, words)) is not None:
        return key
    if tools:
        return the_tool(connection, words)
    names = [row["name"] for row in _catalog(connection, "names_like", {"words": words})]
    sentence = f"no tool or page has the name {words!r}"
    raise _several(f"{sentence}; similar names:", names) if names else QuestionFailed(sentence)


def find_name_key(connection: DuckDBPyConnection, words: str) -> str | None:
    """The key of the tools that pages mention under this name (mentions.name_key). None: no page does."""
    from verdicts.normalize.parse.names import make_name_key  # noqa: PLC0415  a start reads no declared vendors

    names = _catalog(connection, "name_key_mentioned", {"name_key": make_name_key(words), "words": words})
    return str(names[0]["name_key"]) if names else None


def no_record(connection: DuckDBPyConnection, words: str) -> QuestionFailed:
    """Nothing has this name, with similar names."""
    names = [row["name"] for row in _catalog(connection, "names_like", {"words": words})]
    sentence = f"nothing has the name, slug, id, address or title {words!r}"
    return _several(f"{sentence}; similar names:", names) if names else QuestionFailed(sentence)


def _the_review(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the only review whose id begins so, else the words, which no review has."""
    if WHOLE_ID.fullmatch(words):
        return words
    reviews = [
        str(record["id"])
        for record in ask_rows(connection, FIND_RECORD, {"words": words})
        if record["kind"] == "review"
    ]
    return reviews[0] if len(reviews) == 1 else words


def no_page(connection: DuckDBPyConnection, words: str) -> QuestionFailed:
    """Why no page has this address, with what is known of it."""
    addresses = _catalog(connection, "known_address", {"words": words})
    if not addresses:
        return QuestionFailed(f"no page has the address, id or title {words!r}")
    kind = addresses[0]["kind"]
    listed = (
        f"{address['url']}  {address['detail'] or ''}".rstrip() for address in addresses if address["kind"] == kind
    )
    return _several(KNOWN_ADDRESSES[kind].format(words=words), listed)


def _several(sentence: str, listed: Iterable[str]) -> QuestionFailed:
    return QuestionFailed("\n".join([sentence, *listed]))


def ask_rows(connection: DuckDBPyConnection, name: str, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """The rows of a named question by column name; its values are taken as they are."""
    query = query_named(name)
    return read_answer(make_question(connection, query.sql, query.bind(values))).records


def _catalog(connection: DuckDBPyConnection, name: str, values: Values) -> list[dict[str, Any]]:
    return read_answer(make_question(connection, read_sql("schema/catalog")[name], values)).records


RECORDS: Mapping[str, Callable[[DuckDBPyConnection, str], str]] = MappingProxyType(
    {
        "tool": the_tool,
        "page": the_page,
        "review": _the_review,
        "mentioned": the_mention,
        "one": the_mention,
        "other": the_mention,
    }
)
"""Parameters that are the id of a record, and what finds it."""
