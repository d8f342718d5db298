"""Lists of tools, a section each: every tool once, with what its own section says, or told."""

import re

import pytest

from builders.read_documents import ComparedRow, ComparedTool
from builders.snapshots import article, list_doubts

TOOLS = ("Larkspur", "Fennel", "Bobweight", "Trueline")
BEST = "The 4 best changelog writers"


def read(title, body):
    return article(body, title)


def section(number, name, price="$9 a month", level=2):
    return f"""
    <h{level}>{number}. {name}: best for team {number}</h{level}>
    <p>{name} came with a plan for each of us, and kept to it.</p>
    <p><strong>Price:</strong> {price}</p>
    <h{level + 1}>Pros</h{level + 1}><ul><li>{name} starts fast</li><li>Quiet</li></ul>
    <h{level + 1}>Cons</h{level + 1}><ul><li>Large</li></ul>
    <p>Nobody asked for it back.</p>
    <a href="https://{name.lower()}.example/">Visit {name}</a>"""


def four(level=2):
    return "".join(section(number, name, level=level) for number, name in enumerate(TOOLS, start=1))


def remove_numbers(body):
    return re.sub(r"(<h\d>)\d\. ", r"\1", body)


def sections(*said, names=TOOLS):
    parts = enumerate(names, start=1)
    return "".join(f"<h2>{place}. {name}</h2><p>We gave {name} a week.</p>{''.join(said)}" for place, name in parts)


def attributes(page):
    return [(row.attribute, row.values) for row in page.side_by_side.rows]


def tools(page):
    return None if page.side_by_side is None else [(tool.name, tool.price) for tool in page.side_by_side.tools]


FOUR = [(name, "$9 a month") for name in TOOLS]


@pytest.mark.parametrize("level", [2, 3])
def test_a_numbered_list_gives_a_tool_a_section_with_what_it_says_of_it(level):
    page = read(f"{BEST} in 2026", four(level) + f"<h{level}>Which one?</h{level}><p>Larkspur.</p>")
    compared = page.side_by_side
    assert (compared.reader, page.doubts) == ("sections", ())
    assert compared.tools[0] == ComparedTool(
        "Larkspur", url="https://larkspur.example/", price="$9 a month", rank=1, best_for="best for team 1"
    )
    assert [(tool.name, tool.rank) for tool in compared.tools] == [*zip(TOOLS, range(1, 5), strict=True)]
    assert attributes(page) == [
        ("Price", ("$9 a month",) * 4),
        ("Pros", tuple(f"{name} starts fast" for name in TOOLS)),
        ("Pros", ("Quiet",) * 4),
        ("Cons", ("Large",) * 4),
    ]


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
        ('2. Fennel <a class="headerlink" href="#two">¶</a>', "Fennel"),
        ('2. Fennel <a href="#one" aria-hidden="true">#</a>', "Fennel"),
    ],
)
def test_the_name_is_told_from_its_rank_and_from_what_is_said_of_it(heading, name):
    body = four().replace("<h2>2. Fennel: best for team 2</h2>", f"<h2>{heading}</h2><p>{name} it is.</p>")
    tool = read(BEST, body).side_by_side.tools[1]
    assert (tool.name, tool.rank) == (name, 2)


DOWN = "".join(section(number, name) for number, name in zip(range(4, 0, -1), TOOLS, strict=True))


@pytest.mark.parametrize(
    ("title", "body", "ranks"),
    [
        ("Top 4 changelog writers", DOWN, [4, 3, 2, 1]),
        (BEST, four().replace("3. Bobweight", "Bobweight"), [1, 2, None, 4]),
        ("The best changelog writers", four().replace("3. Bobweight", "Bobweight"), [1, 2, None, 4]),
        (BEST, remove_numbers(four()) + "<h2>How we tested</h2><p>For a week.</p>", [None] * 4),
    ],
)
def test_a_list_may_count_down_or_lack_ranks_where_its_title_counts_the_sections(title, body, ranks):
    assert [tool.rank for tool in read(title, body).side_by_side.tools] == ranks


@pytest.mark.parametrize("body", [four(), remove_numbers(four()) + "<h2>How we tested</h2><p>For a week.</p>"])
def test_fewer_sections_than_the_title_states_are_told(body):
    page = read("The 5 best changelog writers", body)
    assert tools(page) == FOUR
    assert list_doubts(page) == [("incomplete_list", "4 sections")]


def read_counted(line, *below):
    parts = (line.format(place, name) + "".join(below) for place, name in enumerate(TOOLS, start=1))
    return read("The best changelog writers", "".join(f"<div>{part}</div>" for part in parts))


