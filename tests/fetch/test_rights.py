"""Which rights pages and hosts reserve: what is stated, where, and whether texts may be passed on."""

from datetime import UTC, datetime

import pytest

from builders.fault_server import answer, says
from builders.nights import DAY, HOST, START, night
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.parse.page_head import read_head
from verdicts.fetch.parse.rights import HostRights, judge_rights, read_rights
from verdicts.fetch.parse.robots import parse_robots
from verdicts.fetch.parse.tdm import parse_tdm_file
from verdicts.fetch.run.ingest import Source, ingest
from verdicts.fetch.store.rebuild import Log, rebuild_state
from verdicts.fetch.store.store import open_store

NOW = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
PAGE = "https://a.example/compare/a-vs-b"
HEADERS = {
    "noarchive": ("noarchive (X-Robots-Tag)", True),
    "NOAI, noimageai": ("noai (X-Robots-Tag)", True),
    "noindex, noml": ("noindex, noml (X-Robots-Tag)", True),
    "max-snippet:0": ("max-snippet:0 (X-Robots-Tag)", True),
    "max-snippet: 10, max-image-preview:large": None,
    "all, notranslate, noimageindex": None,
    "otherbot: noai, noarchive": None,
    "otherbot: noai, verdicts: nosnippet": ("nosnippet (X-Robots-Tag)", True),
    "unavailable_after: 2026-12-01": ("unavailable_after 2026-12-01 (robots directives)", False),
    "unavailable_after: 2026-10-01": ("unavailable_after 2026-10-01 (robots directives)", True),
    ":, :, ,;: -:: ": None,
}


def judge(headers=(), html="", robots="", file="", url=PAGE):
    """The rights of a page by its headers and head, and by the files of its host."""
    answer = Response(200, (("content-type", "text/plain"),), robots.encode(), 1, len(robots))
    host = HostRights(parse_robots(answer, user_agent="verdicts/0.1").signals, parse_tdm_file(file.encode()))
    return judge_rights(read_rights(tuple(headers), read_head(html.encode(), "verdicts"), "verdicts"), host, url, NOW)


@pytest.mark.parametrize("value", HEADERS)
def test_directives_that_keep_texts_from_others_reserve_them(value):
    """Google's robots meta documents, Bing's of 2023, img2dataset and datadiligence."""
    assert judge([("x-robots-tag", value)]) == HEADERS[value]


@pytest.mark.parametrize(("name", "is_ours"), [("robots", True), ("Verdicts", True), ("googlebot", False)])
def test_a_meta_element_speaks_to_everyone_or_to_us(name, is_ours):
    found = judge(html=f'<meta name="{name}" content="index, NoArchive">')
    assert found == (("noarchive (meta robots)", True) if is_ours else None)


@pytest.mark.parametrize(
    ("headers", "html", "file", "stated", "is_reserved"),
    [
        ([("tdm-reservation", "1")], "", "", "tdm-reservation=1 (header)", True),
        ([("tdm-reservation", "0")], "", "", "tdm-reservation=0 (header)", False),
        (
            [("tdm-reservation", "1"), ("tdm-policy", "https://a.example/p.json")],
            "",
            "",
            "tdm-reservation=1, policy https://a.example/p.json (header)",
            True,
        ),
        ([], "<meta content=1 name=TDM-Reservation>", "", "tdm-reservation=1 (meta element)", True),
        # Meta before header before file, value by value.
        (
            [("tdm-reservation", "1")],
            "<meta name=tdm-reservation content=0>",
            "",
            "tdm-reservation=0 (meta element)",
            0,
        ),
        ([("tdm-reservation", "0")], "", '[{"location": "/", "tdm-reservation": 1}]', "tdm-reservation=0 (header)", 0),
        (
            [("tdm-policy", "https://a.example/p")],
            "",
            '[{"location": "/", "tdm-reservation": 1}]',
            "tdm-reservation=1, policy https://a.example/p (/.well-known/tdmrep.json)",
            True,
        ),
        # Another value is a mistake, and counts as none.
        ([("tdm-reservation", "yes")], "", '[{"location": "/*", "tdm-reservation": "1"}]', None, True),
    ],
)
def test_tdm_reservations_by_meta_header_and_file_in_this_order(headers, html, file, stated, is_reserved):
    found = judge(headers, html, file=file)
    assert found is not None
    assert (found.stated, found.is_reserved) == (
        stated or "tdm-reservation=1 (/.well-known/tdmrep.json)",
        bool(is_reserved),
    )


RULES = """[
  {"location": "/open/", "tdm-reservation": 0},
  {"location": "/*.pdf$", "tdm-reservation": 1},
  {"location": "/Texts", "tdm-reservation": 1, "tdm-policy": "https://a.example/p"},
  {"location": "/caf%C3%A9", "tdm-reservation": 1},
  {"location": "/half"}, {"tdm-reservation": 1}, "/", {"location": "", "tdm-reservation": 1},
  {"location": "/x\\nAllow: /", "tdm-reservation": 1}
]"""


