"""Faults of a host as the command meets them, and those before a connection stands.

What hosts send is tried in `test_fault_matrix`.
"""

import asyncio
import socket

import pytest

from builders.command import verdicts, write_config
from builders.fault_server import faults, reset
from builders.nights import FAST, HOST, night
from verdicts.fetch.model.site import Limits

pytestmark = pytest.mark.once


async def test_a_failure_ends_the_command_with_its_code_and_no_traceback(tmp_path):
    async with faults({"/page": reset}) as server:
        config = write_config(tmp_path, server.port, "/page")
        done = await asyncio.to_thread(verdicts, "crawl", "--config", config, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "1 failed" in done.stdout
    assert "Traceback" not in done.stderr


async def test_a_host_without_a_name_is_given_up_after_its_retries(tmp_path):
    result = await night(tmp_path, {}, starts=("http://nowhere.invalid/page",), hosts=("nowhere.invalid",), resolve={})
    assert result.outcomes("http://nowhere.invalid/robots.txt") == ["dns_error"] * 2
    assert (result.run.status, result.skips) == ("partial", {"robots_unread": 1})


async def test_a_refused_connection_is_tried_again(tmp_path):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    result = await night(tmp_path, {}, resolve={HOST: ("127.0.0.1", port)})
    assert result.outcomes("/robots.txt") == ["connect_error"] * 2


async def test_a_host_that_swallows_connections_fails_at_the_connect_limit(tmp_path):
    with socket.socket() as full, socket.socket() as first, socket.socket() as second:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        for filler in (first, second):
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        limits = Limits(connect_s=0.3, total_s=30, attempts=1)
        result = await night(tmp_path, {}, resolve={HOST: ("127.0.0.1", full.getsockname()[1])}, limits=limits)
    (attempt,) = result.log
    assert attempt.outcome == "connect_timeout"
    assert attempt.elapsed_ms < 3_000


async def test_a_page_without_end_stops_at_the_wire_limit(tmp_path):
    async def endless(_, writer):
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n")
        for _ in range(2_000):
            writer.write(b"x" * 50_000)
            await writer.drain()

    result = await night(tmp_path, {"/page": endless}, limits=FAST)
    assert (result.outcomes(), result.stored) == (["too_large"], [])
