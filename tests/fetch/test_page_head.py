"""The head of a page as browsers see it: what it declares counts, what only looks like it does not."""

from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from builders.snapshots import page_links
from verdicts.fetch.parse.page_head import (
    Directives,
    Refresh,
    parse_refresh,
    read_canonical_links,
    read_head,
)
from verdicts.fetch.parse.page_links import read_header_links
from verdicts.fetch.parse.rights import read_rights

HERE = "http://a.example/dir/page"
DECLARED = b"<link rel=canonical href=/evil><meta name=robots content=noindex><base href=/evil/>"
DECLARED += b'<meta http-equiv=refresh content="0; url=/evil">'


def canonical(head, **headers):
    return page_links(head.encode(), HERE, headers=tuple(headers.items())).canonical


@pytest.mark.parametrize(
    "page",
    [
        b"<body>%s</body>",
        b"words %s",
        b"<p title='%s'>words</p>",
        b"<html><head><meta name=description content='%s'></head>",
        b"<head><title>%s</title></head>",
        b"<head><title>%s",
        b"<head><!-- %s --></head>",
        b"<head><script>write('%s')</script></head>",
        b"<head><script><!--<script></script>%s--></script></head>",
        b"<head><style>%s</style></head>",
        b"<head><noscript>%s</noscript></head>",
        b"<head><template><template></template>%s</template></head>",
        b"<head></head><noscript></noscript>%s",
        b"<head></head></body>%s",
        b"<svg><title>%s</title></svg>",
        b'<iframe srcdoc="%s"></iframe>',
    ],
)
def test_what_the_head_does_not_declare_is_not_believed(page):
    body = page.replace(b"%s", DECLARED)
    head = read_head(body, "verdicts")
    assert (head.base, head.canonicals, head.directives, head.refresh) == (None, (), Directives(), None)


@pytest.mark.parametrize(
    "page",
    [
        b"%s",
        b"\xef\xbb\xbf \n<!doctype html><html lang=en><head>%s</head><body>words</body></html>",
        b"<head><title>Compare: <b> & > ' \" words</title>%s<body>",
        b"<head></head>%s<body>words",
        b"</head><head>%s",
        b"<head><!--> %s",
        b"<head><!-- -- --!>%s",
        b"<head><script>a = '<!--'</script><script>/* --> */</script><script/></script>%s",
        b"<head></p></div><style>p > a {}</style><noscript><img></noscript><template><p>x</template>%s",
    ],
)
def test_what_the_head_declares_is_believed_however_it_is_written(page):
    head = read_head(page.replace(b"%s", DECLARED), "verdicts")
    assert (head.base, head.canonicals, head.refresh) == ("/evil/", ("/evil",), "0; url=/evil")
    assert head.directives == Directives(is_noindex=True)


PIECES = [
    *(f"<{name}>" for name in ("html", "head", "body", "p", "title", "style", "script", "noscript", "template", "a")),
    *(f"</{name}>" for name in ("html", "head", "body", "p", "title", "style", "script", "noscript", "template", "br")),
    *("<textarea>", "<noframes>", "<frameset>", "<svg>", "<bgsound>", "<base href=/b>", "<!doctype html>", "<?x>"),
    *("<!--", "-->", "--!>", "<!-->", "<!--->", "</ >", "</>", "<![CDATA[", "]]>", "<script ", "<meta x='", '<p x="'),
    *("<link rel=canonical href=/1>", "<link rel='x CANONICAL' href='/2'/>", '<LINK HREF="/3" rel="&#99;anonical">'),
    *("<link rel=canonical href=/4 ", "<p title='<link rel=canonical href=/5>'>", "<meta name=robots content=noindex>"),
    *(" ", "\n", "x", "\0", '"', "'", "=", ">", "/", "<", "-"),
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@example("<head><script><!--<script></script><link rel=canonical href=/1>")
def test_the_head_ends_where_a_browser_ends_it(page):
    tree = LexborHTMLParser(page.encode(), scripting=True)
    links = [link.attributes for link in tree.css("head link")]
    seen = [link["href"] for link in links if "canonical" in (link["rel"] or "").lower().split()]
    assert read_head(page.encode(), "verdicts").canonicals == tuple(seen)


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ('<link rel="canonical" href="/x"><link rel="canonical" href="http://a.example/x#top">', "http://a.example/x"),
        ('<link rel="canonical" href="/x"><link rel="canonical" href="/y">', None),
        ('<link rel="canonical" href="http://["><link rel="canonical" href="/y">', "http://a.example/y"),
        ('<link rel="canonical" href=""><link rel="canonical" href="/y">', "http://a.example/y"),
        ('<link rel="canonical" href="/x" hreflang="de"><link rel="canonical" href="/y">', "http://a.example/y"),
        ('<link rel="canonical" href="/x" media="print">', None),
        ('<link rel="canonical" href="javascript:alert(1)">', None),
        ('<base href="/b/"><link rel="canonical" href="x"><base href="/c/">', "http://a.example/b/x"),
        ('<base href="data:,x"><link rel="canonical" href="x">', "http://a.example/dir/x"),
        ('<link rel="canonical" href="/x?a=1&amp;b=2">', "http://a.example/x?a=1&b=2"),
        ('<link rel="canonical" href="/x?a=1&copy=2&region=us">', "http://a.example/x?a=1&copy=2&region=us"),
    ],
)
def test_a_page_has_one_canonical_address_or_none(head, url):
    assert canonical(head) == url


