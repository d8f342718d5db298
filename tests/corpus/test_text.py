"""Whatever stands in a document of somebody else: it is read, or refused in one line, and soon."""

import time

import pytest

from verdicts.corpus.text import BrokenDocument, parse_json, parse_toml

MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * MEGABYTE + "]" * MEGABYTE, "nested more than 50 deep"),
        ('{"a":' * 200_000 + "1" + "}" * 200_000, "nested more than 50 deep"),
        ("[" * 60 + "]" * 60, "nested more than 50 deep"),
        ("1" * 10_000, "a number that is too large"),
        ("9223372036854775808", "a number that is too large"),
        ("[1e999]", "1e999 is not a number"),
        ("NaN", "NaN is not a number"),
        ('["\\ud800"]', "half of a character"),
        ('{"a\\u0000": 1}', "a NUL"),
        (b'"\xff"', "not in UTF-8"),
        ('{"a": 1, "b": 2, "a": 3}', "'a' occurs twice"),
        ("{" + ",".join(f'"{number}":0' for number in (*range(90_000), 80_000)) + "}", "'80000' occurs twice"),
        ('"' + "x" * 10_000_000, "more than 10,000,000 bytes"),
        ("", "not JSON"),
    ],
)
def test_json_that_cannot_be_kept_is_refused(text, why):
    check_refusal(parse_json, text, why)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a = " + "[" * MEGABYTE, "nested more than 50 deep"),
        ("a = " + "{a=" * 300_000, "nested more than 50 deep"),
        ("a." * 80 + "a = 1", "nested more than 50 deep"),
        ("a." * 500_000 + "a = 1", "more than 200 dots"),
        ('x = """\n\'"""\n' + '"a" . ' * 150_000 + "a = 1", "more than 200 dots"),
        ("a = " + "1" * 10_000, "a number that is too large"),
        ("a = 0x" + "f" * 10_000, "a number that is too large"),
        ("a = 1\na = 2", "Cannot overwrite a value"),
        (b"a = '\xe9'", "not in UTF-8"),
        ("a = 1\0", "not TOML"),
        ("#" * 2_000_001, "more than 2,000,000 bytes"),
    ],
)
def test_toml_that_cannot_be_kept_is_refused(text, why):
    check_refusal(parse_toml, text, why)


def test_what_an_editor_writes_is_read():
    assert parse_toml(b"\xef\xbb\xbfa = 1\r\n# " + b"." * 500 + b"\nb = [1.5, inf]\n", "a.toml")["a"] == 1
    assert parse_json(b'\xef\xbb\xbf{"a": [[1, -2.5e3, null]]}', "a.json") == {"a": [[1, -2500.0, None]]}


def check_refusal(parse, text, why):
    begun = time.process_time()
    with pytest.raises(BrokenDocument, match=f"^a/b\\.doc: .*{why}") as refusal:
        parse(text, "a/b.doc")
    assert "\n" not in str(refusal.value)
    assert time.process_time() - begun < 10
