"""`comparison-bench`: pages with keys that a seed draws, and a score that tells right, wrong and missing values."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from builders.command import check_refusal
from builders.paths import ROOT
from comparison_bench.results import Answer, Result, Take, Tool, read_lines, score


def call(*args, cwd):
    """The command as its users call it."""
    command = [Path(sys.executable).with_name("comparison-bench"), *args]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def call_well(*args, cwd):
    done = call(*args, cwd=cwd)
    assert done.returncode == 0, done
    return done


def read_json_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    home = tmp_path_factory.mktemp("made")
    call_well("make", "one", "--seed", "7", "--pages", "60", cwd=home)
    return home


def test_a_seed_draws_the_same_pages_again_and_another_seed_other_ones(made):
    for name, seed in (("again", "7"), ("other", "8")):
        call_well("make", name, "--seed", seed, "--pages", "60", cwd=made)
    pages = {name: [path.read_bytes() for path in sorted((made / name).rglob("*.*"))] for name in ("one", "again")}
    assert pages["one"] == pages["again"]
    ours, others = ({path.read_bytes() for path in (made / name / "pages").iterdir()} for name in ("one", "other"))
    assert len(ours) == len(others) == 60
    shared = {path.name for path in (made / "one" / "pages").iterdir() if path.read_bytes() in others}
    assert len(ours - others) > 50
    assert not any(
        answer.get("tools") for answer in read_json_lines(made / "one" / "answers.jsonl") if answer["page"] in shared
    )


def test_neither_name_nor_address_list_tells_the_answer(made):
    assert len({answer["layout"] for answer in read_json_lines(made / "one" / "answers.jsonl")}) > 25
    pages = read_json_lines(made / "one" / "pages.jsonl")
    assert [page["page"] for page in pages] == [f"{number:05}.html" for number in range(1, 61)]
    assert {field for page in pages for field in page} == {"page", "url"}


def test_what_a_key_says_stands_on_its_page(made):
    for answer in read_json_lines(made / "one" / "answers.jsonl"):
        page = words((made / "one" / "pages" / answer["page"]).read_text(encoding="utf-8"))
        said = [*answer.get("prose", ()), *(tool["name"] for tool in answer.get("tools", ()))]
        assert [text for text in said if words(text) not in page] == []


def words(text):
    import html

    return " ".join(re.findall(r"\w+", html.unescape(re.sub(r"<[^>]*>|&shy;", " ", text)).casefold()))


def test_the_key_itself_is_all_right_and_no_results_are_all_missing(made):
    keys = read_lines(made / "one" / "answers.jsonl", Answer)
    whole = {page: Result(page, key.tools, key.cells, key.takes, "\n".join(key.prose)) for page, key in keys.items()}
    for results, outcome in ((whole, "right"), ({}, "missing")):
        by_field, by_layout = score(keys, results)
        assert {one for counts in (*by_field.values(), *by_layout.values()) for one in counts} == {outcome}
        assert {"tool price", "cell", "text"} <= by_field.keys()


def test_a_value_is_right_wrong_or_missing():
    key = Answer(
        "1",
        (Tool("Ada", price="$5", rating="4.5"), Tool("Bo", price="$7")),
        (("Ada", "Size", "1"), ("Ada", "Size", "2")),
        (Take("Good.", "Ada", "Bea", "4"),),
        layout="one",
        prose=("All of it.", "And more."),
        furniture=("Cookies",),
    )
    nothing = Answer("2", layout="two")
    given = Result(
        "1",
        (Tool(" ADA\u200b ", price="$6", rank=1), Tool("Cy", price="$1")),
        (("Ada", "size:", "2"), ("Ada", "Size", "3")),
        (Take("Good.", "Ada", "Bea", "4"),),
        "All of it. Cookies",
    )
    by_field, by_layout = score({"1": key, "2": nothing}, {"1": given, "2": Result("2", (Tool("Dee"),))})
    assert by_field == {
        "tool name": {"right": 1, "missing": 1, "wrong": 2},
        "tool price": {"wrong": 2, "missing": 1},
        "tool rating": {"missing": 1},
        "cell": {"right": 1, "wrong": 1},
        "take text": {"right": 1},
        "take tool": {"right": 1},
        "take reviewer": {"right": 1},
        "take score": {"right": 1},
        "text": {"right": 1, "missing": 1, "wrong": 1},
    }, "no key has a rank: what is given there is not judged"
    assert by_layout["two"] == {"wrong": 1}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"page": "00001.html", "tools": [{"name": 7}]}', "line 1: Expected `str`, got `int` - at `$.tools[0].name`"),
        ('{"page": "00001.html", "tool": []}', "line 1: Object contains unknown field `tool`"),
        ('{"page": "00001.html"', "line 1: Input data was truncated"),
        ('{"page": "nowhere.html"}', "no page is called 'nowhere.html'; pages.jsonl names them all"),
        ('{"page": "00001.html"}\n{"page": "00001.html"}', "line 2: 00001.html has a line already"),
        ('{"page": "\udcff"}', "line 1: "),
    ],
)
def test_a_broken_file_of_results_is_one_sentence_with_its_line(made, line, said):
    (made / "broken.jsonl").write_bytes(line.encode(errors="surrogateescape"))
    check_refusal(call("score", "one", "broken.jsonl", cwd=made), said)


def test_pages_are_never_written_among_other_files_and_a_folder_without_answers_is_named(made):
    check_refusal(call("make", "one", cwd=made), "one is not an empty folder; name another one")
    check_refusal(call("score", "none", "none.jsonl", cwd=made), "none/answers.jsonl: No such file or directory")
    check_refusal(call("score", "one", "none.jsonl", cwd=made), "none.jsonl: No such file or directory")


def test_the_example_of_the_documents_prints_what_it_shows(tmp_path):
    document = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    (results,) = re.findall(r"```json\n(.*?)```", document, re.DOTALL)
    (tmp_path / "results.jsonl").write_text(results, encoding="utf-8")
    examples = re.findall(r"^\$ comparison-bench (.+)\n((?:(?!\$ |```).*\n)*)", document, re.MULTILINE)
    assert len(examples) == 2
    for call, shown in examples:
        shown_in_part = re.escape(shown.strip()).replace(re.escape("...\n"), r"(?:.*\n)+")
        assert re.fullmatch(shown_in_part, call_well(*shlex.split(call), cwd=tmp_path).stdout.strip()), call


def test_the_table_of_the_documents_has_every_field_of_the_form():
    document = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)` \|", document, re.MULTILINE))
    fields = {name for kind in (Result, Tool, Take) for name in kind.__struct_fields__}
    assert named == fields
