"""Patterns of users, looked for in addresses, which pages write: in time that grows with the address and no faster.

Python's own `re` takes hours for `(a+)+$` in 40 letters. RE2 has no look-around and no back-references for that reason.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from verdicts.corpus.unicode_text import escaped, is_text

_OPTIONS = re2.Options()
# It writes them to standard error.
_OPTIONS.log_errors = False


class BadPattern(ValueError):
    """A pattern that RE2 refuses. Names it, and says why."""


@dataclass(frozen=True, slots=True)
class AddressPattern:
    """A pattern as it was written, and compiled."""

    written: str
    _compiled: Any

    def is_in(self, address: str) -> bool:
        """Whether it is found anywhere in the address."""
        return self._compiled.search(address.encode(errors="replace").decode()) is not None


@lru_cache(maxsize=1_000)
def address_pattern(written: str) -> AddressPattern:
    """The compiled pattern. Raises `BadPattern`."""
    try:
        if not is_text(written):
            raise BadPattern(f"'{escaped(written)}' is no regular expression: it is not in UTF-8")
        return AddressPattern(written, re2.compile(written, _OPTIONS))
    except re2.error as error:
        (reason,) = error.args
        why = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(f"'{escaped(written)}' is no regular expression as RE2 reads them: {why}") from None
