"""Rows of `rejects`: pages without a record, and values that cannot be read."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from verdicts.corpus.rows.runs import RejectRow
from verdicts.extract.model.records import Document, Observation, Reject
from verdicts.normalize.parse.typed_page import Broken


def reject_rows(newest: Iterable[tuple[Observation, Sequence[Broken]]]) -> Iterator[RejectRow]:
    """One row for each address and reason, from the newest observation of each address and its broken values.

    Earlier rows stay.
    """
    for observation, broken in newest:
        url, place = observation.url, (observation.location.segment, observation.location.offset)
        extracted, failure = observation.extracted, observation.failure
        if failure is not None:
            yield RejectRow(url, "extract", failure.reason, failure.detail, *place)
        if isinstance(extracted, Reject):
            yield RejectRow(url, "extract", extracted.reason, extracted.detail, *place)
        elif isinstance(extracted, Document):
            for rule, details in _doubted(extracted).items():
                yield RejectRow(url, "extract", rule, "; ".join(details), *place)
        by_field: dict[str, list[str]] = defaultdict(list)
        for value in broken:
            by_field[value.field].append(f"'{value.raw}' {value.where}")
        for field, details in by_field.items():
            yield RejectRow(url, "normalize", f"broken_{field}", "; ".join(details), *place)


def _doubted(document: Document) -> Mapping[str, Sequence[str]]:
    """Doubts from reading the page, by rule: a page may have several broken scripts."""
    doubts: dict[str, list[str]] = defaultdict(list)
    for doubt in dict.fromkeys(document.doubts):
        doubts[doubt.rule].append(f"{doubt.found}; expected {doubt.expected}")
    return doubts
