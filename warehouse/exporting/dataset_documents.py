"""The documents of an export: dataset card, Croissant metadata, citation.

The card is its README.md, with the front matter that Hugging Face reads. Croissant is for programs that load datasets:
https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html. References between tables stand in the descriptions
alone: mlcroissant joins on `references`, once, and drops the rows that lead nowhere. The citation is in CFF 1.2.0.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from verdicts.warehouse.exporting.manifest import DATASET_VIEWS, PARTITIONED, ExportedFile, file_pattern, key_of
from verdicts.warehouse.schema.declared import CatalogColumn, Relation, columns_as_markdown

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"

TITLE = "AI tool verdicts"

ABSTRACT = """Reviews of AI tools by a panel of reviewers, read from comparison pages that set two tools side by side:
tool cards, votes, prices, and every distinct take with each page it stands on."""

_READING = """## Reading it

```python
from pathlib import Path
import duckdb, pandas, polars
from datasets import load_dataset

duckdb.sql("FROM '{pattern}'")
polars.read_parquet("{pattern}")
pandas.read_parquet("{folder}")
load_dataset(str(Path.cwd()), "{table}", split="train")
```"""

_LICENSE = """## License

The tables, ids, joins and documentation are offered under Apache-2.0. Names, taglines, descriptions, takes and other
texts are quoted from the pages named in `pages.url` and `documents.url`; rights in them stay with their publishers.
Check what your use needs before you pass them on."""

_ROBOTS = """## How it was collected

Pages were asked for under a name with a contact, one or two connections a host, at the pace the host allows. What
robots.txt forbids (RFC 9309) was not asked for, what a page marks `noindex` was not kept. A page that its site took
down stays as `pages.is_gone`, with what it said before; take it out where you must."""

_LIMITS = """## Known limits

- Who said a take of which tool is not always printed. `reviews.attribution` says how it was found out and
  `reviews.confidence` how sure that is; `ordered` rests on the row order alone.
- Text dumps carry no slugs, seats, scores, votes or prices. Where no other rendering of a page was seen, they are NULL.
- A missing take leaves no trace in some renderings: a panel may have more seats than takes.
- Categories are the site's open text with synonyms. `tools.product` is a suggestion, never an identity.
- Statements of a page that contradict each other are kept as they are, see `discrepancies`.
- `last_seen_at` is the newest snapshot whose content was read; visits that found nothing new are in `fetches` only."""


_VIEWS = """For reading alone, without joins: {}. They are made of the other tables, and made anew when the dataset is
loaded."""


@dataclass(frozen=True, slots=True)
class Load:
    """The load that made the corpus what it is."""

    load_id: str
    loaded_at: datetime
    extractor_version: str


def dataset_card(
    tables: Sequence[Relation], files: Sequence[ExportedFile], hosts: Sequence[str], load: Load | None
) -> str:
    """The card of an export of `tables` in `files`, read from `hosts`."""
    form = files[0].form
    rows = {
        table.name: sum(file.rows for file in files if (file.relation, file.form) == (table.name, form))
        for table in tables
    }
    return (
        "\n\n".join(
            [
                _front_matter(tables, rows, form),
                f"# {TITLE}",
                ABSTRACT,
                _provenance(hosts, load),
                _reading(tables[0].name if "reviews" not in rows else "reviews", form),
                _ROBOTS,
                _LICENSE,
                _LIMITS,
                "## Tables",
                _VIEWS.format(", ".join(f"`{name}`" for name in DATASET_VIEWS)),
                "\n".join(["| table | rows | a row is |", "|---|---:|---|", *(_line(table, rows) for table in tables)]),
                *(_section(table) for table in tables),
            ]
        )
        + "\n"
    )


def _front_matter(tables: Sequence[Relation], rows: Mapping[str, int], form: str) -> str:
    size = next((name for limit, name in _SIZES if sum(rows.values()) < limit), _LARGEST)
    lines = [
        "---",
        f"pretty_name: {TITLE}",
        "license: other",
        "license_name: apache-2.0-and-quoted-texts",
        "language:",
        "- en",
        "task_categories:",
        "- text-classification",
        "size_categories:",
        f"- {size}",
        "configs:",
    ]
    for table in tables:
        lines += [f"- config_name: {table.name}", f"  data_files: {file_pattern(table.name, form)!r}"]
        if table.name == "reviews":
            lines.append("  default: true")
    return "\n".join([*lines, "---"])


def _reading(table: str, form: str) -> str:
    """How to open it, once with each of four readers. All four see the same columns."""
    pattern = file_pattern(table, form)
    if form != "parquet":
        return f"## Reading it\n\nRows of a table stand in `{table}.{form}`; `reviews` has a file a month."
    return _READING.format(pattern=pattern, folder=pattern.partition("/*")[0], table=table)


def _provenance(hosts: Sequence[str], load: Load | None) -> str:
    read = ", ".join(f"`{host}`" for host in hosts) or "files without an address"
    lines = ["## Provenance", "", f"Read from {read}."]
    if load:
        lines.append(
            f"State of load `{load.load_id}` of {load.loaded_at:%Y-%m-%d %H:%M} UTC, "
            f"extractor version {load.extractor_version}."
        )
    lines.append("Every take leads back to its words: `appearances` names segment, offset and blocks of the raw store.")
    return "\n".join(lines)


def _line(table: Relation, rows: Mapping[str, int]) -> str:
    return f"| [{table.name}](#{table.name}) | {rows[table.name]} | {table.comment} |"


def _section(table: Relation) -> str:
    return "\n\n".join([f"### {table.name}", columns_as_markdown(table)])


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


def citation(load: Load | None, schema_version: int) -> str:
    """YAML. The version is that of the schema and the load; a corpus that never held a row has no date."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this dataset, please cite it as below.",
        "type: dataset",
        f"title: {TITLE}",
        "authors:",
        "  - name: The verdicts maintainers",
        "license: Apache-2.0",
        "abstract: >-",
        "  Tables, ids, joins and documents are under Apache-2.0; quoted texts belong to the publishers of the pages",
        f"version: {schema_version}.0.0" + (f"+{load.load_id}" if load else ""),
    ]
    if load:
        lines.append(f"date-released: {load.loaded_at:%Y-%m-%d}")
    return "\n".join(lines) + "\n"
