"""The bundled demo site: its declared traits, its addresses, its renderings, and its server over a real socket."""

import gzip
import hashlib
import http.client
import re
import subprocess
import sys
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.testclient import TestClient

from builders.answer_key import make_key
from builders.paths import ROOT
from verdicts.demo_site.responses import GONE, MISSING, SITE_HOST, SITE_URL, build_site
from verdicts.demo_site.server import serve
from verdicts.demo_site.site_facts import DATA, DOMS, REVIEWERS, Facts, load_facts
from verdicts.demo_site.site_pages import INVENTED, render_comparison
from verdicts.explore.app import make_app
from verdicts.pipeline.data_folder import DataFolder

LABELLED = ("html_semantic", "html_flat", "html_jsonld")


@pytest.fixture
def facts() -> Facts:
    return load_facts()


@pytest.fixture
def connection() -> Iterator[http.client.HTTPConnection]:
    with serve() as (host, port):
        client = http.client.HTTPConnection(host, port, timeout=10)
        yield client
        client.close()


def get(client: http.client.HTTPConnection, path: str, **headers: str):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    client.request("GET", path, headers=named)
    response = client.getresponse()
    return response, response.read()


def slugs_by_dom(facts: Facts, *doms: str) -> Counter[str]:
    return Counter(slug for pair in facts.pairs if pair.dom in doms for slug in (pair.a, pair.b))


# What is declared


def test_the_facts_have_the_traits_that_the_rest_of_the_house_is_tried_on(facts):
    tools = facts.tools.values()
    assert len(tools) >= 42
    assert len(facts.pairs) >= 124
    assert all(sum(pair.dom == dom for pair in facts.pairs) >= 30 for dom in DOMS)
    names = Counter(tool.name for tool in tools)
    shared = {"ThimLM3": 5, "Verrin AI SDK 5.0": 3, "Clavern Code": 2, "Code Loriel 4": 2, "Medlowe.ai": 2}
    assert shared.items() <= names.items()
    nearly = {"Codrelle 2", "Codrelle 2.0", "Miselle 3 Small", "Miselle 3 Small (22B)", "u0 3.0"}
    assert nearly | {"Curlow Background Agent", "Curlow Background Agents"} <= names.keys()
    assert len({tool.panel_pct for tool in tools if tool.name == "Verrin AI SDK 5.0"}) == 3
    assert facts.tools["val-barrow-13"].name == "Cotterel"
    sizes = Counter(len(tool.takes) for tool in tools)
    assert set(sizes) == {3, 4, 5}
    assert sizes[4] > sizes[3]
    words = " ".join(take.text for tool in tools for take in tool.takes)
    assert all(awkward in words for awkward in ('"', "'", "`", "$15/mo", "%", "&", "<"))
    rows = [row for pair in facts.pairs for row in facts.scorecard(pair)]
    assert any(row.a is None for row in rows)
    assert any(row.b is None for row in rows)


def test_what_a_page_says_of_a_tool_follows_from_its_facts(facts):
    kernel = facts.tools["amble-kernel"]
    assert (kernel.panel_pct, kernel.chip, kernel.panel_verdict) == (67, "Ship", "Ship · 2 ship / 1 skip")
    # Open source without the word is read as Paid.
    burlets = facts.tools["burlets-bl-git-backed-task-graph-ai-agent-memory-2026"]
    assert ("Open Source" in burlets.pricing, burlets.entry) == (True, "Paid")
    assert {tool.entry for tool in facts.tools.values()} == {"Free", "Paid"}
    votes = {"62% · 130 votes", "47% · 38 votes", "No community votes yet"}
    assert {tool.community_vote for tool in facts.tools.values()} >= votes