@pytest.mark.parametrize("line", ["<div>#{0}</div><div>🔧</div><div>{1}</div>", "<div>{0}. {1} — calm</div>"])
def test_lines_that_count_through_are_names_of_tools(line):
    page = read_counted(line, "<p>We tried them all: Fennel, Bobweight, Larkspur and Trueline.</p>", "<div>$9/mo</div>")
    assert [(tool.name, tool.rank, tool.price) for tool in page.side_by_side.tools] == [
        (name, rank, "$9/mo") for rank, name in enumerate(TOOLS, start=1)
    ]


def test_numbered_lines_of_which_nothing_is_said_as_of_products_are_steps():
    page = read_counted(
        "<div>{0}. {1} — calm</div>", "<p>We tried them all: Fennel, Bobweight, Larkspur and Trueline.</p>"
    )
    assert page.side_by_side is None


def test_pictures_around_names_are_no_part_of_them():
    page = read(BEST, sections("<p>Price: $9</p>", names=("Larkspur 🆕", "🏢 Fennel", "⚖️ Bobweight", "Trueline")))
    assert [tool.name for tool in page.side_by_side.tools] == [*TOOLS]


def test_whom_a_tool_is_best_for_stands_below_its_name_too():
    parts = [f"<h2>{place}. {name}</h2><p>Best for team {place}</p><p>We gave {name} a week.</p>"
             for place, name in enumerate(TOOLS, start=1)]  # fmt: skip
    assert [tool.best_for for tool in read(BEST, "".join(parts)).side_by_side.tools] == [
        f"Best for team {place}" for place in range(1, 5)
    ]


def test_what_one_section_lacks_is_not_taken_from_the_next_nor_from_behind_the_last():
    body = four().replace("<p><strong>Price:</strong> $9 a month</p>", "", 1)
    assert tools(read(BEST, body)) == [("Larkspur", None), *FOUR[1:]]
    assert tools(read(BEST, f"<div>{four()}</div><aside><p>Team size: 900</p><p>Price: $99</p></aside>")) == FOUR


def test_of_several_prices_none_is_the_tools():
    page = read(BEST, four().replace("$9 a month</p>", "$9 a month</p><p>Price: $90 a year</p>", 1))
    assert tools(page)[0] == ("Larkspur", None)
    assert [values[0] for name, values in attributes(page) if name == "Price"] == ["$9 a month", "$90 a year"]
    page = read(BEST, sections("<p>4.6/5</p>", "<p>$9/mo</p>", "<p>$29/mo</p>"))
    assert tools(page) == [(name, None) for name in TOOLS]
    assert {(rule, found.partition(" in the")[0]) for rule, found in list_doubts(page)} == {
        ("left_over", "$9/mo, $29/mo")
    }


def test_a_link_to_another_tool_is_not_its_address():
    own = '<a href="https://larkspur.example/">Visit Larkspur</a>'
    other = '<p>Larkspur reads from <a href="https://fennel.example/">Fennel</a>, too.</p>'
    assert read(BEST, four().replace(own, other)).side_by_side.tools[0].url is None


def test_names_that_a_title_sets_side_by_side_keep_its_order_whatever_the_sections_have():
    parts = "".join(f"<h2>{name}</h2><p>{name} is one.</p><p>Price: {price}</p>" for name, price in TWO[::-1])
    page = read("Larkspur vs Fennel", f"<h2>What we did</h2><p>Both.</p>{parts}<h2>Verdict</h2><p>None.</p>")
    assert tools(page) == [*TWO]
    assert page.side_by_side.rows == (ComparedRow("attribute", "Price", ("$9", "$5")),)


TWO = (("Larkspur", "$9"), ("Fennel", "$5"))
GUIDE = "".join(
    f"<h2>{number}. {step}</h2><p>It takes an hour, and saves the next one.</p>"
    for number, step in enumerate(("Ask who reads it", "Collect what changed", "Write it down", "Send it"), start=1)
)
PLANS = remove_numbers("".join(section(place, name) for place, name in enumerate(("Free", "Pro", "Team"), start=1)))
NOT_READ = ["list_not_read"]


@pytest.mark.parametrize(
    ("title", "body", "doubts"),
    [
        ("4 steps to better release notes", GUIDE, []),
        ("How we write release notes", GUIDE, []),
        ("The best way to write release notes", GUIDE, []),
        ("What Larkspur costs", PLANS, []),
        ("A week at our desks", remove_numbers(section(1, "Larkspur") + section(2, "Fennel")), []),
        ("5 best changelog writers", GUIDE, NOT_READ),
    ],
)
def test_what_is_no_list_of_tools_gives_none_and_is_told_where_one_is_promised(title, body, doubts):
    page = read(title, body)
    assert page.side_by_side is None
    assert [rule for rule, _ in list_doubts(page)] == doubts


