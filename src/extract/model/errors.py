"""Why a page could not be read.

PageRejected: carries the reason and words for a person; becomes a `Reject` record
"""

from extract.model.records import Reject, RejectReason


class PageRejected(Exception):
    """The page, or what should have been one, is refused whole."""

    def __init__(self, reason: RejectReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reject = Reject(reason, detail)
