"""One canonical URL per page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetch.model.canonical_url import BadUrl, canonicalize

PAGE = "http://a.example/compare/x-vs-y"


@pytest.mark.parametrize(
    "variant",
    [
        PAGE,
        "HTTP://A.Example/compare/x-vs-y",
        "http://a.example:80/compare/x-vs-y",
        "http://a.example./compare/x-vs-y",
        "http://a.example/compare/x-vs-y/",
        "http://a.example/compare/x-vs-y#scorecard",
        "http://a.example/compare/x-vs-y?utm_source=mail&gclid=1",
        "http://a.example/compare/x-vs-y;jsessionid=9A",
        "http://a.example/compare/./old/../x-vs-y",
        "http://a.example//compare//x-vs-y",
        "http://a.example/compare/%78-vs-y",
        "http://user:secret@a.example/compare/x-vs-y",
        "  http://a.example/compare/x-vs-y\n",
    ],
)
def test_variants_of_an_address_are_one(variant):
    assert canonicalize(variant) == PAGE


def test_the_order_of_parameters_does_not_matter():
    assert canonicalize("http://a.example/?b=2&a=1") == canonicalize("http://a.example/?a=1&b=2")


def test_a_form_encoded_category_stays_what_it_is():
    address = "http://a.example/reviewer/skeptic?category=AI%2FML+Models"
    assert canonicalize(address) == address


@pytest.mark.parametrize(
    "address", ["ftp://a.example/", "javascript:alert(1)", "data:text/html,x", "http://", "//", "http://a b/"]
)
def test_what_is_no_web_address_is_refused(address):
    with pytest.raises(BadUrl):
        canonicalize(address)


@given(st.text(max_size=60), st.text(max_size=30))
def test_a_canonical_address_is_its_own_canonical_form(path, query):
    try:
        once = canonicalize(f"https://a.example/{path}?{query}")
    except BadUrl:
        return
    assert canonicalize(once) == once


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("HTTP://EXAMPLE.com/../a", "http://example.com/a"),
        ("http://example.com/a/./b/../../c", "http://example.com/c"),
        ("http://example.com/%2e%2e/a", "http://example.com/a"),
        ("http://example.com/a%2fb", "http://example.com/a%2Fb"),
        ("http://example.com/%7Euser/%41", "http://example.com/~user/A"),
        ("http://example.com/caf\u00e9", "http://example.com/caf%C3%A9"),
        ("http://example.com/100%", "http://example.com/100%25"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("http://EXAMPLE.com.:80/", "http://example.com/"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://user:pass@example.com/", "http://example.com/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a"),
        ("http://[2001:DB8:0:0:0:0:0:1]/", "http://[2001:db8::1]/"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com?b=2&a=1", "http://example.com/?a=1&b=2"),
        ("http://example.com/?q=a+b&r=a%20b", "http://example.com/?q=a+b&r=a+b"),
        ("http://example.com/?empty=&flag", "http://example.com/?empty=&flag="),
        ("http://example.com/#fragment?x=1", "http://example.com/"),
        ("http://example.com/a\tb\nc", "http://example.com/abc"),
        ("\x00 http://example.com/ \x1f", "http://example.com/"),
    ],
)
def test_addresses_of_every_kind_have_one_form(written, canonical):
    assert canonicalize(written) == canonical


@pytest.mark.parametrize(
    "address",
    [
        "http://exa mple.com/",
        "http://example.com:port/",
        "http://example.com:99999/",
        "http://[::1",
        "http://[1::2::3]/",
        "http://exam%70le.com/",
        "http://a..b/",
        "http:///path",
        "https:example.com/",
        "mailto:a@example.com",
        "file:///etc/passwd",
        "about:blank",
        "/relative",
        "",
        "http://example.com/" + "a" * 3000,
    ],
)
def test_what_a_crawler_cannot_ask_for_is_refused(address):
    with pytest.raises(BadUrl):
        canonicalize(address)
