"""The hand-made corpus with what an analyst of the market asks for: community votes, token prices, prose."""

from datetime import timedelta

from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.warehouse_rows import NEXT_NIGHT, NIGHT, an_id
from verdicts.corpus.rows.other_sites import ComparedToolRow
from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.corpus.rows.tools import PriceHistoryRow, ProductCandidateRow

NEWS, LIST = f"http://{make.HOST}/news/one", "http://lists.example/best"
LATER = NEXT_NIGHT + timedelta(days=9)

TAKES = {
    "left": ("beta", "Skeptic", 40, "skip", "It forgot my plan. I switched from Alpha in May and lost a week."),
    "longer": ("beta", "PM", 70, "ship", "We migrated our whole team from alpha, and nobody asked to return."),
    "back": ("gamma", "PM", 30, "skip", "Fine for a month. Then I went back to Alpha."),
    "never": ("gamma", "Creator", 66, "ship", "I would never have moved from Alpha without a push."),
    "hand": ("gamma", "Founder", 50, "skip", "I moved from a large company to a small one. It is called Alphabet."),
    "slow": ("alpha", "PM", 58, "skip", "A cold start took 40 seconds on my laptop. Nothing else is slow."),
    "fast": ("alpha", "Founder", 77, "ship", "The first cold start: 1.5 minutes. I made tea."),
    "other": ("alpha", "Creator", 71, "ship", "My export finished in 3 hours."),
}
"""A word: tool, seat, score, verdict and text of a take."""


def market() -> make.Corpus:
    """Of the community 80 percent like beta, 20 gamma; alpha's verdict turned nine days after its price."""
    rows = make.corpus()
    for number, (word, (tool, seat, score, verdict, text)) in enumerate(TAKES.items()):
        page, side = ("alpha-vs-gamma", "b") if tool == "gamma" else ("alpha-vs-beta", "b" if tool == "beta" else "a")
        rows["reviews"].append(make.review(word, tool, seat=seat, score=score, verdict=verdict, text=text))
        rows["appearances"].append(make.appearance(page, word, 10 + number, side=side))
    rows["tools"] = [
        make.tool("alpha", vendor="Google", vendor_evidence="name: Google"),
        make.tool("beta", name="Twin", product="Twin", vendor="Meta", vendor_evidence="name: Llama"),
        make.tool("gamma", name="Twin", product="Twin", vendor="Google", vendor_evidence="slug: Google"),
    ]
    rows["verdicts"][1] = make.verdict("alpha-vs-beta", "b", "beta", community_pct=80, community_votes=40)
    rows["tool_cards"][3] = make.card("alpha-vs-gamma", "b", "gamma", name="Twin", panel_ship_pct=25, community_pct=20)
    rows["pricing_tiers"] += [
        make.tier("beta", 1, plan=None, kind="usage", amount=3.0, period=None, unit="1M input tokens", raw="$3"),
        make.tier("beta", 2, plan=None, kind="usage", amount=0.002, period=None, unit="1K tokens", raw="$0.002"),
        make.tier("gamma", 0, plan=None, kind="usage", amount=1.0, period=None, unit="500,000 tokens", raw="$1"),
        make.tier("gamma", 1, plan=None, kind="usage", amount=1.0, period=None, unit="1,000 requests", raw="$1"),
    ]
    rows["price_history"].append(PriceHistoryRow(an_id("beta"), "Free", NIGHT, None))
    rows["verdict_history"] = [
        make.verdict_state("alpha-vs-beta", "a", "alpha", valid_to=LATER),
        make.verdict_state("alpha-vs-beta", "a", "alpha", verdict="skip", valid_from=LATER),
        make.verdict_state("alpha-vs-beta", "b", "beta", valid_to=LATER),
        make.verdict_state("alpha-vs-beta", "b", "beta", verdict="skip", valid_from=LATER),
    ]
    rows["product_candidates"] = [
        ProductCandidateRow(NEWS, 0, 0, an_id("alpha"), 1.0, "same_name_and_vendor", "merged", "compares"),
        ProductCandidateRow(NEWS, 1, 0, an_id("beta"), 1.0, "same_name", "candidate", "compares"),
        ProductCandidateRow(LIST, 0, 0, an_id("beta"), 1.0, "same_name_and_vendor", "merged", "compares"),
        ProductCandidateRow(LIST, 0, 1, an_id("gamma"), 1.0, "same_name_and_vendor", "merged", "compares"),
        ProductCandidateRow(LIST, 1, 0, an_id("alpha"), 1.0, "same_name_and_vendor", "merged", "compares"),
    ]
    document = rows["documents"][0]
    rows["documents"].append(replace(document, url=LIST, host="lists.example", reader="schema_org", claim="describes"))
    rows["compared_tools"][1] = replace(rows["compared_tools"][1], rating=4.0)
    rows["compared_tools"] += [
        ComparedToolRow(LIST, 0, "Twin", None, None, None, None, 3.0, None, None, None, None),
        ComparedToolRow(LIST, 1, "Alpha", None, None, None, None, 8.0, None, 7, None, None),
    ]
    said = replace(rows["outside_reviews"][0], review_id=an_id("said"))
    rows["outside_reviews"] = [said, replace(said, url=LIST, position=3, tool_position=1, text="A good one")]
    rows["pages"][1] = make.page("alpha-vs-gamma", is_gone=True)
    return rows


def measures() -> list[GateMeasureRow]:
    """One host held, one that passed."""
    run = make.Crawl().crawl_id
    return [
        GateMeasureRow(run, host, "takes", "night", "page", 10, lost, 0.1, 0.5, "hold", state, (), "1", "1")  # type: ignore[arg-type]
        for host, lost, state in ((make.HOST, 9, "held"), ("other.example", 0, "passed"))
    ]
