"""Walls, logins and shells never become content, and ordinary pages are none of them."""

from datetime import timedelta

import pytest

from builders.fault_server import answer, redirect, says
from builders.nights import DAY, HOST, START, night, page, words
from verdicts.fetch.model.site import Limits
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.model.url_state import Revisit
from verdicts.fetch.parse.walls import WALLS, find_wall, is_login_address, is_shell
from verdicts.fetch.run.endings import read_reasons
from verdicts.fetch.run.why import reason_lines
from verdicts.fetch.store.run_log import note_measures
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.gates.judge import HostRun, make_row

HOME = f"http://{HOST}/"
PATHS = tuple(f"/p{number}" for number in range(4))
LONG = words("word")


def make_response(body, *headers, status=200):
    body = body.encode()
    return Response(status, (("content-type", "text/html; charset=utf-8"), *headers), body, 1, len(body))


MARKED = {
    "a marker": (make_response("<title>Shop</title><script>window._cf_chl_opt={}</script>"), "Cloudflare"),
    "a title in German": (make_response("<title>Nur einen Moment…</title><p>x"), "Cloudflare"),
    "a first part of a title": (make_response("<title>Access Denied - A Firewall</title><p>x"), "no known product"),
    "a header": (make_response(LONG, ("x-vercel-mitigated", "challenge")), "Vercel"),
    "a queue": (make_response("", ("location", "https://a.queue-it.net/?c=a"), status=302), "Queue-it"),
    "a header with 202": (make_response("<p>x", ("sg-captcha", "challenge"), status=202), "SiteGround"),
    "consent elsewhere": (
        make_response("", ("location", "https://consent.youtube.com/m?continue=a"), status=302),
        "a consent",
    ),
    "a refusal": (make_response("<script id=anubis_challenge></script>", status=403), "Anubis"),
}


@pytest.mark.parametrize("name", MARKED)
def test_a_wall_is_known_by_its_product(name):
    response, product = MARKED[name]
    assert find_wall(response).startswith(product)


ORDINARY = {
    "an article that quotes markers": f"<title>Just a moment</title><p>_cf_chl_opt captcha-delivery.com {LONG * 4}",
    "a good page behind Imperva": "<title>Tool</title><script src='/_Incapsula_Resource?SWJIYLWA=7'></script><p>$19",
    "a good page behind PerimeterX": "<title>Tool</title><script>window._pxAppId='PX1'</script><p>$19",
    "a good page behind DataDome": "<title>Tool</title><script src='https://js.datadome.co/tags.js'></script><p>$19",
    "a good page behind Cloudflare": "<script src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'></script><p>$19",
    "content behind a banner": "<title>Cookies</title><div id=consent>Accept all cookies</div><p>Tool $19",
    "a banner's script": "<title>Tool</title><script src='https://consent.youtube.com/x.js'></script><p>$19",
    "a form with a captcha": "<title>Contact</title><form><div class=g-recaptcha></div></form>",
    "a name with a menu": "<title>Just a moment</title>" + "<a href=/x>x</a>" * 9,
}


@pytest.mark.parametrize("name", ORDINARY)
def test_an_ordinary_page_is_no_wall(name):
    assert find_wall(make_response(ORDINARY[name])) is None


def test_every_wall_has_a_sign():
    assert all(wall.headers or wall.markers or wall.titles or wall.addresses for wall in WALLS)
    assert all(title == title.lower() for wall in WALLS for title in wall.titles)


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        ("<title>App</title><div id=root></div><script src=/a.js></script>", True),
        ("<title>App</title><div id=app>Loading...</div><script src=/a.js></script>", True),
        ("<noscript>Please turn JavaScript on</noscript><p>Wait</p><script src=/a.js></script>", True),
        ("<title>App</title><p>Hello</p><script src=/a.js></script>", False),
        (f'<div id=root></div><script type=application/json>{{"a": "{LONG}"}}</script>', False),
        ("<div id=root></div><img src=/a.png><script src=/a.js></script>", False),
        (f"<noscript>needs JavaScript</noscript><div id=root>{LONG}</div><script src=/a.js></script>", False),
        ("<title>Short</title>", False),
    ],
)
def test_a_shell_shows_nothing_without_scripts(body, is_one):
    assert is_shell(make_response(body)) is is_one


