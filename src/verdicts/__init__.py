"""The corpus of a data folder, for Python: `verdicts.open("data")`, described in docs/python.md.

The names in `__all__` are public. All others, `verdicts.fetch` to `verdicts.commands`, is private and can change any
day. `python -m verdicts` is the command line.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from verdicts.fetch.model.fetch_errors import StoreDamaged
    from verdicts.reading.published_corpus import Corpus
    from verdicts.reading.published_corpus import open_corpus as open  # noqa: A004  verdicts.open
    from verdicts.reading.story import Story
    from verdicts.warehouse.storage.warehouse_errors import (
        ChangesNotKept,
        CopyOutdated,
        NothingPublished,
        QuestionFailed,
        WarehouseError,
    )

__all__ = [
    "ChangesNotKept",
    "CopyOutdated",
    "Corpus",
    "NothingPublished",
    "QuestionFailed",
    "StoreDamaged",
    "Story",
    "WarehouseError",
    "open",
]

_PLACES = {
    "ChangesNotKept": ("verdicts.warehouse.storage.warehouse_errors", "ChangesNotKept"),
    "CopyOutdated": ("verdicts.warehouse.storage.warehouse_errors", "CopyOutdated"),
    "Corpus": ("verdicts.reading.published_corpus", "Corpus"),
    "NothingPublished": ("verdicts.warehouse.storage.warehouse_errors", "NothingPublished"),
    "QuestionFailed": ("verdicts.warehouse.storage.warehouse_errors", "QuestionFailed"),
    "StoreDamaged": ("verdicts.fetch.model.fetch_errors", "StoreDamaged"),
    "Story": ("verdicts.reading.story", "Story"),
    "WarehouseError": ("verdicts.warehouse.storage.warehouse_errors", "WarehouseError"),
    "open": ("verdicts.reading.published_corpus", "open_corpus"),
}
"""Public name to the module and the name there: DuckDB is imported with the first use, not with `import verdicts`."""


def __getattr__(name: str) -> Any:  # noqa: ANN401  any of the public names
    if name not in _PLACES:
        raise AttributeError(f"module 'verdicts' has no attribute {name!r}")
    module, attribute = _PLACES[name]
    return getattr(import_module(module), attribute)
