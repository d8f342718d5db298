"""Saved pages tell their address, as each program that saves pages leaves it; a doubtful one is told."""

import gzip
from datetime import UTC, datetime

import pytest

from verdicts.pipeline.sources.page_files import count_unread, find_sources
from verdicts.pipeline.sources.saved_addresses import address_sources

PAGE = "https://lamps.example/best?year=2026"
SAVED = datetime(2026, 3, 11, 3, 12, 36, tzinfo=UTC)
NOW = None
JS_DATE = "Tue Mar 10 2026 19:12:36 GMT-0800 (heure normale du Pacifique)"
CANONICAL = f'<link rel="canonical" href="{PAGE}">'
WAYBACK = f"https://web.archive.org/web/20260311031236/{PAGE}"


def html(before="", head="", after=""):
    return f"<!DOCTYPE html>\n{before}<html lang=en>{head}<title>Lamps</title><body><h1>Lamps</h1></body>{after}</html>"


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def find_addressed(folder):
    return address_sources(find_sources([folder], None), [folder])


def single_file(url, words="Page saved with SingleFile", date=JS_DATE):
    return html(head=f"<!--\n {words} \n url: {url} \n saved date: {date}\n--><meta charset=utf-8>")


@pytest.mark.parametrize(
    ("page", "origin"),
    [
        (single_file(PAGE), (PAGE, SAVED)),
        (single_file(PAGE, "Archive processed by SingleFile"), (PAGE, SAVED)),
        (single_file(PAGE, date="a day of no calendar"), (PAGE, NOW)),
        (f"<!-- Saved from {PAGE} at 2026-03-11T03:12:36Z using monolith v2.8.1 -->\n{html()}", (PAGE, SAVED)),
        (html(f"<!-- saved from url=(0036){PAGE} -->\n"), (PAGE, NOW)),
        (html(f"<!-- saved from url=(0036){PAGE} -->\n").encode("utf-16"), (PAGE, NOW)),
        (
            html(head=f'<meta name="savepage-url" content="{PAGE}"><meta name="savepage-date" content="{JS_DATE}">'),
            (PAGE, SAVED),
        ),
        (
            html().replace("lang=en", f'data-scrapbook-source="{PAGE}" data-scrapbook-create="20260311031236123"'),
            (PAGE, SAVED),
        ),
        (
            html(
                head="\n<!-- Mirrored from lamps.example/best.html by HTTrack Website Copier/3.x [XR&CO'2014],"
                " Wed, 11 Mar 2026 03:12:36 GMT -->\n"
            ),
            ("https://lamps.example/best.html", SAVED),
        ),
        (
            html(
                head='<link rel=canonical href="http://www.lamps.example/best">',
                after="\n<!-- Mirrored from lamps.example/best by HTTrack Website Copier/3.x [XR&CO'2014],"
                " Wed, 11 Mar 2026 03:12:36 GMT -->\n",
            ),
            ("http://www.lamps.example/best", SAVED),
        ),
        (html(head=CANONICAL), (PAGE, NOW)),
        (html(head=f'<meta property="og:url" content="{PAGE}">'), (PAGE, NOW)),
        (html(f"<!-- saved from url=(0081){WAYBACK} -->\n"), (PAGE, SAVED)),
        (
            html(
                head='<link rel="canonical" href="https://archive.ph/YwPh0"/>'
                f'<link rel="bookmark" href="http://archive.today/20260311031236/{PAGE}"/>'
            ),
            (PAGE, SAVED),
        ),
        # Saved again from a site whose template was once copied: the newer mark counts.
        (
            single_file(PAGE).replace(
                "<title>", "<!-- Mirrored from theme.example/x by HTTrack Website Copier/3.x [X], d --><title>"
            ),
            (PAGE, SAVED),
        ),
    ],
)
def test_a_saved_page_has_the_address_and_date_that_its_program_or_its_head_states(tmp_path, page, origin):
    write(tmp_path, {"a page.html": page})
    found = find_addressed(tmp_path)
    assert [(source.url, source.saved_at) for source in found.sources] == [origin]
    assert found.doubts == ()


