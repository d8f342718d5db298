"""Makes the documents of a dataset: README.md, CITATION.cff and croissant.json. Pure.

The card has the front matter that Hugging Face reads. Croissant is for programs that load datasets:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html. Only the descriptions name references between tables,
because mlcroissant joins on `references` and drops rows without a match.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from verdicts.warehouse.exporting.contents import (
    DATASET_VIEWS,
    LICENCES,
    PARTITIONED,
    DatasetSettings,
    file_pattern,
    find_key,
    licence_address,
)
from verdicts.warehouse.exporting.dataset import ExportedFile, Manifest
from verdicts.warehouse.schema.declared import CatalogColumn, Relation

_SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
_LARGEST = "1M<n<10M"

_HOSTS_MAX = 3
"""Most hosts in a title that nobody gave."""

_TEMPLATES = Environment(
    autoescape=False,  # noqa: S701  Markdown and YAML
    loader=FileSystemLoader(Path(__file__).parent),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
# JSON is YAML. jinja's own `tojson` is for HTML.
_TEMPLATES.filters["yaml"] = lambda text: json.dumps(text, ensure_ascii=False)


@dataclass(frozen=True)
class Edition:
    """An export: its settings, state and tables, the hosts it was read from, and how many pages reserve their texts."""

    settings: DatasetSettings
    manifest: Manifest
    tables: Sequence[Relation]
    hosts: Sequence[str]
    reserved: int

    @property
    def title(self) -> str:
        return self.settings.title or f"Comparison pages of {self._read_from}"

    @property
    def description(self) -> str:
        default = (
            f"Comparison pages of {self._read_from} as tables: tools, prices, verdicts, reviews and where each stands."
        )
        return self.settings.description or default

    @property
    def _read_from(self) -> str:
        more = len(self.hosts) - _HOSTS_MAX
        named = ", ".join(self.hosts[:_HOSTS_MAX]) or "files without an address"
        return f"{named} and {more:,} more" if more > 0 else named

    @property
    def version(self) -> str:
        load_id = self.manifest.load_id
        return f"{self.manifest.schema_version}.0.0" + (f"+{load_id}" if load_id else "")

    @property
    def citation(self) -> str:
        made_by = f"{self.settings.creator}: " if self.settings.creator else ""
        return self.settings.citation or f"{made_by}{self.title}, version {self.version}"

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Table to the number of its rows."""
        files = self.manifest.files
        return {table.name: sum(file.rows for file in files if file.relation == table.name) for table in self.tables}

    @property
    def contact(self) -> dict[str, str]:
        """The mailbox or address of the creator, as schema.org names it."""
        contact = self.settings.contact
        return {} if contact is None else {"url" if "://" in contact else "email": contact}

    @property
    def about(self) -> dict[str, str]:
        """The description for a dataset in one file, which has no card."""
        settings, loaded_at = self.settings, self.manifest.loaded_at
        texts = {
            "title": self.title,
            "description": self.description,
            "creator": settings.creator,
            "contact": settings.contact,
            "licence": licence_address(settings.licence),
            "quoted texts": "Names, descriptions, reviews and other texts belong to the publishers of their pages.",
            "cite as": self.citation,
            "version": self.version,
            "loaded at": None if loaded_at is None else f"{loaded_at:%Y-%m-%d %H:%M} UTC",
            "read from": ", ".join(self.hosts),
            "left out": f"what {self.reserved:,} pages say, which reserve their texts" if self.reserved else None,
        }
        return {name: text for name, text in texts.items() if text}

    @property
    def columns(self) -> list[tuple[str, str, str, str]]:
        """Table, name, type and meaning of every column."""
        return [
            (table.name, column.name, column.type, column.comment or "")
            for table in self.tables
            for column in table.columns
        ]

    def config_version(self, table: str) -> str:
        """The version of a table as `datasets` caches it: another one for other files, in three numbers.

        Without it a second `load_dataset` shows the rows of the first: huggingface/datasets 2956.
        """
        sums = "".join(file.sha256 for file in self.manifest.files if file.relation == table)
        loaded_at, digest = self.manifest.loaded_at, int(sha256(sums.encode()).hexdigest()[:8], 16)
        return f"{self.manifest.schema_version}.{loaded_at:%Y%m%d}.{digest}" if loaded_at else f"0.0.{digest}"


def describe(edition: Edition) -> dict[str, str]:
    """The documents of a dataset by file name. Without a creator there is no CITATION.cff."""
    documents = {"README.md": dataset_card(edition), "croissant.json": croissant(edition)}
    if edition.settings.creator is not None:
        documents["CITATION.cff"] = _TEMPLATES.get_template("CITATION.cff.jinja").render(edition=edition)
    return documents


def dataset_card(edition: Edition) -> str:
    """The README.md. Its configs are tables with rows: `datasets` fails on a table without rows."""
    filled = [table.name for table in edition.tables if edition.rows[table.name]]
    return _TEMPLATES.get_template("README.md.jinja").render(
        edition=edition,
        hub_licence=LICENCES.get(edition.settings.licence),
        size=next((name for limit, name in _SIZES.items() if sum(edition.rows.values()) < limit), _LARGEST),
        filled=filled,
        first="reviews" if "reviews" in filled else next(iter(filled), None),
        views=[table.name for table in edition.tables if table.name in DATASET_VIEWS],
        pattern=file_pattern,
        licence_address=licence_address(edition.settings.licence),
    )


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


def croissant(edition: Edition) -> str:
    """JSON-LD: every file with its checksum, and every table with its columns and key."""
    settings, manifest = edition.settings, edition.manifest
    metadata: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "name": edition.title,
        "description": edition.description,
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "license": licence_address(settings.licence),
        "version": edition.version,
        "citeAs": edition.citation,
        "distribution": [*_distribution(manifest.files)],
        "recordSet": [_record_set(table) for table in edition.tables],
    }
    if settings.creator is not None:
        metadata["creator"] = {"@type": "sc:Organization", "name": settings.creator} | edition.contact
    if manifest.loaded_at:
        metadata["datePublished"] = f"{manifest.loaded_at:%Y-%m-%d}"
    return json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"


def _distribution(files: Sequence[ExportedFile]) -> Iterator[dict[str, Any]]:
    for table in sorted({file.relation for file in files} & PARTITIONED.keys()):
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
        "key": [{"@id": f"{table.name}/{name}"} for name in find_key(table.name)],
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
