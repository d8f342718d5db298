"""`verdicts correct`: what its document shows happens, and what cannot be meant is refused."""

import re
import shlex
import shutil

import pytest

from builders.command import check_refusal, run_here, run_well
from builders.paths import ROOT

WHY = ("--why", "she looked", "--by", "Ada")


def without_ids(text: str) -> str:
    return re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{4}|(?<=correction )[0-9a-f]{12}", "", text)


@pytest.mark.whole
def test_every_command_of_the_document_prints_what_it_shows(night, tmp_path):
    home = shutil.copytree(night[0], tmp_path / "home")
    text = (ROOT / "docs" / "corrections.md").read_text(encoding="utf-8")
    examples = re.findall(r"^\$ verdicts (.+)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert len(examples) == text.count("$ verdicts ") > 3
    for call, shown in examples:
        assert without_ids(run_well(*shlex.split(call), cwd=home).stdout) == without_ids(shown), call


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("review", "REVIEW", "--tool", "nowhere"), "no tool is called 'nowhere'"),
        (("review", "REVIEW"), "either name a tool or say that there is none (no_tool)"),
        (("review", "ffffffffffff", "--no-tool"), "no tool is called 'ffffffffffff'"),
        (("review", "midmeadow", "--no-tool"), "'midmeadow' is a tool; name a review by its id"),
        (("same", "REVIEW", "midmeadow"), "the first is a review, the second a tool; name two tools or two reviews"),
        (("different", "midmeadow", "midmeadow"), "is named twice; name two"),
        (
            ("value", "tools", "name", "X", "--row", "slug=x"),
            "by --row tool_id=VALUE; tool_id may also be a slug or a name",
        ),
        (
            ("value", "reviews", "score", "101", "--row", "review_id=REVIEW"),
            "score: Input should be less than or equal to 100, not '101'",
        ),
        (("value", "reviews", "score", "many", "--row", "review_id=REVIEW"), "score: Input should be a valid integer"),
        (
            ("value", "reviews", "score", "--row", "review_id=REVIEW"),
            "either give a value or say that there is none (absent)",
        ),
        (
            ("value", "reviews", "tool_id", "x", "--row", "review_id=REVIEW"),
            "the columns of reviews are reviewer, score",
        ),
        (
            ("value", "pricing_tiers", "amount", "1", "--row", "tool_id=midmeadow"),
            "--row tool_id=VALUE and --row tier_number=VALUE",
        ),
        (
            ("value", "pricing_tiers", "amount", "1", "--row", "tool_id=midmeadow", "--row", "tier_number=99"),
            "pricing_tiers has no row with tool_id=",
        ),
        (("category", "Nothing", "Group"), "no tool has the category 'Nothing'"),
        (("outside", "https://a.example/", "Curlow", "--no-tool"), "https://a.example/ names no tools, not 'Curlow'"),
    ],
)
def test_what_cannot_be_meant_is_one_line_and_is_not_noted(six_pages, call, said):
    take = run_well("sql", "SELECT min(review_id) FROM reviews", "--format", "csv", cwd=six_pages).stdout.split()[1]
    args = [part.replace("REVIEW", take[:14]) for part in call]
    check_refusal(run_here("correct", *args, *WHY, cwd=six_pages), said)
    assert not list((six_pages / "data").glob("corrections/*"))
