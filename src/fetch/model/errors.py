"""What can go wrong here, and the decision each error asks for.

FetchError
├── AttemptFailed      a request brought no whole response: its `outcome` decides whether it is repeated
├── ContactMissing     the User-Agent names nobody to write to: add a page or a mailbox to it
├── StoreLocked        another process holds the data folder: wait for it
├── StoreMissing       the data folder holds no store yet: run or ingest first
└── StorageFailed      the disk is full, read-only, damaged or out of file handles: mend it, then run again
"""

from fetch.model.outcome import Outcome


class FetchError(Exception):
    """Base of all errors of this package. Its message is fit for a person."""


class AttemptFailed(FetchError):
    """A request that brought no whole response. `status` is None where no status line arrived.

    `retry_after_s` is the pause that the host asked for in seconds, None where it asked for none.
    """

    def __init__(
        self, outcome: Outcome, detail: str, *, status: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.status = status
        self.retry_after_s = retry_after_s


class ContactMissing(FetchError):
    """A crawl of hosts that are not loopback needs a User-Agent that names a page or a mailbox."""


class StoreLocked(FetchError):
    """Another process holds the data folder; the message names it."""


class StoreMissing(FetchError):
    """The data folder holds no store yet."""


class StorageFailed(FetchError):
    """The disk refused a read or a write of the store."""