def test_numbered_aspects_of_tools_that_a_title_names_are_no_tools():
    page = read("Larkspur vs Fennel vs Bobweight", sections(names=("Design", "Price", "Help")))
    assert "Design" not in dict(tools(page) or [])


@pytest.mark.whole
def test_a_page_of_many_headings_is_read_in_time_that_grows_with_it():
    body = "".join(f"<h{2 + number % 4}>{number}. Heading</h{2 + number % 4}>" for number in range(20_000))
    assert read("The 5 best changelog writers", body).side_by_side is None


def summary(row, cell="td"):
    lines = [
        ("#", "Tool", "Offline", "Reviewers"),
        *((f"{n}", name, "yes", f"{n}0") for n, name in enumerate(TOOLS, 1)),
    ]
    return "".join(f"<{row}>{''.join(f'<{cell}>{text}</{cell}>' for text in line)}</{row}>" for line in lines)


@pytest.mark.parametrize(
    "table",
    [
        f"<table>{summary('tr')}</table>",
        f"<table><tr><td colspan=4>At a glance</td></tr>{summary('tr')}</table>",
        f"<div>{summary('div', 'div')}</div>",
    ],
)
def test_a_table_of_the_tools_of_a_list_is_read_whatever_stands_before_their_names(table):
    page = read(BEST, table + four())
    said = dict(attributes(page))
    assert (said["Offline"], said["Reviewers"]) == (("yes",) * 4, ("10", "20", "30", "40"))
    assert said["#"] == ("1", "2", "3", "4")
    assert page.doubts == ()


def test_a_table_that_lacks_a_tool_of_the_list_is_read_and_the_numbers_of_another_tool_are_told():
    page = read(BEST, f"<table>{summary('tr').replace('Bobweight', 'Alder')}</table>" + four())
    assert dict(attributes(page))["Reviewers"] == ("10", "20", None, "40")
    assert page.grids[0].left_over == ("Alder", "3", "yes", "30")
    assert list_doubts(page) == [("left_over", "'3', and 1 texts more")]


def test_a_price_and_a_rating_need_no_label_in_the_section_of_a_tool():
    stars = '<div><span aria-hidden="true">★★★★☆</span><span>4.6/5</span></div>'
    page = read(BEST, sections(stars, "<p><span>$12.50</span><span>/mo</span></p>"))
    assert [(tool.price, tool.rating) for tool in page.side_by_side.tools] == [("$12.50/mo", "4.6/5")] * 4
    assert page.doubts == ()


@pytest.mark.parametrize(
    ("said", "price"),
    [
        ('<a class="buy">$9 at Alder</a><a class="buy">See at Birch</a>', "$9 at Alder"),
        ("<p>From $9 per user per month</p>", "From $9 per user per month"),
        ("<p>$9/mo billed annually</p>", "$9/mo billed annually"),
        ("<p>Buy now for $9</p>", "$9"),
        ("<p>$9 (was $12)</p>", "$9"),
        ("<p>129 kr/mån</p>", "129 kr/mån"),
        ("<p>1 199 €</p>", "1 199 €"),
        ('<div class="price">Free</div>', "Free"),
        ("<ul><li>Price – $9</li><li>Trial – 14 days</li></ul>", None),
        ("<h4>Pricing</h4><p>Plans start at $9.</p><p>We paid it ourselves, for the whole week of the test.</p>", None),
        ("<a>Check price</a><p>Nobody asked us for it back, and nobody knows why.</p>", None),
        ("<p>It costs $9 a month, or nothing at all if you only read.</p>", None),
    ],
)
def test_the_price_of_a_section_is_read_without_a_label_or_told(said, price):
    page = read(BEST, sections(said))
    stated = {tool.price for tool in page.side_by_side.tools}
    if "Plans" in said:
        assert stated == {"Plans start at $9."}
    else:
        assert stated == {price}
        assert bool(list_doubts(page)) == ("$" in said and price is None)


