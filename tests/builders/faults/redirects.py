"""Redirects (RFC 9110, 15.4): where they lead, and that they end."""

from builders.fault_server import bare, redirect, status
from builders.faults.crawl_case import FAILED, NOT_KEPT, alone

ON = frozenset({"redirected"})
OUT = frozenset({"out_of_scope", "blocked_address", "protocol_error", "redirect_limit"})
"""A target that is no address of the site: any outcome that says so."""

NOWHERE = {
    "A5": (
        "http://xn--a/", "http://xn--/", "http://xn--zz--zz.a.example/", "http://a..b/", "http://.a.example/",
        f"http://{'a' * 64}.example/", f"http://{'a.' * 200}example/", "http://a.example:99999/",
        "http://a.example:-1/", "http://a.example:abc/", "http://a.example:80:80/",
        f"http://a.example:{'9' * 5000}/", "http://a.example:٣/", "http://", "http:///", "//", "http://[",
        "http://[::1", "http://]/", "http://[v1.x]/", "http://[fe80::1%25eth0]/", "http://[1:2]/",
        "http://a.example%00/", "http://a.exa mple/", "http://a.example<>/", "http://\u200d/", "http://\u00ad/",
        "http://faß.example/", "http://İ.example/", b"http://\xe9.example/", b"http://\xff\xfe/",
        "http://日本.example/", "http://@/", "http://a.example\x7f/", "http://%/", "http://%zz.example/",
    ),
    "faults 40": (
        "http://c.example/next", "http://a.example.evil.example/next", "http://a.example@c.example/next",
        "//c.example/next", "http://c.example\\@a.example/", "http://a.example:8080/next",
    ),
    "faults 41": ("http://0177.0.0.1/", "http://127.1/", "http://①②⑦.0.0.1/", "http://localhost/"),
    "faults 43": ("mailto:a@a.example", "gopher://a.example/", "view-source:http://a.example/", "blob:http://a.example/"),
}  # fmt: skip
"""By rule, what is no address of the site."""

STRANGE = (
    "/%zz", "/%", "/%00", "/%c3%28", "/\x01\x02", "/" + "x" * 60_000, "/" + "a/" * 5_000, "/\x7f", b"/\xff\xfe",
    b"/caf\xe9", "/%ED%A0%80", "?" + "a=b&" * 3_000, "/\U0001f600", "/x;" * 200,
)  # fmt: skip
"""Paths of the site, at each of which there is nothing."""

CODES = (301, 302, 303, 307, 308)
TWO = bare(b"location: /one", b"location: /two", b"content-length: 0", status=b"HTTP/1.1 302 Found", body=b"")

ENDED = (
    *(alone(f"leads to {target!r}"[:70], rule, redirect(target), OUT) for rule in NOWHERE for target in NOWHERE[rule]),
    *(alone(f"the path {location!r}"[:60], "A5", redirect(location), NOT_KEPT) for location in STRANGE),
    *(alone(f"{code} without a Location", "A14", redirect(None, f"{code} Moved"), FAILED) for code in CODES),
    *(alone(f"{line} with a page", "9110 15.4", status(line), NOT_KEPT) for line in ("300 Many", "306 X", "399 What")),
    alone("two Locations", "9110 5.3", TWO, NOT_KEPT),
    alone("to nothing, which is itself", "A14", redirect(""), FAILED),
)

CASES = {"redirects": ENDED}
