"""How the data folder is cared for: verified, room left. Reads only; what cannot be read says so itself."""

import shutil
from collections.abc import Iterator

from verdicts.fetch.care.verify import NotedVerification, last_verification
from verdicts.fetch.store.store import Store
from verdicts.pipeline.care.doctor import VERIFIED_WITHIN
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.ending import NightEnding
from verdicts.pipeline.nights.report.facts import Line
from verdicts.pipeline.nights.report.words import age_in_words
from verdicts.pipeline.sources.config_sections import CareConfig


def care_lines(folder: DataFolder, care: CareConfig, store: Store | None, ending: NightEnding) -> tuple[Line, ...]:
    """The lines of the section, in its order."""
    return tuple(_lines(folder, care, store, ending))


def _lines(folder: DataFolder, care: CareConfig, store: Store | None, ending: NightEnding) -> Iterator[Line]:
    if store is not None:
        yield _verified(last_verification(store), ending)
    yield _disk(folder, care)


def _verified(last: NotedVerification | None, ending: NightEnding) -> Line:
    if last is None:
        return Line("Verified", "nothing was ever compared with its digest", is_wrong=True)
    amount = f"{last.records:,} records, {last.bytes / 1e6:,.1f} MB"
    if last.damaged:
        return Line("Verified", f"{amount}: {last.damaged:,} damaged, such as {last.example}", is_wrong=True)
    if last.verified_at >= ending.began_at:
        return Line("Verified", f"{amount} tonight, nothing damaged")
    age = ending.ended_at - last.verified_at
    says = f"{amount} {age_in_words(age)} ago, nothing damaged; nothing tonight"
    return Line("Verified", says, is_wrong=age > VERIFIED_WITHIN)


def _disk(folder: DataFolder, care: CareConfig) -> Line:
    try:
        free = shutil.disk_usage(folder.root).free / 1e9
    except OSError as error:
        return Line("Free disk", str(error.strerror), is_wrong=True)
    is_short = free < care.min_free_gb
    return Line("Free disk", f"{free:,.1f} GB" + (f", under {care.min_free_gb:g}" if is_short else ""), is_short)
