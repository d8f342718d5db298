"""The list of what is never stored again: pages, hosts and words, each only as a digest.

An address or a text may itself have to be erased, so `forgotten.txt` contains no address and no text. A line is `KIND
SHA256 DAY`, and ends with `begun` while something of it may be left. It is not part of `state.sqlite`, which `repair`
makes again from `raw/`.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

from verdicts.corpus.error_notes import ending_with
from verdicts.fetch.input_files import sync
from verdicts.fetch.model.addresses import BadUrl, canonicalize, find_host
from verdicts.fetch.model.fetch_errors import StorageFailed

FORGOTTEN_FILE = "forgotten.txt"
BEGUN = " begun"

Kind: TypeAlias = Literal["page", "host", "words"]

_LINE = re.compile(rf"(?P<entry>(?:page|host|words) [0-9a-f]{{64}}) (?P<day>\d{{4}}-\d\d-\d\d)(?P<begun>{BEGUN})?")
_ADDRESS = re.compile(r"https?://[^\s\"'<>]+[^\s\"'<>.,:;)]")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The entries of the list, each with its day. `is_begun`: the last erasure did not end."""

    entries: dict[str, str]
    is_begun: bool = False

    def has_page(self, address: str) -> bool:
        """Whether the page of an address is forgotten, alone or with its host."""
        return bool(self.entries) and (self.has("page", address) or self.has("host", find_host(address)))

    def has(self, kind: Kind, text: str) -> bool:
        return bool(self.entries) and make_entry(kind, text) in self.entries

    @property
    def has_words(self) -> bool:
        return any(entry.startswith("words ") for entry in self.entries)

    def is_named_in(self, text: str | None) -> bool:
        """Whether a text is, or contains, the address of a forgotten page."""
        if not self.entries or text is None:
            return False
        return self.has_page(text) or any(self.has_page(mentioned) for mentioned in _ADDRESS.findall(text))


NOTHING_FORGOTTEN = Forgotten({})


def make_entry(kind: Kind, text: str) -> str:
    """The kind and digest of a page by any of its spellings, with http as with https; of a host; of words."""
    if kind == "page":
        with suppress(BadUrl):
            text = canonicalize(text)
        text = text.rpartition("://")[2]
    return f"{kind} {sha256(text.encode()).hexdigest()}"


def read_forgotten(data: Path) -> Forgotten:
    """Reads the list. Raises `StorageFailed` for an invalid line, because its page must not be requested."""
    path = data / FORGOTTEN_FILE
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return NOTHING_FORGOTTEN
    except OSError as error:
        raise StorageFailed(f"{path}: {error.strerror}") from error
    parsed = [_LINE.fullmatch(line) for line in lines]
    if None in parsed:
        raise StorageFailed(f"{path}: line {parsed.index(None) + 1} is no entry; put the file back from a backup")
    matches = [match for match in parsed if match is not None]
    return Forgotten({match["entry"]: match["day"] for match in matches}, any(match["begun"] for match in matches))


def note_forgotten(data: Path, added: Iterable[str], day: date) -> Forgotten:
    """Adds entries, and marks all as begun."""
    return _write(data, {**dict.fromkeys(added, f"{day}"), **read_forgotten(data).entries}, BEGUN)


def end_forgetting(data: Path) -> None:
    """Marks all entries as erased."""
    _write(data, read_forgotten(data).entries, "")


def _write(data: Path, entries: dict[str, str], mark: str) -> Forgotten:
    path, draft = data / FORGOTTEN_FILE, data / f".{FORGOTTEN_FILE}.tmp"
    with ending_with(lambda: draft.unlink(missing_ok=True)):
        draft.write_text("".join(f"{entry} {day}{mark}\n" for entry, day in sorted(entries.items())), encoding="utf-8")
        sync(draft)
        draft.replace(path)
    sync(data)
    return Forgotten(entries, is_begun=bool(mark))
