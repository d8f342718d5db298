"""The dataset card: README.md of an export, with the front matter Hugging Face reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from verdicts.warehouse.documents.manifest import ExportedFile, file_pattern
from verdicts.warehouse.schema.catalog import Relation, columns_as_markdown
from verdicts.warehouse.schema.dataset_views import DATASET_VIEWS

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
