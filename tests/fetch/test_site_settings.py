"""What the config of a site adds to its requests: headers, cookies, a login, a proxy, an authority; and its secrets."""

import ssl
from base64 import b64encode
from datetime import time, timedelta

import pytest
import trustme
import yarl

from builders.fault_server import answer, faults, redirect, says
from builders.nights import FAST, HOST, OTHER, START, URL, crawl_night, night, page
from builders.proxy_server import proxy
from verdicts.fetch.http.identity import open_identity
from verdicts.fetch.model.fetch_errors import SettingUnusable
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.run.endings import read_endings
from verdicts.fetch.store.store import open_store

LOGIN = "reader:open-sesame"
BASIC = f"Basic {b64encode(LOGIN.encode()).decode()}"


def note_headers(heard, *names):
    """A page that notes these headers of each request."""

    async def play(request, writer):
        heard.append(tuple(request.headers.get(name) for name in names))
        await page()(request, writer)

    return play


def everything_in(folder):
    """The bytes of all files below a folder, and of the records in its segments."""
    with open_store(folder, command="test", read_only=True) as store:
        records = [store.read(entry.location) for entry in store.index()]
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return b"\n".join([*files, *(repr(record).encode() for record in records)])


async def test_headers_and_cookies_reach_the_hosts_of_the_site_alone(tmp_path):
    heard, heard_there = [], []
    names = ("accept-language", "cookie")
    plays = {
        f"{HOST}/robots.txt": redirect(f"http://{OTHER}/robots.txt"),
        f"{OTHER}/robots.txt": note_headers(heard_there, *names, "authorization"),
        f"{HOST}/page": note_headers(heard, *names),
    }
    async with faults(plays) as server:
        resolve = dict.fromkeys((HOST, OTHER), ("127.0.0.1", server.port))
        own = {"headers": {"accept-language": "de"}, "cookies": {"consent": "yes", "region": "eu"}}
        site = Site((HOST,), (URL,), resolve=resolve, allow_private=True, delay_s=0, limits=FAST, **own)
        await crawl_night(tmp_path, [site], lambda: START)
    assert heard == [("de", "consent=yes; region=eu")]
    assert heard_there == [(None, None, None)]


