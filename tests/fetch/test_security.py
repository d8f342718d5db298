"""Addresses and protocols that a crawler must refuse, whatever name or redirect leads there."""

import ssl
from datetime import UTC, datetime, timedelta

import aiohttp.connector
import pytest
import trustme
from aiohttp.resolver import ThreadedResolver

from builders.fault_server import answer, says
from builders.nights import HOST, URL, night, page
from verdicts.fetch.http.client import PublicResolver, is_public
from verdicts.fetch.model.fetch_errors import AttemptFailed

PRIVATE = [
    "http://127.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://0.0.0.0/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://017700000001/",
]


@pytest.mark.parametrize(
    "target",
    [*PRIVATE, "file:///etc/passwd", "ftp://a.example/x", "data:text/html,x", "javascript:alert(1)"],
)
async def test_a_redirect_out_of_the_site_is_not_followed(tmp_path, target):
    result = await night(tmp_path, {"/page": says(answer(b"", "302 Found", location=target))})
    assert (result.outcomes(), result.snapshots) == (["out_of_scope"], [])
    assert {item.url.partition("?")[0] for item in result.log} <= {
        URL,
        f"http://{HOST}/robots.txt",
        f"http://{HOST}/sitemap.xml",
    }


@pytest.mark.parametrize("target", PRIVATE)
async def test_no_page_robots_txt_or_sitemap_leads_to_a_private_address(tmp_path, target):
    listed = f"<urlset><url><loc>{target}</loc></url></urlset><sitemapindex><sitemap><loc>{target}</loc></sitemap>"
    head = f'<link rel="canonical" href="{target}"><meta http-equiv="refresh" content="0;url={target}">'
    plays = {
        "/robots.txt": says(answer(f"User-agent: *\nSitemap: {target}\nSitemap: http://{HOST}/s.xml".encode())),
        "/s.xml": says(answer(listed.encode(), content_type="application/xml")),
        "/page": page(target, head=head),
    }
    result = await night(tmp_path, plays)
    assert result.outcomes() == ["stored"]
    assert {item.url for item in result.log} == {URL, f"http://{HOST}/robots.txt", f"http://{HOST}/s.xml"}


@pytest.mark.parametrize("start", [address for address in PRIVATE if "[" not in address])
async def test_a_private_address_in_the_config_is_refused_before_a_byte_is_sent(tmp_path, start):
    host = start.split("/")[2]
    result = await night(tmp_path, {}, starts=(start,), hosts=(host,), resolve={}, allow_private=False)
    assert {item.outcome for item in result.log} == {"blocked_address"}
    assert result.run.status == "partial"


async def test_a_name_that_points_home_is_refused_where_the_connection_is_made(tmp_path):
    result = await night(tmp_path, {"/page": page()}, allow_private=False)
    assert {item.outcome for item in result.log} == {"blocked_address"}
    assert not result.asked


async def test_a_name_that_changes_its_mind_gains_nothing(monkeypatch):
    answers = iter([["93.184.215.14", "10.0.0.1"], ["10.0.0.1"]])

    async def resolve(_, host, port=0, __=0):
        return [
            {"hostname": host, "host": ip, "port": port, "family": 2, "proto": 0, "flags": 0} for ip in next(answers)
        ]

    monkeypatch.setattr(ThreadedResolver, "resolve", resolve)
    resolver = PublicResolver({}, allow_private=False)
    # What is handed on is what is connected to: there is no second look-up in between.
    assert [item["host"] for item in await resolver.resolve("rebinding.example", 80)] == ["93.184.215.14"]
    with pytest.raises(AttemptFailed, match=r"10\.0\.0\.1"):
        await resolver.resolve("rebinding.example", 80)


def make_server_context(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    return context


@pytest.fixture
def authority(monkeypatch):
    """A certificate authority that the client trusts."""
    made = trustme.CA()
    trusting = ssl.create_default_context()
    made.configure_trust(trusting)
    monkeypatch.setattr(aiohttp.connector, "_SSL_CONTEXT_VERIFIED", trusting)
    return made


HTTPS = f"https://{HOST}/page"


@pytest.mark.parametrize(
    ("scheme", "written", "asked"),
    [("https", "fa\u00df.example", "xn--fa-hia.example"), ("http", "\u2615.example", "xn--53h.example")],
)
async def test_an_international_name_is_asked_for_and_proved_as_browsers_write_it(
    tmp_path, authority, scheme, written, asked
):
    """Python's own codec would ask fass.example, which is somebody else's."""
    heard = []

    async def play(request, writer):
        heard.append(request.headers["host"])
        await page()(request, writer)

    tls = make_server_context(authority.issue_cert("xn--fa-hia.example")) if scheme == "https" else None
    result = await night(tmp_path, {"/page": play}, starts=(f"{scheme}://{written}/page",), hosts=(written,), tls=tls)
    assert [snapshot.url for snapshot in result.snapshots] == [f"{scheme}://{asked}/page"]
    assert heard == [asked]


@pytest.mark.parametrize("fault", ["unknown authority", "expired", "another host"])
async def test_a_certificate_that_cannot_be_trusted_ends_the_visit(tmp_path, authority, fault):
    yesterday = datetime.now(UTC) - timedelta(days=1)
    certificate = {
        "unknown authority": lambda: trustme.CA().issue_cert(HOST),
        "expired": lambda: authority.issue_cert(HOST, not_after=yesterday),
        "another host": lambda: authority.issue_cert("b.example"),
    }[fault]()
    result = await night(tmp_path, {"/page": page()}, starts=(HTTPS,), tls=make_server_context(certificate))
    assert {item.outcome for item in result.log} == {"tls_error"}
    assert (result.snapshots, result.run.status) == ([], "partial")
    assert not result.asked


async def test_no_redirect_leads_from_https_down(tmp_path, authority):
    plays = {"/page": says(answer(b"", "302 Found", location=f"http://{HOST}/page"))}
    result = await night(tmp_path, plays, starts=(HTTPS,), tls=make_server_context(authority.issue_cert(HOST)))
    assert (result.outcomes(HTTPS), result.snapshots) == (["out_of_scope"], [])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::",
     "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "::ffff:10.0.0.1", "::10.0.0.1", "64:ff9b::a00:1",
     "2002:a00:1::1"],
)  # fmt: skip
def test_an_address_that_is_not_public_is_recognised(address):
    assert not is_public(address)
    assert is_public("8.8.8.8")
    assert is_public("2606:4700:4700::1111")
