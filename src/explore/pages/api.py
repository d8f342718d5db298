"""`/api`: every path with `.json` and `.csv`, described by OpenAPI 3.1 from the declarations that answer it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from verdicts.explore.copies import Copy
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.visit import WINDOW, PagePath, View, Visit, ask, columns_of
from verdicts.warehouse.serving.named_queries import Query, list_queries, query_named

Schema: TypeAlias = dict[str, Any]

JSON = "application/json"

TYPES: Mapping[str, Schema] = {
    "BIGINT": {"type": "integer"},
    "INTEGER": {"type": "integer"},
    "HUGEINT": {"type": "integer"},
    "DOUBLE": {"type": "number"},
    "BOOLEAN": {"type": "boolean"},
    "VARCHAR": {"type": "string"},
    "DATE": {"type": "string", "format": "date"},
    "TIMESTAMP WITH TIME ZONE": {"type": "string", "format": "date-time"},
}
"""DuckDB's type of a column to that of JSON. A column of another type may hold anything."""

SHOWN_OF_PATH = {
    "tool": "An id of 32 hex digits, its beginning, a slug or a name.",
    "take": "An id of 32 hex digits, or its beginning.",
    "page": "An id of 32 hex digits, its beginning, an address or a title.",
    "record": "An id or its beginning, a slug or a name of a tool, or the address or title of a page.",
}

ANSWERS: Schema = {"type": "object", "additionalProperties": {"type": "string"}, "description": "Part to question."}
NEXT: Schema = {"type": ["string", "null"], "description": "Address of the rows that follow. null: there are no more."}
ROWS: Schema = {"type": "array", "items": {"type": "object"}}
PARTS: Schema = {
    "type": "object",
    "required": ["answers"],
    "properties": {"answers": ANSWERS},
    "additionalProperties": ROWS,
}
ERROR: Schema = {"type": "object", "required": ["error"], "properties": {"error": {"type": "string"}}}
OTHER_SCHEMAS: Mapping[str, Schema] = {
    "/sql": {"type": "object", "required": ["rows"], "properties": {"rows": ROWS, "is_cut": {"type": "boolean"}}},
    "/questions": {"type": "object", "required": ["questions"], "properties": {"questions": ROWS}},
}


def describing(every: Sequence[PagePath]) -> Callable[[Visit], View]:
    """The page `/api` of these paths; `/openapi.json` is the same for programs."""

    def api(visit: Visit) -> View:
        made = document(visit.copy, every)
        return View("api", document=made, paths={path: item["get"] for path, item in made["paths"].items()})

    return api


def document(copy: Copy, every: Sequence[PagePath]) -> Schema:
    """The description of these paths, and of each named question, whose columns are those of the copy."""
    paths: dict[str, Schema] = {}
    for shown in every:
        if "{name}" not in shown.path:
            paths |= _paths_of(shown)
    schemas = {"Error": ERROR}
    meanings = _meanings(copy)
    for query in list_queries():
        schemas[query.name] = _row(copy, query, meanings)
        fits = {"rows": {"type": "array", "items": {"$ref": f"#/components/schemas/{query.name}"}}, "next": NEXT}
        answer = {"type": "object", "required": ["rows", "next"], "properties": fits | {"answers": ANSWERS}}
        path, given = f"/questions/{query.name}", [_parameter(query, name) for name in _names(query)]
        paths[f"{path}.json"] = _operation(query.question, given, JSON, answer)
        paths[f"{path}.csv"] = _operation(query.question, given, "text/csv", {"type": "string"})
    return {
        "openapi": "3.1.0",
        "info": {"title": "verdicts", "version": copy.path.stem, "description": "The published corpus, read-only."},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "Only with --host."}},
        },
        "security": [{}, {"token": []}],
    }


