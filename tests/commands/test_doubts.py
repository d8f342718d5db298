"""`verdicts doubts`: what most rows hang on comes first, and its commands settle it for good."""

import shlex
import shutil
from dataclasses import replace

import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from builders.command import run_well
from builders.normalize_pages import dump, observe_page, prose, tool, with_take
from builders.warehouse_files import load_corpus
from verdicts.explore.app import make_app
from verdicts.explore.editing import Editor
from verdicts.normalize.corpus import normalize
from verdicts.pipeline import steps
from verdicts.pipeline.correction_files import read_corrections
from verdicts.pipeline.data_folder import DataFolder

UNREAD = "$10 $20 $30"
WORDS = prose("one", 40).split()
ALPHA = with_take(tool("alpha"), "Builder", " ".join(WORDS))
EDITED = with_take(ALPHA, "Builder", " ".join([*WORDS[:24], *prose("two", 16).split()]))
BETA, GAMMA = tool("beta"), replace(tool("gamma"), pricing=UNREAD)
PAGES = [observe_page(ALPHA, GAMMA), dump(BETA, EDITED, night=2), observe_page(tool("delta"), GAMMA)]


@pytest.fixture(scope="module")
def doubtful(tmp_path_factory):
    """A published corpus with a pair of near reviews, a price that was not read, and reviews whose tool is a guess."""
    folder = DataFolder(tmp_path_factory.mktemp("doubtful") / "data")
    load_corpus(folder.warehouse, normalize(PAGES))
    steps.publish_corpus(folder)
    return folder


@pytest.fixture
def home(doubtful, tmp_path):
    """A copy of it."""
    shutil.copytree(doubtful.root, tmp_path / "data")
    return tmp_path


def commands(home):
    listed = run_well("doubts", cwd=home).stdout
    return [line.partition(": ")[2] for line in listed.splitlines() if ": verdicts correct " in line]


@pytest.mark.whole
def test_each_command_of_the_list_settles_its_doubt_and_the_most_rows_come_first(home):
    listed = run_well("doubts", cwd=home).stdout
    rows = [int(line.split(", ")[1].split()[0]) for line in listed.splitlines() if " rows: " in line]
    assert rows == sorted(rows, reverse=True)
    for doubt in ("near reviews", "unread price, 2 rows: Gamma", "weak review"):
        assert doubt in listed
    (first,) = (line for line in run_well("doubts", "--limit", "1", cwd=home).stdout.splitlines() if " rows: " in line)
    assert first.startswith(f"1/{len(rows)} ")
    while offered := commands(home):
        call = shlex.split(offered[0].replace("AMOUNT", "12"))
        run_well(*call[1:], "--by", "Ada", cwd=home)
        assert offered[0] not in commands(home)
    assert run_well("doubts", cwd=home).stdout == "no decision is needed\n"


def test_what_was_refused_is_in_doubt_no_more(home):
    (refusal,) = (call for call in commands(home) if call.startswith("verdicts correct different "))
    run_well(*shlex.split(refusal)[1:], cwd=home)
    assert "near reviews" not in run_well("doubts", cwd=home).stdout


@pytest.fixture
def editing(home):
    """The explorer with forms, as a browser calls it."""
    app = make_app(DataFolder(home / "data"), Editor("Ada"))
    with TestClient(app, base_url="http://127.0.0.1", follow_redirects=False) as client:
        yield client


def forms(client) -> list[dict[str, str]]:
    page = LexborHTMLParser(client.get("/doubts").text)
    return [
        {field.attributes["name"]: field.attributes.get("value") or "12" for field in form.css("input")}
        for form in page.css("form[method=post]")
    ]


OURS = {"origin": "http://127.0.0.1", "sec-fetch-site": "same-origin"}


def test_a_button_of_the_page_of_doubts_notes_its_decision_and_the_doubt_is_gone(home, editing):
    before = editing.get("/doubts").headers["etag"]
    refusal = next(form for form in forms(editing) if "correct different" in form["decision"])
    price = next(form for form in forms(editing) if "value" in form)
    for form in (refusal, price):
        done = editing.post("/doubts", data=form, headers=OURS)
        assert (done.status_code, done.headers["location"]) == (303, "/doubts")
    assert editing.get("/doubts", headers={"if-none-match": before}).status_code == 200
    assert not {refusal["decision"], price["decision"]} & {form["decision"] for form in forms(editing)}
    made = read_corrections(DataFolder(home / "data"))
    assert {(one.kind, one.by, one.value if one.kind == "value" else None) for one in made} == {
        ("different", "Ada", None),
        ("value", "Ada", 12.0),
    }
    assert editing.post("/doubts", data=refusal, headers=OURS).status_code == 404


@pytest.mark.parametrize(
    ("headers", "changes"),
    [
        ({}, {}),
        ({"origin": "http://evil.example"}, {}),
        ({"origin": "http://127.0.0.1:81"}, {}),
        ({**OURS, "sec-fetch-site": "same-site"}, {}),
        (OURS, {"token": "x"}),
        (OURS, {"token": ""}),
        ({**OURS, "host": "evil.example"}, {}),
    ],
)
def test_a_form_that_is_not_of_this_process_notes_nothing(home, editing, headers, changes):
    done = editing.post("/doubts", data=forms(editing)[0] | changes, headers=headers)
    assert done.status_code in {400, 403}
    assert read_corrections(DataFolder(home / "data")) == ()


def test_what_the_page_does_not_offer_is_not_noted(home, editing):
    form = forms(editing)[0]
    assert (
        editing.post("/doubts", data=form | {"decision": "verdicts correct review x"}, headers=OURS).status_code == 404
    )
    price = next(form for form in forms(editing) if "value" in form)
    assert editing.post("/doubts", data=price | {"value": "-5"}, headers=OURS).status_code == 400
    assert editing.post("/doubts", data=price | {"value": "many"}, headers=OURS).status_code == 400
    assert editing.post("/doubts", content=b"x" * 20_000, headers=OURS).status_code == 413
    assert read_corrections(DataFolder(home / "data")) == ()


def test_without_edit_the_page_shows_the_commands_and_has_no_form(home):
    with TestClient(make_app(DataFolder(home / "data")), base_url="http://127.0.0.1") as client:
        assert forms(client) == []
        assert "verdicts correct different" in client.get("/doubts").text
        assert client.post("/doubts", data={}, headers=OURS).status_code == 405
