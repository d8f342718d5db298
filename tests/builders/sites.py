"""Fixtures of a site in other words: `fixtures/sites/<name>` holds its pages, and English pages of the same facts.

The profile of a site that is made up stands beside its pages; that of a real one is shipped.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from builders.paths import FIXTURES
from verdicts.extract.model.records import Observation
from verdicts.extract.page import extract
from verdicts.extract.panel.profile import FOLDER, SHIPPED, Profiles, SiteProfile, profiles_by_name, read_profile
from verdicts.fetch.model.snapshot import Location, Snapshot

SITES = sorted(path for path in (FIXTURES / "sites").iterdir() if path.is_dir())
CRAWL = "20261101T013000Z-0001"
MOMENT = datetime(2026, 11, 1, 1, 30, 1, tzinfo=UTC)
MEDIA_TYPES = {".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8"}


@dataclass(frozen=True)
class Page:
    """A page of the site, or its English twin: `body` as served, `url` None for a dump that lost it."""

    name: str
    body: bytes
    url: str | None


def profile_file(site: Path) -> Path:
    beside_pages = site / f"{site.name}.toml"
    return beside_pages if beside_pages.exists() else FOLDER / beside_pages.name


def own_profile(site: Path) -> SiteProfile:
    return read_profile(profile_file(site))


def with_profile(profile: SiteProfile) -> Profiles:
    """The shipped profiles and one more, or another version of one of them."""
    others = [shipped for name, shipped in SHIPPED.items() if name != profile.name]
    return profiles_by_name([*others, profile])


def pages(site: Path, *, english: bool = False) -> Iterator[Page]:
    folder, key = (site / "english", "english_url") if english else (site, "url")
    for declared in tomllib.loads((site / "pages.toml").read_text(encoding="utf-8"))["page"]:
        yield Page(declared["file"], (folder / declared["file"]).read_bytes(), declared.get(key))


def observe_pages(site_pages: Iterator[Page], profiles: Profiles) -> list[Observation]:
    """One crawl of the pages, each at a place of its own in the raw store."""
    observations = []
    for number, page in enumerate(site_pages):
        digest = sha256(page.body).hexdigest()
        url = page.url or f"urn:sha256:{digest}"
        headers = (("content-type", MEDIA_TYPES[Path(page.name).suffix]),)
        snapshot = Snapshot(url, url, MOMENT, 200, headers, page.body, CRAWL)
        location = Location(f"{CRAWL}-00001.warc.gz", number)
        observations.append(
            Observation(url, MOMENT, CRAWL, location, digest, extract(snapshot, profiles), address=page.url)
        )
    return observations
