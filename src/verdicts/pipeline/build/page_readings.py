"""All readings of all pages, from the record files, for the gates."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from verdicts.extract.model.records import Extracted
from verdicts.extract.page import TEXT_TYPES
from verdicts.extract.panel.profile import Profiles
from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.pipeline.build.record_files import files_with, parquet_errors, read_at
from verdicts.pipeline.gates.compare import READINGS

_PLACE = {"segment": pl.String(), "segment_offset": pl.Int64()}

_COLUMNS = (*_PLACE, "url", "fetched_at", "crawl_id", "tools", "amounts", "tool_amounts")


@dataclass(frozen=True)
class PageReadings:
    """The columns of `compare.READINGS`, with host, run, place and URL.

    A text dump counts as another page than the HTML of its address, so neither can lose what only the other had.
    """

    files: Sequence[Path]
    frame: pl.DataFrame
    profiles: Profiles
    _newest: dict[tuple[str, str], pl.DataFrame] = field(default_factory=dict)

    def pick_newest(self, host: str, crawl_id: str) -> pl.DataFrame:
        """The newest reading of each page of a host at the end of a run."""
        if (host, crawl_id) not in self._newest:
            earlier = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") <= crawl_id)
            newest = earlier.unique("page", keep="last", maintain_order=True)
            self._newest[host, crawl_id] = newest.select(READINGS.names())
        return self._newest[host, crawl_id]

    def reread(self, numbers: Collection[int]) -> Mapping[int, Extracted]:
        if not numbers:
            return {}
        rows = self.frame.filter(pl.col("reading").is_in(list(numbers))).select(*_PLACE, "reading")
        locations = {Location(segment, offset): number for segment, offset, number in rows.iter_rows()}
        observed = read_at(files_with(self.files, locations), locations)
        return {locations[item.location]: item.extracted for item in observed if item.location in locations}

    def list_run(self, host: str, crawl_id: str) -> list[tuple[int, Location, str]]:
        """Number, place and URL of each reading of a host in a run."""
        chosen = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") == crawl_id)
        rows = chosen.select("reading", *_PLACE, "url").iter_rows()
        return [(number, Location(segment, offset), url) for number, segment, offset, url in rows]

    def list_hosts(self, crawl_id: str) -> frozenset[str]:
        return frozenset(self.frame.filter(pl.col("crawl_id") == crawl_id)["host"])


def read_page_readings(files: Sequence[Path], index: Sequence[IndexEntry], profiles: Profiles) -> PageReadings:
    """The readings of all record files, in the order in which they were made."""
    if not files:
        texts = dict.fromkeys(("url", "crawl_id", "host"), pl.String())
        return PageReadings(files, pl.DataFrame(schema={**_PLACE, **texts, **READINGS}), profiles)
    pages = pl.DataFrame(
        [
            (*entry.location, find_host(entry.url), entry.url + " (text)" * (entry.media_type in TEXT_TYPES))
            for entry in index
        ],
        schema={**_PLACE, "host": pl.String(), "page": pl.String()},
        orient="row",
    )
    with parquet_errors(files[0].parent):
        read = pl.concat(pl.scan_parquet(file).select(_COLUMNS) for file in files).collect()
    moment = pl.col("fetched_at").dt.strftime("%Y%m%dT%H%M%SZ")
    # Records of an archive are as old as its pages (`verdicts.normalize.identity.page_versions.find_effective_crawl`).
    is_older = moment < pl.col("crawl_id").str.head(16)
    ordered = (
        read.join(pages, on=[*_PLACE], how="inner")
        .with_columns(order=pl.when(is_older).then(moment).otherwise("crawl_id"))
        .sort("order", *_PLACE)
        .with_row_index("reading")
        .with_columns(pl.col("reading").cast(pl.Int64))
    )
    return PageReadings(files, ordered.drop("fetched_at", "order"), profiles)
