"""One address a page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetch.canonical import BadUrl, canonicalize

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
