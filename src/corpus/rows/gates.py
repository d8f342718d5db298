"""What the gates between extraction and the corpus measured, and what a person accepted."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, SHARE, NotEmpty, References
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import GateLevel, GateMeasure, GateState, GateTest, GateUnit


@table("gate_measures", key=("crawl_id", "host", "measure", "test", "unit"), is_log=True)
class GateMeasureRow(Row, frozen=True):
    """A test of a night's readings of a host, page by page or tool by tool, against readings that were accepted before.

    Every night leaves its rows, also where all is well. A host is held where a row of its newest run is held: the
    readings of that run stay out of the corpus until the host has recovered or the loss is accepted.
    """

    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run whose readings were tested (crawls.crawl_id)."]
    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[
        GateMeasure,
        "What a page may lose (comparison, takes, take_text, whole_panel, side, seat, score, verdict, panel, tagline, "
        "slug, rating, decision, price, amount, attribution), how the host is (answered, rejects), or what is only "
        "told (changed, new, gone). docs/gates.md says what each of them is.",
    ]
    test: Annotated[
        GateTest,
        "What tonight is compared with: night (the last accepted night), anew (the same, of pages whose content "
        "changed), week and month (7 and 28 accepted nights ago), fixed (a rule without statistics), reread (the same "
        "bytes read by the extractor before), count (nothing: only counted).",
    ]
    unit: Annotated[
        GateUnit,
        "What had and lost count: page, or tool. A tool lost what it had where more than half of its pages lack it.",
    ]
    had: Annotated[
        int, COUNT, "Pages or tools that had it: m. Of answered: pages asked for; of rejects, changed: answered."
    ]
    lost: Annotated[
        int, COUNT, "Those of them that lack it now: k. Of rejects, changed, new and gone: pages that are so."
    ]
    rate: Annotated[
        float | None,
        SHARE,
        "Share of pages or tools that may lose it on such a night: the largest of the floor, of what accepted nights "
        "lost, and of tools what others gained meanwhile. NULL: the test has none.",
    ]
    p_value: Annotated[
        float | None,
        SHARE,
        "Probability that so many or more lose it at that rate. NULL: the test has none.",
    ]
    level: Annotated[GateLevel, "What a failure leads to: hold (the host is held), alert (it is told), report (none)."]
    state: Annotated[
        GateState,
        "passed, watch (worth a look, never told), alert, held, accepted (held until a person accepted it), shadow "
        "(would be held, were the gates not set to shadow), unjudged (there is nothing to compare with yet).",
    ]
    examples: Annotated[
        tuple[str, ...],
        "Up to three pages that lack it, each as: address, what it said before, an arrow, what it says now.",
    ]
    extractor_version: Annotated[str, NotEmpty(), "Version of the extractor that read the pages, both times."]
    gate_version: Annotated[str, NotEmpty(), "Version of the measures and tests."]


@table("gate_accepts", key=("host", "measure", "crawl_id"), is_log=True)
class GateAcceptRow(Row, frozen=True):
    """A loss that a person accepted: what that run read is what the measure of the host is compared with from then."""

    host: Annotated[str, NotEmpty(), "Host of the pages."]
    measure: Annotated[GateMeasure, "What was lost (gate_measures.measure)."]
    crawl_id: Annotated[str, NotEmpty(), References("crawls"), "Run whose readings were accepted (crawls.crawl_id)."]
    accepted_at: Annotated[datetime, "When."]
    accepted_by: Annotated[str, NotEmpty(), "By whom: the name of the account."]
    reason: Annotated[str, NotEmpty(), "Why, in their words."]
