"""The errors of this package, and the decision that each asks for.

FetchError
├── AttemptFailed      a request brought no whole response: its `outcome` decides whether it is repeated
├── ContactMissing     the User-Agent names nobody to write to: add a page or a mailbox to it
├── SettingUnusable    a [[site]] names a variable or a file that is not there: set it, or correct the key
├── StoreLocked        another process holds the data folder: wait for it
├── StoreMissing       the data folder holds no store yet: run or ingest first
└── StorageFailed      the disk is full, read-only or out of file handles: mend it, then run again
    └── StoreDamaged   a file is not as it was written: repair the store, then run again
"""

from pathlib import Path

from verdicts.fetch.model.outcome import Outcome

NOTHING_YET = (
    "{} holds no corpus yet; run 'verdicts run' or 'verdicts ingest PATH' first, or name another folder with --data"
)
"""Of a data folder without a store or a published copy."""


class FetchError(Exception):
    """The base of all errors of this package. Its message is for a person."""


class AttemptFailed(FetchError):
    """A request without a whole response. `status` is None if no status line arrived.

    `retry_after_s` is the pause in seconds that the host asked for, if any.
    `may_ask_again`: the host has no time for the page now, which says nothing about it.
    """

    def __init__(
        self,
        outcome: Outcome,
        detail: str,
        *,
        status: int | None = None,
        retry_after_s: float | None = None,
        may_ask_again: bool = False,
    ) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.status = status
        self.retry_after_s = retry_after_s
        self.may_ask_again = may_ask_again


class ContactMissing(FetchError):
    """A crawl of hosts other than loopback needs a User-Agent with a page or mailbox for contact."""


class SettingUnusable(FetchError):
    """A header, cookie, login, proxy or authority of a site cannot be used. The message repeats no secret."""


class FilesUnusable(FetchError):
    """The files that a person named cannot be ingested, or the list of their addresses cannot be used."""


class StoreLocked(FetchError):
    """Another process holds the data folder; the message names it."""


class StoreMissing(FetchError):
    """The data folder holds no store yet."""

    def __init__(self, data: Path) -> None:
        super().__init__(NOTHING_YET.format(data))


class StorageFailed(FetchError):
    """The disk refused a read or a write of the store."""


class StoreDamaged(StorageFailed):
    """A file of the data folder is missing, cut short or has other bytes than were written.

    `offset` is the start of the damaged record in bytes and `size` its length; None and 0 for the whole file.
    """

    def __init__(self, path: Path, offset: int | None, why: str, size: int = 0) -> None:
        super().__init__(path, offset, why, size)
        self.path = path
        self.offset = offset
        self.why = why
        self.size = size

    def __str__(self) -> str:
        return f"{self.line}; 'verdicts verify' finds what else is damaged, 'verdicts repair' repairs it"

    @property
    def line(self) -> str:
        """What is damaged and why, without advice."""
        return f"{describe_location(self.path, self.offset)}: {self.why}"


def describe_location(path: Path, offset: int | None) -> str:
    """A file or a record of it: `data/raw/a-00001.warc.gz at byte 2,345`."""
    return str(path) if offset is None else f"{path} at byte {offset:,}"
