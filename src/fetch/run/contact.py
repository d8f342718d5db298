"""Whether a crawl may ask hosts at all: they must be able to find out whom to write to."""

import re
from collections.abc import Sequence
from ipaddress import ip_address

from verdicts.fetch.http.peer_guard import literal_address
from verdicts.fetch.model.errors import ContactMissing
from verdicts.fetch.model.site import Site

CONTACT = re.compile(r"https?://\S|[^\s@]@[^\s@.]++\.[^\s.@]")


def check_contact(sites: Sequence[Site], user_agent: str) -> None:
    """Raises `ContactMissing` where a host is not loopback and the User-Agent names neither a page nor a mailbox."""
    is_local = all(_is_loopback(site, host) for site in sites for host in site.hosts)
    if not is_local and not CONTACT.search(user_agent):
        raise ContactMissing(
            f"the user agent {user_agent!r} says nobody to write to; add the address of a page or a mailbox to it"
        )


def _is_loopback(site: Site, host: str) -> bool:
    address = site.resolve[host][0] if host in site.resolve else literal_address(host.strip("[]"))
    return address is not None and ip_address(address).is_loopback