def test_some_tools_are_never_labelled_and_leave_each_kind_of_evidence(facts):
    labelled, lite = slugs_by_dom(facts, *LABELLED), slugs_by_dom(facts, "html_lite")
    never = lite.keys() - labelled.keys()
    assert len(never) == 8
    partners = {slug: [({pair.a, pair.b} - {slug}).pop() for pair in facts.find_pairs(slug)] for slug in never}
    assert sum(len(met) > 2 for met in partners.values()) == 3, "found by intersection"
    assert sum(len(met) == 1 and met[0] in labelled for met in partners.values()) == 3, "found by exclusion"
    alone = {slug for slug, met in partners.items() if len(met) == 1 and met[0] in never}
    assert len(alone) == 2, "nothing but the row order"


def test_nothing_is_declared_twice_and_every_tool_is_on_a_page(facts):
    tools = facts.tools.values()
    declared = sum(len(tomllib.loads(file.read_text(encoding="utf-8")).get("tool", ())) for file in DATA.glob("*.toml"))
    assert len({tool.tagline for tool in tools}) == len(tools) == declared
    texts = [take.text for tool in tools for take in tool.takes]
    assert len(set(texts)) == len(texts)
    for tool in tools:
        reviewers = [take.reviewer for take in tool.takes]
        assert reviewers == [reviewer for reviewer in REVIEWERS if reviewer in reviewers] != []
    assert len({pair.path for pair in facts.pairs}) == len(facts.pairs)
    assert all(pair.a.encode() < pair.b.encode() for pair in facts.pairs)
    assert {slug for pair in facts.pairs for slug in (pair.a, pair.b)} == facts.tools.keys()


REAL = """
alibaba android anthropic apple bing chatgpt claude codestral copilot dall-e deepseek gemini gemma github google gpt
grok hugging-face langchain llama meta microsoft midjourney mistral nvidia openai openrouter perplexity qwen replit
slack smollm stable-diffusion stability vercel vibevoice windsurf
"""


def test_no_page_names_a_real_product_and_each_says_that_its_facts_are_invented():
    named = re.compile(rf"(?<![a-z])({'|'.join(REAL.split())})(?![a-z])")
    for path, page in build_site().items():
        if b"<html" in page.body:
            words = " ".join(LexborHTMLParser(page.body).body.text(separator=" ").split())
            assert named.findall(f"{path} {words}".casefold().replace(" ", "-")) == [], path
            assert words.endswith(INVENTED), path


def test_the_dataset_and_the_explorer_say_that_the_facts_are_invented(night):
    home, _ = night
    assert INVENTED in (home / "data" / "dataset" / "README.md").read_text()
    with TestClient(make_app(DataFolder(home / "data")), base_url="http://127.0.0.1") as client:
        assert INVENTED in client.get("/").text


# Addresses


