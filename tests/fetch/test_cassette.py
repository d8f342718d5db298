"""Exchanges recorded from the demo site over real sockets, replayed for the client.

To record anew: delete `fixtures/cassettes/` and run these tests; they serve the demo site when a cassette is missing.
"""

from contextlib import ExitStack

import vcr

from builders.paths import ROOT
from verdicts.demo_site.responses import SITE_HOST, SITE_URL
from verdicts.demo_site.server import serve
from verdicts.fetch.http.client import HttpClient
from verdicts.fetch.model.site import Site

CASSETTES = ROOT / "fixtures" / "cassettes"
PAGE = f"{SITE_URL}compare/amble-kernel-vs-midmeadow"

# Only the header decides between a page and a 304, so it has to match as well.
tape = vcr.VCR(cassette_library_dir=str(CASSETTES), match_on=["method", "uri", "if_none_match"], record_mode="once")


def same_condition(request, recorded):
    assert request.headers.get("if-none-match") == recorded.headers.get("if-none-match")


tape.register_matcher("if_none_match", same_condition)


async def get(cassette, *conditions):
    """The responses to successive requests with these If-None-Match values; None sends none."""
    with ExitStack() as stack:
        is_recorded = (CASSETTES / cassette).exists()
        # Nothing listens on port 9: a replay that asked the network would fail.
        host, port = ("127.0.0.1", 9) if is_recorded else stack.enter_context(serve())
        stack.enter_context(tape.use_cassette(cassette))
        site = Site((SITE_HOST,), (SITE_URL,), resolve={SITE_HOST: (host, port)}, allow_private=True, delay_s=0)
        async with HttpClient(site, "verdicts-test") as client:
            return [await client.get(PAGE, {"if-none-match": tag} if tag else {}) for tag in conditions]


async def test_a_recorded_page_is_read_and_decoded():
    (answer,) = await get("page.yaml", None)
    assert answer.status == 200
    assert b"Reviewer scorecard" in answer.body
    assert answer.header("content-type").startswith("text/html")


async def test_a_recorded_page_asked_for_by_its_etag_is_not_modified():
    (first,) = await get("page.yaml", None)
    full, conditional = await get("revisit.yaml", None, first.header("etag"))
    assert (full.status, conditional.status) == (200, 304)
    assert conditional.body == b""
