"""`/api`: every path with `.json` and `.csv`, described by OpenAPI 3.1 from the declarations that answer it."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from verdicts.explore.copies import Copy
from verdicts.explore.pages.lists import LISTS
from verdicts.explore.visit import WINDOW, PagePath, View, Visit, describe_columns
from verdicts.warehouse.serving.named_queries import Query, list_queries, query_named

Schema: TypeAlias = dict[str, Any]

JSON = "application/json"

WITH_WHY = frozenset({"/pages/{page:path}"})

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
    "review": "An id of 32 hex digits, or its beginning.",
    "page": "An id of 32 hex digits, its beginning, an address or a title.",
    "name": "A name of a tool on a page, or its key (mentions.name_key).",
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
WHY: Schema = {
    "type": ["object", "null"],
    "description": "How the page was fetched, as `verdicts why` explains it. null: no crawl left a state here.",
    "required": ["state", "answer", "facts"],
    "properties": {
        "state": {"type": "string", "description": "The answer in one word."},
        "answer": {"type": "string"},
        "facts": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
    },
}
OWN_PARAMETERS = {"/sql": ("q", "A SELECT."), "/feed": ("since", "The load of your copy (ops.loads.load_id).")}
OTHER_SCHEMAS: Mapping[str, Schema] = {
    "/sql": {"type": "object", "required": ["rows"], "properties": {"rows": ROWS, "is_cut": {"type": "boolean"}}},
    "/feed": ROWS,
    "/questions": {"type": "object", "required": ["questions"], "properties": {"questions": ROWS}},
}


def make_api_page(every: Sequence[PagePath]) -> Callable[[Visit], View]:
    """The page `/api` of these paths; `/openapi.json` is the same for programs."""

    def api(visit: Visit) -> View:
        made = describe_api(visit.copy, every)
        return View("api", document=made, paths={path: item["get"] for path, item in made["paths"].items()})

    return api


def describe_api(copy: Copy, every: Sequence[PagePath]) -> Schema:
    """The description of these paths, and of each named question, whose columns are those of the copy."""
    paths: dict[str, Schema] = {}
    for page_path in every:
        if "{name}" not in page_path.path:
            paths |= _describe_paths(page_path)
    schemas = {"Error": ERROR}
    for query in list_queries():
        schemas[query.name] = _describe_row(copy, query)
        fits = {"rows": _describe_rows(query.name), "next": NEXT, "answers": ANSWERS}
        answer = {"type": "object", "required": ["rows", "next"], "properties": fits}
        path, given = f"/questions/{query.name}", [_describe_parameter(query, name) for name in _list_names(query)]
        paths[f"{path}.json"] = _describe_operation(query.question, given, JSON, answer)
        paths[f"{path}.csv"] = _describe_operation(query.question, given, "text/csv", {"type": "string"})
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


def _describe_paths(page_path: PagePath) -> dict[str, Schema]:
    given = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, "description": SHOWN_OF_PATH[name]}
        for name in re.findall(r"{(\w+)", page_path.path)
    ]
    given += [_describe_parameter(query_named(question), name) for name, question in page_path.parameters.items()]
    fits = OTHER_SCHEMAS.get(page_path.path, PARTS)
    if page_path.parts:
        parts = {part: _describe_rows(question.partition("?")[0]) for part, question in page_path.parts.items()}
        fits = PARTS | {"properties": {**parts, "answers": ANSWERS}, "additionalProperties": False}
    if page_path.path in WITH_WHY:
        fits["properties"] |= {"why": WHY}
    for listing in LISTS:
        if page_path.path == f"/{listing.name}":
            given = [_describe_parameter(listing.query, name) for name in _list_names(listing.query)]
            fits["properties"] |= {"next": NEXT, "total": {"type": "integer"}}
    if page_path.path in OWN_PARAMETERS:
        name, meaning = OWN_PARAMETERS[page_path.path]
        given = [{"name": name, "in": "query", "required": True, "schema": {"type": "string"}, "description": meaning}]
    stem = page_path.stem.replace(":path", "")
    described = {f"{stem}.json": _describe_operation(page_path.meaning, given, JSON, fits)}
    if page_path.csv is not None:
        described[f"{stem}.csv"] = _describe_operation(page_path.meaning, given, "text/csv", {"type": "string"})
    return described


def _describe_rows(question: str) -> Schema:
    return {"type": "array", "items": {"$ref": f"#/components/schemas/{question}"}}


def _list_names(query: Query) -> list[str]:
    declared = [parameter.name for parameter in query.parameters]
    return declared + [name for name in WINDOW if name not in declared]


def _describe_parameter(query: Query, name: str) -> Schema:
    parameter = query.parameter(name)
    schema: Schema = {"type": "string"} | TYPES.get(parameter.type, {})
    if schema["type"] != "string":
        schema["minimum"] = 0
    if name in WINDOW:
        schema |= {"minimum": WINDOW[name].least, "maximum": WINDOW[name].most}
    elif parameter.values and not parameter.is_open:
        schema |= {"enum": [*parameter.values]}
    if parameter.default is not None:
        schema["default"] = parameter.default if schema["type"] == "string" else json.loads(parameter.default)
    return {"name": name, "in": "query", "description": parameter.meaning, "schema": schema}


def _describe_operation(meaning: str, parameters: list[Schema], media_type: str, schema: Schema) -> Schema:
    wrong = {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}} if media_type == JSON else {"text/html": {}}
    return {
        "get": {
            "summary": meaning,
            "parameters": parameters,
            "responses": {
                "200": {"description": "The answer.", "content": {media_type: {"schema": schema}}},
                "300": {"description": "Several records match.", "content": {JSON: {"schema": PARTS}}},
                "302": {"description": "The record is at another address."},
                "default": {"description": "What is wrong, and what to do.", "content": wrong},
            },
        }
    }


def _describe_row(copy: Copy, query: Query) -> Schema:
    properties = {}
    for column, type_ in describe_columns(copy, query):
        is_list = type_.endswith("[]")
        fits = TYPES.get(type_.removesuffix("[]").partition("(")[0], {})
        if is_list:
            fits = {"type": "array", "items": fits}
        if "type" in fits:
            fits = fits | {"type": [fits["type"], "null"]}
        properties[column] = fits
    return {"type": "object", "description": query.question, "properties": properties, "required": [*properties]}
