"""The contents of a dataset: its tables and views, their files and order of rows, and its description."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from verdicts.corpus.declare import SCHEMAS
from verdicts.corpus.tables import CORPUS_TABLES, TABLES, name_relation

if TYPE_CHECKING:
    import duckdb

DATASET_VIEWS: Mapping[str, tuple[str, ...]] = {
    "contested_tools": ("tool_id",),
    "matches": ("page_id", "side"),
    "price_changes": ("tool_id", "changed_at"),
    "price_ladder": TABLES["pricing_tiers"].key,
    "review_changes": ("review_id", "changed_at"),
    "scored_reviews": ("review_id",),
    "verdict_changes": ("tool_id", "changed_at"),
}
"""Views that a dataset has as tables, so that it is read without SQL; to the keys that sort their rows.

A load of a dataset makes them again. No view has a mean of fractions: its last digit would depend on the order of rows.
"""

DATASET_TABLES = (*(name for name in TABLES if name != "changes"), *DATASET_VIEWS)
"""What a dataset may have. `changes` has words that pages or people took back, which a dataset must not keep."""

DEFAULT_TABLES = (*(name for name in CORPUS_TABLES if name != "corrections"), *DATASET_VIEWS)
"""What a dataset has unless its config says otherwise: no log, and nothing that names the people who run it.

Logs grow with every night, the other tables with the pages.
"""

_WITHHELD: Mapping[str, str] = {
    "corrections": "NULL AS subject, NULL AS value_before, NULL AS detail",
    "gate_measures": "[] AS examples",
}
"""Columns that quote what a page or a person took back: `left out: Every third sentence`."""

PARTITIONED = {name: table.partition_by for name, table in TABLES.items() if table.partition_by is not None}
"""Tables with a file for each month, to the time that decides the file of a row."""


_PLAIN_LICENCES = """Apache-2.0 MIT CC0-1.0 CC-BY-4.0 CC-BY-SA-4.0 CC-BY-ND-4.0 CC-BY-NC-4.0 CC-BY-NC-SA-4.0
    CC-BY-NC-ND-4.0 CDLA-Permissive-2.0"""

LICENCES: Mapping[str, str] = {
    **{name: name.lower() for name in _PLAIN_LICENCES.split()},
    "ODbL-1.0": "odbl",
    "ODC-By-1.0": "odc-by",
    "PDDL-1.0": "pddl",
}
"""Licences of data by their SPDX identifier, to the name that Hugging Face has for each."""


def licence_address(licence: str) -> str:
    """The address of a licence, which is its name unless it is one of `LICENCES`."""
    return f"https://spdx.org/licenses/{licence}.html" if licence in LICENCES else licence


@dataclass(frozen=True, slots=True)
class DatasetSettings:
    """The settings of a dataset in the config.

    `licence` is one of `LICENCES` or an address, `contact` a mailbox or an address. `permitted` are the hosts whose
    reserved texts may be in it.
    """

    title: str | None = None
    description: str | None = None
    creator: str | None = None
    contact: str | None = None
    licence: str = "Apache-2.0"
    citation: str | None = None
    tables: tuple[str, ...] = DEFAULT_TABLES
    permitted: frozenset[str] = frozenset()


DEFAULT_SETTINGS = DatasetSettings()
"""The dataset of a config without `[dataset]`."""


def expand_tables(names: Iterable[str]) -> tuple[str, ...]:
    """Tables and views of a dataset, in their order. The name of a schema stands for all of it.

    Raises ValueError for a name that no dataset has.
    """
    wanted = set(names)
    if unknown := sorted(wanted - {*SCHEMAS, *DATASET_TABLES}):
        near = get_close_matches(unknown[0], (*SCHEMAS, *DATASET_TABLES), 1)
        hint = f"did you mean {near[0]!r}?" if near else f"whole schemas are {', '.join(SCHEMAS)}"
        raise ValueError(f"{unknown[0]!r} is no table of a dataset; {hint}")
    return tuple(name for name in DATASET_TABLES if wanted & {name, find_schema(name)})


def find_schema(relation: str) -> str:
    """The schema of a table or view of a dataset. The views are in `main`."""
    return "main" if relation in DATASET_VIEWS else TABLES[relation].schema


def name_in_sql(relation: str) -> str:
    """The name of a table or view of a dataset, with its schema."""
    return relation if relation in DATASET_VIEWS else name_relation(relation)


def find_key(relation: str) -> tuple[str, ...]:
    """The columns that identify a row of a table or a view of a dataset."""
    return DATASET_VIEWS.get(relation) or TABLES[relation].key


def select_rows(relation: str, condition: str = "true") -> str:
    """The SQL of the rows of a table or view as a dataset has them, in its order."""
    withheld = f" REPLACE ({_WITHHELD[relation]})" if relation in _WITHHELD else ""
    order = DATASET_VIEWS.get(relation) or TABLES[relation].order
    return f"SELECT *{withheld} FROM {name_in_sql(relation)} WHERE {condition} ORDER BY {', '.join(order)}"  # noqa: S608


def read_rows(connection: duckdb.DuckDBPyConnection, relation: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table or view in a dataset, in order, as Python values."""
    answer = connection.execute(select_rows(relation))
    while rows := answer.fetchmany(10_000):
        yield from rows


def make_path(relation: str) -> str:
    """The path of a table without its ending, or of the folder of all months: `reviews`, `evidence/rejects`."""
    return name_in_sql(relation).replace(".", "/")


def file_pattern(table: str) -> str:
    """The file of a table, or a glob for all of its months."""
    return f"{make_path(table)}/*.parquet" if table in PARTITIONED else f"{make_path(table)}.parquet"
