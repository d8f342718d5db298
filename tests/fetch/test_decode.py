"""Content-Encoding is decoded whole and within bounds, or not at all."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fetch.http.content_encoding import decode
from fetch.model.errors import AttemptFailed

LIMIT = 1_000_000
BODY = b"A page of some length. " * 50


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(0, 200))
def test_any_gzip_in_any_pieces_gives_its_content(members, at):
    stream = b"".join(gzip.compress(member) for member in members)
    assert decode([stream[:at], stream[at:]], "gzip", LIMIT) == b"".join(members)


@given(st.integers(1, len(gzip.compress(BODY)) - 1))
def test_a_gzip_cut_anywhere_is_never_taken_for_whole(at):
    with pytest.raises((AttemptFailed, AttemptFailed)):
        decode([gzip.compress(BODY)[:at]], "gzip", LIMIT)


def test_deflate_is_read_in_both_its_forms():
    raw = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    assert decode([raw.compress(BODY) + raw.flush()], "deflate", LIMIT) == BODY
    assert decode([zlib.compress(BODY)], "deflate", LIMIT) == BODY


def test_a_bomb_stops_at_the_limit():
    with pytest.raises(AttemptFailed, match="more than"):
        decode([gzip.compress(bytes(50_000_000))], "gzip", LIMIT)


def test_an_encoding_that_was_not_asked_for_is_refused():
    with pytest.raises(AttemptFailed, match="'br'"):
        decode([b"anything"], "br", LIMIT)
