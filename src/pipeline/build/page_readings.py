"""The readings of the record files as the gates compare them: which was the newest of each page when."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from verdicts.extract.model.records import Extracted
from verdicts.extract.page import TEXT_TYPES
from verdicts.fetch.model.addresses import host_of
from verdicts.fetch.model.snapshot import IndexEntry, Location
from verdicts.pipeline.build.record_files import files_with, read_at
from verdicts.pipeline.gates.compare import READINGS

_NONE = pl.DataFrame(
    schema={"segment": pl.String(), "segment_offset": pl.Int64(), "url": pl.String(), "crawl_id": pl.String()}
    | {"host": pl.String()}
    | READINGS
)
"""No reading."""

_COLUMNS = ("segment", "segment_offset", "url", "fetched_at", "crawl_id", "kind", "tools", "amounts", "tool_amounts")


@dataclass(frozen=True)
class PageReadings:
    """Every reading of every page: the columns of `compare.READINGS`, with host, run, place, and the record's URL.

    A text dump of an address is a page beside its HTML: what the one lacks the other never lost.
    """

    files: Sequence[Path]
    frame: pl.DataFrame
    _newest: dict[tuple[str, str], pl.DataFrame] = field(default_factory=dict)

    def at(self, host: str, crawl_id: str) -> pl.DataFrame:
        """The newest reading of every page of a host as of the end of a run."""
        if (host, crawl_id) not in self._newest:
            known = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") <= crawl_id)
            newest = known.unique("page", keep="last", maintain_order=True)
            self._newest[host, crawl_id] = newest.select(READINGS.names())
        return self._newest[host, crawl_id]

    def reread(self, numbers: Collection[int]) -> Mapping[int, Extracted]:
        """What these readings read, out of the record files."""
        if not numbers:
            return {}
        wanted = self.frame.filter(pl.col("reading").is_in(list(numbers)))
        places = wanted.select("segment", "segment_offset", "reading").iter_rows()
        of_place = {Location(segment, offset): number for segment, offset, number in places}
        observed = read_at(files_with(self.files, of_place), of_place)
        return {of_place[item.location]: item.extracted for item in observed if item.location in of_place}

    def of_run(self, host: str, crawl_id: str) -> Iterator[tuple[int, Location, str]]:
        """Number, place and URL of what a run read of a host."""
        chosen = self.frame.filter(pl.col("host") == host, pl.col("crawl_id") == crawl_id)
        for number, segment, offset, url in chosen.select("reading", "segment", "segment_offset", "url").iter_rows():
            yield number, Location(segment, offset), url

    def hosts_of(self, crawl_id: str) -> frozenset[str]:
        """The hosts that a run read pages of."""
        return frozenset(self.frame.filter(pl.col("crawl_id") == crawl_id)["host"])


def page_readings(files: Sequence[Path], index: Sequence[IndexEntry]) -> PageReadings:
    """The readings of the record files of all segments in the index, in the order of their making."""
    known = pl.DataFrame(
        {
            "segment": [entry.location.segment for entry in index],
            "segment_offset": [entry.location.offset for entry in index],
            "host": [host_of(entry.url) for entry in index],
            "page": [f"{entry.url} (text)" if entry.media_type in TEXT_TYPES else entry.url for entry in index],
        },
        schema={"segment": pl.String(), "segment_offset": pl.Int64(), "host": pl.String(), "page": pl.String()},
    )
    if not files:
        return PageReadings(files, _NONE)
    read = pl.concat(pl.scan_parquet(file).select(_COLUMNS) for file in files).collect()
    moment = pl.col("fetched_at").dt.strftime("%Y%m%dT%H%M%SZ")
    # An archive that is taken in is as old as its pages (`verdicts.normalize.identity.page_versions.effective_crawl`).
    is_older = moment < pl.col("crawl_id").str.head(16)
    ordered = (
        read.join(known, on=["segment", "segment_offset"], how="inner")
        .with_columns(order=pl.when(is_older).then(moment).otherwise("crawl_id"), is_reject=pl.col("kind") == "reject")
        .sort("order", "segment", "segment_offset")
        .with_row_index("reading")
        .with_columns(pl.col("reading").cast(pl.Int64))
    )
    return PageReadings(files, ordered.drop("fetched_at", "kind", "order"))