@pytest.mark.parametrize(
    ("value", "targets"),
    [
        ('</x>; rel="canonical"', ["/x"]),
        ('<a,b>; title="x, <y>; rel=canonical"; rel=preload, <//c>;REL=canonical', ["//c"]),
        ("</x>; rel=canonical; hreflang=de, </y>; rel=canonical; anchor='#z'", []),
        ("</x>; rel=preload; rel=canonical", []),
        ('</x>; rel="next canonical"', ["/x"]),
        ("<" * 50 + '"' * 50 + "; rel=canonical", []),
    ],
)
def test_a_link_header_names_the_page_like_an_element(value, targets):
    assert read_canonical_links((("link", value),)) == targets


def test_header_and_head_must_agree():
    assert canonical('<link rel="canonical" href="x">', link="<x>; rel=canonical") == "http://a.example/dir/x"
    assert canonical('<link rel="canonical" href="/x">', link="</y>; rel=canonical") is None
    assert read_header_links(HERE, (("link", "</y>; rel=canonical"),)).canonical == "http://a.example/y"


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        ("0; url=/x", Refresh(0, "/x")),
        ("0;URL='/x' ", Refresh(0, "/x")),
        (' 3.5 , "/x"y', Refresh(3, "/x")),
        ("0 /x", Refresh(0, "/x")),
        ("9" * 5000 + "; url=/x", None),
        ("999999999999; url=/x", Refresh(999999999, "/x")),
        ("30", None),
        ("0x; url=/x", None),
        ("", None),
    ],
)
def test_a_refresh_is_read_as_browsers_read_it(content, refresh):
    assert parse_refresh(content) == refresh


def test_a_refresh_in_the_header_comes_first_and_the_base_counts_for_the_head():
    head = '<base href="/b/"><meta http-equiv="Refresh" content="0; url=x"><meta http-equiv=refresh content="0; url=y">'
    links = page_links(head.encode(), HERE)
    assert links.refresh == Refresh(0, "http://a.example/b/x")
    assert page_links(head.encode(), HERE, headers=(("refresh", "0; x"),)).refresh == Refresh(
        0, "http://a.example/dir/x"
    )


@pytest.mark.parametrize(
    ("content", "is_over"),
    [
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", True),
        ("noarchive, unavailable_after: 25-Aug-2007 15:00:00 EST", True),
        ("unavailable_after: Friday, 25-Aug-07 15:00:00 GMT, noarchive", True),
        ("UNAVAILABLE_AFTER: 2026-11-01", True),
        ("unavailable_after: 2026-11-02T00:00:00Z", False),
        ("unavailable_after: soon", False),
        ("otherbot: unavailable_after: 2010-01-01", False),
    ],
)
def test_a_page_is_not_kept_after_the_moment_that_it_names(content, is_over):
    now = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
    assert read_rights((("x-robots-tag", content),), None, "verdicts").is_noindex(now) is is_over
    if "otherbot" not in content:
        head = read_head(f'<meta name="robots" content="{content}">'.encode(), "verdicts")
        assert read_rights((), head, "verdicts").is_noindex(now) is is_over
