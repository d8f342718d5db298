"""Normalization in partitions within this process: the stages of a build past one machine, without any storage."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import stored
from verdicts.fetch.model.url_state import Absences
from verdicts.normalize.corpus import Corpus, sorted_rows
from verdicts.normalize.corrections import Correction, corrections_of
from verdicts.normalize.work import Known
from verdicts.pipeline.scale.partitions import Address, Partitions, R, Relation, Stage, Work, list_work, work_on
from verdicts.pipeline.scale.relations import OBSERVED
from verdicts.pipeline.scale.stages import STAGES


class MemoryMail:
    """Records pass from stage to stage as lists."""

    def __init__(self, keep: Callable[[str, Sequence[Any]], None]) -> None:
        self.keep = keep
        self._lists: dict[Address, list[Any]] = defaultdict(list)

    def read(self, relation: Relation[R], partition: int) -> Sequence[R]:
        return self._lists.get(Address(relation.name, partition), [])

    def leave(self, stage: Stage, work: Work) -> None:
        sends = {relation.name for relation in stage.sends}
        for address, records in work.sent.items():
            assert address.relation in sends, f"{stage.name} sends {address.relation} without declaring it"
            self._lists[address] += records

    def post(self, relation: Relation[R], records: Iterable[R]) -> None:
        self._lists[Address(relation.name, 0)] += records


def normalize_in_partitions(
    observations: Iterable[Observation],
    partitions: int,
    *,
    gone: Mapping[str, Absences] = MappingProxyType({}),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    corrections: Iterable[Correction] = (),
) -> Corpus:
    """As `normalize`, in so many partitions of each kind."""
    known = Known(gone, moved_urls, corrections=corrections_of(corrections))
    rows: dict[str, list[Any]] = defaultdict(list)
    mail = MemoryMail(lambda table, of_table: rows[table].extend(of_table))
    mail.post(OBSERVED, {item.location: stored(item) for item in observations}.values())
    divided = Partitions(partitions)
    for stage, numbers in list_work(STAGES, divided):
        for number in numbers:
            work_on(stage, number, known, divided, mail)
    return {table: sorted_rows(table, rows[table]) for table in CORPUS_TABLES}