@pytest.mark.parametrize(
    ("said", "rating"),
    [
        ('<div class="score-badge">9.0</div>', "9.0"),
        ('<div class="score"><span>9.0</span> <span>Excellent</span></div>', "9.0"),
        ("<p>92 Excellent</p>", "92"),
        ("<p>6.9 /10 Lab score</p>", "6.9/10"),
        ('<span role="img" aria-label="Rated 4.5 out of 5 stars"></span>', "4.5 out of 5"),
        ('<img src="stars.png" alt="4,5 von 5 Sternen">', "4,5 von 5"),
        ('<div class="stars"><div style="width: 92%"></div></div>', "92%"),
        ('<div class="stars"><span class="sr-only">4.5 out of 5</span></div>', "4.5 out of 5"),
        ('<div class="rating" data-rating="4.5"></div>', "4.5"),
        ("<p>4.5 ★ (2,341)</p>", "4.5"),
        ('<div class="rating-count">341</div>', None),
        ('<div class="bar"><div style="width: 92%"></div></div>', None),
    ],
)
def test_a_rating_is_read_in_a_badge_and_where_only_stars_draw_it(said, rating):
    assert {tool.rating for tool in read(BEST, sections(said)).side_by_side.tools} == {rating}


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>Easiest assembly: {}</h2>",
        "<p>Best for teams</p><h3>{}</h3>",
        "<h2><span>{place}</span> {}</h2>",
        "<details open><summary>{} 9.1/10</summary>",
    ],
)
def test_an_award_a_number_or_a_rating_beside_a_name_is_no_part_of_it(heading):
    said = "<p>We gave {0} a week, and {0} kept every note that we wrote in it.</p><p>$9</p>"
    parts = (heading.format(name, place=place) + said.format(name) for place, name in enumerate(TOOLS, start=1))
    assert tools(read(BEST, "".join(parts))) == [(name, "$9") for name in TOOLS]


@pytest.mark.parametrize("title", ["Four note apps I tried", "Vier Notiz-Apps im Vergleich", "The best note apps"])
def test_boxes_without_headings_and_links_are_tools_where_each_has_a_price(title):
    box = "<div><div>{}</div><div>Keeps every note</div><div>${}</div><div>per month</div></div>"
    boxes = "".join(box.format(name, place) for place, name in enumerate(TOOLS, start=5))
    page = read(title, f"<div>{boxes}</div>")
    assert tools(page) == [(name, f"${place} per month") for place, name in enumerate(TOOLS, start=5)]
    plans = "".join(box.format(name, place) for place, name in enumerate(("Free", "Pro", "Team", "Business"), start=5))
    dishes = boxes.replace("<div>per month</div>", "")
    assert [tools(read(title, f"<div>{others}</div>")) for others in (plans, dishes)] == [None, None]


@pytest.mark.parametrize(
    "more", ["<p>Sponsored: Lamps, now 20 % off</p>", "<p>Read more: how we sit</p><p>Image: the desk</p>"]
)
def test_what_somebody_paid_for_and_pages_and_pictures_are_no_attributes(more):
    page = read(BEST, sections("<p>4.6/5</p><p>Price: $9</p>", more, "<p>It is fine.</p>"))
    assert {name for name, _ in attributes(page)} == {"Price"}


TABLE = "".join(f"<tr><td>{name}</td><td>$9</td><td>teams</td></tr>" for name in TOOLS)
TABLE = f"<table><tr><th>Tool<th>Price<th>Best for</tr>{TABLE}</table>"


def test_a_table_of_fewer_tools_than_the_title_promises_is_told():
    page = read("The 5 best changelog writers", TABLE)
    assert len(page.side_by_side.tools) == 4
    assert list_doubts(page) == [("incomplete_list", "4 tools in tables")]


def test_a_gap_in_the_ranks_is_told_and_the_tools_beside_it_are_read():
    page = read("The best changelog writers", TABLE + four().replace("4. Trueline", "6. Trueline"))
    assert [tool.name for tool in page.side_by_side.tools] == [*TOOLS]
    assert ("incomplete_list", "the numbers 1, 2, 3, 6") in list_doubts(page)


def test_a_card_of_a_tool_says_what_its_section_does_not():
    prices = ["$1", "$2", "$3", "$4"]
    cards = "".join(f"<h2>{name}</h2><p>{price}</p>" for name, price in zip(TOOLS, prices, strict=True))
    own = "".join(
        f"<h2>{name}</h2><p>{name} came with a plan for each of us, and {name} kept to it.</p>" for name in TOOLS
    )
    page = read(BEST, cards + "<h2>How we tested</h2><p>For a week.</p>" + own)
    assert tools(page) == [*zip(TOOLS, prices, strict=True)]


@pytest.mark.parametrize(
    "title", ["The best changelog writers", "Changelog writers we use every day", "Changelog writers compared"]
)
def test_sections_that_say_what_is_said_of_products_are_of_tools_whatever_the_title_says(title):
    page = read(title, remove_numbers(four()) + "<h2>How we tested</h2><p>For a week.</p>")
    assert (tools(page), page.side_by_side.claim) == (FOUR, "compares")


@pytest.mark.parametrize(
    "title",
    ["Larkspur or Fennel?", "Comparing Larkspur and Fennel", "Larkspur / Fennel", "We tried both: Larkspur vs Fennel"],
)
def test_two_tools_that_a_title_names_in_any_words_are_compared_by_their_sections(title):
    page = read(title, remove_numbers("".join(section(1, *pair) for pair in TWO)))
    assert tools(page) == [*TWO]
