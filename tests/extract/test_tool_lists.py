"""Lists of tools, a section each: every tool once, with what its own section says, or told."""

from datetime import UTC, datetime

import pytest

from verdicts.extract.model.records import ComparedRow, ComparedTool, Document, Doubt
from verdicts.extract.page import extract
from verdicts.fetch.model.snapshot import Snapshot

TOOLS = ("Larkspur", "Fennel", "Bobweight", "Trueline")
INTRO = "We wrote a week of release notes with each of them and kept what they gave us. " * 4


def read(title: str, body: str) -> Document:
    main = f"<main><h1>{title}</h1><p>{INTRO}</p>{body}</main>"
    html = f"<html><head><title>{title}</title></head><body>{main}</body></html>"
    url = "https://lists.example/page"
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    document = extract(Snapshot(url, url, moment, 200, (("content-type", "text/html"),), html.encode(), "c"))
    assert isinstance(document, Document), document
    return document


def section(number: int, name: str, price: str = "$9 a month", level: int = 2) -> str:
    return f"""
    <h{level}>{number}. {name}: best for team {number}</h{level}>
    <p>{name} came with a plan for each of us, and kept to it.</p>
    <p><strong>Price:</strong> {price}</p>
    <h{level + 1}>Pros</h{level + 1}><ul><li>{name} starts fast</li><li>Quiet</li></ul>
    <h{level + 1}>Cons</h{level + 1}><ul><li>Large</li></ul>
    <p>Nobody asked for it back.</p>
    <a href="https://{name.lower()}.example/">Visit {name}</a>"""


def four(level: int = 2) -> str:
    return "".join(section(number, name, level=level) for number, name in enumerate(TOOLS, start=1))


@pytest.mark.parametrize("level", [2, 3])
def test_a_numbered_list_gives_a_tool_a_section_with_what_it_says_of_it(level):
    page = read(
        "The 4 best changelog writers in 2026", four(level) + f"<h{level}>Which one?</h{level}><p>Larkspur.</p>"
    )
    compared = page.side_by_side
    assert compared.reader == "sections"
    assert page.doubts == ()
    assert compared.tools[0] == ComparedTool(
        "Larkspur", url="https://larkspur.example/", price="$9 a month", rank=1, best_for="best for team 1"
    )
    assert [(tool.name, tool.rank) for tool in compared.tools] == [*zip(TOOLS, range(1, 5), strict=True)]
    assert compared.rows == (
        ComparedRow("attribute", "Price", ("$9 a month",) * 4),
        ComparedRow("attribute", "Pros", tuple(f"{name} starts fast" for name in TOOLS)),
        ComparedRow("attribute", "Pros", ("Quiet",) * 4),
        ComparedRow("attribute", "Cons", ("Large",) * 4),
    )


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("#2 Fennel", "Fennel"),
        ("2) Fennel (runner-up)", "Fennel"),
        ("No. 2: Fennel", "Fennel"),
        ("2. Best for large teams: Fennel", "Fennel"),
        ("2 – Fennel – the quick one", "Fennel"),
        ("2. Fennel.ai", "Fennel.ai"),
        ("2. 7-Fennel", "7-Fennel"),
    ],
)
def test_the_name_is_told_from_its_rank_and_from_what_is_said_of_it(heading, name):
    body = four().replace("<h2>2. Fennel: best for team 2</h2>", f"<h2>{heading}</h2><p>{name} it is.</p>")
    page = read("4 best changelog writers", body)
    assert (page.side_by_side.tools[1].name, page.side_by_side.tools[1].rank) == (name, 2)


def test_a_list_that_counts_down_is_one():
    body = "".join(section(number, name) for number, name in zip(range(4, 0, -1), TOOLS, strict=True))
    assert [tool.rank for tool in read("Top 4 changelog writers", body).side_by_side.tools] == [4, 3, 2, 1]


def test_fewer_sections_than_the_title_states_are_told():
    page = read("The 5 best changelog writers", four())
    assert len(page.side_by_side.tools) == 4
    assert page.doubts == (Doubt("incomplete_list", None, "5 tools, as the title says", "4 sections"),)


def test_a_list_whose_ranks_have_a_gap_is_read_only_where_its_title_counts_the_sections():
    body = four().replace("3. Bobweight", "Bobweight")
    page = read("The best changelog writers", body)
    assert page.side_by_side is None
    assert page.doubts == (Doubt("list_not_read", None, "headings that are numbered through", "the numbers 1, 2, 4"),)
    assert [tool.rank for tool in read("The 4 best changelog writers", body).side_by_side.tools] == [1, 2, None, 4]


