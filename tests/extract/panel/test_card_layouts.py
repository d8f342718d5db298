"""Cards laid out in other ways say the same."""

import pytest

from builders.panel_html import (
    ALPHA,
    BRAVO,
    HEAD,
    TOOLS,
    card,
    cards,
    facts,
    make_expected,
    name,
    page,
    read,
    stats,
    table,
)
from verdicts.extract.model.records import Doubt, PageRejected


def badges(tool):
    return {"Panel ship": tool["panel_ship"], "Community": tool["community"] or "—", "Entry": tool["entry"]}


def each(make):
    """Both cards, with the numbers that `make` writes of labels and values."""
    return "".join(card(tool, numbers=make(badges(tool))) for tool in TOOLS)


def whole(make):
    return "".join(map(make, TOOLS))


def category(tool):
    return f"<p>{tool['category']}</p>"


def chip(tool):
    return f"<p>{tool['chip']}</p>"


CARDS = {
    "label before value": each(lambda of: "".join(f"<div><b>{label}</b><i>{of[label]}</i></div>" for label in of)),
    "labels in the first row": each(lambda of: table(tuple(of), tuple(of.values()))),
    "labels in the last row": each(lambda of: table(tuple(of.values()), tuple(of))),
    "labels in the first column": each(lambda of: table(*of.items())),
    "value and label on two lines": each(lambda of: "".join(f"<p>{of[label]}<br>{label}</p>" for label in of)),
    "all on lines of one text": each(lambda of: f"<p>{'<br>'.join(f'{of[label]}<br>{label}' for label in of)}</p>"),
    "all in one text, value first": each(lambda of: f"<p>{' · '.join(f'{of[label]} {label}' for label in of)}</p>"),
    "all in one text, label first": each(lambda of: f"<p>{' · '.join(f'{label} {of[label]}' for label in of)}</p>"),
    "value to the left in bold": each(lambda of: "".join(f"<p><b>{of[label]}</b> {label}</p>" for label in of)),
    "percent sign apart": cards().replace("<b>75%</b>", "<b>75</b><i>%</i>").replace("<b>50%</b>", "<b>50</b><i>%</i>"),
    "orders mixed": each(
        lambda of: f"<div><b>{of['Panel ship']}</b><i>Panel ship</i></div><div><i>Entry</i><b>{of['Entry']}</b></div>"
        f"<div><b>{of['Community']}</b><i>Community</i></div>"
    ),
    "a card of lines": whole(
        lambda tool: f"<div>{tool['category']}<br>{name(tool)[4:-5]}<br>{tool['tagline']}<br>{tool['chip']}<br>"
        f"{'<br>'.join(f'{value}<br>{label}' for label, value in badges(tool).items())}<br>{tool['description']}</div>"
    ),
    "numbers above the name": whole(
        lambda tool: card(tool, heading=" ").replace(stats(tool) + "</div>", stats(tool) + "</div>" + name(tool))
    ),
    "chip at the end": whole(lambda tool: card(tool, end=f"<em>{tool['chip']}</em>").replace(chip(tool), "")),
    "vote buttons before the chip": whole(
        lambda tool: card(tool).replace(
            chip(tool), f"<p><button>Ship 12</button><button>Skip 3</button></p>{chip(tool)}"
        )
    ),
    "category at the end": whole(
        lambda tool: card(tool, end=category(tool)).replace(f"<article>{category(tool)}", "<article>")
    ),
    "category under its label": whole(
        lambda tool: card(tool).replace(
            category(tool), f"<dl><dt>Category</dt><dd>{tool['category']}</dd></dl>"
        )
    ),
    "links and buttons": cards(end='<a href="https://x.example">Visit site</a><button>Add to list</button>'),
    "a badge beside the name": cards().replace("</a></h3>", "</a> <span>New</span></h3>"),
    "a card that is a button": cards().replace("<article>", '<div role="button">').replace("</article>", "</div>"),
    "an advert between": card(ALPHA) + "<aside><p>Advertisement</p><p>Try Gamma for free.</p></aside>" + card(BRAVO),
    "a layout table": f"<table><tr>{''.join(f'<td>{card(tool)}</td>' for tool in TOOLS)}</tr></table>",
}  # fmt: skip


