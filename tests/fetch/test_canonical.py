"""One canonical URL per page."""

from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.fetch.model.addresses import (
    BadUrl,
    canonicalize,
    find_base,
    find_host,
    normalize_host_port,
    resolve_address,
    resolve_link,
    split_address,
)

PIECES = [
    *["http:", "https:", "//", "/", "\\", "@", ":", "[", "]", "::1", "?", "#", "&", "=", ";", "+"],
    *(" ", "\t", "\n", "\x00"),
    *("a.example", "xn--", "xn--a", "xn--fa-hia", "fa\u00df", "\u2615", "\u3002", "\u0660", "\u200d", "a" * 64, "\x80"),
    *("0", "0x7f", "99999", "4294967296", ".", "..", "%", "%25", "%2e", "%41", "\ud800", "\udce9"),
    *("utm_source=1", ";jsessionid=", "a", "A"),
]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)), st.booleans())
def test_a_text_is_no_address_or_has_a_form_that_is_its_own(text, is_relative):
    try:
        once = canonicalize(text, "https://a.example/b/c?d" if is_relative else None)
    except BadUrl:
        return
    assert canonicalize(once) == once
    assert once.isascii()
    assert len(once) <= 2_000


@given(
    *[st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))] * 2,
    st.sampled_from([1, 1, 1, 40_000]),
)
def test_no_text_is_an_error_to_whoever_takes_an_address_apart(text, base, times):
    text = text * times
    address = split_address(text)
    assert find_host(text) == ("" if address is None else address.host)
    for read in (split_address(text, base), split_address(base, text)):
        assert read is None or split_address(read.url) == read
    assert isinstance(resolve_link(text, base), str)
    assert isinstance(find_base(base, text), str)
    if address is not None and len(text) < 2_000:
        canonical = canonicalize(text)
        assert split_address(canonical).url == canonical


@pytest.mark.parametrize(
    ("written", "base", "whole"),
    [
        ("#tool", "https://a.example/b?c", "https://a.example/b?c#tool"),
        ("../x y", "https://a.example/b/c", "https://a.example/x%20y"),
        ("https://b.example/#org", "urn:sha256:abc", "https://b.example/#org"),
        ("mailto:a@b.example", "https://a.example/", "mailto:a@b.example"),
        ("/x", "http://[::1", "/x"),
        ("http://[broken", "https://a.example/", "http://[broken"),
    ],
)
def test_a_link_is_made_whole_where_it_can_be(written, base, whole):
    assert resolve_link(written, base) == whole


@settings(max_examples=50)
@given(st.data())
def test_what_does_not_change_the_page_does_not_change_its_form(data):
    """The twelve spellings of one address, and any of them together."""
    draw = data.draw
    words = st.text(st.sampled_from("abz09-_~."), min_size=1, max_size=5).filter(lambda word: word.strip("."))
    segments = draw(st.lists(words, max_size=3))
    pairs = draw(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["", "1", "x y", "\u00e9"])), max_size=3))
    plain = canonicalize("http://faß.example/" + "/".join(segments) + "?" + urlencode(pairs))

    def draw_one(*spellings):
        return draw(st.sampled_from(spellings))

    def spell(segment):
        escaped = draw_one(segment, segment.replace("a", "%61"), segment.replace("~", "%7E"))
        return draw_one(escaped, f"old/../{escaped}", f"./{escaped}", f"/{escaped}")

    pairs = draw(
        st.permutations([*pairs, *draw_one([], [("utm_medium", "x")], [("GCLID", "1")], [("PHPSESSID", "2")])])
    )
    scheme, user = draw_one("http://", "HTTP://", "http:", "http:\\\\"), draw_one("", "user@", "user:secret@")
    host = draw_one(
        "faß.example", "FA\u1e9e.EXAMPLE", "xn--fa-hia.example", "fa%C3%9F\u3002example", "XN--FA-HIA.example."
    )
    path = "/" + "/".join(map(spell, segments)) + draw_one("", ";jsessionid=A1") + draw_one("", "/", "//")
    written = f"{scheme}{user}{host}{draw_one('', ':80', ':')}{path}?{urlencode(pairs)}{draw_one('', '#f', '#/../x?y')}"
    at = draw(st.integers(0, len(written)))
    assert canonicalize(written[:at] + draw_one("", "\t", "\r\n") + written[at:]) == plain


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
        ("http://example.com/caf\u00e9", "http://example.com/caf%C3%A9"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"),
        ("http://[::ffff:10.0.0.1]/", "http://[::ffff:a00:1]/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://\u65e5\u672c\u8a9e\u3002\uff2a\uff30/", "http://xn--wgv71a119e.jp/"),
        ("http://\u2615.example/", "http://xn--53h.example/"),
        ("http://a_b.example/", "http://a_b.example/"),
        ("http://example.com/caf\udce9", "http://example.com/caf%E9"),
        ("http://example.com?b=2&a=1", "http://example.com/?a=1&b=2"),
        ("http://example.com/?q=a+b&r=a%20b", "http://example.com/?q=a+b&r=a+b"),
        ("http://example.com/?empty=&flag", "http://example.com/?empty=&flag="),
        ("http://example.com/?category=AI%2FML+Models", "http://example.com/?category=AI%2FML+Models"),
        ("\x00 http://example.com/ \x1f", "http://example.com/"),
        ("http://example.com/doc%3Fa=1", "http://example.com/doc%3Fa=1"),
        ("http://example.com/?a=1%2B1", "http://example.com/?a=1%2B1"),
    ],
)
def test_addresses_of_every_kind_have_one_form(written, canonical):
    assert canonicalize(written) == canonical
    assert canonical.startswith((f"http://{find_host(written)}/", f"https://{find_host(written)}/"))


