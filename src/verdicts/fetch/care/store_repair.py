"""Gives up damaged records: their bytes are set aside, their pages become due. Does not write segments."""

from collections.abc import Iterable

from verdicts.fetch.model.fetch_errors import StoreDamaged, describe_location
from verdicts.fetch.store import frontier
from verdicts.fetch.store.rebuild import ASIDE
from verdicts.fetch.store.store import Store


def set_aside(store: Store, damaged: Iterable[StoreDamaged]) -> list[str]:
    """Gives up damaged records, in one transaction, and says of each what is lost."""
    (store.data / ASIDE).mkdir(exist_ok=True)
    with store.transaction():
        return [
            f"{describe_location(record.path, record.offset or 0)}: set aside; {_give_up(store, record)}"
            for record in damaged
        ]


def _give_up(store: Store, record: StoreDamaged) -> str:
    path, place = record.path, (record.path.name, record.offset or 0)
    if path.exists():
        with path.open("rb") as file:
            file.seek(place[1])
            (store.data / ASIDE / "{}.at-{}".format(*place)).write_bytes(file.read(record.size))
    store.state.execute(
        "INSERT INTO records (segment, segment_offset, size, sha256, is_lost) VALUES (?, ?, ?, '', 1)"
        " ON CONFLICT DO UPDATE SET is_lost = 1",
        (*place, record.size),
    )
    page = store.state.execute(
        "SELECT url, rowid = (SELECT max(rowid) FROM snapshots AS other WHERE other.url = page.url)"
        " FROM snapshots AS page WHERE segment = ? AND segment_offset = ?",
        place,
    ).fetchone()
    if page is None:
        return "it holds no page"
    url, is_newest = page
    if not is_newest:
        return f"an earlier state of {url} is lost"
    if frontier.forget_page(store.state, url):
        return f"{url} is due, and the next crawl fetches it"
    return f"{url} came from a file; 'verdicts ingest' adds it again"
