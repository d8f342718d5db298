"""A path that is mistyped, or is the corpus' own, is a mistake of the call: one line, and nothing is written."""

import pytest

from builders.command import check_refusal, run_here
from verdicts.warehouse.serving.answer_text import csv_pieces
from verdicts.warehouse.serving.query import Answer

READS = (
    ("status",),
    ("why", "a.example"),
    ("check",),
    ("verify",),
    ("repair",),
    ("build",),
    ("doctor",),
    ("publish",),
)


@pytest.mark.parametrize("arguments", READS, ids=" ".join)
def test_a_folder_that_holds_nothing_is_named_and_left_as_it_is(tmp_path, arguments):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    for folder in ("nowhere", "empty"):
        check_refusal(run_here(*arguments, "--data", folder, cwd=tmp_path), f"verdicts: {folder} h")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["empty", "file"]


@pytest.mark.parametrize("arguments", [("status",), ("crawl",), ("sql", "SELECT 1"), ("load", "empty")], ids=" ".join)
def test_the_data_folder_is_no_file_and_in_no_file(tmp_path, arguments):
    (tmp_path / "file").write_text("mine")
    for folder in ("file", "file/data"):
        said = f"verdicts: {folder} is not a folder; --data names the data folder"
        check_refusal(run_here(*arguments, "--data", folder, cwd=tmp_path), said)


@pytest.mark.parametrize(
    ("target", "said"),
    [("none/a.csv", "none is not a folder; create it first"), ("empty.csv", "is a folder; name a file")],
)
def test_an_answer_goes_to_a_file_that_can_be_made(tmp_path, target, said):
    (tmp_path / "empty.csv").mkdir()
    check_refusal(run_here("sql", "SELECT 1", "--output", target, cwd=tmp_path), said)


@pytest.mark.parametrize(
    "command",
    [("sql", "SELECT 1", "--output"), ("report", "--output"), ("wacz",), ("notebook",)],
    ids=lambda command: command[0],
)
def test_a_file_is_replaced_only_with_force(six_pages, tmp_path, command):
    name = {"report": "mine.md", "notebook": "mine.py"}.get(command[0], "mine.csv")
    (tmp_path / name).write_text("mine")
    call = (*command, name, "--data", six_pages / "data")
    check_refusal(run_here(*call, cwd=tmp_path), f"{name} already exists; --force replaces it")
    assert (tmp_path / name).read_text() == "mine"
    done = run_here(*call, "--force", cwd=tmp_path)
    assert (done.returncode == 0) == ((tmp_path / name).read_bytes() != b"mine"), done


def test_a_path_in_bytes_that_are_no_text_is_refused(tmp_path):
    done = run_here("build", "--data", "caf\udce9", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n"), [*tmp_path.iterdir()]) == (1, 1, []), done


@pytest.mark.parametrize("own", ["state.sqlite", "state.sqlite-wal", "serve/current", "raw/x.csv", "link/x.csv", "."])
def test_an_answer_is_never_written_over_the_corpus(tmp_path, own):
    data = tmp_path / "data"
    (data / "dataset").mkdir(parents=True)
    (data / "link").symlink_to(data / "dataset")
    check_refusal(run_here("sql", "SELECT 1", "--output", f"data/{own}", cwd=tmp_path), "is in the data folder")


@pytest.mark.parametrize("hidden", ["", " ", "\u00a0", "\u200b", "\ufeff", "\x00", "\x0b", "\u202e "])
@pytest.mark.parametrize("formula", ["=1", "+1", "-1", "@x", "\uff1d1"])
def test_no_cell_becomes_a_formula_behind_what_does_not_show(hidden, formula):
    answer = Answer(("a",), ("VARCHAR",), [(hidden + formula,)])
    assert "".join(csv_pieces([answer], is_safe=True)) == f"\ufeffa\n'{hidden}{formula}\n"
