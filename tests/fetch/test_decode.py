"""Content-Encoding is decoded whole and within bounds, or not at all."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verdicts.fetch.http.content_encoding import decode, salvage
from verdicts.fetch.model.fetch_errors import AttemptFailed

LIMIT = 1_000_000
BODY = b"A page of some length. " * 50
LARGE = b"".join(b"word %d " % number for number in range(30_000))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 300_000), min_size=1, max_size=3), st.integers(0, 9))
def test_members_larger_than_a_piece_give_their_content(sizes, level):
    members = [LARGE[:size] for size in sizes]
    stream = b"".join(gzip.compress(member, level) for member in members)
    assert decode(stream, "gzip", LIMIT) == b"".join(members)
    assert b"".join(salvage(stream, LIMIT)) == b"".join(members)


@given(st.integers(1, len(gzip.compress(BODY)) - 1))
def test_a_gzip_cut_anywhere_is_never_taken_for_whole(at):
    with pytest.raises(AttemptFailed) as failed:
        decode(gzip.compress(BODY)[:at], "gzip", LIMIT)
    assert failed.value.outcome == "incomplete"


CODERS = {"gzip": gzip.compress, "x-gzip": gzip.compress, "deflate": zlib.compress, "identity": bytes, "": bytes}


@given(st.lists(st.sampled_from(sorted(CODERS)), max_size=4), st.binary(max_size=300), st.data())
def test_codings_are_undone_in_the_order_they_were_applied(names, body, data):
    stream = body
    for name in names:
        stream = CODERS[name](stream)
    spaces = st.sampled_from(["", " ", "\t "])
    written = ",".join(f"{data.draw(spaces)}{data.draw(st.sampled_from([name, name.upper()]))}" for name in names)
    assert decode(stream, written, LIMIT) == body
