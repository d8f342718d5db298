"""Parameters of an address that change nothing on any page of a host, such as `?sid=`: how they are learned. Pure.

`canonicalize` drops what never says anything (`utm_source`, `;jsessionid`). What else does is learned by comparing the
pages of one night: the address without the parameter must show the same words as each address with it.
"""

import re
from dataclasses import dataclass, field

from verdicts.fetch.model.addresses.web_address import web_address

VALUES_MIN, VALUES_OF_A_PAGE_MIN = 5, 2
"""Values that must have changed nothing, and how many of them on the same page: on every list `?page=1` shows what is
shown without it, and `?page=2` does not."""

PAGES_MAX = 20_000
"""Pages of a host that are compared in a night."""

_IN_PATH = re.compile(r";([^;/=]+)(?:=([^;/]*))?")


def parameters_of(url: str) -> dict[str, str]:
    """Names and values of a canonical URL, of equal names the last. One in the path, `/a;v=1`, is called `;v`."""
    address = web_address(url)
    if address is None:
        return {}
    in_query = (pair.partition("=") for pair in address.query.split("&") if pair)
    in_path = {f";{name}": value for name, value in _IN_PATH.findall(address.path)}
    return in_path | {name: value for name, _, value in in_query}


def without(url: str, name: str) -> str:
    """A canonical URL without a parameter."""
    address = web_address(url)
    if address is None:
        return url
    if name.startswith(";"):
        path = _IN_PATH.sub(lambda match: "" if match[1] == name[1:] else match[0], address.path)
        return address._replace(path=path).url
    kept = [pair for pair in address.query.split("&") if pair.partition("=")[0] != name]
    return address._replace(query="&".join(kept)).url


@dataclass(slots=True)
class _Page:
    """What the addresses of one page showed that differ in one parameter: a digest of its words."""

    digest: str
    urls: dict[str, str] = field(default_factory=dict)
    """Value to address."""
    is_seen_without: bool = False

    @property
    def has_values(self) -> bool:
        return len(self.urls) >= VALUES_OF_A_PAGE_MIN


@dataclass(slots=True)
class Lessons:
    """What a night taught so far of the parameters of one host."""

    _pages: dict[tuple[str, str], _Page] = field(default_factory=dict)
    """By address without the parameter, and its name."""
    _names: dict[str, set[str]] = field(default_factory=dict)
    """Address without a parameter to the names of those that it was compared for."""
    _same: dict[str, dict[str, str]] = field(default_factory=dict)
    """Name to the addresses that showed what the one without the parameter shows, and that one."""
    _values: dict[str, set[str]] = field(default_factory=dict)

    def names(self, bare: str) -> set[str]:
        """The parameters for which an address is the one without."""
        return self._names.get(bare, set())

    def note(self, bare: str, name: str, digest: str, url: str | None = None, value: str = "") -> bool:
        """Notes what an address showed; without `url` it is `bare` itself. False where another one showed else."""
        key = (bare, name)
        if key not in self._pages and len(self._pages) >= PAGES_MAX:
            return True
        page = self._pages.setdefault(key, _Page(digest))
        self._names.setdefault(bare, set()).add(name)
        if page.digest != digest:
            return False
        if url is None:
            page.is_seen_without = True
        else:
            page.urls[value] = url
        if page.is_seen_without and page.has_values:
            self._same.setdefault(name, {}).update(dict.fromkeys(page.urls.values(), bare))
            self._values.setdefault(name, set()).update(page.urls)
        return True

    def shows(self, bare: str, name: str, digest: str) -> bool:
        """Whether these are the words that the addresses with the parameter show."""
        page = self._pages.get((bare, name))
        return page is not None and page.digest == digest

    def lacks_bare(self, bare: str, name: str) -> bool:
        """Whether only the page without the parameter is missing from the comparison."""
        page = self._pages.get((bare, name))
        return page is not None and page.has_values and not page.is_seen_without

    def same(self, name: str) -> dict[str, str]:
        """Addresses that showed the same without the parameter, and that address; empty until they are enough."""
        return self._same[name] if len(self._values.get(name, ())) >= VALUES_MIN else {}
