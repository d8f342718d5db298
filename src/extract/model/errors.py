"""The error of this package: `PageRejected`, which becomes a `Reject` record."""

from verdicts.extract.model.records import Reject, RejectReason


class PageRejected(Exception):
    """The whole page cannot be read. Carries the reason, and a sentence for a person."""

    def __init__(self, reason: RejectReason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reject = Reject(reason, detail)
