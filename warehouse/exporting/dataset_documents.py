"""The documents of an export: dataset card, citation, and Croissant metadata.

The card is its README.md, with the front matter that Hugging Face reads. Croissant is for programs that load datasets:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html. Only the descriptions name references between tables,
because mlcroissant joins on `references` and drops rows without a match. The citation is in CFF 1.2.0.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from verdicts.warehouse.exporting.manifest import DATASET_VIEWS, PARTITIONED, ExportedFile, file_pattern, key_of
from verdicts.warehouse.schema.declared import CatalogColumn, Relation

TITLE = "AI tool verdicts"

ABSTRACT = """Reviews of AI tools by a panel of reviewers, read from comparison pages that set two tools side by side:
tool cards, votes, prices, and every distinct take with each page it stands on."""

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
_LARGEST = "1M<n<10M"

_TEMPLATES = Environment(
    autoescape=False,  # noqa: S701  Markdown and YAML
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


@dataclass(frozen=True, slots=True)
class Load:
    """The last load of the corpus."""

    load_id: str
    loaded_at: datetime
    extractor_version: str


def dataset_card(
    tables: Sequence[Relation], files: Sequence[ExportedFile], hosts: Sequence[str], load: Load | None
) -> str:
    """The README.md of an export of `tables` in `files`, read from `hosts`."""
    rows = {table.name: sum(file.rows for file in files if file.relation == table.name) for table in tables}
    return _TEMPLATES.get_template("README.md.jinja").render(
        title=TITLE,
        abstract=ABSTRACT,
        size=next((name for limit, name in _SIZES.items() if sum(rows.values()) < limit), _LARGEST),
        tables=tables,
        views=DATASET_VIEWS,
        rows=rows,
        hosts=hosts,
        load=load,
        pattern=file_pattern,
    )


def citation(load: Load | None, schema_version: int) -> str:
    """The CITATION.cff of an export. A corpus without a load has no date."""
    version = _version(load, schema_version)
    return _TEMPLATES.get_template("CITATION.cff.jinja").render(title=TITLE, load=load, version=version)


def _version(load: Load | None, schema_version: int) -> str:
    return f"{schema_version}.0.0" + (f"+{load.load_id}" if load else "")


_CONTEXT = json.loads((Path(__file__).parent / "croissant_context.json").read_text(encoding="utf-8"))
"""The names of Croissant 1.1, from its specification."""

_MEDIA_TYPE = "application/x-parquet"

_TYPES = {
    "VARCHAR": "sc:Text",
    "VARCHAR[]": "sc:Text",
    "BIGINT": "sc:Integer",
    "DOUBLE": "sc:Float",
    "BOOLEAN": "sc:Boolean",
    "TIMESTAMPTZ": "sc:DateTime",
}


def croissant(tables: Sequence[Relation], files: Sequence[ExportedFile], load: Load | None, schema_version: int) -> str:
    """JSON-LD: every file with its checksum, and every table with its columns and key."""
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": TITLE,
        "description": ABSTRACT,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": "https://spdx.org/licenses/Apache-2.0.html",
        "creator": {"@type": "sc:Organization", "name": "The verdicts maintainers"},
        "inLanguage": "en",
        "version": _version(load, schema_version),
        "citeAs": "See CITATION.cff",
        "distribution": [*_distribution(files)],
        "recordSet": [_record_set(table) for table in tables],
    }
    if load:
        metadata["datePublished"] = f"{load.loaded_at:%Y-%m-%d}"
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"


def _distribution(files: Sequence[ExportedFile]) -> Iterator[dict[str, Any]]:
    for table in sorted(PARTITIONED):
        yield {
            "@type": "cr:FileSet",
            "@id": f"{table}-files",
            "name": f"{table}-files",
            "description": "A file a month.",
            "encodingFormat": _MEDIA_TYPE,
            "includes": file_pattern(table),
        }
    for file in files:
        if file.relation not in PARTITIONED:
            yield {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "contentSize": f"{file.bytes} B",
                "encodingFormat": _MEDIA_TYPE,
                "sha256": file.sha256,
            }


def _record_set(table: Relation) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.comment,
        "key": [{"@id": f"{table.name}/{name}"} for name in key_of(table.name)],
        "field": [_field(table.name, column) for column in table.columns],
    }


def _field(table: str, column: CatalogColumn) -> dict[str, Any]:
    kind, files = ("fileSet", f"{table}-files") if table in PARTITIONED else ("fileObject", file_pattern(table))
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
