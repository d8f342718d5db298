"""Forgets a page, a host or a review for ever: the list, the raw store, the state, then all that is made of them.

The list is written first, so each step can be killed and repeated: `find_listed` is what the list says. Readers keep
their copy until they have another one; then all earlier copies go.
"""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from duckdb import DuckDBPyConnection

from verdicts.fetch.model.addresses import BadUrl, canonicalize, find_host, resolve_address
from verdicts.fetch.model.snapshot import Location, Snapshot
from verdicts.fetch.store.erase import Extent, erase, measure
from verdicts.fetch.store.forgotten import Forgotten, end_forgetting, make_entry, note_forgotten
from verdicts.fetch.store.store import Store
from verdicts.normalize.identity.ids import is_short
from verdicts.normalize.parse.match_keys import match_key, take_key
from verdicts.pipeline import steps
from verdicts.pipeline.build.strike import find_texts, remove_stale_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.progress import step
from verdicts.pipeline.sources.config import Config
from verdicts.warehouse.exporting.dataset import MANIFEST
from verdicts.warehouse.serving.published import copies, find_published, remove_earlier
from verdicts.warehouse.storage.connection import open_database
from verdicts.warehouse.storage.warehouse_errors import NothingPublished

_ID = re.compile(r"[0-9a-f]{32}")

_ALL_TEXTS = """
    SELECT text FROM (
        SELECT review_id, text FROM reviews
        UNION SELECT review_id, text FROM appearances WHERE text IS NOT NULL
        UNION SELECT review_id, text FROM history.review_history
    )
"""
_TEXTS = f"{_ALL_TEXTS} WHERE review_id = $id"