def test_what_one_section_lacks_is_not_taken_from_the_next():
    body = four().replace("<p><strong>Price:</strong> $9 a month</p>", "", 1)
    assert [tool.price for tool in read("4 best changelog writers", body).side_by_side.tools] == [
        None,
        *["$9 a month"] * 3,
    ]


def test_of_several_prices_none_is_the_tools():
    body = four().replace("$9 a month</p>", "$9 a month</p><p>Price: $90 a year</p>", 1)
    compared = read("4 best changelog writers", body).side_by_side
    assert compared.tools[0].price is None
    assert [row.values[0] for row in compared.rows if row.attribute == "Price"] == ["$9 a month", "$90 a year"]


def test_a_link_to_another_tool_is_not_its_address():
    body = four().replace(
        '<a href="https://larkspur.example/">Visit Larkspur</a>',
        '<p>Larkspur reads from <a href="https://fennel.example/">Fennel</a>, too.</p>',
    )
    assert read("4 best changelog writers", body).side_by_side.tools[0].url is None


def test_names_that_a_title_sets_side_by_side_keep_its_order_whatever_the_sections_have():
    parts = "".join(
        f"<h2>{name}</h2><p>{name} is one of two.</p><p>Price: {price}</p>"
        for name, price in (("Fennel", "$5"), ("Larkspur", "$9"))
    )
    compared = read(
        "Larkspur vs Fennel", f"<h2>What we did</h2><p>Both.</p>{parts}<h2>Verdict</h2><p>None.</p>"
    ).side_by_side
    assert [(tool.name, tool.price) for tool in compared.tools] == [("Larkspur", "$9"), ("Fennel", "$5")]
    assert compared.rows == (ComparedRow("attribute", "Price", ("$9", "$5")),)


GUIDE = "".join(
    f"<h2>{number}. {step}</h2><p>It takes an hour, and saves the next one.</p>"
    for number, step in enumerate(("Ask who reads it", "Collect what changed", "Write it down", "Send it"), start=1)
)


@pytest.mark.parametrize(
    "title", ["4 steps to better release notes", "How we write release notes", "The best way to write release notes"]
)
def test_the_steps_of_a_guide_are_no_tools(title):
    page = read(title, GUIDE)
    assert page.side_by_side is None
    assert page.doubts == ()


def test_a_list_without_ranks_is_read_where_as_many_sections_have_details_as_the_title_states():
    body = (
        four()
        .replace("<h2>1. ", "<h2>")
        .replace("<h2>2. ", "<h2>")
        .replace("<h2>3. ", "<h2>")
        .replace("<h2>4. ", "<h2>")
    )
    body += "<h2>How we tested</h2><p>For a week.</p>"
    assert [tool.name for tool in read("4 best changelog writers", body).side_by_side.tools] == [*TOOLS]
    page = read("5 best changelog writers", body)
    assert page.side_by_side is None
    assert [doubt.rule for doubt in page.doubts] == ["list_not_read"]


def test_two_tools_of_one_name_are_not_guessed_apart():
    page = read("4 best changelog writers", four().replace("Fennel", "Larkspur"))
    assert page.side_by_side is None
    assert [doubt.rule for doubt in page.doubts] == ["list_not_read"]


def test_a_page_of_many_headings_is_read_in_time_that_grows_with_it():
    body = "".join(f"<h{2 + number % 4}>{number}. Heading</h{2 + number % 4}>" for number in range(20_000))
    assert read("The 5 best changelog writers", body).side_by_side is None


def summary(row: str, cell: str = "td", head: tuple[str, ...] = ("#", "Tool", "Offline", "Seats")) -> str:
    rows = [head, *((str(place), name, "yes", f"{place}0") for place, name in enumerate(TOOLS, start=1))]
    return "".join(f"<{row}>{''.join(f'<{cell}>{text}</{cell}>' for text in line)}</{row}>" for line in rows)


@pytest.mark.parametrize(
    "table",
    [
        f"<table>{summary('tr')}</table>",
        f"<table><tr><td colspan=4>At a glance</td></tr>{summary('tr')}</table>",
        f"<div>{summary('div', 'div')}</div>",
    ],
)
def test_a_table_of_the_tools_of_a_list_is_read_whatever_stands_before_their_names(table):
    page = read("The 4 best changelog writers", table + four())
    attributes = {row.attribute: row.values for row in page.side_by_side.rows}
    assert attributes["Offline"] == ("yes",) * 4
    assert attributes["Seats"] == ("10", "20", "30", "40")
    assert attributes["#"] == ("1", "2", "3", "4")
    assert page.doubts == ()