@pytest.mark.parametrize(
    "page",
    [
        html("<!-- saved from url=(0014)about:internet -->\n"),
        html("<!-- saved from url=(0029)file:///home/ann/lamps.html -->\n"),
        html(head='<link rel="canonical" href="http://localhost:3000/best">'),
        html(head='<link rel="canonical" href="/best">'),
        html(head='<link rel="canonical" href="https://archive.ph/YwPh0">'),
        # Words of a reader, in the body.
        html().replace("<h1>", f"<!-- saved from url=(0036){PAGE} --><meta property='og:url' content='{PAGE}'><h1>"),
        html(head=f"<script>var mark = '<!-- saved from url=(0036){PAGE} -->'</script>"),
    ],
)
def test_what_is_no_address_on_the_web_or_stands_in_the_body_gives_none(tmp_path, page):
    write(tmp_path, {"page.html": page})
    assert [source.url for source in find_addressed(tmp_path).sources] == [None]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        # Templates keep the mark of the page they were made from.
        (
            {"page.html": html("<!-- saved from url=(0022)http://theme.example/ -->\n", CANONICAL)},
            f"the mark of a browser says http://theme.example/, but its canonical link says {PAGE}",
        ),
        (
            {"www.lamps.example/page.html": html(head='<link rel=canonical href="https://other.example/page">')},
            "but the folder of a mirror says https://www.lamps.example/page.html",
        ),
        (
            {"page.html": html(head=f'{CANONICAL}<meta property="og:url" content="https://lamps.example/worst">')},
            "but its og:url says https://lamps.example/worst",
        ),
        ({"page.html": html(head='<link rel=canonical href="https://lamps.example">')}, "the first page of a site"),
        (
            {"one.html": html(head=CANONICAL), "two.html": html(head=CANONICAL).replace("Lamps", "More lamps")},
            f"2 files that differ declare the address {PAGE}",
        ),
    ],
)
def test_a_doubtful_address_is_none_and_its_page_is_named(tmp_path, files, why):
    write(tmp_path, files)
    found = find_addressed(tmp_path)
    assert [source.url for source in found.sources] == [None] * len(files)
    assert len(found.doubts) == len(files)
    assert all(why in doubt for doubt in found.doubts)


def test_a_mirror_of_wget_has_its_addresses_in_its_folders_and_a_folder_of_a_person_has_none(tmp_path):
    write(
        tmp_path,
        {
            "lamps.example/robots.txt": "User-agent: *",
            "lamps.example/index.html": html(),
            "lamps.example/best/index.html": html(),
            "lamps.example/list?page=2.html": html(),
            "lamps.example/list.php?id=3.html": html(),
            "lamps.example/about": html(),
            "lamps.example/about.orig": html(),
            "lamps.example/all.php?page=2": html(),
            "lamps.example/style.css": "a {}",
            "lamps.example/a/caf\u00e9.html.gz": gzip.compress(html().encode()),
            "web.archive.org/web/20260311031236/https:/desks.example/top.html": html(),
            "web.archive.org/robots.txt": "",
            "chairs.example/Best chairs.html": html(),
            "chairs.example/Best chairs_files/saved_resource.html": html(),
            "my.pages/best.html": html(),
        },
    )
    urls = {
        source.path.name: source.url for source in find_addressed(tmp_path).sources if "index" not in source.path.name
    }
    assert urls == {
        "list?page=2.html": "https://lamps.example/list?page=2",
        "list.php?id=3.html": "https://lamps.example/list.php?id=3",
        "about": "https://lamps.example/about",
        "all.php?page=2": "https://lamps.example/all.php?page=2",
        "caf\u00e9.html.gz": "https://lamps.example/a/caf%C3%A9.html",
        "top.html": "https://desks.example/top.html",
        "Best chairs.html": None,
        "best.html": None,
    }
    folders = {source.url for source in find_addressed(tmp_path).sources if source.path.name == "index.html"}
    assert folders == {"https://lamps.example/", "https://lamps.example/best/"}
    assert find_addressed(tmp_path / "lamps.example").kinds[0][:2] == ("the folder of a mirror", 7)


def test_the_parts_of_saved_pages_and_the_files_of_the_programs_are_counted_and_not_read(tmp_path):
    write(
        tmp_path,
        {
            "Best lamps.html": html(head=CANONICAL),
            "Best lamps_files/saved_resource.html": html(),
            "Best lamps_files/main.js.download": "let x",
            "Die besten.htm": html(head=CANONICAL),
            "Die besten-Dateien/frame.htm": html(),
            "notes_files/notes.html": html(),
            "mirror/hts-cache/new.txt": "date",
            "mirror/hts-log.txt": "HTTrack3.49-2 launched",
            "mirror/cookies.txt": "# HTTrack Website Copier Cookie File",
            "mirror/index.html": html(
                head="<!-- Mirror and index made by HTTrack Website Copier/3.49-2 [XR&CO'2014] -->"
            ),
            "mirror/old.html": html("<!-- Created by HTTrack Website Copier/3.49-2 [XR&CO'2014] -->\n"),
            "mirror/style.css": "",
        },
    )
    found = find_addressed(tmp_path)
    assert sorted(source.path.name for source in found.sources) == ["Best lamps.html", "Die besten.htm", "notes.html"]
    assert found.indexes == 2
    assert count_unread([tmp_path]) == ({".css": 1}, 6)


def test_a_list_of_addresses_counts_before_all_marks(tmp_path):
    write(tmp_path, {"page.html": single_file(PAGE), "urls.csv": "path,url\npage.html,https://lamps.example/mine\n"})
    found = find_addressed(tmp_path)
    assert [(source.url, source.saved_at) for source in found.sources] == [("https://lamps.example/mine", None)]
    assert found.kinds == (("urls.csv", 1, "https://lamps.example/mine"),)