@dataclass(frozen=True, slots=True)
class Target:
    """What to forget. `pages` are the keys of pages to erase as a whole, `texts` are the words to erase.

    `needles` are the names by which files may mention it.
    """

    name: str
    entries: tuple[str, ...]
    pages: tuple[str, ...]
    texts: tuple[str, ...]
    needles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to erase from the data folder. `struck` are pages that stay without the words of a review.

    `twins` are other pages with the same bytes, which stay.
    """

    target: Target
    extent: Extent
    struck: Mapping[Location, Snapshot]
    copies: tuple[Path, ...]
    datasets: tuple[Path, ...]
    twins: tuple[str, ...]


def find_target(store: Store, folder: DataFolder, name: str) -> Target:
    """The page, host or review that a person means. Raises `ConfigError` if nothing of it is stored."""
    if _ID.fullmatch(name):
        return _find_record(folder, name)
    if ("/" not in name and "." in name) or re.fullmatch(r"[\w.-]+:\d+", name):
        host = find_host(f"http://{name}")
        pages = [url for url in _list_known(store) if find_host(url) == host]
        kinds = [make_entry("host", host)]
        needles = [host]
    else:
        try:
            key = name if name.startswith("urn:") else canonicalize(resolve_address(name))
        except BadUrl as error:
            raise ConfigError(f"{name!r} is no address, host, or id of a review: {error}") from None
        pages = _find_pages(store, key)
        kinds = [make_entry("page", url) for url in pages]
        needles = pages
    if not pages:
        raise ConfigError(f"nothing of {name} is stored here; 'verdicts why {name}' says what is known of it")
    return Target(name, (*kinds,), (*sorted(pages),), (), (*needles,))


def _list_known(store: Store) -> list[str]:
    rows = store.state.execute("SELECT url FROM urls UNION SELECT url FROM snapshots UNION SELECT url FROM fetches")
    return [url for (url,) in rows]


def _find_pages(store: Store, key: str) -> list[str]:
    """The known keys of a page: written with http or https, and those that lead to it or that it leads to."""
    moved = store.read_moved_urls()
    same = make_entry("page", key)
    spelled = store.state.execute(
        "SELECT url FROM spellings WHERE address = ?1 UNION SELECT url FROM snapshots WHERE final_url = ?1", (key,)
    )
    urls = {url for url in _list_known(store) if make_entry("page", url) == same} | {url for (url,) in spelled}
    ends = urls | {moved[url] for url in urls if url in moved}
    return sorted(ends | {url for url, end in moved.items() if end in ends})


def _find_record(folder: DataFolder, record_id: str) -> Target:
    """A review, by any id that it had."""
    with _open_corpus(folder) as connection:
        if connection is None:
            raise ConfigError("nothing is published, so no review is known by its id; run 'verdicts publish'")
        led = connection.execute("SELECT review_id FROM evidence.review_aliases WHERE old_id = ?", [record_id])
        review_id = next((new for (new,) in led.fetchall()), record_id)
        texts = [text for (text,) in connection.execute(_TEXTS, {"id": review_id}).fetchall()]
        if not texts:
            raise ConfigError(f"no review has the id {record_id}; 'verdicts search' finds it by its words")
    keys = sorted({take_key(text) for text in texts})
    words = (*texts, review_id)
    return Target(record_id, tuple(make_entry("words", key) for key in keys), (), (*texts,), words)


def find_listed(store: Store, folder: DataFolder) -> Target:
    """All that the list says, with the texts of it that readers still have. Raises `ConfigError` for an empty list."""
    forgotten = store.forgotten
    if not forgotten.entries:
        raise ConfigError("name the address of a page, a host, or the id of a review to forget")
    texts: list[str] = []
    with _open_corpus(folder) as connection:
        if connection is not None and forgotten.has_words:
            texts = [text for (text,) in connection.execute(_ALL_TEXTS).fetchall()]
    left = tuple(text for text in texts if forgotten.has("words", take_key(text)))
    return Target("all on the list", (*forgotten.entries,), (), left, left)


@contextmanager
def _open_corpus(folder: DataFolder) -> Iterator[DuckDBPyConnection | None]:
    try:
        path = find_published(folder.serve)
    except NothingPublished:
        yield None
        return
    with open_database(path, is_read_only=True) as connection:
        yield connection


def plan(store: Store, folder: DataFolder, target: Target) -> Plan:
    """What `forget` would erase. Reads the whole raw store for the words of a review."""
    texts = [text for text in target.texts if not is_short(match_key(text))]
    struck: dict[Location, Snapshot] = {}
    if texts:
        entries = [item for item in store.index() if not item.is_lost]
        with step("search", "snapshots") as advance:
            for done, item in enumerate(entries, start=1):
                struck |= find_texts([(item.location, store.read(item.location))], texts)
                advance(done, len(entries))
    extent = measure(store, Forgotten(dict.fromkeys(target.entries, "")), struck)
    twins = _find_twins(store, target.pages)
    return Plan(target, extent, struck, (*copies(folder.serve),), _find_datasets(folder), twins)


def _find_twins(store: Store, pages: Sequence[str]) -> tuple[str, ...]:
    newest = dict(store.state.execute("SELECT url, sha256 FROM snapshots ORDER BY rowid").fetchall())
    gone = {newest.get(url) for url in pages} - {None}
    return tuple(sorted(url for url, sha256 in newest.items() if sha256 in gone and url not in pages))


def _find_datasets(folder: DataFolder) -> tuple[Path, ...]:
    return tuple(sorted(path.parent for path in folder.root.rglob(MANIFEST)))


def forget(store: Store, folder: DataFolder, config: Config, planned: Plan) -> Path:
    """Erases a plan, and all that the list says; returns the copy that readers have then.

    Any step may fail or be killed: the next call does what is left. Raises what a build and a publication raise.
    """
    store.forgotten = note_forgotten(folder.root, planned.target.entries, steps.now().date())
    erase(store, store.forgotten, planned.struck)
    remove_stale_records(store, folder)
    # DuckDB keeps deleted rows in free blocks, and `history.changes` what they said.
    shutil.rmtree(folder.warehouse.parent, ignore_errors=True)
    steps.build_corpus(store, folder, config)
    readers_have = steps.publish_corpus(folder, config.care.keep)
    remove_earlier(readers_have)
    for dataset in _find_datasets(folder):
        steps.export_dataset(folder, dataset, config.dataset_settings)
    end_forgetting(folder.root)
    return readers_have


def find_traces(folder: DataFolder, target: Target) -> list[Path]:
    """The files in which an address, a host or the words still stand, and those that only a person can judge."""
    needles = [needle.encode() for needle in target.needles]
    kept = {folder.raw, folder.serve, folder.records, folder.warehouse.parent, folder.dataset}
    files = (path for path in sorted(folder.root.rglob("*")) if path.is_file() and kept.isdisjoint(path.parents))
    return [path for path in files if folder.damaged in path.parents or _contains(path, needles)]


def _contains(path: Path, needles: Sequence[bytes]) -> bool:
    content = path.read_bytes()
    return any(needle in content for needle in needles)
