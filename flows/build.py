"""Raw store to warehouse: extract what is new, normalize the whole corpus, load what changed."""

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime

from extract import EXTRACTOR_VERSION
from fetch import Store
from flows.folder import DataFolder
from flows.progress import Advance, step
from flows.reading import bring_records_up_to_date
from flows.record_files import read_records
from normalize import normalize
from warehouse import LoadReport, load

Step = Callable[[str, str], AbstractContextManager[Advance]]


def new_id(moment: datetime) -> str:
    """An id for a load: sortable by time, distinct within a second."""
    return f"{moment:%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"


def build(store: Store, folder: DataFolder, *, now: datetime, anew: bool = False, show: Step = step) -> LoadReport:
    """Brings the warehouse to what the raw store says. `anew` reads every snapshot again; no network either way.

    Normalization always sees the whole corpus, so a build after a night gives the same rows as one from nothing.
    """
    with show("extract", "pages") as advance:
        files = bring_records_up_to_date(store.index(), folder.raw, folder.records, advance, anew=anew)
    with show("normalize", "rows") as advance:
        rows = normalize(read_records(files), gone=store.gone_urls())
        total = sum(map(len, rows.values()))
        advance(total, total)
    with show("load", "rows changed") as advance:
        report = load(
            folder.warehouse,
            rows,
            crawls=store.crawls(),
            fetches=store.fetches(),
            load_id=new_id(now),
            loaded_at=now,
            extractor_version=EXTRACTOR_VERSION,
        )
        changed = sum(change.added + change.changed + change.removed for change in report.tables.values())
        advance(changed, changed)
    return report