@pytest.mark.parametrize("layout", CARDS)
def test_a_layout_changes_no_fact(layout):
    comparison = read(page(cards=CARDS[layout]))
    assert facts(comparison) == make_expected()
    assert comparison.doubts == ()


def test_the_word_community_alone_has_no_value():
    bare = (
        cards()
        .replace("<b>62%</b><small>Community", "<small>Community")
        .replace("<b>—</b><small>Community", "<small>Community")
    )
    assert facts(read(page(cards=bare))) == make_expected(a={**ALPHA, "community": None})


def test_the_card_that_stands_first_is_a_whatever_the_title_says():
    assert facts(read(page(head=HEAD.replace("Alpha vs Bravo", "Bravo vs Alpha")))) == make_expected()
    turned = read(page(cards=cards(BRAVO, ALPHA)))
    assert [(each.side, each.name, each.slug) for each in turned.cards] == [
        ("a", "Bravo", "bravo"),
        ("b", "Alpha", "alpha"),
    ]
    assert [column.pricing for column in turned.decisions] == [BRAVO["pricing"], ALPHA["pricing"]]


MORE = "It also writes the notes of a release, and asks before it sends them to anyone."
REMARKS = {
    "a remark": (cards(end="<p>Last reviewed in March</p>"), "Last reviewed in March"),
    "a number of its own": (cards(middle="<div><b>1.2k</b><i>stars</i></div>"), "1.2k / stars"),
    "a ribbon": (cards(top="<div>Panel pick of the year</div>"), "Panel pick of the year"),
}


@pytest.mark.parametrize("remark", REMARKS)
def test_what_is_no_field_of_a_card_is_told_and_changes_none(remark):
    html, words = REMARKS[remark]
    comparison = read(page(cards=html))
    read_cards = facts(comparison)[0]
    told = {doubt for doubt in comparison.doubts if doubt.found == words}
    assert told == {Doubt("unread_text", side, f"a field of card {side}", words) for side in "ab"}
    assert read_cards == make_expected()[0]


def test_what_follows_the_first_paragraph_of_a_description_is_told():
    html = "".join(card(tool, description=f"<p>{tool['description']}</p><p>{MORE}</p>") for tool in TOOLS)
    comparison = read(page(cards=html))
    assert [each.description for each in comparison.cards] == [tool["description"] for tool in TOOLS]
    assert [doubt.found for doubt in comparison.doubts] == [MORE, MORE]


def test_a_chip_that_is_a_picture_is_told():
    html = "".join(card(tool).replace(chip(tool), "<svg></svg>") for tool in TOOLS)
    comparison = read(page(cards=html))
    assert [each.chip for each in comparison.cards] == [None, None]
    assert [(doubt.rule, doubt.side, doubt.found) for doubt in comparison.doubts] == [
        ("copies_differ", side, "no chip on the card") for side in "ab"
    ]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ("<p>75%</p><p>Panel ship</p><p>60%</p><p>Free</p><p>Entry</p>", None),
        ("<p>many</p><p>Panel ship</p><p>Free</p><p>Entry</p>", "lacks a panel percentage"),
        ("<p>75%</p><p>Panel ship</p><p>Entry</p>", "lacks 'Entry'"),
    ],
)
def test_numbers_without_their_labels_are_told_or_refused(numbers, words):
    html = card(ALPHA, numbers=numbers) + card(BRAVO)
    if words is None:
        assert "60%" in {doubt.found for doubt in read(page(cards=html)).doubts}
        return
    with pytest.raises(PageRejected, match=words) as rejected:
        read(page(cards=html))
    assert rejected.value.reject.reason == "incomplete_card"
