"""`verdicts recipe`: what is seen, a first recipe, and what is told when a page is no longer read as expected."""

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from builders.command import check_refusal, run_here, run_well
from builders.paths import ROOT
from builders.renderings import as_innertext
from verdicts.demo_site.responses import build_site
from verdicts.demo_site.site_facts import load_facts
from verdicts.fetch.store.store import open_store

EXAMPLES = ROOT / "examples" / "recipes"
NOVEMBER_9 = 1_794_225_600
"""The day that the document's page was saved."""


@pytest.fixture
def recipes(tmp_path):
    """A copy of the examples."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "recipes"))


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_the_walk_of_the_document_is_what_happens(tmp_path):
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    page = tmp_path / "timers.html"
    # The page that the document links to.
    shutil.copy(ROOT / "docs" / re.search(r"\]\((\S+page\.html)\)", text)[1], page)
    os.utime(page, (NOVEMBER_9, NOVEMBER_9))
    steps = re.findall(r"```(toml|console)\n(.*?)```", text, re.DOTALL)
    assert [kind for kind, _ in steps] == ["console", "console", "toml", "console", "console", "console"]
    for kind, shown in steps:
        if kind == "toml":
            (tmp_path / "data" / "recipes" / "brightshelf.example.toml").write_text(shown, encoding="utf-8")
            continue
        call, _, printed = shown.partition("\n")
        stdout = run_here(*shlex.split(call.removeprefix("$ verdicts ")), cwd=tmp_path).stdout
        shown_in_part = re.escape(printed).replace(re.escape("...\n"), r"(?:.*\n)+")
        assert re.fullmatch(shown_in_part, stdout), call


def test_the_examples_read_what_their_pages_say(tmp_path):
    done = run_well("recipe", "test", EXAMPLES, cwd=tmp_path)
    assert done.stdout.endswith("3 recipes, 4 pages, 87 values, 0 fields differ\n")
    expected = {
        "brightshelf.example/notes": ("tools.price", ["$9 a month", "$12 a month", "$40"]),
        "brightshelf.example/timers": ("tools.best_for", ["teachers", "kitchens"]),
        "deskledger.example/software": ("rows.Kept since", ["2019", "2021", "2018", "2024"]),
        "porchtalk.example/kettlebook": ("reviews.author", ["Maren", "Odd Tove", "P. Ilse"]),
    }
    for page, (field, values) in expected.items():
        fields = json.loads((EXAMPLES / page / "expected.json").read_text(encoding="utf-8"))["fields"]
        assert fields[field] == values
        assert "doubts" not in fields


def test_without_their_recipes_nothing_is_made_of_the_examples(tmp_path):
    for page in EXAMPLES.glob("*/*/page.html"):
        shutil.copy(page, tmp_path / "page.html")
        assert "there is no recipe" in run_here("recipe", "try", "page.html", cwd=tmp_path).stdout


def test_a_field_that_is_read_otherwise_fails_and_shows_both_until_an_update_takes_it(recipes, tmp_path):
    change(recipes / "porchtalk.example" / "kettlebook" / "page.html", ">$24 a year<", ">$29 a year<")
    done = run_here("recipe", "test", recipes, cwd=tmp_path)
    assert done.returncode == 1
    assert "differs porchtalk.example/kettlebook  tools.price: 1 of 1, expected 1\n" in done.stdout
    shown = '    1. - "$24 a year"\n    1. + "$29 a year"\n'
    assert shown in done.stdout
    assert done.stdout.endswith("1 fields differ\n")
    assert shown in run_well("recipe", "test", recipes, "--update", cwd=tmp_path).stdout
    changed = {
        path.relative_to(recipes).as_posix()
        for path in recipes.rglob("expected.json")
        if path.read_bytes() != (EXAMPLES / path.relative_to(recipes)).read_bytes()
    }
    assert changed == {"porchtalk.example/kettlebook/expected.json"}
    run_well("recipe", "test", recipes, cwd=tmp_path)


def test_a_review_that_is_gone_is_no_silent_count(recipes, tmp_path):
    page = recipes / "porchtalk.example" / "kettlebook" / "page.html"
    html = page.read_text(encoding="utf-8")
    page.write_text(html[: html.rindex("<section")] + html[html.rindex("</section>") :], encoding="utf-8")
    done = run_here("recipe", "test", recipes, cwd=tmp_path)
    assert "differs porchtalk.example/kettlebook  reviews.author: 2 of 2, expected 3\n" in done.stdout
    assert "recipe_count: 3 records of [reviews]; 2" in done.stdout


def test_a_field_that_the_newest_page_lacks_is_stale_though_an_older_one_has_it(recipes, tmp_path):
    change(recipes / "brightshelf.example" / "timers" / "page.html", ">Suits<", ">Good with<")
    done = run_here("recipe", "test", recipes, "--update", cwd=tmp_path)
    stale = [line for line in done.stdout.splitlines() if line.startswith("stale")]
    assert stale == ["stale   brightshelf.example  tools.best_for: the newest page has no value for it"]


def test_a_recipe_without_a_page_and_a_page_without_expectations_fail(recipes, tmp_path):
    shutil.rmtree(recipes / "deskledger.example")
    expected = recipes / "porchtalk.example" / "kettlebook" / "expected.json"
    expected.write_text('{"url": "https://porchtalk.example/thing/kettlebook", "saved_on": "2026-11-16"}')
    done = run_here("recipe", "test", recipes, cwd=tmp_path)
    assert done.returncode == 1
    assert "deskledger.example: there is no page to test it with" in done.stdout
    assert "porchtalk.example/kettlebook: no values are expected yet" in done.stdout


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("porchtalk.example.toml", "[tools]\n", "porchtalk.example.toml: tools: say what a record is by one of"),
        ("porchtalk.example/kettlebook/expected.json", "{", "expected.json: it is not JSON"),
        ("porchtalk.example/kettlebook/expected.json", "{}", "expected.json: Object missing required field `url`"),
    ],
)
def test_a_file_that_is_broken_is_named(recipes, tmp_path, file, text, message):
    (recipes / file).write_text(text)
    check_refusal(run_here("recipe", "test", recipes, cwd=tmp_path), message)


def test_a_recipe_is_tried_on_any_file_before_it_has_its_place(tmp_path):
    shutil.copy(EXAMPLES / "deskledger.example" / "software" / "page.html", tmp_path / "saved.html")
    shutil.copy(EXAMPLES / "deskledger.example.toml", tmp_path / "deskledger.example.toml")
    fills, values = try_page("saved.html", "--recipe", "deskledger.example.toml", home=tmp_path)
    assert values["tools.price"] == ["7 EUR", "11 EUR", "4 EUR", "19 EUR"]
    assert fills["4 EUR"] == "tools.price, rows.Per head"


def try_page(*arguments: str, home: Path) -> tuple[dict[str, str], dict[str, list[str]]]:
    """What `recipe try` says: each text with the fields that it fills, and each field with its values."""
    lines = run_here("recipe", "try", *arguments, cwd=home).stdout.splitlines()
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    fills = {row[2]: row[3] for row in rows if len(row) == 4}
    return fills, {row[0]: row[2].split(" | ") for row in rows if len(row) == 3}


def test_what_is_no_page_or_one_of_a_site_with_a_profile_is_said(tmp_path):
    (tmp_path / "notes.html").write_text("no page at all")
    assert "nothing on the page says" in run_here("recipe", "try", "notes.html", cwd=tmp_path).stdout
    panel = next(answer.body for path, answer in build_site().items() if path.startswith("/compare/"))
    (tmp_path / "panel.html").write_bytes(panel)
    assert "a site with a profile needs no recipe" in run_here("recipe", "try", "panel.html", cwd=tmp_path).stdout


def test_of_a_panels_page_and_of_its_dump_is_said_what_was_read_and_what_is_left(tmp_path):
    facts = load_facts()
    dump = as_innertext(facts, facts.pairs[0])
    (tmp_path / "dump.txt").write_text(f"{dump}\nA line that no reader knows stands here.")
    fills, values = try_page("dump.txt", home=tmp_path)
    assert fills["A line that no reader knows stands here."] == "left over"
    assert [fills[name] for name in values["cards.name"]] == ["cards.name, decisions.name"] * 2
    assert all(fills[text] == "reviews.text" for text in values["reviews.text"])


def test_pages_for_other_paths_say_so(recipes, tmp_path):
    expected = recipes / "porchtalk.example" / "kettlebook" / "expected.json"
    change(expected, "/thing/", "/about/")
    assert "the recipe is for pages below /thing/" in run_here("recipe", "try", expected.parent, cwd=tmp_path).stdout


@pytest.mark.whole
def test_a_crawled_page_is_tried_and_kept_by_its_address(tmp_path):
    (tmp_path / "urls.csv").write_text("path,url\na.html,https://porchtalk.example/thing/kettlebook\n")
    shutil.copy(EXAMPLES / "porchtalk.example" / "kettlebook" / "page.html", tmp_path / "a.html")
    run_well("ingest", "a.html", "--urls", "urls.csv", cwd=tmp_path)
    with open_store(tmp_path / "data", command="test", read_only=True) as store:
        (entry,) = store.index()
    run_well("recipe", "new", "porchtalk.example", entry.url, cwd=tmp_path)
    shutil.copy(EXAMPLES / "porchtalk.example.toml", tmp_path / "data" / "recipes")
    assert "Odd Tove" in run_here("recipe", "try", entry.url, cwd=tmp_path).stdout
    run_well("build", cwd=tmp_path)
    run_well("publish", cwd=tmp_path)
    asked = "SELECT reader, kind, said.author FROM pages JOIN outside.outside_reviews AS said USING (page_id)"
    answer = json.loads(run_here("sql", f"{asked} ORDER BY review_number", "--format", "json", cwd=tmp_path).stdout)
    assert [tuple(row.values()) for row in answer] == [
        ("recipe", "product", author) for author in ("Maren", "Odd Tove", "P. Ilse")
    ]
    kept = tmp_path / "data" / "recipes" / "porchtalk.example" / "thing-kettlebook" / "expected.json"
    assert json.loads(kept.read_text())["url"] == entry.url


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("try", "nothing.html"), "nothing.html: no such file"),
        (("try", "https://porchtalk.example/x"), "data holds no corpus yet"),
        (("test",), "has no recipes"),
    ],
)
def test_what_is_not_there_is_said(tmp_path, call, message):
    check_refusal(run_here("recipe", *call, cwd=tmp_path), message)
