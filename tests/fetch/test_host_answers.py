"""What hosts answer, byte by byte: each a typed outcome of its address, beside a host that is served as always."""

import asyncio

import pytest

from builders.fault_server import answer, head
from builders.faults.cases import select_cases
from builders.faults.crawl_case import is_alone
from builders.nights import FAST, HOST, OTHER, night, page
from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.site import Limits, Site

BYSTANDER = f"http://{OTHER}/page"
ONCE = Limits(connect_s=20, read_s=20, total_s=20, attempts=1, backoff_s=0, longest_wait_s=2, breaker=1000)
CASES = [case for case in select_cases("status and headers") if is_alone(case)]


@pytest.mark.parametrize("file", ["robots.txt", "sitemap.xml"])
async def test_every_answer_at_a_host_is_its_own(tmp_path, file):
    hosts = {case.name: f"h{number}.example" for number, case in enumerate(CASES)}
    plays = {f"{hosts[case.name]}/{file}": case.nights[0].plays["/page"] for case in CASES} | {"/page": page()}
    starts = tuple(f"http://{host}/page" for host in (*hosts.values(), OTHER))
    result = await night(tmp_path, plays, starts=starts, hosts=(*hosts.values(), OTHER), limits=ONCE)
    assert result.outcomes(BYSTANDER) == ["stored"]
    for name, host in hosts.items():
        *_, last = (item for item in result.log if item.url == f"http://{host}/{file}")
        is_absent = 400 <= (last.status_code or 0) < 500 and last.status_code != 429
        is_fetched = result.outcomes(f"http://{host}/page") == ["stored"]
        assert is_fetched is (last.outcome == "support" or is_absent or file == "sitemap.xml"), (name, last)
        assert last.outcome != "internal_error", name


async def test_bytes_behind_a_body_are_not_the_next_page():
    """A body that is sent twice, the second time when the connection waits for its next request."""

    async def serve(reader, writer):
        try:
            while True:
                path = (await reader.readuntil(b"\r\n\r\n")).split()[1]
                body = b"<p>words of " + path
                writer.write(answer(body, connection="keep-alive"))
                await writer.drain()
                await asyncio.sleep(0.01)
                writer.write(answer(b"<p>words of no page", connection="keep-alive"))
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    site = Site((HOST,), (), resolve={HOST: address[:2]}, allow_private=True, limits=FAST)
    async with server, HttpClient(site, "test") as client:
        for number in range(3):
            response = await client.get(f"http://{HOST}/{number}", {})
            assert response.body == b"<p>words of /%d" % number
            await asyncio.sleep(0.05)


async def test_headers_are_kept_byte_for_byte_and_are_text_everywhere_else(tmp_path):
    value = b'"caf\xe9 \xed\xa0\x80 \x1b]0;X\x07"'
    result = await night(tmp_path, {"/page": head(b"etag: " + value, b"x-latin: \xff")})
    (kept,) = result.snapshots
    assert dict(kept.headers)["etag"].encode("utf-8", "surrogateescape") == value
    assert kept.header("etag") == '"caf\ufffd \ufffd\ufffd\ufffd \ufffd]0;X\ufffd"'