@pytest.mark.parametrize(
    ("path", "is_reserved"),
    [
        ("/open/a.pdf", False),
        ("/a.pdf", True),
        ("/a.pdf?x", None),
        ("/Texts/a", True),
        ("/Textsandmore", True),
        ("/texts/a", None),
        ("/café", True),
        ("/half", None),
        ("/x", None),
    ],
)
def test_the_first_rule_that_matches_a_path_counts(path, is_reserved):
    found = judge(file=RULES, url=f"https://a.example{path}")
    assert (None if found is None else found.is_reserved) is is_reserved


@pytest.mark.parametrize("file", ["<html>404", "{}", "null", '{"location": "/", "tdm-reservation": 1}', "[[[[", "[1]"])
def test_a_file_of_another_form_states_nothing(file):
    assert judge(file=file) is None


MANAGED = """# As a condition of accessing this website, you agree to content signals:
# ai-train: training or fine-tuning AI models.

# BEGIN Cloudflare Managed content

User-agent: *
Content-Signal: search=yes,ai-train=no,use=reference
Allow: /

User-agent: GPTBot
Disallow: /

# END Cloudflare Managed Content

User-agent: *
Content-signal: ai-train=yes, ai-input=yes
Disallow: /admin/
"""


@pytest.mark.parametrize(
    ("robots", "stated", "is_reserved"),
    [
        (MANAGED, "ai-input=yes, ai-train=no, search=yes, use=reference (robots.txt)", True),
        ("User-agent: *\nContent-Signal: ai-train=yes, search=no", "ai-train=yes, search=no (robots.txt)", False),
        ("User-agent: *\nContent-Signal: AI-INPUT = No # why", "ai-input=no (robots.txt)", True),
        ("User-agent: *\nAllow: /\nContent-Signal: use=full", "use=full (robots.txt)", False),
        ("Content-Signal: ai-train=no\nUser-agent: a\nDisallow: /", "ai-train=no (robots.txt)", True),
        ("User-agent: a\nUser-agent: *\nContent-Signal: ai-train=no", "ai-train=no (robots.txt)", True),
        ("User-agent: a\nContent-Signal: ai-train=no", None, None),
        ("User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: verdicts\nAllow: /", None, None),
        (
            "User-agent: verdicts\nContent-Signal: ai-train=no\n\nUser-agent: *\nAllow: /",
            "ai-train=no (robots.txt)",
            True,
        ),
        ("User-agent: *\n# Content-Signal: ai-train=no", None, None),
        ("User-agent: *\nContent-Signal:", None, None),
    ],
)
def test_content_signals_of_our_group_of_robots_txt(robots, stated, is_reserved):
    found = judge(robots=robots)
    assert (stated, is_reserved) == (None, None) if found is None else found == (stated, is_reserved)


def test_a_content_signal_may_come_as_a_header():
    assert judge([("content-signal", "ai-train=no, search=yes")]) == ("ai-train=no, search=yes (Content-Signal)", True)


WORDS = " ".join(f"word{number}" for number in range(60))
TDM_FILE = "/.well-known/tdmrep.json"
BOOK = says(answer(b'[{"location": "/b", "tdm-reservation": 1}]', content_type="application/json"))


def text(*links, **headers):
    anchors = "".join(f"<a href={link}>x</a>" for link in links)
    return says(answer(f"<p>{WORDS} {anchors}".encode(), **headers))


def robots(rules):
    return says(answer(rules.encode(), content_type="text/plain"))


async def visit(data, plays, days=0):
    done = await night(data, plays, starts=(f"http://{HOST}/",), at=START + days * DAY, reads_tdm_file=True)
    with open_store(data, command="test", read_only=True) as store:
        stated = store.read_all_rights(START + days * DAY)
    return done, {url.removeprefix(f"http://{HOST}"): rights for url, rights in stated.items()}


async def test_rights_are_stored_with_the_page_and_those_of_the_host_count_for_all_of_its_pages(tmp_path):
    site = {"/": text("/a", "/b"), "/a": text(x_robots_tag="noarchive"), "/b": text()}
    _, stated = await visit(tmp_path, site | {TDM_FILE: BOOK})
    assert stated == {
        "/a": ("noarchive (X-Robots-Tag)", True),
        "/b": (f"tdm-reservation=1 ({TDM_FILE})", True),
    }
    # An hour later no page is due; robots.txt is read each time.
    done, stated = await visit(tmp_path, {"/robots.txt": robots("User-agent: *\nContent-Signal: ai-train=no")}, 1 / 24)
    assert done.asked == {"/robots.txt": 1, "/sitemap.xml": 1}
    assert stated["/"] == ("ai-train=no (robots.txt)", True)
    assert stated["/a"].stated == "noarchive (X-Robots-Tag); ai-train=no (robots.txt)"


