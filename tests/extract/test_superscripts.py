"""A footnote's mark is not read as part of a word or of a price."""

import pytest
from selectolax.lexbor import LexborHTMLParser

from verdicts.extract.html.html_blocks import html_blocks


def read(html: str) -> list[str]:
    return [block.text for block in html_blocks(LexborHTMLParser(html, scripting=True))]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Pricing<sup>1</sup>", "Pricing"),
        ("Pricing<sup>1, 2</sup> in full", "Pricing in full"),
        ("<b>Pricing</b><sup>1</sup>", "Pricing"),
        ("GPT-4o<sup>3</sup>", "GPT-4o"),
        ("99.9%<sup>2</sup> up", "99.9% up"),
        ("Free (beta)<sup>2</sup>", "Free (beta)"),
        ("$20<sup>[1]</sup> a month", "$20 a month"),
        ("$20<sup>*</sup>", "$20"),
        ("$20<sup>†</sup><sup>‡</sup>", "$20"),
        ('$20<sup id="r1"><a href="#note-1">1</a></sup>', "$20"),
        ('Free<sup><span>[<a href="#note-1">1</a>]</span></sup>', "Free"),
        # Digits behind a digit stay raised.
        ("$20<sup>1</sup>", "$20¹"),
        ("<b>$20</b><sup>1</sup>/mo", "$20¹/mo"),
        ("10<sup>12</sup> tokens", "10¹² tokens"),
        ("$20<sup>1,2</sup>", "$20¹,²"),
        # Any other superscript is text.
        ("the 1<sup>st</sup> of May", "the 1st of May"),
        ("O(n<sup>2</sup>)", "O(n2)"),
        ("Alpha<sup>TM</sup>", "AlphaTM"),
        ("$20 <sup>1</sup>", "$20 1"),
        ("20<br><sup>1</sup> excludes VAT", "20 1 excludes VAT"),
    ],
)
def test_a_footnote_mark_is_dropped_and_what_is_none_is_kept(html, text):
    assert read(f"<p>{html}</p>") == [text]


def test_what_stands_in_another_block_is_not_directly_before():
    assert read("<p>$20</p><p><sup>1</sup> excludes VAT</p>") == ["$20", "1 excludes VAT"]


def test_units_side_by_side_keep_their_price_whole():
    assert read("<div><span>$20</span><sup>1</sup></div><div><span>Pricing</span><sup>1</sup></div>") == [
        "$20¹",
        "Pricing",
    ]


def test_marks_by_the_thousand_take_no_time_worth_naming():
    assert read(f"<p>{'Free<sup>1</sup> ' * 20_000}</p>") == [" ".join(["Free"] * 20_000)]
    assert len(read("<p>" + "<sup>" * 3_000 + "1</p>")) == 1
