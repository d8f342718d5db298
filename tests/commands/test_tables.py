"""Tables on a terminal: each row in a line, whatever it holds, and as wide as the terminal."""

import io

import pytest
from rich.cells import cell_len

from builders.command import STYLES, print_on_terminal, run_here
from verdicts.commands.printing.table import render_answer
from verdicts.pipeline.progress import SafeConsole
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.published import find_published
from verdicts.warehouse.serving.query import Answer, open_for_questions, read_answer
from verdicts.warehouse.serving.question_answers import make_named_question


class _Terminal(SafeConsole):
    @property
    def is_terminal(self) -> bool:
        return True


def lines_of(answer: Answer, width: int, ids: str = "none") -> list[str]:
    console = _Terminal(file=io.StringIO(), width_elsewhere=width)
    console.width = width
    for renderable in render_answer(answer, console, ids=ids):
        console.print(renderable)
    return [line.rstrip() for line in STYLES.sub("", console.file.getvalue()).splitlines()]  # type: ignore[attr-defined]


def test_every_question_fits_a_terminal_with_a_line_for_each_row(six_pages):
    with open_for_questions(find_published(six_pages / "data" / "serve")) as connection:
        for query in list_queries():
            answer = read_answer(make_named_question(connection, query, {"limit": "5"}))
            for width in (80, 120) if len(answer.rows) > 1 else ():
                lines = lines_of(answer, width)
                assert max(map(cell_len, lines)) <= width, query.name
                assert sum(line.startswith("│") for line in lines) == len(answer.rows), query.name
                assert not any("tool_id" in line for line in lines), query.name


NAMES = [
    "plain",
    "日本語のツール",
    "e\u0301clair",
    "👩‍👩‍👧 family",
    "שלום",
    "مرحبا بالعالم",
    "मानवाधिकार",
    "กำลัง",
    "a\nb",
    "",
]


@pytest.mark.parametrize("width", [30, 40, 80])
def test_wide_joined_and_right_to_left_letters_keep_the_columns(width):
    answer = Answer(("text", "n"), ("VARCHAR", "BIGINT"), [(one * 3, 1) for one in NAMES])
    table = [line for line in lines_of(answer, width) if line.startswith(("│", "├", "└"))]
    assert len(table) == len(NAMES) + 1
    assert {cell_len(line) for line in table} == {cell_len(table[0])}
    ends = [[cell_len(line[:place]) for place, char in enumerate(line) if char == "│"] for line in table[:-1]]
    assert all(one == ends[0] for one in ends)
    assert ("…" in table[1]) == (width < 80), "a text says that it is cut, also if its letters are wide"


TOOLS = Answer(
    ("name", "is_gone", "is_shared_name", "score", "note", "slug", "tool_id"),
    ("VARCHAR", "BOOLEAN", "BOOLEAN", "DOUBLE", "VARCHAR", "VARCHAR", "VARCHAR"),
    [
        ("Twin", False, True, 71.25, None, "maker-twin-fast", "a" * 32),
        ("Twin", False, True, 70.0, None, "maker-twin-small", "b" * 32),
        ("Alone", False, False, 69.5, None, "alone-in-the-dark", "c" * 32),
    ],
)


def test_what_tells_a_person_nothing_is_hidden_and_a_shared_name_has_its_slug():
    told = lines_of(TOOLS, 80)
    assert [line.split() for line in told if "Twin" in line or "Alone" in line] == [
        ["│", "Twin", "(…fast)", "│", "71.25", "│"],
        ["│", "Twin", "(…small)", "│", "70.00", "│"],
        ["│", "Alone", "│", "69.50", "│"],
    ]
    assert not any(word in "".join(told) for word in ("slug", "is_gone", "note", "not shown"))
    assert f"│ {'a' * 8} │" in "".join(lines_of(TOOLS, 80, ids="short"))
    assert f"│ {'a' * 32} │" in "".join(lines_of(TOOLS, 200, ids="whole"))


def test_a_column_without_room_is_named_and_a_row_that_is_alone_has_a_line_for_each():
    columns = tuple(f"text_{number}" for number in range(9))
    row = tuple(f"the {number}th of some long texts" for number in range(9))
    several = " ".join(lines_of(Answer(columns, ("VARCHAR",) * 9, [row, row]), 80))
    assert "not shown: text_3, text_4, text_5, text_6, text_7, text_8" in several
    alone = lines_of(Answer(columns, ("VARCHAR",) * 9, [row]), 80)
    assert [line.split()[0] for line in alone[1:]] == [*columns]


def test_a_number_is_whole_or_not_shown_at_all():
    number = 1234567890123456
    answer = Answer(("name", "n"), ("VARCHAR", "BIGINT"), [("a long name of a tool", number)] * 2)
    assert f"{number} │" in "".join(lines_of(answer, 44))
    assert "1234" not in "".join(lines_of(answer, 40))


@pytest.mark.usefixtures("six_pages")
def test_a_search_shows_ids_if_they_are_wanted(six_pages, monkeypatch):
    monkeypatch.chdir(six_pages)
    assert "┃ id " not in print_on_terminal(monkeypatch, "search", "agent")
    assert "┃ id " in print_on_terminal(monkeypatch, "search", "agent", "--ids")
    (row, *_) = run_here("search", "agent", "--format", "jsonl", cwd=six_pages).stdout.splitlines()
    assert '"id":"' in row


@pytest.mark.parametrize("begun", ["", "uv run "])
def test_a_command_to_run_next_begins_as_this_one_did(tmp_path, begun):
    done = run_here("sql", "SELECT 1", cwd=tmp_path, **({"UV_RUN_RECURSION_DEPTH": "1"} if begun else {}))
    assert f"run '{begun}verdicts run' or" in done.stderr
