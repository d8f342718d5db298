"""Whatever the corpus, the log and the call hold, nothing of it acts on the terminal it is shown on."""

import re
import sys
from pathlib import Path

import pytest

from builders.command import verdicts
from builders.hostile_data import ALL, HOSTILE, hostile_folder
from builders.terminals import STYLES, terminal
from builders.warehouse_rows import an_id
from verdicts.commands.cli import main
from verdicts.pipeline import exit_codes, progress
from verdicts.pipeline.terminal import SafeStream, shown, shown_line

pytestmark = pytest.mark.once

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\u200b]")

CALLS = [
    ("status",),
    ("check",),
    ("sql", "SELECT text, renderings FROM pages, reviews"),
    ("sql", "SELECT text, renderings FROM pages, reviews", "--expanded"),
    ("sql", f"SELECT 1 AS '{ALL.replace(chr(0), '')}'"),
    ("sql", "FROM reviews", "--format", "csv"),
    ("sql", "FROM reviews", "--format", "csv", "--safe"),
    ("sql", "FROM reviews", "--format", "json"),
    ("sql", f"SELECT error('{HOSTILE[0]}{HOSTILE[3]}')"),
    ("sql", f"FROM read_csv('{HOSTILE[0]}')"),
    ("query", "coverage_by_host"),
    ("query", HOSTILE[0]),
    ("query", "coverage_by_host", f"{HOSTILE[3]}=1"),
    ("search", "alpha"),
    ("search", "alpha", "--format", "csv"),
    ("show", an_id("alpha")),
    ("show", an_id("alpha-vs-beta")),
    ("show", HOSTILE[2]),
    ("diff",),
    ("diff", "--table", "tools"),
    ("diff", HOSTILE[0]),
    ("export", f"none/{HOSTILE[0]}", "--format", HOSTILE[2]),
    ("crawl", "--dry-run", "--config", f"{HOSTILE[0]}{HOSTILE[5]}.toml"),
    ("path", "--data", HOSTILE[3]),
    ("status", "--data", HOSTILE[5]),
    (HOSTILE[1],),
]


@pytest.fixture(scope="module")
def home(hand_made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("hostile")
    hostile_folder(home / "data", hand_made)
    return home


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_no_command_lets_an_escape_through(home: Path, monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "200")
    for call in CALLS:
        with terminal(monkeypatch) as written:
            monkeypatch.setattr(sys, "argv", ["verdicts", *call])
            with pytest.raises(SystemExit) as ended:
                main()
        text = b"".join(written).decode().replace("\r\n", "\n")
        assert ended.value.code in {*exit_codes.EXIT_CODES.values(), 0}, call
        assert "Traceback" not in text, call
        if term != "dumb":
            # What rich writes. No value of the corpus may: on a dumb terminal there is none of it.
            text = STYLES.sub("", text)
        assert ACTS.findall(text) == [], (call, text)
        if call in (("status",), ("diff",), ("search", "alpha")):
            assert ended.value.code == 0, text
        if call[0] in ("sql", "show") or call == ("status",):
            assert "\\x1b" in text or "\\u001b" in text, (call, text)
        if "alpha" in call and "csv" in call:
            assert "[red]not red[/red][link=http://evil.example]no link[/link]:skull:" in text


def test_what_a_program_reads_is_exact(home: Path) -> None:
    """In a process of its own, standard output a pipe."""
    question = "SELECT any_value(text) FILTER (starts_with(text, 'x')) AS text FROM reviews"
    done = verdicts("sql", question, "--format", "csv", cwd=home)
    assert "".join(HOSTILE[:4]) in done.stdout
    told = verdicts("show", HOSTILE[0], cwd=home)
    assert "\x1b" not in told.stderr
    assert "\\x1b]0;OWNED\\x07" in told.stderr


def test_progress_lines_and_tracebacks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal(monkeypatch) as written:
        with progress.step("crawl", "addresses") as advance:
            advance(1, 2)
            progress.say(f"crawl: {ALL}")
        stream = SafeStream(sys.stderr)
        print(f"ValueError: {HOSTILE[0]}", file=stream)
    text = b"".join(written).decode()
    assert "]0;OWNED\\x07" in text
    assert "\x1b]" not in text
    assert "\x1b[2J" not in text
    assert "\x9b" not in text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain – ‘words’, 日本語, 👩‍👩‍👧, می‌خواهم\n\ta\u00a0b", None),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x00\x07\r\x7f\x85\x9b", "\\x00\\x07\\x0d\\x7f\\x85\\x9b"),
        ("a\u202eb\u2066c\u2028d\ufeff", "a\\u202eb\\u2066c\\u2028d\\ufeff"),
        ("\udc9b\U000e0041", "\\udc9b\\U000e0041"),
    ],
)
def test_what_acts_is_escaped_and_what_does_not_is_left(text: str, safe: str | None) -> None:
    assert shown(text) == (text if safe is None else safe)
    assert shown(shown(text)) == shown(text)
    assert shown_line("a\nb\tc") == "a\\nb\\tc"
