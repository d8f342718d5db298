"""Files into the corpus, good and bad, as the command takes them."""

import json
from datetime import UTC, datetime
from io import BytesIO

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from builders.command import read_summary, run_here, run_well
from builders.paths import SEEDS, needs_seeds
from builders.renderings import RENDERERS, page_url
from verdicts.demo_site.site_facts import load_facts

FACTS = load_facts()
NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)


def count_rows(folder, question):
    done = run_well("sql", question, "--format", "csv", cwd=folder)
    return [line.split(",") for line in done.stdout.splitlines()[1:]]


@needs_seeds
def test_the_real_pages_give_the_corpus_that_was_counted_by_hand(tmp_path):
    run_well("ingest", SEEDS, cwd=tmp_path)
    counts = count_rows(
        tmp_path,
        "SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM tools), (SELECT count(DISTINCT name) FROM tools),"
        " (SELECT count(*) FROM evidence.tool_cards), (SELECT count(*) FROM appearances),"
        " count(*), count(score) FROM reviews",
    )
    assert counts == [["5", "8", "7", "10", "40", "32", "8"]]


@pytest.fixture
def dumps(tmp_path):
    """Two pages as dumps and one as HTML, with the addresses of two of them."""
    folder = tmp_path / "dumps"
    folder.mkdir()
    first, second, third = FACTS.pairs[:3]
    (folder / "first.txt").write_text(RENDERERS["quotes"](FACTS, first), encoding="utf-8")
    (folder / "second.txt").write_text(RENDERERS["innertext"](FACTS, second), encoding="utf-8")
    (folder / "third.html").write_text(RENDERERS["html_flat"](FACTS, third), encoding="utf-8")
    (folder / "urls.csv").write_text(f"path,url\nfirst.txt,{page_url(first)}\nthird.html,{page_url(third)}\n")
    return folder


def test_good_files_load_with_their_addresses_bad_ones_have_a_reason_and_a_second_time_changes_nothing(dumps, tmp_path):
    page = RENDERERS["quotes"](FACTS, FACTS.pairs[5])
    (dumps / "empty.txt").write_bytes(b"")
    (dumps / "cut.txt").write_text(page[: page.index("Reviewer scorecard") + 300], encoding="utf-8")
    (dumps / "cp1252.txt").write_bytes("Reviewer scorecard — caf\u00e9".encode("cp1252"))
    (dumps / "recipe.html").write_text("<html><body><p>Flour, water, salt.</p></body></html>")
    run_well("ingest", dumps, cwd=tmp_path)
    reasons = [reason for (reason,) in count_rows(tmp_path, "SELECT reason FROM evidence.rejects ORDER BY reason")]
    assert reasons == ["empty", "not_a_comparison", "truncated", "undecodable"]
    pages = count_rows(
        tmp_path, "SELECT url IS NOT NULL, count(*) FROM pages WHERE kind = 'panel' GROUP BY 1 ORDER BY 1"
    )
    assert pages == [["false", "1"], ["true", "2"]]
    assert int(count_rows(tmp_path, "SELECT count(*) FROM tools WHERE slug IS NOT NULL")[0][0]) >= 3
    changes = "SELECT load_id FROM ops.loads WHERE rows_added + rows_changed + rows_removed > 0"
    loads = count_rows(tmp_path, changes)
    run_well("ingest", dumps, cwd=tmp_path)
    assert count_rows(tmp_path, changes) == loads


@pytest.mark.whole
def test_files_in_which_nothing_could_be_read_publish_nothing_and_say_why(tmp_path):
    (tmp_path / "book.pdf").write_bytes(b"%PDF-1.4\n\xe2\xe3\xcf\xd3\n")
    (tmp_path / "letter.txt").write_text("Dear aunt, the weather is fine.")
    done = run_here("ingest", "book.pdf", "letter.txt", cwd=tmp_path)
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith("nothing in book.pdf, letter.txt could be read: ")
    assert "1 not_a_comparison: nothing on the page says" in last
    assert "name its address in urls.csv or --urls" in last
    assert last.endswith("Readers see no change until the next publication, which adds its rejects")
    (row,) = json.loads(run_well("status", "--format", "json", cwd=tmp_path).stdout)["nights"]
    assert (row["kind"], row["status"], row["exit_code"]) == ("ingest", "partial", 2)
    assert not (tmp_path / "data" / "serve").exists()


HOSTILE = ("http://[::1", "http://[", "http://a]b/", "https://a.example:99999/", "https://xn--a/", "//a.example/x")


