"""Records in Unicode: what is no text in them is left out, as no file or database takes it."""

from typing import Any

import msgspec

from verdicts.corpus.unicode_text import published
from verdicts.extract.model.records import Extracted


def in_unicode(extracted: Extracted) -> Extracted:
    """The record with all its texts as Unicode."""
    return msgspec.convert(_cleaned(msgspec.to_builtins(extracted)), type(extracted))


def _cleaned(value: Any) -> Any:  # noqa: ANN401  the plain form of a record: texts, numbers, lists and mappings
    match value:
        case str():
            return published(value)
        case dict():
            return {name: _cleaned(item) for name, item in value.items()}
        case list() | tuple():
            return [_cleaned(item) for item in value]
    return value
