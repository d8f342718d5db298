"""Gives up damaged records: their bytes are set aside, their pages become due. Does not write segments."""

from collections.abc import Iterable, Iterator

from verdicts.fetch.model.fetch_errors import StoreDamaged, describe_location
from verdicts.fetch.store import frontier
from verdicts.fetch.store.rebuild import ASIDE
from verdicts.fetch.store.store import Store


def set_aside(store: Store, damaged: Iterable[StoreDamaged]) -> list[str]:
    """Gives up damaged records, in one transaction, and says of each what is lost."""
    (store.data / ASIDE).mkdir(exist_ok=True)
    with store.transaction():
        return [line for damage in damaged for line in _give_up(store, damage)]


def _give_up(store: Store, damage: StoreDamaged) -> Iterator[str]:
    path, begin = damage.path, damage.offset or 0
    if path.exists():
        with path.open("rb") as file:
            file.seek(begin)
            (store.data / ASIDE / f"{path.name}.at-{begin}").write_bytes(file.read(damage.size))
    stretch = (path.name, begin, damage.size)
    store.state.execute("INSERT OR IGNORE INTO lost VALUES (?, ?, ?)", stretch)
    # What ends the segment is no longer expected there.
    store.state.execute("UPDATE segments SET size = ?2 WHERE segment = ?1 AND size <= ?2 + ?3", stretch)
    pages = store.state.execute(
        "SELECT segment_offset, url, rowid = (SELECT max(rowid) FROM snapshots AS newer WHERE newer.url = page.url)"
        " FROM snapshots AS page WHERE segment = ?1 AND segment_offset >= ?2 AND segment_offset < ?2 + ?3",
        stretch,
    ).fetchall()
    if not pages:
        yield f"{describe_location(path, begin)}: set aside; it holds no page"
    for offset, url, is_newest in pages:
        yield f"{describe_location(path, offset)}: set aside; {_forget_page(store, url, is_newest=is_newest)}"


def _forget_page(store: Store, url: str, *, is_newest: bool) -> str:
    if not is_newest:
        return f"an earlier state of {url} is lost"
    if frontier.forget_page(store.state, url):
        return f"{url} is due, and the next crawl fetches it"
    return f"{url} came from a file; 'verdicts ingest' adds it again"