def write_archive(path, urls, html):
    """The page at each of these addresses, as a public crawl packs it."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url in urls:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html; charset=utf-8")], "HTTP/1.1")
            stated = {"WARC-Date": "2026-10-05T04:03:02Z"}
            page = {"payload": BytesIO(html), "http_headers": head, "warc_headers_dict": stated}
            writer.write_record(writer.create_warc_record(url, "response", **page))


@pytest.mark.whole
def test_records_about_no_address_are_told_and_end_no_later_command(tmp_path):
    html = f"<html><body>{RENDERERS['html_flat'](FACTS, FACTS.pairs[0])}</body></html>".encode()
    write_archive(tmp_path / "hostile.warc.gz", HOSTILE, html)
    good = page_url(FACTS.pairs[0])
    write_archive(tmp_path / "good.warc.gz", [good], html)
    done = run_here("ingest", "hostile.warc.gz", cwd=tmp_path)
    assert done.returncode == 2
    assert "nothing in hostile.warc.gz could be read" in done.stderr
    run_well("build", cwd=tmp_path)
    run_well("publish", cwd=tmp_path)
    told = count_rows(tmp_path, "SELECT outcome, detail FROM ops.fetches ORDER BY fetch_id")
    for (outcome, *detail), url in zip(told, HOSTILE, strict=True):
        assert (outcome, f"'{url}'" in ",".join(detail)) == ("unreadable", True)
    for call in (("ingest", "good.warc.gz"), ("build",), ("verify",), ("doctor",)):
        done = run_here(*call, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, done.stderr), call
    assert count_rows(tmp_path, "SELECT count(*) FROM pages") == [["1"]]


@pytest.mark.whole
def test_what_other_sites_compare_is_counted_where_the_corpus_is_summed_up(tmp_path):
    rows = "".join(f"<tr><td>{name}<td>$9<td>teams</tr>" for name in ("Larkspur", "Fennel"))
    table = f"<table><tr><th>Tool<th>Price<th>Best for</tr>{rows}</table>"
    page = f"<html><title>Larkspur vs Fennel</title><body><h1>Larkspur vs Fennel</h1>{table}</body></html>"
    urls = [f"https://other.example/{name}" for name in ("a", "b", f"{'a' * 2000}-")]
    write_archive(tmp_path / "crawl.warc.gz", urls, page.encode())
    # Where each way to part the letters is tried, the third address takes longer than the universe.
    done = run_well("ingest", "crawl.warc.gz", "--include", "example/(a+)+$", cwd=tmp_path)
    counts = read_summary(done)
    assert (counts["pages"], counts["tools on them"]) == ("1", "2")


def test_a_saved_page_of_another_site_is_found_shown_and_dated_after_one_command(tmp_path):
    mark = "<!--\n Page saved with SingleFile \n url: https://a.example/lamps \n saved date: 2026-03-11T03:12:36Z\n-->"
    table = "<table><tr><th><th>Lamp A<th>Lamp B<tr><th>Price<td>$19<td>$29<tr><th>Weight<td>2 kg<td>3 kg</table>"
    page = f"<!doctype html><html>{mark}<title>Lamp A vs Lamp B</title>{table}"
    (tmp_path / "saved" / "lamps_files").mkdir(parents=True)
    (tmp_path / "saved" / "lamps.html").write_text(page)
    (tmp_path / "saved" / "lamps_files" / "frame.html").write_text("<p>Lamps, lamps, lamps")
    done = run_well("ingest", "saved", cwd=tmp_path)
    assert "1 address by SingleFile, such as https://a.example/lamps\n" in done.stdout
    assert "skipped, because they are parts of saved pages: 1 files\n" in done.stdout
    assert "next: verdicts query list_mentioned" in done.stdout
    assert run_well("query", cwd=tmp_path).stdout.startswith("Other sites\n")
    assert "tools" not in read_summary(done)
    found = run_well("search", "lamp", "--format", "csv", cwd=tmp_path).stdout
    assert [line.split(",")[1] for line in found.splitlines()[1:]] == ["Lamp A", "Lamp B"]
    shown = run_well("show", "a.example/lamps", cwd=tmp_path).stdout
    assert "first_seen_at   2026-03-11 03:12:36+00:00" in shown
    assert "value           3 kg" in shown
    assert "https://a.example/lamps" in run_well("show", "Lamp B", cwd=tmp_path).stdout
    listed = run_well("query", "who_lists", "lamp b", "--format", "csv", cwd=tmp_path).stdout
    assert listed.splitlines()[1].startswith("Lamp B,a.example,versus,")
    both = run_well("query", "compare_tools", "Lamp A", "other=lamp-b", "--format", "csv", cwd=tmp_path).stdout
    assert "Weight,2 kg,3 kg" in both
    empty = run_here("query", "top_tools", cwd=tmp_path)
    assert "no page of a panel" in empty.stderr


def test_a_page_whose_statement_is_nested_deep_is_read(tmp_path):
    context = f"{'[' * 5_000}{']' * 5_000}"
    statement = f'<script type="application/ld+json">{{"@context": {context}, "@type": "Product"}}</script>'
    table = "<table><tr><th><th>Lamp A<th>Lamp B<tr><th>Price<td>$19<td>$29<tr><th>Weight<td>2 kg<td>3 kg</table>"
    (tmp_path / "deep.html").write_text(f"<!doctype html><title>Lamp A vs Lamp B</title>{statement}{table}")
    (tmp_path / "urls.csv").write_text("path,url\ndeep.html,https://a.example/lamps\n")
    done = run_well("ingest", "deep.html", "--urls", "urls.csv", cwd=tmp_path)
    assert read_summary(done)["pages"] == "1"
    asked = run_well("sql", "SELECT url, reason FROM evidence.rejects", "--format", "csv", cwd=tmp_path)
    # Up to Python 3.13 it is too deep for the parser.
    assert asked.stdout in {"url,reason\n", "url,reason\nhttps://a.example/lamps,broken_statement\n"}
