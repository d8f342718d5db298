"""What a cell says: the text that a browser shows, with its spaces, and what icons say where there is none."""

import pytest

from builders.snapshots import read_grids
from verdicts.extract.html.cell_text import CellText, cell_text
from verdicts.extract.html.elements import Element
from verdicts.extract.html.html_page import Page


def read_cell(inside: str, attributes: str = "") -> CellText:
    grid, *_ = read_grids(f"<body><p id=named>On request</p><table><tr><td {attributes}>{inside}</td></tr></table>")
    return grid.cells[0].said


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<b>$20</b><span>/mo</span>", "$20/mo"),
        ("<b>$20</b> <span>a month</span>", "$20 a month"),
        ("<div>$20</div><div>a month</div>", "$20 a month"),
        ("$20<div>a month</div>billed yearly", "$20 a month billed yearly"),
        ("$20<br>a month", "$20 a month"),
        ("<ul><li>Mac</li><li>Windows</li></ul>", "Mac Windows"),
        ("un<wbr>limited", "unlimited"),
        ("<x-price>$20</x-price>/mo", "$20/mo"),
        ('<span style="display: block">Free</span>forever', "Free forever"),
        ('<div style="display:inline">$20</div><div style="display:inline">/mo</div>', "$20/mo"),
        ('<span class="block">Free</span><span class="block">forever</span>', "Free forever"),
        ("H<sub>2</sub>O", "H2O"),
        ("  two\n words&nbsp;here ", "two words here"),
        ("<style>td { color: red }</style>5<script>6</script>", "5"),
        ('<span hidden>7</span>5<span style="display: none">6</span>', "5"),
        ('5 GB<span role="tooltip">Per reviewer and month</span>', "5 GB"),
        ('<span class="tooltip">5 GB<span class="tooltiptext">Per reviewer and month</span></span>', "5 GB"),
        ('<i class="fa fa-info"></i>5 GB<span class="sr-only">included</span>', "5 GB"),
        ("<table><tr><td>20 GB</td><td>fast</td></tr></table>", "20 GB fast"),
        ("", None),
        ("<!-- none --> <span> </span>", None),
    ],
)
def test_text_is_what_a_browser_shows(inside, text):
    assert read_cell(inside).text == text
    assert not read_cell(inside).is_unreadable


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<del>$29</del> $19/mo", "$19/mo"),
        ("<s><b>$29</b>.99</s><strike>$25</strike>$19", "$19"),
        ('<span style="text-decoration: line-through">$29</span> $19', "$19"),
        ('<span class="price line-through">$29</span><span>$19</span>', "$19"),
        ("<del>Phone support</del>", None),
    ],
)
def test_what_is_struck_out_is_no_text(inside, text):
    assert read_cell(inside).text == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("Pricing<sup>1</sup>", "Pricing"),
        ("<b>Pricing</b><sup>1, 2</sup> in full", "Pricing in full"),
        ('$20<sup><a href="#n">[3]</a></sup>/mo', "$20/mo"),
        ("99.9%<sup>*</sup>", "99.9%"),
        ("10<sup>6</sup> rows", "10⁶ rows"),
        # Behind a price it is none of its digits, and raised cents stay.
        ("$14.99<sup>1</sup>", "$14.99"),
        ("$8<sup>2</sup>", "$8"),
        ("$14<sup>99</sup>", "$14⁹⁹"),
    ],
)
def test_marks_of_footnotes_are_no_text(inside, text):
    assert read_cell(inside).text == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ('<img src="a.png" alt="Included">', "Included"),
        ('<img src="/icons/cross.svg" alt="cross.svg">', "No"),
        ('<span aria-label="Not included"><svg><path/></svg></span>', "Not included"),
        ('<i aria-labelledby="named" aria-label="Later"></i>', "On request"),
        ('<svg aria-label="Partly"><title>Icon</title></svg>', "Partly"),
        ("<svg><title>Partly</title><path/></svg>", "Partly"),
        ('<svg aria-hidden="true"></svg><span class="visually-hidden">Included</span>', "Included"),
        ('<i class="fa fa-check"></i><span class="sr-only">Beta only</span>', "Beta only"),
        ('<span class="dot" title="Coming soon"></span>', "Coming soon"),
        ('<i class="fas fa-check-circle"></i>', "Yes"),
        ('<span class="glyphicon glyphicon-remove"></span>', "No"),
        ('<svg class="lucide lucide-x"><path/></svg>', "No"),
        ('<svg><use href="/sprite.svg#icon-tick"></use></svg>', "Yes"),
        ('<img src="/icons/cross.svg?v=2" alt="">', "No"),
        ('<span class="material-icons">check_circle</span>', "Yes"),
        ('<input type="checkbox" checked disabled>', "Yes"),
        ('<img alt="iOS"> <img alt="Android"><img src="line.png" alt="">', "iOS Android"),
    ],
)
def test_an_icon_says_what_it_is_named_and_else_what_it_shows(inside, text):
    assert (read_cell(inside).text, read_cell(inside).is_inferred) == (text, True)


@pytest.mark.parametrize(
    "inside",
    [
        "<svg><path/></svg>",
        '<img src="/a/b17.png">',
        '<img src="/a/b17.png" alt="">',
        '<i class="fa fa-info"></i>',
        '<i class="fab fa-x-twitter"></i>',
        '<i class="icon-check icon-no"></i>',
        '<i class="fa fa-check"></i><i class="fa fa-info"></i>',
        "<i>&#xf00c;</i>",
        '<span class="material-symbols-outlined">remove_circle_check</span>',
        '<input type="checkbox" name="compare">',
        "<select><option>Monthly</option><option>Yearly</option></select>",
        '<button aria-label="More about this"><svg></svg></button>',
    ],
)
def test_an_icon_that_says_nothing_is_unreadable_and_never_empty(inside):
    assert (read_cell(inside).text, read_cell(inside).is_unreadable) == (None, True)


def test_a_cell_without_text_takes_its_own_label():
    assert read_cell("", 'aria-label="Not applicable"') == CellText("Not applicable", is_inferred=True)
    assert read_cell('<svg class="check"></svg>', 'title="Since 2024"').text == "Since 2024"
    assert read_cell("", 'class="check"').is_unreadable
    assert read_cell("", 'class="no-border px-4 x"') == CellText(None)


def test_what_icons_say_beside_a_text_is_told_and_is_no_text():
    assert read_cell('<i class="fa fa-times"></i> Offline') == CellText("Offline", beside=("No",))


def test_links_are_those_of_the_cell_in_order():
    assert read_cell('<a href="/a">A</a> or <a href="/b">B</a>').links == ("/a", "/b")


@pytest.mark.whole
def test_a_cell_that_nests_by_the_hundred_thousand_is_read():
    deep = Element("b", {}, ["in the middle"])
    for _ in range(300_000):
        deep = Element("b", {"class": "x"}, [deep])
    assert cell_text(Element("td", {}, [deep]), {}).text == "in the middle"


@pytest.mark.parametrize("tag", ["noframes", "noembed", "iframe", "noscript", "script"])
def test_text_that_no_browser_reads_as_markup_breaks_nothing(tag):
    assert Page(f'<body><table><tr><td>5<{tag}><b a="></td></{tag}></td></tr></table>').body.tag == "body"


def test_a_page_for_a_label_is_cut():
    cells = '<td aria-labelledby="all all"></td>' * 20
    (grid,) = read_grids(f"<body id=all><p>{'words ' * 10_000}</p><table><tr>{cells}</tr></table>")
    assert all(len(cell.said.text or "") < 3_000 for cell in grid.cells)