@pytest.mark.parametrize(
    ("target", "is_one"),
    [
        ("/login?next=/tool/a", True),
        ("/users/sign_in", True),
        ("/auth/realms/x?redirect_uri=http%3A%2F%2Fa.example%2Ftool%2Fa", True),
        ("/tools/sign-in-with-apple", False),
        ("/tools/auth", False),
        ("/tool/a/", False),
    ],
)
def test_a_redirect_to_a_login_is_told_from_one_to_a_page(target, is_one):
    assert is_login_address(f"http://{HOST}{target}", f"http://{HOST}/tool/a") is is_one


def read_lines(data, run):
    with open_store(data, command="test", read_only=True) as store:
        return reason_lines(read_reasons(store, run.crawl_id))


def make_page(text, *links):
    """A page with these words and a link to each path."""
    return page(*links, head=f"<title>{text}</title>") if links else says(answer(f"<p>{text}</p>".encode()))


GOOD = {"/": make_page("all", *PATHS)} | {path: make_page(words(path[1:])) for path in PATHS}
STUB = make_page("Tick the box, then we go on")


async def nights(data, *plays):
    """Nights two weeks apart, so that every page is due."""
    done = [await night(data, each, starts=(HOME,), at=START + number * 15 * DAY) for number, each in enumerate(plays)]
    return done, read_lines(data, done[-1].run)


async def test_a_stub_at_several_pages_is_a_wall_however_long_it_stands(tmp_path):
    behind = GOOD | dict.fromkeys(PATHS, STUB)
    done, (line,) = await nights(tmp_path, GOOD, behind, behind)
    assert [each.run.status for each in done] == ["done", "partial", "partial"]
    assert all(each.outcomes(path) == ["wall"] for each in done[1:] for path in PATHS)
    assert done[-1].newest == done[0].newest
    assert "a wall hides 4 pages" in line
    assert "it shows only 'Tick the box, then we go on'" in line


async def test_one_page_that_became_a_stub_is_believed_after_three_days(tmp_path):
    shrunk = GOOD | {"/p0": STUB}
    done, _ = await nights(tmp_path / "a", GOOD, shrunk, shrunk)
    assert [each.outcomes("/p0") for each in done[1:]] == [["wall"], ["stored"]]
    done, _ = await nights(tmp_path / "b", GOOD, shrunk, GOOD, shrunk)
    assert [each.outcomes("/p0") for each in done[1:]] == [["wall"], ["unchanged"], ["wall"]]


async def test_a_page_behind_a_wall_is_asked_for_on_the_next_night(tmp_path):
    await nights(tmp_path, GOOD, GOOD | dict.fromkeys(PATHS, STUB))
    after = await night(tmp_path, GOOD, starts=(HOME,), at=START + 15 * DAY + timedelta(hours=23))
    assert all(after.outcomes(path) == ["unchanged"] for path in PATHS)
    assert after.run.status == "done"


@pytest.mark.parametrize("short", ['<p>No longer sold.</p><a href="/">All tools</a>', "<table><tr><td>$9</table>"])
async def test_a_page_with_a_menu_or_facts_may_become_short(tmp_path, short):
    done, _ = await nights(tmp_path, GOOD, GOOD | {"/p0": says(answer(short.encode()))})
    assert done[1].outcomes("/p0") == ["stored"]


async def test_logins_are_counted_and_not_stored(tmp_path):
    plays = {"/": make_page("all", *PATHS)} | {path: redirect(f"/login?next={path}") for path in PATHS}
    done, (line,) = await nights(tmp_path, plays)
    assert done[0].run.status == "partial"
    assert "4 addresses lead to a login page" in line
    assert [url for url, _ in done[0].held] == [HOME]


async def test_a_login_in_place_of_a_page_keeps_the_page(tmp_path):
    done, _ = await nights(tmp_path, GOOD, GOOD | {"/p0": redirect("/login?next=/p0")})
    assert done[1].outcomes("/p0") == ["wall"]
    assert done[1].newest == done[0].newest


async def test_shells_are_counted_and_not_stored(tmp_path):
    shell = says(answer(b"<div id=root></div><script src=/a.js></script>"))
    done, (line,) = await nights(tmp_path, {"/": make_page("all", *PATHS)} | dict.fromkeys(PATHS, shell))
    assert done[0].run.status == "partial"
    assert "4 pages show nothing without JavaScript" in line
    assert [url for url, _ in done[0].held] == [HOME]