async def test_a_login_opens_the_page_and_is_in_no_file_even_if_the_host_shows_it(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOP_LOGIN", LOGIN)

    async def play(request, writer):
        if request.headers.get("authorization") != BASIC.lower():
            writer.write(answer(b"", "401 Unauthorized"))
        else:
            shown = f"<p>{BASIC} {LOGIN} open-sesame</p><p>The words of the page.</p>".encode()
            writer.write(answer(shown, set_cookie=f"login={LOGIN}"))

    result = await night(tmp_path, {"/page": play}, auth="env:SHOP_LOGIN")
    assert result.outcomes() == ["stored"]
    assert b"The words of the page." in result.snapshots[0].body
    written = everything_in(tmp_path)
    assert not [secret for secret in ("open-sesame", BASIC.removeprefix("Basic ")) if secret.encode() in written]


async def test_a_variable_that_is_not_set_ends_the_crawl_before_it_begins(tmp_path):
    with pytest.raises(SettingUnusable, match="auth is env:NOT_SET, and the environment has no NOT_SET"):
        await night(tmp_path, {"/page": page()}, auth="env:NOT_SET")


@pytest.mark.parametrize("login", [None, "agent:swordfish", "token:"])
async def test_a_proxy_is_asked_and_its_password_reaches_neither_the_host_nor_a_file(tmp_path, monkeypatch, login):
    heard = []
    plays = {"/page": note_headers(heard, "proxy-authorization", "host")}
    async with faults(plays) as server, proxy(server.port, login) as through:
        shown = "" if login is None else f"{login}@"
        monkeypatch.setenv("THE_PROXY", f"http://{shown}127.0.0.1:{through.port}")
        site = Site((HOST,), (URL,), delay_s=0, limits=FAST, proxy="env:THE_PROXY")
        result = await crawl_night(tmp_path, [site], lambda: START)
    assert result.outcomes() == ["stored"]
    assert f"GET {URL} HTTP/1.1" in through.asked
    assert heard == [(None, HOST)]
    assert b"swordfish" not in everything_in(tmp_path)


async def test_a_page_over_tls_is_read_through_a_proxy_with_an_authority_of_our_own(tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    tls = make_server_context(authority)
    async with faults({"/page": page()}, tls) as server, proxy(server.port, "agent:swordfish") as through:
        settings = {"delay_s": 0, "limits": FAST, "ca_file": str(tmp_path / "ca.pem")}
        site = Site(
            (HOST,), (f"https://{HOST}/page",), proxy=f"http://agent:swordfish@127.0.0.1:{through.port}", **settings
        )
        result = await crawl_night(tmp_path / "data", [site], lambda: START)
    assert result.outcomes(f"https://{HOST}/page") == ["stored"]
    assert set(through.asked) == {f"CONNECT {HOST}:443 HTTP/1.1"}


def make_server_context(authority):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(HOST).configure_cert(context)
    return context


async def test_a_proxy_that_refuses_us_or_is_down_is_named_without_its_password(tmp_path, monkeypatch):
    monkeypatch.setenv("THE_PROXY", "http://agent:swordfish@127.0.0.1:1")
    result = await night(tmp_path, {"/page": page()}, proxy="env:THE_PROXY")
    assert {item.outcome for item in result.log} == {"connect_error"}
    assert b"swordfish" not in everything_in(tmp_path)


@pytest.mark.parametrize(
    ("url", "proxy_url"),
    [
        ("https://a.example/", "http://secure.example:3128"),
        ("http://a.example/", "http://plain.example:3128"),
        ("https://in.example/", None),
        ("https://x.corp.example/", None),
        ("http://127.0.0.1:8080/", None),
        ("http://given.example/", None),
    ],
)
def test_proxies_of_the_environment_count_but_for_no_proxy_loopback_and_given_addresses(monkeypatch, url, proxy_url):
    monkeypatch.setenv("HTTPS_PROXY", "http://secure.example:3128")
    monkeypatch.setenv("http_proxy", "plain.example:3128")
    # The lower case wins.
    monkeypatch.setenv("no_proxy", "in.example,.corp.example")
    site = Site(("a.example",), ("https://a.example/",), resolve={"given.example": ("127.0.0.1", 80)})
    find_proxy = open_identity(site).find_proxy
    assert find_proxy(yarl.URL(url)) == (None if proxy_url is None else yarl.URL(proxy_url))


async def test_a_login_of_netrc_is_never_sent(tmp_path, monkeypatch):
    (tmp_path / ".netrc").write_text(f"machine {HOST} login a password b\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    heard = []
    await night(tmp_path / "data", {"/page": note_headers(heard, "authorization")})
    assert heard == [(None,)]


def to_itself(cookie):
    return says(answer(b"", "302 Found", location="/page", set_cookie=cookie))


async def test_a_page_that_sets_a_cookie_and_redirects_to_itself_is_read_in_one_visit(tmp_path):
    async def play(request, writer):
        if request.headers.get("cookie") == "consent=yes; seen=1":
            await page()(request, writer)
        else:
            await to_itself("seen=1; Path=/")(request, writer)

    result = await night(tmp_path, {"/page": play}, cookies={"consent": "yes"})
    assert result.outcomes() == ["redirected", "stored"]
    assert result.asked["/page"] == 2


async def test_rules_behind_a_cookie_are_read_and_obeyed(tmp_path):
    async def play(request, writer):
        if request.headers.get("cookie") == "seen=1":
            writer.write(answer(b"User-agent: *\nDisallow: /page\n", content_type="text/plain"))
        else:
            writer.write(answer(b"", "302 Found", location="/robots.txt", set_cookie="seen=1"))

    result = await night(tmp_path, {"/page": page(), "/robots.txt": play})
    assert result.outcomes() == ["robots_denied"]


@pytest.mark.parametrize("cookie", ["seen=1; Domain=b.example", "seen=1; Secure", "seen=1; Path=/elsewhere"])
async def test_a_cookie_that_is_not_for_the_page_is_not_sent_and_the_circle_ends(tmp_path, cookie):
    result = await night(tmp_path, {"/page": to_itself(cookie)})
    assert result.outcomes() == ["redirect_limit"]


async def test_new_cookies_for_ever_end_at_the_limit(tmp_path):
    async def play(request, writer):
        await to_itself(f"n={request.before}")(request, writer)

    result = await night(tmp_path, {"/page": play})
    assert result.outcomes()[-1] == "redirect_limit"
    assert result.outcomes().count("redirected") <= Limits().redirects + 2


async def test_a_crawl_ends_at_its_time_and_the_rest_comes_first_in_the_next(tmp_path):
    at = iter(START + timedelta(minutes=minute) for minute in range(1_000_000))
    links = [f"/{number}" for number in range(100)]
    plays = {"/page": page(*links), **dict.fromkeys(links, page())}
    async with faults(plays) as server:
        resolve = {HOST: ("127.0.0.1", server.port)}
        settings = {"resolve": resolve, "allow_private": True, "delay_s": 0, "limits": FAST, "connections": 1}
        site = Site((HOST,), (URL,), ends_at=time(3, 0), **settings)
        result = await crawl_night(tmp_path, [site], lambda: next(at))
    with open_store(tmp_path, command="test", read_only=True) as store:
        left = [item for item in read_endings(store.state, result.run.crawl_id) if item.ending == "budget"]
    assert [item.detail for item in left] == ["ends_at = 03:00"]
    assert 0 < len(result.snapshots) < 60
    assert left[0].addresses == 101 - len(result.snapshots)


async def test_a_feed_of_the_head_is_read_for_links_each_night_and_is_no_page(tmp_path):
    head = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    entry = b"<rss><channel><item><link>/new</link></item></channel></rss>"
    plays = {
        "/page": page(head=head),
        "/feed": says(answer(entry, content_type="application/rss+xml")),
        **dict.fromkeys(("/new", "/newer"), page()),
    }
    first = await night(tmp_path, plays)
    assert (first.outcomes("/feed"), first.outcomes("/new"), first.run.status) == (["support"], ["stored"], "done")
    plays["/feed"] = says(answer(entry.replace(b"new", b"newer"), content_type="text/xml"))
    second = await night(tmp_path, plays, at=START + timedelta(days=1))
    assert (second.outcomes("/feed"), second.outcomes("/newer")) == (["support"], ["stored"])
