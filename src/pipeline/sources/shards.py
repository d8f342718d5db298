"""What is named to `verdicts ingest`: paths of this machine, and archives in stores of objects, which stay there."""

from collections.abc import Sequence
from pathlib import Path

from verdicts.fetch.archives.pages import ARCHIVES
from verdicts.fetch.archives.wat import WATS
from verdicts.fetch.intake.sources import Shard, Source
from verdicts.fetch.model.addresses.patterns import AddressPattern, BadPattern, address_pattern
from verdicts.fetch.model.addresses.web_address import without_credentials
from verdicts.fetch.model.errors import StorageFailed
from verdicts.fetch.objects.addresses import addresses_below, is_address
from verdicts.pipeline.errors import SourceMissing
from verdicts.pipeline.sources.page_files import find_sources


def find_all(named: Sequence[str], urls: Path | None) -> list[Source | Shard]:
    """The files of the paths (`find_sources`), and the archives at the addresses and below them, sorted.

    Raises `SourceMissing`, also for an address without an archive and a store that does not answer.
    """
    paths = [Path(name) for name in named if not is_address(name)]
    shards = [shard for name in named if is_address(name) for shard in _shards(name)]
    return [*(find_sources(paths, urls) if paths else ()), *shards]


def compiled(include: str | None) -> AddressPattern | None:
    """A pattern that addresses are looked for in. Raises `SourceMissing` for one that is none."""
    try:
        return None if include is None else address_pattern(include)
    except BadPattern as error:
        raise SourceMissing(str(error)) from None


def _shards(address: str) -> list[Shard]:
    try:
        found = [Shard(one) for one in addresses_below(address) if one.lower().endswith((*ARCHIVES, *WATS))]
    except StorageFailed as error:
        raise SourceMissing(f"{without_credentials(address)}: {error}") from None
    if not found:
        raise SourceMissing(f"no WARC, WET or WAT file at {address}")
    return found
