"""Normalization in partitions within this process: the stages of a build past one machine, without any storage."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.extract.model.records import Observation
from verdicts.extract.model.stored import make_stored
from verdicts.fetch.model.url_state import Absences
from verdicts.normalize.corpus import Corpus, sort_rows
from verdicts.normalize.corrections import Correction, collect_corrections
from verdicts.normalize.work import RunInputs
from verdicts.pipeline.scale.partitions import OUTCOMES, Address, Partitions, work_on
from verdicts.pipeline.scale.relations import OBSERVED
from verdicts.pipeline.scale.stages import STAGES


def normalize_in_partitions(
    observations: Iterable[Observation],
    partitions: int,
    *,
    gone: Mapping[str, Absences] = MappingProxyType({}),
    moved_urls: Mapping[str, str] = MappingProxyType({}),
    corrections: Iterable[Correction] = (),
) -> Corpus:
    """As `normalize`, in so many partitions of each kind."""
    inputs = RunInputs(gone, moved_urls, corrections=collect_corrections(corrections))
    rows: dict[str, list[Any]] = defaultdict(list)
    observed = [*{item.location: make_stored(item) for item in observations}.values()]
    sent: dict[Address, list[Any]] = defaultdict(list, {Address(OBSERVED.name, 0): observed})
    divided = Partitions(partitions)
    for stage in STAGES:
        for number in range(divided.count(stage.by)):
            work = work_on(
                stage,
                number,
                inputs,
                divided,
                lambda relation, partition: sent.get(Address(relation.name, partition), []),
                lambda table, new: rows[table].extend(new),
            )
            for address, records in work.sent.items():
                assert address.relation in {relation.name for relation in (*stage.sends, OUTCOMES)}
                sent[address] += records
    return {table: sort_rows(table, rows[table]) for table in CORPUS_TABLES}