def test_a_table_that_lacks_a_tool_of_the_list_is_read_and_the_numbers_of_another_tool_are_told():
    page = read(
        "The 4 best changelog writers", f"<table>{summary('tr').replace('Bobweight', 'Alder')}</table>" + four()
    )
    place = TOOLS.index("Bobweight")
    seats = [None if number == place else f"{number + 1}0" for number in range(4)]
    assert [list(row.values) for row in page.side_by_side.rows if row.attribute == "Seats"] == [seats]
    assert page.grids[0].left_over == ("Alder", f"{place + 1}", "yes", f"{place + 1}0")
    assert [(doubt.rule, doubt.found) for doubt in page.doubts] == [("left_over", f"'{place + 1}', and 1 texts more")]


def boxes(*said: str) -> str:
    return "".join(f"<h2>{name}</h2><p>We gave {name} a week.</p>{''.join(said)}" for name in TOOLS)


def test_a_price_and_a_rating_need_no_label_in_the_section_of_a_tool():
    stars = '<div><span aria-hidden="true">★★★★☆</span><span>4.6/5</span></div>'
    page = read("The 4 best changelog writers", boxes(stars, "<p><span>$12.50</span><span>/mo</span></p>"))
    assert [(tool.price, tool.rating) for tool in page.side_by_side.tools] == [("$12.50/mo", "4.6/5")] * 4
    assert page.doubts == ()


def test_of_several_prices_in_a_section_none_is_the_tools_and_that_is_told():
    page = read("The 4 best changelog writers", boxes("<p>4.6/5</p>", "<p>$9/mo</p>", "<p>$29/mo</p>"))
    assert [tool.price for tool in page.side_by_side.tools] == [None] * 4
    assert {(doubt.rule, doubt.found.partition(" in the")[0]) for doubt in page.doubts} == {
        ("left_over", "$9/mo, $29/mo")
    }


def test_what_somebody_paid_for_is_said_of_no_tool():
    page = read(
        "The 4 best changelog writers", boxes("<p>4.6/5</p><p>Price: $9</p><p>Sponsored: Lamps, now 20 % off</p>")
    )
    assert {row.attribute for row in page.side_by_side.rows} == {"Price"}


def test_a_table_of_fewer_tools_than_the_title_promises_is_told():
    rows = "".join(f"<tr><td>{name}</td><td>$9</td><td>teams</td></tr>" for name in TOOLS[:3])
    page = read("The 4 best changelog writers", f"<table><tr><th>Tool<th>Price<th>Best for</tr>{rows}</table>")
    assert len(page.side_by_side.tools) == 3
    assert [(doubt.rule, doubt.found) for doubt in page.doubts] == [("incomplete_list", "3 tools in tables")]


def sections(below: str) -> str:
    parts = enumerate(TOOLS, start=1)
    return "".join(f"<h2>{place}. {name}</h2><p>We gave {name} a week.</p>{below}" for place, name in parts)


@pytest.mark.parametrize(
    ("write", "around"),
    [
        ("<li><b>{}:</b> {}</li>", "ul"),
        ("<li><b>{}</b>: {}</li>", "ul"),
        ("<b>{}:</b> {}<br>", "p"),
        ("<tr><th>{}</th><td>{}</td></tr>", "table"),
        ("<tr><td>{}</td><td>{}</td></tr>", "table"),
        ("<div><span>{}</span><span>{}</span></div>", "div"),
        ("<dt>{}</dt><dd>{}</dd>", "dl"),
    ],
)
def test_what_every_section_says_under_a_label_is_an_attribute_however_it_is_written(write, around):
    said = "".join(write.format(*pair) for pair in (("Price", "$9"), ("Team size", "1 to 5"), ("Runs on", "Linux")))
    compared = read("The 4 best changelog writers", sections(f"<{around}>{said}</{around}>")).side_by_side
    assert [(row.attribute, row.values) for row in compared.rows] == [
        ("Price", ("$9",) * 4),
        ("Team size", ("1 to 5",) * 4),
        ("Runs on", ("Linux",) * 4),
    ]
    assert [tool.price for tool in compared.tools] == ["$9"] * 4


