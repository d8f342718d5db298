"""The rows of a page in the published copy, and whether a gate withholds its newest reading."""

from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from verdicts.fetch.run.address_facts import AddressFacts
from verdicts.fetch.store.reader import StoreReader
from verdicts.fetch.store.run_log import read_gate_measures
from verdicts.pipeline.build.build_manifest import read_manifest
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.gates.holds import list_holds, pick_newest_rows
from verdicts.warehouse.serving.query import make_question, read_answer
from verdicts.warehouse.storage.sql_files import read_sql


@dataclass(frozen=True, slots=True)
class ReadingFacts:
    """`page_id` and `title` are those of a comparison page; `reader` and `kind` those of another page.

    `rows` counts rows by table, in words. `rejects` are reasons with their details. `is_loaded`: the run of the newest
    snapshot is in the published copy. `withheld` are the lines of the gates about the host, if its newest reading is
    kept out.
    """

    page_id: str | None = None
    title: str | None = None
    reader: str | None = None
    kind: str | None = None
    rows: tuple[tuple[str, int], ...] = ()
    rejects: tuple[tuple[str, str], ...] = ()
    is_published: bool = False
    is_loaded: bool = False
    withheld: tuple[str, ...] = ()


def read_readings(
    folder: DataFolder, store: StoreReader, corpus: DuckDBPyConnection | None, facts: AddressFacts
) -> ReadingFacts:
    """The readings of an address; without a published `corpus`, only the withheld ones."""
    withheld = _list_withheld(folder, store, facts)
    if corpus is None:
        return ReadingFacts(withheld=withheld)
    crawl_id = None if facts.stored is None else facts.stored.crawl_id
    sql = read_sql("schema/catalog")["address_reading"]
    page = facts.page
    other = None if page is None else page.holder or page.state.alias_of
    values = {"url": facts.key, "other": other, "crawl_id": crawl_id}
    rows = read_answer(make_question(corpus, sql, values)).records

    def pick(kind: str) -> list[dict[str, object]]:
        return [row for row in rows if row["kind"] == kind]

    comparison = next(iter(pick("page")), {})
    document = next(iter(pick("document")), {})
    return ReadingFacts(
        page_id=_to_text(comparison.get("name")),
        title=_to_text(comparison.get("detail")),
        reader=_to_text(document.get("name")),
        kind=_to_text(document.get("detail")),
        rows=tuple((str(row["name"]), int(str(row["number"]))) for row in pick("count")),
        rejects=tuple((str(row["name"]), str(row["detail"])) for row in pick("reject")),
        is_published=True,
        is_loaded=bool(pick("loaded")),
        withheld=withheld,
    )


def _to_text(value: object) -> str | None:
    return None if value is None else str(value)


def _list_withheld(folder: DataFolder, store: StoreReader, facts: AddressFacts) -> tuple[str, ...]:
    """The last build noted which readings it kept out."""
    manifest = read_manifest(folder.build_manifest)
    if manifest is None or facts.key not in {url for _, url in manifest.inputs.held}:
        return ()
    rows = pick_newest_rows(read_gate_measures(store.state))
    lines = list_holds(row for row in rows if row.host == facts.host.host)
    return tuple(line.strip() for line in lines) or ("the run that read it was held; its host was released since",)