@pytest.mark.parametrize(
    "address",
    [
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://[::1",
        "http://example.com:0/",
        "http://[fe80::1%25eth0]/",
        "http://a%00b/",
        "http://xn--a/",
        "http://xn--fass-.de/",
        "http://\u0660.example/",
        "http://\u2488com/",
        "http://256.1.1.1/",
        "http://" + "a" * 64 + ".example/",
        "http://" + "a." * 127 + "example/",
        "mailto:a@example.com",
        "file:///etc/passwd",
        "",
        "http://a]b/",
        "http://\ud800.example/",
        "http://" + "[" * 1_000_000,
        "//a.example/",
    ],
)
def test_what_a_crawler_cannot_ask_for_is_refused(address):
    with pytest.raises(BadUrl):
        canonicalize(address)
    assert find_host(address) == ""


def test_an_address_can_be_too_long_to_ask_for_and_too_long_to_read():
    with pytest.raises(BadUrl):
        canonicalize("http://a.example/" + "x" * 3_000)
    assert find_host("http://a.example/" + "x" * 3_000) == "a.example"
    assert find_host("http://a.example/" + "x" * 1_000_000) == ""


@pytest.mark.parametrize(
    ("written", "requested"),
    [
        # WHATWG URL: what a browser requests from the page http://a.example/dir/page?query.
        ("", "/dir/page?query"),
        ("#part", "/dir/page?query"),
        ("?", "/dir/page?"),
        ("?x#y?z", "/dir/page?x"),
        ("/x//../y", "/x/y"),
        ("//a.example//x", "//x"),
        ("\\x\\y?a\\b", "/x/y?a\\b"),
        ("x y ", "/dir/x%20y"),
        ('/"<>`{}^|[]?"<>`{}^|[]\'', "/%22%3C%3E%60%7B%7D%5E|[]?%22%3C%3E`{}^|[]%27"),
        ("/!$&'()*+,;=:@-._~?!$&()*+,;=:@/?", "/!$&'()*+,;=:@-._~?!$&()*+,;=:@/?"),
        ("/%zz%4%41%c3%a9", "/%zz%4%41%c3%a9"),
        ("/\u2603?\u2603", "/%E2%98%83?%E2%98%83"),
        ("/\ud83d?\U0001f600", "/%EF%BF%BD?%F0%9F%98%80"),
        ("http:x", "/dir/x"),
        ("HTTP://A.EXAMPLE:80/X", "/X"),
        ("http://user:word@a.example:/x", "/x"),
        ("/?q=a+b&c=d%20e&flag&empty=&&", "/?q=a+b&c=d%20e&flag&empty=&&"),
        ("/x;jsessionid=1?utm_source=y&b=2&a=1", "/x;jsessionid=1?utm_source=y&b=2&a=1"),
    ],
)
def test_an_address_is_what_a_browser_requests(written, requested):
    assert resolve_address(written, "http://a.example/dir/page?query") == f"http://a.example{requested}"


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("a.example:8080", "a.example:8080"),
        ("A.EXAMPLE", "a.example"),
        ("a.example:443", "a.example"),
        ("a.example:80", "a.example"),
        ("fa\u00df.example:81", "xn--fa-hia.example:81"),
        ("::1", "[::1]"),
        ("[::1]:8080", "[::1]:8080"),
    ],
)
def test_a_host_is_a_name_with_its_port(written, host):
    assert normalize_host_port(written) == host
    assert find_host(f"http://{host}/x") == host
