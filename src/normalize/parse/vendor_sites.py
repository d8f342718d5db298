"""Whose site a link leads to, by the declared sites of vendors."""

from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import parse_qsl

from verdicts.fetch.model.addresses.web_address import web_address
from verdicts.normalize.parse.vendors import VENDORS

REDIRECT_FOLDERS = frozenset(
    {"aff", "click", "go", "goto", "link", "out", "outbound", "recommends", "redirect", "visit"}
)
"""`/go/cursor`, `/out/1234`: addresses that lead on, wherever they want."""

AFFILIATE_PARAMETERS = frozenset({"aff", "affiliate", "fpr", "partner", "ref", "referral", "via"})
"""`?ref=toolify`: whoever gets a share of what is bought chose the link."""


@lru_cache(maxsize=4096)
def vendor_of_link(url: str) -> str | None:
    """The vendor on whose own site a link ends.

    None where that is nobody's declared site, the address is no web address, or it leads on (`/go/x`) or pays someone
    (`?ref=x`).
    """
    address = web_address(url)
    if address is None:
        return None
    folders = [folder.lower() for folder in address.path.split("/") if folder]
    if _leads_on(folders, dict(parse_qsl(address.query))):
        return None
    labels = address.host.split(".")
    for first in range(len(labels) - 1):
        for of_site, vendor in _SITES.get(".".join(labels[first:]), ()):
            if folders[: len(of_site)] == of_site:
                return vendor
    return None


def _leads_on(folders: list[str], parameters: Mapping[str, str]) -> bool:
    if folders and folders[0] in REDIRECT_FOLDERS:
        return True
    is_paid = not AFFILIATE_PARAMETERS.isdisjoint(name.lower() for name in parameters)
    return is_paid or any(value.startswith(("http://", "https://")) for value in parameters.values())


def _declared_sites() -> Mapping[str, list[tuple[list[str], str]]]:
    sites: dict[str, list[tuple[list[str], str]]] = {}
    for vendor, declared in VENDORS.items():
        for site in declared["sites"]:
            host, *folders = site.split("/")
            sites.setdefault(host, []).append((folders, vendor))
    return sites


_SITES = _declared_sites()
"""Host to the folders of it, and whose each is."""