def _paths_of(shown: PagePath) -> dict[str, Schema]:
    given = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, "description": SHOWN_OF_PATH[name]}
        for name in re.findall(r"{(\w+)", shown.path)
    ]
    given += [_parameter(query_named(question), name) for name, question in shown.parameters.items()]
    fits = OTHER_SCHEMAS.get(shown.path, PARTS)
    for listing in LISTS:
        if shown.path == f"/{listing.name}":
            query = listing.query
            given = [_parameter(query, name) for name in _names(query)]
            rows = {"type": "array", "items": {"$ref": f"#/components/schemas/{query.name}"}}
            fits = PARTS | {
                "properties": {"rows": rows, "next": NEXT, "total": {"type": "integer"}, "answers": ANSWERS}
            }
    if shown.path == "/sql":
        given = [
            {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}, "description": "A SELECT."}
        ]
    stem = shown.stem.replace(":path", "")
    described = {f"{stem}.json": _operation(shown.meaning, given, JSON, fits)}
    if shown.csv is not None:
        described[f"{stem}.csv"] = _operation(shown.meaning, given, "text/csv", {"type": "string"})
    return described


def _names(query: Query) -> list[str]:
    declared = [parameter.name for parameter in query.parameters]
    return declared + [name for name in WINDOW if name not in declared]


def _parameter(query: Query, name: str) -> Schema:
    known = query.parameter(name)
    schema: Schema = {"type": "string"} | TYPES.get(known.type, {})
    if schema["type"] != "string":
        schema["minimum"] = 0
    if name in WINDOW:
        schema |= {"minimum": WINDOW[name].least, "maximum": WINDOW[name].most}
    elif known.values and not known.is_open:
        schema |= {"enum": [*known.values]}
    if known.default is not None:
        schema["default"] = known.default if schema["type"] == "string" else json.loads(known.default)
    return {"name": name, "in": "query", "description": known.meaning, "schema": schema}


def _operation(meaning: str, parameters: list[Schema], media_type: str, schema: Schema) -> Schema:
    wrong = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}} if media_type == JSON else {"text/html": {}}
    return {
        "get": {
            "summary": meaning,
            "parameters": parameters,
            "responses": {
                "200": {"description": "The answer.", "content": {media_type: {"schema": schema}}},
                "300": {"description": "Several records may be meant.", "content": {JSON: {"schema": PARTS}}},
                "302": {"description": "The record is at another address."},
                "default": {"description": "What is wrong, and what to do.", "content": wrong},
            },
        }
    }


def _row(copy: Copy, query: Query, meanings: Mapping[str, Mapping[str, str]]) -> Schema:
    properties = {}
    for column, type_ in columns_of(copy, query):
        is_list = type_.endswith("[]")
        fits = TYPES.get(type_.removesuffix("[]").partition("(")[0], {})
        if is_list:
            fits = {"type": "array", "items": fits}
        if "type" in fits:
            fits = fits | {"type": [fits["type"], "null"]}
        meaning = _meaning(query, column, meanings)
        properties[column] = fits | ({"description": meaning} if meaning else {})
    return {"type": "object", "description": query.question, "properties": properties, "required": [*properties]}


def _meanings(copy: Copy) -> dict[str, dict[str, str]]:
    """Relation to column to what it holds."""
    found: dict[str, dict[str, str]] = {}
    for row in ask(copy, "relations", {}, 10_000).rows:
        found.setdefault(row["relation"].rpartition(".")[2], {})[row["name"]] = row["meaning"]
    return found


def _meaning(query: Query, column: str, meanings: Mapping[str, Mapping[str, str]]) -> str | None:
    """The meaning of a column of an answer if it is clear: `reviews.seat`, or the only column of that name."""
    last = query.sql.rpartition("SELECT")[2]
    named = {
        relation for relation in re.findall(rf"^    (\w+)\.{column}\b,?$", last, re.MULTILINE) if relation in meanings
    }
    used = {
        word for word in re.findall(r"\b(?:FROM|JOIN) (?:\w+\.)?(\w+)", query.sql) if column in meanings.get(word, {})
    }
    meant = named or used
    return meanings[meant.pop()].get(column) if len(meant) == 1 else None
