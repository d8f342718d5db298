"""Canonical URLs in a `Link` header, which counts like the element: `</x>; rel="canonical"` (RFC 8288, 6596). Pure."""

import re

from verdicts.fetch.model.headers import Headers

NOT_THE_PAGE = frozenset({"hreflang", "lang", "media", "type"})
"""A canonical link with one of these names another version; search engines ignore it (Google, "How to specify a
canonical URL")."""

_LINK = re.compile(r"""<([^<>]*+)>((?:[^<",]++|"[^"]*+(?:"|\Z))*+)""")
_PARAMETER = re.compile(r""";[ \t]*+([^\s=;,"]++)[ \t]*+(?:=[ \t]*+(?:"([^"]*+)|([^\s;,"]*+)))?+""")


def canonical_links(headers: Headers) -> list[str]:
    """The addresses as they are written, in the order sent."""
    found = []
    for name, value in headers:
        if name != "link":
            continue
        for target, rest in _LINK.findall(value):
            parameters = {key.lower(): double or bare for key, double, bare in reversed(_PARAMETER.findall(rest))}
            is_canonical = "canonical" in parameters.get("rel", "").lower().split()
            if is_canonical and target.strip() and "anchor" not in parameters and not NOT_THE_PAGE & parameters.keys():
                found.append(target)
    return found
