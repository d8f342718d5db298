"""The settings of the gates, as data. `benchmarks/gates.py` shows the effect of numbers not explained here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from verdicts.corpus.enumerations import GateMeasure, GateTest, GateUnit

GATE_VERSION = "3"
"""Raised when the measures of a page change. It is part of the names of record files, so all are made again."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of pages or tools, compared with `nights_ago` accepted nights before.

    `only_changed` counts only pages with new content. It fails if at least `least` and `share` of them lose the
    measure, and chance does not explain that at `rate` or at the learnt rate, whichever is larger.
    """

    name: GateTest
    nights_ago: int
    share: float
    rate: float
    least: int = 3
    only_changed: bool = False
    unit: GateUnit = "page"


PAGE_TESTS = (
    PairedTest("night", 1, share=0.05, rate=0.005),
    PairedTest("anew", 1, share=0.20, rate=0.03, least=5, only_changed=True),
    PairedTest("week", 7, share=0.05, rate=0.01),
    PairedTest("month", 28, share=0.10, rate=0.02),
)
"""A sudden loss of a field fails `night`, a redesign of few pages a night `anew`, a slow loss `week` and `month`. For
younger hosts the last two compare with the first accepted night. One or two pages may change on any night. On a night
with few changes, these may be just the pages that lost something, so `anew` needs more."""

FACT_TESTS = (
    *PAGE_TESTS,
    PairedTest("night", 1, share=0.05, rate=0.01, least=4, unit="tool"),
    PairedTest("week", 7, share=0.10, rate=0.02, least=4, unit="tool"),
    PairedTest("month", 28, share=0.20, rate=0.04, least=4, unit="tool"),
)
"""For most facts of tools. Sites edit a few tools a night, and some of these lose a fact."""

AMOUNT_TESTS = (
    PairedTest("night", 1, share=0.3, rate=0.1),
    PairedTest("anew", 1, share=0.5, rate=0.3, least=5, only_changed=True),
    PairedTest("week", 7, share=0.4, rate=0.2),
    PairedTest("month", 28, share=0.5, rate=0.3),
    PairedTest("night", 1, share=0.5, rate=0.1, least=4, unit="tool"),
    PairedTest("week", 7, share=0.6, rate=0.4, least=4, unit="tool"),
    PairedTest("month", 28, share=0.75, rate=0.5, least=4, unit="tool"),
)
"""`Free + Pro $20/mo` may become `Free · Contact sales`, which is as good a price, so single amounts often disappear.
If most tools lose them, the site or the reader is broken."""

TOOL_TESTS: Mapping[GateMeasure, tuple[PairedTest, ...]] = {
    "whole_panel": FACT_TESTS,
    "panel": FACT_TESTS,
    "tagline": FACT_TESTS,
    "description": FACT_TESTS,
    "category": FACT_TESTS,
    "entry": FACT_TESTS,
    "slug": FACT_TESTS,
    "rating": FACT_TESTS,
    "decision": FACT_TESTS,
    "price": FACT_TESTS,
    "amount": AMOUNT_TESTS,
}
"""Measures that are counted by tool, with their tests. A fact of a tool is on all its pages, so one edit changes them
all. Pages are tested too, for losses that their tools do not explain. All other measures are about a page itself and
are counted by page."""


def tests_of(measure: GateMeasure) -> tuple[PairedTest, ...]:
    return TOOL_TESTS.get(measure, PAGE_TESTS)


REREAD = PairedTest("reread", 0, share=0.02, rate=0.002)
"""Same bytes, new extractor: few differences are normal."""

PAGES_LEAST = 3
"""Fewer failing pages are not reported, unless the host has no others."""

TOOL_SHARE = 0.5
"""If a tool lost something on a larger share of its pages, the tool itself lost it."""

NIGHTS_LEARNT_FROM, NIGHTS_LEFT_OUT = 28, 7
"""The accepted nights from which a normal rate is learnt, and the newest ones left out. Otherwise a slow loss would
become normal."""

PAGES_LEARNT_FROM = 200
"""Least pages to learn a rate from, added up over the nights. With fewer, Wilson's limit is wide: two nights of ten
pages without a loss would allow 12 %."""

WATCH_PAGES, WATCH_P = 2, 0.003
"""A loss that is recorded for the report, and never alerts."""

FALSE_ALARMS_A_YEAR = 6.0
"""Accepted false alarms a year, over all hosts and tests."""

PLACEHOLDER_TOOLS, PLACEHOLDER_SHARE, PLACEHOLDER_BEFORE = 3, 0.8, 0.2
"""Words on this many tools and this share of pages read anew, but on at most this share before, are no value: `$0`,
`Loading...`, `N/A`."""

LOST_FACTOR = 2
"""A page lost a measure if it shows half as much or less, such as the scores of one of two tools."""


@dataclass(frozen=True, slots=True)
class HealthTest:
    """A test of pages that fail tonight: reported from `share` on, if chance at `rate` is below `p_value`."""

    share: float
    rate: float
    p_value: float


HEALTH_TESTS: Mapping[GateMeasure, HealthTest] = {
    "answered": HealthTest(share=0.10, rate=0.02, p_value=0.001),
    "rejects": HealthTest(share=0.05, rate=0.01, p_value=0.001),
}

GONE_SHARE = 0.5
"""If no page answers, and at least this share is gone or redirects elsewhere, the host counts as silent: a whole site
does not disappear in a night."""

EXAMPLES = 3
"""Pages shown for a loss."""

GateMode: TypeAlias = Literal["hold", "shadow"]


@dataclass(frozen=True, slots=True)
class GateSettings:
    """`shadow` records losses and holds nothing. `false_alarms_a_year` is the accepted number, over all tests."""

    mode: GateMode = "hold"
    false_alarms_a_year: float = FALSE_ALARMS_A_YEAR
