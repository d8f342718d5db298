"""The address of the page that a snapshot shows."""

from urllib.parse import urlsplit

from extract.model.records import Comparison
from extract.panel.words.profile import SiteProfile
from fetch.model.canonical_url import BadUrl, canonicalize
from fetch.model.snapshot import has_address


def page_url(source: str, comparison: Comparison, profile: SiteProfile) -> str | None:
    """The page's address, None without one. `rel=canonical` is trusted only within the host that serves the page."""
    if not has_address(source):
        return None
    if comparison.canonical_url is None:
        return source
    try:
        canonical = canonicalize(comparison.canonical_url, source)
    except BadUrl:
        return source
    ours, theirs = urlsplit(source), urlsplit(canonical)
    is_same_host = (ours.scheme, ours.netloc) == (theirs.scheme, theirs.netloc)
    is_comparison = theirs.path.startswith(profile.addresses.comparison_path)
    return canonical if is_same_host and is_comparison else source
