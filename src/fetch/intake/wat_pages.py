"""The pages that a WAT file names, out of the WARC files beside it: it says where they lie, and holds none itself."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from verdicts.fetch.archives.file import ArchiveFile
from verdicts.fetch.archives.pages import ArchivePage, Unreadable
from verdicts.fetch.archives.records import Damage
from verdicts.fetch.archives.references import Part, read_part
from verdicts.fetch.archives.shards import PACKED_LIMIT
from verdicts.fetch.archives.wat import NamedPage, read_wat
from verdicts.fetch.given_files import open_file
from verdicts.fetch.model.addresses.patterns import AddressPattern
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.fetch.objects.addresses import open_object
from verdicts.fetch.objects.objects import ObjectMissing
from verdicts.fetch.objects.ranged import RangedObject


class WatItem(NamedTuple):
    """A page, and where it lies, or what could not be read. `end`: where the next record of the WAT file begins."""

    item: tuple[Snapshot, Part] | Unreadable
    end: int | None


ReadAt = Callable[[str, int, int], tuple[str, bytes] | None]
"""The address of the WARC file of a name, and so many bytes from a place in it on; None where there is no such file."""


def read_wat_pages(
    wat: ArchiveFile, address: str, read_at: ReadAt, moment: datetime, include: AddressPattern | None, begin: int
) -> Iterator[WatItem]:
    """The pages that a WAT file names whose address has a match of `include`.

    How many lie in files that are not there is told at the end, with their names.
    """
    missing: Counter[str] = Counter()
    for named in read_wat(wat, include, begin):
        if isinstance(named, Damage):
            yield WatItem(Unreadable(f"{address}: the record at byte {named.offset:,}: {named.why}", named.url), None)
            continue
        found = read_at(named.file, named.offset, min(named.length, PACKED_LIMIT))
        if found is None:
            missing[named.file] += 1
        elif (page := _page(named, *found, moment)) is not None:
            yield WatItem(page, named.end)
    for file, pages in missing.items():
        why = f"it names {pages:,} pages of {file} and holds none of them: put that file beside it, or in ../warc/"
        yield WatItem(Unreadable(f"{address}: {why}"), None)


def _page(named: NamedPage, warc: str, stored: bytes, moment: datetime) -> tuple[Snapshot, Part] | Unreadable | None:
    """None for what is no page."""
    found = read_part(stored, warc, moment)
    if isinstance(found, ArchivePage):
        if found.record.header("WARC-Target-URI") == named.url:
            return found.snapshot, Part(warc, named.offset, len(stored), sha256(stored).hexdigest())
        return Unreadable(f"{warc}: at byte {named.offset:,} lies another page than the WAT file says", named.url)
    if found is None:
        return None
    return Unreadable(f"{warc}: at byte {named.offset:,} lies no whole record, as the WAT file says it does", named.url)


def of_folder(wat: Path) -> ReadAt:
    """WARC files in the folder of a WAT file, or in `warc` beside that; no links, as the WAT file names them."""

    def read_at(name: str, offset: int, length: int) -> tuple[str, bytes] | None:
        for path in (wat.parent / name, wat.parent.parent / "warc" / name):
            with suppress(OSError), open_file(path, follows_links=False) as file:
                file.seek(offset)
                return str(path), file.read(length)
        return None

    return read_at


def of_store(wat: str) -> ReadAt:
    """The same in a store of objects."""
    folder = wat.rpartition("/")[0]
    opened: dict[str, tuple[str, RangedObject] | None] = {}

    def ranged(name: str) -> tuple[str, RangedObject] | None:
        for address in (f"{folder}/{name}", f"{folder.rpartition('/')[0]}/warc/{name}"):
            try:
                return address, RangedObject(*open_object(address))
            except ObjectMissing:
                continue
        return None

    def read_at(name: str, offset: int, length: int) -> tuple[str, bytes] | None:
        if name not in opened:
            opened[name] = ranged(name)
        found = opened[name]
        return None if found is None else (found[0], found[1].read_at(offset, length))

    return read_at