def test_what_is_for_and_against_a_tool_is_told_apart_in_two_columns():
    lists = "<td><ul><li>Quick</li><li>Quiet</li></ul></td><td><ul><li>Large</li></ul></td>"
    table = f"<table><tr><th>Pros</th><th>Cons</th></tr><tr>{lists}</tr></table>"
    body = "".join(
        f"<h2>{place}. {name}</h2><p>We gave {name} a week.</p>{table}" for place, name in enumerate(TOOLS, 1)
    )
    rows = read("The 4 best changelog writers", body).side_by_side.rows
    assert [(row.attribute, row.values[0]) for row in rows] == [("Pros", "Quick"), ("Pros", "Quiet"), ("Cons", "Large")]


def test_a_link_of_a_heading_to_itself_is_no_part_of_the_name():
    body = four().replace("best for team 1</h2>", 'best for team 1 <a href="#one" aria-hidden="true">#</a></h2>')
    body = body.replace("2. Fennel: best for team 2", '2. Fennel <a class="headerlink" href="#two">¶</a>')
    compared = read("The 4 best changelog writers", body).side_by_side
    assert [tool.name for tool in compared.tools] == [*TOOLS]
    assert compared.tools[0].best_for == "best for team 1"


def test_what_stands_behind_the_last_section_is_the_sites():
    body = f"<div>{four()}</div><aside><p>Team size: 900</p><p>Price: $99</p></aside>".replace(
        "<p>Price", "<p>Price", 1
    )
    page = read("The 4 best changelog writers", body)
    assert [tool.price for tool in page.side_by_side.tools] == ["$9 a month"] * 4


def test_pages_and_pictures_between_sections_are_no_attributes():
    aside = "<p>Read more: how we sit</p><p>Image: the desk</p>"
    rows = read("4 best changelog writers", four().replace("<p>Nobody asked for it back.</p>", aside)).side_by_side.rows
    assert {row.attribute for row in rows} == {"Price", "Pros", "Cons"}


def test_a_gap_in_the_ranks_is_told_though_a_table_names_the_tools():
    rows = "".join(f"<tr><td>{name}</td><td>$9</td><td>teams</td></tr>" for name in TOOLS)
    table = f"<table><tr><th>Tool<th>Price<th>Best for</tr>{rows}</table>"
    page = read("The best changelog writers", table + four().replace("4. Trueline", "6. Trueline"))
    assert "the numbers 1, 2, 3, 6" in [doubt.found for doubt in page.doubts if doubt.rule == "list_not_read"]


@pytest.mark.parametrize(
    "title", ["The best changelog writers", "Changelog writers we use every day", "Changelog writers compared"]
)
def test_sections_that_say_what_is_said_of_products_are_of_tools_whatever_the_title_says(title):
    body = four().replace("<h2>1. ", "<h2>").replace("<h2>2. ", "<h2>").replace("<h2>3. ", "<h2>")
    page = read(title, body.replace("<h2>4. ", "<h2>") + "<h2>How we tested</h2><p>For a week.</p>")
    assert [tool.name for tool in page.side_by_side.tools] == [*TOOLS]
    assert page.side_by_side.claim == "compares"


@pytest.mark.parametrize(
    "title",
    ["Larkspur or Fennel?", "Comparing Larkspur and Fennel", "Larkspur / Fennel", "We tried both: Larkspur vs Fennel"],
)
def test_two_tools_that_a_title_names_in_any_words_are_compared_by_their_sections(title):
    page = read(title, section(1, "Larkspur").replace("1. ", "") + section(2, "Fennel", "$5").replace("2. ", ""))
    assert [(tool.name, tool.price) for tool in page.side_by_side.tools] == [
        ("Larkspur", "$9 a month"),
        ("Fennel", "$5"),
    ]


def test_plans_of_one_product_are_no_tools():
    body = "".join(
        section(place, name).replace(f"{place}. ", "") for place, name in enumerate(("Free", "Pro", "Team"), start=1)
    )
    assert read("What Larkspur costs", body).side_by_side is None


def test_two_sections_that_no_title_names_are_no_comparison():
    body = section(1, "Larkspur").replace("1. ", "") + section(2, "Fennel").replace("2. ", "")
    assert read("A week at our desks", body).side_by_side is None


def test_numbered_aspects_of_tools_that_a_title_names_are_no_tools():
    body = "".join(
        f"<h2>{place}. {name}</h2><p>{name} is even.</p>" for place, name in enumerate(("Design", "Price", "Help"), 1)
    )
    page = read("Larkspur vs Fennel vs Bobweight", body)
    assert page.side_by_side is None or "Design" not in [tool.name for tool in page.side_by_side.tools]