def slowest_s(data):
    with open_store(data, command="test", read_only=True) as store:
        return store.state.execute("SELECT slowest_s FROM hosts").fetchone()[0]


async def test_walls_make_a_host_slower_and_end_its_night(tmp_path):
    limits = Limits(attempts=1, breaker=3, backoff_s=0.01)
    wall = says(answer(b"<title>DDoS-Guard</title>"))
    plays = {"/": make_page("all", *PATHS)} | dict.fromkeys(PATHS, wall)
    done = await night(tmp_path, plays, starts=(HOME,), limits=limits, delay_s=0.01, connections=1)
    assert sum(done.outcomes(path) == ["wall"] for path in PATHS) == 3
    assert slowest_s(tmp_path) == pytest.approx(0.01 * 2**3)
    (line,) = read_lines(tmp_path, done.run)
    assert "DDoS-Guard" in line
    assert line.endswith("; it slowed us down: 3 refusals (walls), the delay grew to 0.08 s")


@pytest.mark.parametrize("status", ["200 OK", "503 Service Unavailable", "403 Forbidden"])
async def test_a_page_behind_a_wall_is_asked_for_once_a_night(tmp_path, status):
    wall = says(answer(b"<p>wait", status, cf_mitigated="challenge"))
    done = await night(tmp_path, GOOD | {PATHS[0]: wall}, starts=(HOME,))
    assert [done.outcomes(path) for path in PATHS] == [["wall"]] + [["stored"]] * 3
    assert done.asked[PATHS[0]] == 1


async def test_a_wall_that_asks_for_a_pause_gets_it(tmp_path):
    wall = says(answer(b"<p>wait", "503 Service Unavailable", cf_mitigated="challenge", retry_after="3600"))
    done = await night(
        tmp_path, {"/": make_page("all", *PATHS)} | dict.fromkeys(PATHS, wall), starts=(HOME,), connections=1
    )
    assert sum(done.asked[path] for path in PATHS) == 1
    (line,) = read_lines(tmp_path, done.run)
    assert "it asks for a pause until" in line
    assert "a wall hides" in line


async def test_a_wall_in_place_of_robots_txt_forbids_the_host(tmp_path):
    plays = GOOD | {"/robots.txt": says(answer(b"<title>DDoS-Guard</title>"))}
    done = await night(tmp_path, plays, starts=(HOME,))
    assert not done.asked["/"]


@pytest.mark.parametrize("is_held", [True, False])
async def test_pages_of_a_held_run_are_due_on_the_next_night(tmp_path, is_held):
    rarely = Revisit(least=14 * DAY, most=14 * DAY)
    first = await night(tmp_path, GOOD, starts=(HOME,), revisit=rarely)
    if is_held:
        run = HostRun(HOST, first.run.crawl_id)
        with open_store(tmp_path, command="test") as store, store.transaction():
            row = make_row(run, "reviews", "night", had=4, lost=4, state="held")
            note_measures(store.state, [row], [(run.crawl_id, run.host)])
    second = await night(tmp_path, GOOD, starts=(HOME,), revisit=rarely, at=START + DAY)
    assert [bool(second.outcomes(path)) for path in PATHS] == [is_held] * 4


@pytest.mark.parametrize(("count", "outcome"), [(4, "wall"), (3, "wall"), (2, "stored")])
async def test_the_same_few_words_at_several_addresses_are_no_content_in_the_first_night(tmp_path, count, outcome):
    behind = GOOD | dict.fromkeys(PATHS[:count], STUB)
    done, _ = await nights(tmp_path, behind)
    assert [done[0].outcomes(path) for path in PATHS] == [[outcome]] * count + [["stored"]] * (4 - count)
    assert [done[0].asked[path] for path in PATHS] == [1] * 4
    after = await night(tmp_path, GOOD, starts=(HOME,), at=START + DAY)
    assert {after.outcomes(path)[-1] for path in PATHS} <= {"stored", "unchanged"}


async def test_short_pages_with_words_of_their_own_are_stored_in_the_first_night(tmp_path):
    short = {path: make_page(f"Tool {name} is no longer sold here") for path, name in zip(PATHS, "abcd", strict=True)}
    done, _ = await nights(tmp_path, GOOD | short)
    assert [done[0].outcomes(path) for path in PATHS] == [["stored"]] * 4
