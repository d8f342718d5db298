"""`Refresh: 0; url=/x` and `<meta http-equiv=refresh content="0; url=/x">`: a page that sends its reader on. Pure."""

import re
from dataclasses import dataclass

DELAY_MAX_S = 5
"""Up to this the page is a redirect; one that stays longer is a page to be read. Nutch has the same bound."""

LENGTH_MAX = 4_000
"""Characters that are looked at: no address is longer."""

_TIME = re.compile(r"[\t\n\f\r ]*+(?=[0-9.])([0-9]*+)[0-9.]*+(?=[\t\n\f\r ;,]|\Z)[\t\n\f\r ]*+[;,]?+[\t\n\f\r ]*+")
_TARGET = re.compile(r"(?:url[\t\n\f\r ]*+=[\t\n\f\r ]*+)?+(?:\"([^\"]*+)|'([^']*+)|(.*))", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Refresh:
    """An address as it is written, and after how many seconds a browser goes there."""

    delay_s: int
    target: str

    @property
    def is_redirect(self) -> bool:
        return self.delay_s <= DELAY_MAX_S


def parse_refresh(content: str) -> Refresh | None:
    """As browsers read it (HTML standard, 4.2.5.3). None where it names no address: the page reloads itself."""
    content = content[:LENGTH_MAX]
    time = _TIME.match(content)
    if time is None:
        return None
    target = _TARGET.match(content, time.end())
    assert target is not None
    address = (target[1] or target[2] or target[3] or "").strip()
    # Nine digits are thirty years; Python refuses to read thousands of them.
    return Refresh(int(time[1][:9] or 0), address) if address else None