def test_the_bytes_are_the_same_in_another_process():
    script = (
        "import hashlib; from verdicts.demo_site.responses import build_site; pages = build_site();"
        "print(hashlib.sha256(b''.join(path.encode() + pages[path].body for path in pages)).hexdigest())"
    )
    environment = {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    pages = build_site()
    ours = hashlib.sha256(b"".join(path.encode() + pages[path].body for path in pages)).hexdigest()
    assert other.stdout.strip() == ours


def test_every_link_leads_to_a_known_answer_and_the_odd_addresses_are_linked(facts):
    links, pages = internal_links(), build_site()
    assert links <= pages.keys()
    odd = {path: answer.status for path, answer in pages.items() if answer.status != 200}
    assert sorted(odd.values()) == [301, 302, 308, 404, 410]
    assert odd.keys() <= links
    assert (pages[GONE].status, pages[MISSING].status) == (410, 404)
    assert {"/bookmarks", "/compare/how-we-compare"} <= links
    targets = {status: dict(pages[path].headers)["Location"] for path, status in odd.items() if 300 <= status < 400}
    assert {pages[target].status for target in targets.values()} == {200}
    assert targets[308] in {pair.path for pair in facts.pairs}


def test_some_comparisons_are_reached_by_links_alone_and_some_by_the_sitemap_alone(facts):
    comparisons = {pair.path for pair in facts.pairs}
    assert sitemap_paths() <= build_site().keys()
    assert "http://demo.verdicts.example/sitemap.xml" in build_site()["/robots.txt"].body.decode()
    listed, linked = sitemap_paths() & comparisons, reachable_from("/") & comparisons
    assert listed | linked == comparisons
    assert len(comparisons - listed) >= 5
    assert {pair.path for pair in facts.pairs if pair.reach == "links"} == comparisons - listed
    # Redirects lead to two or three pages that nothing else links to.
    assert len(comparisons - linked) >= 3


def test_every_tool_has_its_page_and_its_reviewer_pages(facts):
    pages = build_site()
    reviewers = [page.body.decode() for path, page in pages.items() if path.startswith("/reviewer/")]
    assert "/reviewer/skeptic?category=Voice+%26+Audio" in pages
    for tool in facts.tools.values():
        assert pages[f"/tool/{tool.slug}"].status == 200
        texts = {node.text() for node in LexborHTMLParser("".join(reviewers)).css("p")}
        assert {take.text for take in tool.takes} <= texts


# Renderings


@pytest.mark.parametrize("dom", DOMS)
def test_no_markup_can_come_out_of_the_facts(facts, dom):
    for pair in facts.pairs:
        visible = LexborHTMLParser(render_comparison(facts, pair, dom)).body.text(separator="")
        for take in make_key(pair, dom)["takes"]:
            assert take["text"] in visible


# The server


def test_a_page_comes_over_the_wire_as_declared(connection):
    page = build_site()["/compare/how-we-compare"].body
    response, body = get(connection, "/compare/how-we-compare")
    assert (response.status, body) == (200, page)
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"


def test_a_known_version_is_answered_with_not_modified(connection):
    first, _ = get(connection, "/")
    again, body = get(connection, "/", If_None_Match=first.headers["ETag"])
    assert (again.status, body) == (304, b"")
    other, _ = get(connection, "/", If_None_Match='"other"')
    assert other.status == 200


def test_redirects_lead_to_pages_and_an_unknown_address_is_not_found(connection):
    redirects = {answer.status: path for path, answer in build_site().items() if 300 <= answer.status < 400}
    assert redirects.keys() == {301, 302, 308}
    for status, path in redirects.items():
        response, _ = get(connection, path)
        assert response.status == status
        assert get(connection, response.headers["Location"])[0].status == 200
    assert get(connection, "/admin")[0].status == 404
    assert get(connection, GONE)[0].status == 410


def test_it_stops_while_a_client_keeps_its_connection_open():
    threads = threading.active_count()
    with serve() as (host, port):
        client = http.client.HTTPConnection(host, port, timeout=10)
        get(client, "/")
        stopping = time.monotonic()
    assert time.monotonic() - stopping < 5
    assert threading.active_count() == threads
    client.close()


# Reading the site


def read_links(path: str) -> set[str]:
    """The internal targets of one page, as path with query."""
    answer = build_site()[path]
    if not dict(answer.headers).get("Content-Type", "").startswith("text/html"):
        return {dict(answer.headers)["Location"]} if 300 <= answer.status < 400 else set()
    targets = (node.attributes["href"] for node in LexborHTMLParser(answer.body).css("a[href]"))
    absolute = [urldefrag(urljoin(SITE_URL, target)).url for target in targets if target]
    return {url[len(SITE_URL) - 1 :] for url in absolute if urlsplit(url).hostname == SITE_HOST}


def internal_links() -> set[str]:
    return set().union(*(read_links(path) for path in build_site()))


def reachable_from(start: str) -> set[str]:
    seen, waiting = {start}, [start]
    while waiting:
        found = read_links(waiting.pop()) - seen
        seen |= found
        waiting += found
    return seen


def sitemap_paths() -> set[str]:
    def locations(document: bytes) -> list[str]:
        return [node.text or "" for node in ET.fromstring(document).iter() if node.tag.endswith("}loc")]

    pages = build_site()
    children = [url[len(SITE_URL) - 1 :] for url in locations(pages["/sitemap.xml"].body)]
    bodies = [pages[path].body for path in children]
    documents = [gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body for body in bodies]
    return {url[len(SITE_URL) - 1 :] for document in documents for url in locations(document)}
