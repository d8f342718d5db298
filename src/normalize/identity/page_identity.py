"""The address of the page that a snapshot shows."""

from verdicts.extract.model.records import Comparison
from verdicts.extract.panel.profile import SiteProfile
from verdicts.fetch.model.addresses.web_address import web_address
from verdicts.fetch.model.canonical_url import BadUrl, canonicalize
from verdicts.fetch.model.snapshot import has_address


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
    ours, theirs = web_address(source), web_address(canonical)
    if ours is None or theirs is None or (ours.scheme, ours.netloc) != (theirs.scheme, theirs.netloc):
        return source
    return canonical if theirs.path.startswith(profile.addresses.comparison_path) else source
