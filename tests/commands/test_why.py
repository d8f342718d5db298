"""`verdicts why` on the demo's night: what its reader, a program and the explorer are told of one page."""

import json
import shutil

import pytest
from msgspec import structs
from starlette.testclient import TestClient

from builders import warehouse_rows as make
from builders.command import check_refusal, run_here, run_well
from verdicts.demo_site.responses import MISSING, SITE_URL
from verdicts.explore.app import make_app
from verdicts.fetch.store.run_log import note_measures
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build_manifest import read_manifest, write_manifest
from verdicts.pipeline.data_folder import DataFolder

PATH = "/compare/amble-kernel-vs-midmeadow"
ROOT = SITE_URL.rstrip("/")


@pytest.fixture(scope="module")
def home(night):
    return night[0]


def ask_why(home, address):
    return json.loads(run_well("why", address, "--format", "json", cwd=home).stdout)


def test_a_person_reads_the_answer_first_and_then_what_it_rests_on(home):
    before = DataFolder(home / "data").state.read_bytes()
    first, _, facts = run_well("why", f"{PATH}/", cwd=home).stdout.partition("\n\n")
    assert first.startswith("It was fetched 20")
    (page,) = json.loads(run_here("query", "page_card", f"page={PATH}", "limit=1", "--format", "json", cwd=home).stdout)
    assert f"read          comparison page {page['page_id'][:12]}, {page['title']}" in facts
    assert "robots.txt    allows it, as read 20" in facts
    assert f"written here as {ROOT}{PATH}/, which is the same page" in facts
    assert DataFolder(home / "data").state.read_bytes() == before


def test_a_program_gets_the_answer_in_parts(home):
    found = ask_why(home, "/admin/x")
    assert (found["url"], found["state"], found["decision"]) == (f"{ROOT}/admin/x", "robots_denied", "robots_denied")
    assert found["decided_by"] == "robots.txt line 4, 'Disallow: /admin' for 'User-agent: *'"
    assert ask_why(home, "/versus/amble-kernel")["page_id"] == ask_why(home, PATH)["page_id"] is not None
    assert ask_why(home, MISSING)["state"] == "not_found"


def test_a_page_that_a_gate_withholds_says_what_it_lost(home, tmp_path):
    folder = DataFolder(shutil.copytree(home / "data", tmp_path / "data"))
    manifest = read_manifest(folder.build_manifest)
    with open_store(folder.root, command="test") as store:
        entry = next(entry for entry in store.index() if entry.url == f"{ROOT}{PATH}")
        row = structs.replace(
            make.measures()[0], crawl_id=entry.crawl_id, host=make.HOST, state="held", measure="price"
        )
        with store.transaction():
            note_measures(store.state, [row], [(entry.crawl_id, make.HOST)])
    held = structs.replace(manifest.inputs, held=((entry.location, entry.url),))
    write_manifest(folder.build_manifest, structs.replace(manifest, inputs=held))
    found = ask_why(tmp_path, PATH)
    assert found["state"] == "withheld"
    assert f"a gate withholds what was read: {make.HOST} is held" in found["answer"]
    assert any("lost prices" in line for line in found["facts"]["withheld"])


@pytest.mark.parametrize("address", ["mailto:a@b.example", "two words", "http://[::1"])
def test_what_is_no_address_ends_with_one_line(home, address):
    check_refusal(run_here("why", address, cwd=home), "address")


def test_a_folder_without_a_corpus_is_named(tmp_path):
    check_refusal(run_here("why", PATH, cwd=tmp_path), "data")


def test_the_explorer_says_the_same_of_a_page_and_of_an_address_without_one(home):
    of_page, of_missing = ask_why(home, PATH), ask_why(home, MISSING)
    with TestClient(make_app(DataFolder(home / "data")), base_url="http://127.0.0.1") as client:
        page = client.get(f"/pages/{ROOT}{PATH}")
        assert of_page["answer"] in page.text
        assert f'<a href="{ROOT}{PATH}"' in page.text
        assert client.get(f"{page.url.path}.json").json()["why"]["state"] == of_page["state"]
        missing = client.get(f"/pages/{ROOT}{MISSING}")
        assert missing.status_code == 404
        assert of_missing["answer"] in missing.text
