"""robots.txt by RFC 9309."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.parse.robots import SIZE_LIMIT, parse_robots

AGENT = "verdicts/0.1 (+https://example.org/bot; bot@example.org)"
PAGE = "http://a.example/page"


def robots(text, status=200):
    body = text if isinstance(text, bytes) else text.encode()
    return parse_robots(Response(status, (), body, elapsed_ms=1, wire_bytes=len(body)), user_agent=AGENT)


OURS = ["verdicts", "VERDICTS", "verdicts/1.0", "Verdicts (all)", "verdicts # we"]
OTHERS = ["v", "verdict", "verd*", "verdicts-images", "*verdicts"]


@pytest.mark.parametrize("agent", OURS + OTHERS)
def test_a_group_is_ours_by_our_whole_product_token(agent):
    rules = robots(f"User-agent: *\nDisallow: /\n\nUser-agent: {agent}\nDisallow: /other\n")
    assert rules.allows(PAGE, AGENT) is (agent in OURS)


@pytest.mark.parametrize("end", ["\v", "\f", "\x1c", "\x85", "\u2028"])
def test_what_ends_a_line_for_python_alone_ends_no_comment(end):
    assert robots(f"User-agent: *\n# not{end}Disallow: /\n").allows(PAGE, AGENT)


def test_a_file_past_the_limit_is_cut_between_lines():
    start = "User-agent: *\n"
    filler = "#" * (SIZE_LIMIT - len(start) - len("\nDisallow: /p"))
    assert robots(f"{start}{filler}\nDisallow: /private-and-nothing-else\n").allows(PAGE, AGENT)


@pytest.mark.parametrize(
    ("wish", "delay_s"), [("0.1", 0.1), ("301", 301), ("3600", 3600), ("abc", 0), ("nan", 0), ("-5", 0)]
)
def test_a_crawl_delay_is_read_as_it_is_written(wish, delay_s):
    assert robots(f"User-agent: *\nCrawl-delay: {wish}\n").crawl_delay_s(AGENT) == delay_s


NO = b"User-agent: *\nDisallow: /page\n"
FORBIDDEN = {
    "a mark at the start": b"\xef\xbb\xbf" + NO,
    "CR alone": NO.replace(b"\n", b"\r"),
    "our name": b"User-agent: other\nAllow: /\n\nUser-agent: verdicts\nDisallow: /page\n",
    "two groups of our name": b"User-agent: verdicts\nDisallow: /x\n\nUser-agent: verdicts\nDisallow: /page\n",
    "names above one group": b"User-agent: other\nUser-agent: verdicts\nDisallow: /page\n",
    "a longer disallow": b"User-agent: *\nAllow: /p\nDisallow: /page\n",
    "a star": b"User-agent: *\nDisallow: /*ge\n",
    "a dollar that fits": b"User-agent: *\nDisallow: /page$\n",
    "a comment behind": b"User-agent: * # all\nDisallow: /page # not this\n",
    "tabs and spaces": b"\tUser-agent \t: *  \n  Disallow\t:\t/page \t\n",
    "no line end at the end": b"User-agent: *\nDisallow: /page",
    "other lines between": b"User-agent: *\nSitemap: http://a.example/none\nfoo: bar\nDisallow: /page\n",
    "letters of latin-1": b"# caf\xe9\nUser-agent: *\nDisallow: /caf\xe9\nDisallow: /page\n",
    "NULs between the lines": b"\0\0\nUser-agent: *\nDisallow: /page\n\0",
    "490 KB before the rule": b"# filler filler\n" * 30_000 + NO,
    "one line of 2 MB behind the rule": NO + b"#" * 2_000_000,
}
ALLOWED = {
    "our name's group alone counts": b"User-agent: *\nDisallow: /\n\nUser-agent: verdicts\nAllow: /\n",
    "a longer allow": b"User-agent: *\nDisallow: /p\nAllow: /page\n",
    "equal length": b"User-agent: *\nDisallow: /page\nAllow: /page\n",
    "an empty Disallow": b"User-agent: *\nDisallow:\n",
    "a dollar that does not fit": b"User-agent: *\nDisallow: /pag$\n",
    "a rule before any group": b"Disallow: /page\nUser-agent: *\nDisallow: /x\n",
    "HTML": b"<html><body><p>A page.</p></body></html>",
    "nothing": b"",
    "random bytes": bytes(range(256)) * 500,
}


@pytest.mark.parametrize("name", [*FORBIDDEN, *ALLOWED])
def test_a_file_is_read_as_the_standard_says(name):
    assert robots((FORBIDDEN | ALLOWED)[name]).allows(PAGE, AGENT) is (name in ALLOWED)


ADDRESSES = [
    # Lines of our group, addresses that they allow, and addresses that they refuse (RFC 9309, 2.2.2 and 2.2.3).
    ("disallow: /\nallow: /fish", "/fish /fish.html /fish/salmon /fishheads/yummy?id=1", "/ /Fish /catfish /?id=fish"),
    ("disallow: /\nallow: /*.php", "/a.php /b/a.php?x /a.php/ /i?f=a.php/ //b/any.php.html", "/php/ /i?php /a.PHP"),
    ("disallow: /\nallow: /*.php$", "/a.php /b/a.php", "/a.php?x /a.php/ /a.php5 /i?php"),
    ("disallow: /\nallow: /$", "/", "/page.html /?a"),
    ("disallow: /x/page.html\nallow: /x/", "/x/ /x/page", "/x/page.html"),
    ("allow: /x/page.\ndisallow: /*.html", "/x/page.html", "/x/y.html"),
    ("# disallow: /\ndisallow: /foo/quz#qux\nallow: /", "/foo/bar", "/foo/quz /foo/quzzes"),
    ("disallow: /\nallow: /q?a=b&u=http://x.example?c&d", "/q?a=b&u=http://x.example?c&d", "/q?u=http://x.example?c&d"),
    ("disallow: /\nallow: /foo/ツ", "/foo/%E3%83%84 /foo/%e3%83%84x", "/foo/%E3%83"),
    ("disallow: /\nallow: /foo/%E3%83%84", "/foo/%E3%83%84", "/foo/x"),
    ("disallow: /*%2F", "/a/b", "/a%2Fb /a%2fb"),
    ("disallow: /file-%2A.html\ndisallow: /foo-%24", "/file-x.html /foo-x", "/file-*.html /foo-$ /foo-%24"),
    ("disallow: /*?s=\ndisallow: /*q=*top*", "/s/ /list?page=1", "/?s=x /list?q=%3Atop%3Ax"),
    ("disallow: /*&lang=", "/list?lang=de&page=2", "/list?page=2&lang=de"),
    ("disallow: /?", "/ /x", "/?q=a"),
    ("disallow: /x?", "/x", "/x? /x?a"),
    ("disallow: /private/", "/private //private/x", "/private/ /private/x"),
]


@pytest.mark.parametrize(("lines", "allowed", "refused"), ADDRESSES)
def test_addresses_are_judged_as_they_are_written(lines, allowed, refused):
    read = robots(f"user-agent: verdicts\n{lines}\n")
    for path in (*allowed.split(), *refused.split()):
        assert read.allows(f"http://a.example{path}", AGENT) is (path in allowed.split()), path


HOSTILE = (
    b"Disallow: /" + b"*a" * 200 + b"*b\n",
    b"Disallow: /" + b"*" * 5_000 + b"zq\n",
    b"".join(b"Disallow: /*a*a*a*%db$\n" % number for number in range(1_000)),
    b"".join(b"Disallow: /rule/%d\n" % number for number in range(20_000)),
    b"\n" + b"".join(b"User-agent: bot%d\nDisallow: /\n\n" % number for number in range(20_000)),
    b"Disallow: /" + b"%61" * 20_000 + b"z\n",
)


@pytest.mark.parametrize("rules", HOSTILE)
def test_no_rules_hold_up_the_crawl(rules):
    began = time.thread_time()
    assert robots(b"User-agent: *\nAllow: /nothing\n" + rules).allows("http://a.example/" + "a" * 1_900, AGENT)
    assert time.thread_time() - began < 2


@given(st.binary(max_size=300))
def test_no_bytes_make_it_raise(noise):
    rules = robots(b"User-agent: *\n" + noise)
    rules.allows(PAGE, AGENT)
    rules.crawl_delay_s(AGENT)


GROUPS = ["*", "verdicts", "VERDICTS", "bot", "example", "verdictsbot", "", "***", "x y", "a#b"]
LINES = [
    *(
        "Disallow: /page",
        "Disallow: /",
        "Allow: /page",
        "Crawl-delay: 7",
        "Disallow /",
        "words",
        "field: x",
        "",
        "# note",
    ),
    *("Sitemap: http://a.example/s.xml", "Disallow:", "user-agent", "User agent *", "useragent: verdicts # we"),
]


@given(st.lists(st.sampled_from([*(f"User-agent: {name}" for name in GROUPS), *LINES]), max_size=12))
def test_other_robots_under_one_name_change_nothing_for_us(lines):
    ours, plain = robots("\n".join(lines)), Protego.parse("\n".join(lines))
    assert ours.allows(PAGE, AGENT) == plain.can_fetch(PAGE, "verdicts")
    assert ours.crawl_delay_s(AGENT) == (plain.crawl_delay("verdicts") or 0)
    assert ours.sitemaps == tuple(plain.sitemaps)


def test_a_file_that_names_thousands_of_robots_does_not_hold_up_the_crawl():
    names = "".join(f"User-agent: robot{number}\n" for number in range(12_000))
    rules = "".join(f"Disallow: /{number}\n" for number in range(12_000))
    began = time.thread_time()
    assert robots(f"{names}User-agent: verdicts\n{rules}Disallow: /page\n").allows(f"{PAGE}s", "other/1")
    assert time.thread_time() - began < 2
