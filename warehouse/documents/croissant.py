"""Croissant metadata of an export: what its files hold, for programs that load datasets by it.

https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html

References between tables stand in the descriptions alone: mlcroissant joins on `references`, once, and drops the rows
that lead nowhere.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from verdicts.warehouse.documents.dataset_card import ABSTRACT, TITLE, Load
from verdicts.warehouse.documents.manifest import PARTITIONED, ExportedFile, file_pattern
from verdicts.warehouse.schema.catalog import CatalogColumn, Relation
from verdicts.warehouse.schema.dataset_views import key_of

_CONTEXT = json.loads((Path(__file__).parent / "croissant_context.json").read_text(encoding="utf-8"))
"""The names of Croissant 1.1, as its specification prints them."""

_MEDIA_TYPES = {"parquet": "application/x-parquet", "csv": "text/csv", "jsonl": "application/jsonlines"}

_TYPES = {
    "VARCHAR": "sc:Text",
    "VARCHAR[]": "sc:Text",
    "BIGINT": "sc:Integer",
    "DOUBLE": "sc:Float",
    "BOOLEAN": "sc:Boolean",
    "TIMESTAMPTZ": "sc:DateTime",
}


def croissant(tables: Sequence[Relation], files: Sequence[ExportedFile], load: Load | None, schema_version: int) -> str:
    """JSON-LD: every file of the first form with its checksum, every table with its columns, keys and references."""
    form = files[0].form
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": TITLE,
        "description": ABSTRACT,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": "https://spdx.org/licenses/Apache-2.0.html",
        "creator": {"@type": "sc:Organization", "name": "The verdicts maintainers"},
        "inLanguage": "en",
        "version": f"{schema_version}.0.0" + (f"+{load.load_id}" if load else ""),
        "citeAs": "See CITATION.cff",
        "distribution": [*_distribution(files, form)],
        "recordSet": [_record_set(table, form) for table in tables],
    }
    if load:
        metadata["datePublished"] = f"{load.loaded_at:%Y-%m-%d}"
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"


def _distribution(files: Sequence[ExportedFile], form: str) -> Iterator[dict[str, Any]]:
    for table in sorted({file.relation for file in files} & PARTITIONED.keys()):
        yield {
            "@type": "cr:FileSet",
            "@id": f"{table}-files",
            "name": f"{table}-files",
            "description": "A file a month.",
            "encodingFormat": _MEDIA_TYPES[form],
            "includes": file_pattern(table, form),
        }
    for file in files:
        if file.form == form and file.relation not in PARTITIONED:
            yield {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "contentSize": f"{file.bytes} B",
                "encodingFormat": _MEDIA_TYPES[form],
                "sha256": file.sha256,
            }


def _record_set(table: Relation, form: str) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.comment,
        "key": [{"@id": f"{table.name}/{name}"} for name in key_of(table.name)],
        "field": [_field(table.name, column, form) for column in table.columns],
    }


def _field(table: str, column: CatalogColumn, form: str) -> dict[str, Any]:
    kind, files = ("fileSet", f"{table}-files") if table in PARTITIONED else ("fileObject", f"{table}.{form}")
    metadata: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.comment,
        "dataType": _TYPES[column.type],
        "source": {kind: {"@id": files}, "extract": {"column": column.name}},
    }
    if column.type.endswith("[]"):
        metadata |= {"isArray": True, "arrayShape": "-1"}
    return metadata