async def test_the_file_is_asked_for_once_a_week_and_kept_if_it_cannot_be_read(tmp_path):
    plays = {"/": text("/b"), "/b": text(), TDM_FILE: BOOK}
    broken = plays | {TDM_FILE: says(answer(b"", "500 Broken"))}
    asked = [(await visit(tmp_path, plays if days < 7 else broken, days))[0].asked[TDM_FILE] for days in (0, 1, 6.9)]
    done, stated = await visit(tmp_path, broken, 8)
    assert (asked, done.asked[TDM_FILE] > 0, stated["/b"].is_reserved) == ([1, 0, 0], True, True)
    _, stated = await visit(tmp_path, plays | {TDM_FILE: says(answer(b"", "404 None"))}, 9)
    assert stated == {}


async def test_the_file_is_not_asked_for_where_robots_txt_forbids_it_or_no_page_came(tmp_path):
    forbidden = {"/": text(), "/robots.txt": robots("User-agent: *\nDisallow: /.well-known/")}
    assert (await visit(tmp_path / "a", forbidden))[0].asked[TDM_FILE] == 0
    assert (await visit(tmp_path / "b", {"/": says(answer(b"", "404 None"))}))[0].asked[TDM_FILE] == 0


async def answer_unchanged(request, writer):
    is_known = "if-none-match" in request.headers
    body = f'<head><meta name=robots content="unavailable_after: 2026-11-03"></head><p>{WORDS}'.encode()
    writer.write(answer(b"" if is_known else body, "304 Not Modified" if is_known else "200 OK", etag='"1"'))


async def test_a_page_is_judged_again_at_the_moment_that_it_names_though_it_is_unchanged(tmp_path):
    outcomes = []
    for days in (0, 1, 1.9, 2.1, 3):
        done, stated = await visit(tmp_path, {"/": answer_unchanged}, days)
        outcomes += done.outcomes("/")
    assert outcomes == ["stored", "unchanged", "noindex", "noindex"]
    assert stated["/"].is_reserved


async def test_a_page_without_noindex_again_is_believed_by_its_etag(tmp_path):
    plays = [text(etag='"1"'), text(etag='"2"', x_robots_tag="noindex"), says(answer(b"", "304 Not Modified"))]
    ended = [await visit(tmp_path, {"/": play}, days) for days, play in enumerate(plays)]
    assert [done.outcomes("/") for done, _ in ended] == [["stored"], ["noindex"], ["unchanged"]]
    assert [stated for _, stated in ended] == [{}, {"/": ("noindex (X-Robots-Tag)", True)}, {}]


async def test_a_repaired_state_knows_what_was_reserved(tmp_path):
    site = {"/": text("/a", "/b"), "/a": text(x_robots_tag="noarchive"), "/b": text()}
    _, stated = await visit(tmp_path, site | {"/robots.txt": robots("User-agent: *\nContent-Signal: ai-train=no")})
    urls = {f"http://{HOST}{path}": rights for path, rights in stated.items()}
    for known, reserved in ((urls, {"/", "/a", "/b"}), ({}, {"/a"})):
        rebuild_state(tmp_path, Log(rights=known), lambda *_: None)
        with open_store(tmp_path, command="test", read_only=True) as store:
            assert store.read_all_rights(START).keys() == {f"http://{HOST}{path}" for path in reserved}


def test_a_page_from_a_file_states_its_rights_and_a_dump_of_it_changes_nothing(tmp_path):
    (tmp_path / "a.html").write_text(f"<head><meta name=robots content=noai></head><p>{WORDS}")
    (tmp_path / "a.txt").write_text(WORDS)
    with open_store(tmp_path / "data", command="test") as store:
        for name in ("a.html", "a.txt"):
            ingest(store, [Source(tmp_path / name, PAGE)], clock=lambda: NOW)
        assert store.read_all_rights(NOW) == {PAGE: ("noai (meta robots)", True)}


async def test_a_page_that_came_as_a_file_is_known_to_its_first_visit_and_states_what_it_says_now(tmp_path):
    body = f"<head><meta name=robots content=noai></head><p>{WORDS}".encode()
    (tmp_path / "a.html").write_bytes(body)
    with open_store(tmp_path / "data", command="test") as store:
        ingest(store, [Source(tmp_path / "a.html", f"http://{HOST}/")], clock=lambda: NOW)
    ended = [await visit(tmp_path / "data", {"/": play}, days) for days, play in ((1, says(answer(body))), (9, text()))]
    assert [done.outcomes("/") for done, _ in ended] == [["unchanged"], ["stored"]]
    assert [stated for _, stated in ended] == [{"/": ("noai (meta robots)", True)}, {}]
