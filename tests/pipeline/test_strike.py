"""Words are found as the page writes them, and nothing else of the page changes."""

import pytest

from builders.nights import START, URL
from verdicts.fetch.model.snapshot import Snapshot
from verdicts.normalize.parse.match_keys import STRUCK
from verdicts.pipeline.build.strike import strike

LONG = (
    "It\u2019s the only tool that our team didn\u2019t remove after a month, and nobody \u201cmisses\u201d the old one"
    " since we wrote down what it costs & what it saves for each of us."
)


def strike_text(body, text, charset="utf-8"):
    headers = (("content-type", f"text/html; charset={charset}"),)
    page = strike(Snapshot(URL, URL, START, 200, headers, body, "20261101T013000Z-0001"), [text])
    return None if page is None else page.body


@pytest.mark.parametrize(
    "written",
    [
        LONG.encode(),
        LONG.replace("\u2019", "&rsquo;").replace("&", "&amp;").replace("&amp;rsquo;", "&#8217;").encode(),
        LONG.replace(" tool ", " <a href='/t'>tool</a>\n   ").encode(),
        LONG.upper().encode(),
        LONG.encode("ascii", "backslashreplace"),
    ],
    ids=["as it is", "entities", "tags", "capitals", "JSON"],
)
def test_a_text_is_found_in_any_markup(written):
    body = b"<p>caf\xe9 before</p><p>" + written + b"</p><p>after</p>"
    assert strike_text(body, LONG) == b"<p>caf\xe9 before</p><p>" + STRUCK.encode() + b"</p><p>after</p>"


def test_a_short_text_takes_no_word_out_of_another_one():
    body = b"<p>Solid.</p><p>A solid tool.</p>"
    assert strike_text(body, "Solid.") == f"<p>{STRUCK}</p><p>A solid tool.</p>".encode()
    assert strike_text(b"<p>A solid tool.</p>", "Solid.") is None
