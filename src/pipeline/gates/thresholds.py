"""What the gates go by, as data. Where a number is not explained here, `benchmarks/gates.py` shows what it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from verdicts.corpus.enumerations import GateMeasure, GateTest, GateUnit

GATE_VERSION = "2"
"""Raised with every change of what is measured of a page: the record files keep it, and are made anew."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of pages or tools that had something `nights_ago` accepted nights ago.

    Of `only_changed` pages those alone count whose content is another one. At least `least` of them and `share` of them
    must lose it, and more than chance explains at `rate`, or at the rate of accepted nights where that is larger.
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
"""A site that loses a field all at once fails `night`; one whose redesign reaches few pages a night fails `anew`, a
trickle `week` and `month`. Of a younger host `week` and `month` look at its first accepted night. One or two pages may
become something else on any night; and on a quiet one the pages that changed are those that lost something, so that
`anew` asks for more of them.
"""

FACT_TESTS = (
    *PAGE_TESTS,
    PairedTest("night", 1, share=0.05, rate=0.01, least=4, unit="tool"),
    PairedTest("week", 7, share=0.10, rate=0.02, least=4, unit="tool"),
    PairedTest("month", 28, share=0.20, rate=0.04, least=4, unit="tool"),
)
"""Of most facts of tools. A site edits a handful of tools on a night, and some of them lose a fact by it."""

AMOUNT_TESTS = (
    PairedTest("night", 1, share=0.3, rate=0.1),
    PairedTest("anew", 1, share=0.5, rate=0.3, least=5, only_changed=True),
    PairedTest("week", 7, share=0.4, rate=0.2),
    PairedTest("month", 28, share=0.5, rate=0.3),
    PairedTest("night", 1, share=0.5, rate=0.1, least=4, unit="tool"),
    PairedTest("week", 7, share=0.6, rate=0.4, least=4, unit="tool"),
    PairedTest("month", 28, share=0.75, rate=0.5, least=4, unit="tool"),
)
"""Of `amount`: `Free + Pro $20/mo` may become `Free · Contact sales`, which is as good a price. That is a change of the
tool, night for night. Amounts that are gone from most tools are no longer printed, or no longer read.
"""

TOOL_TESTS: Mapping[GateMeasure, tuple[PairedTest, ...]] = {
    "whole_panel": FACT_TESTS,
    "panel": FACT_TESTS,
    "tagline": FACT_TESTS,
    "slug": FACT_TESTS,
    "rating": FACT_TESTS,
    "decision": FACT_TESTS,
    "price": FACT_TESTS,
    "amount": AMOUNT_TESTS,
}
"""The measures whose unit is the tool, and their tests. Such a fact stands on all pages of its tool, so that one edit
changes them all; pages are tested beside it for losses that their tools do not explain. All other measures are of what
a page itself shows, and their unit is the page: whether it compares, its takes, and what stands beside them.
"""


def tests_of(measure: GateMeasure) -> tuple[PairedTest, ...]:
    """The tests of a measure, in both units."""
    return TOOL_TESTS.get(measure, PAGE_TESTS)


REREAD = PairedTest("reread", 0, share=0.02, rate=0.002)
"""The same bytes: nothing but the extractor is another one, so that little is ordinary."""

PAGES_LEAST = 3
"""Fewer pages that fail are nothing to tell of, unless a host has no others."""

TOOL_SHARE = 0.5
"""What a site changes of a tool stands on all its pages: where more of them lost something, the tool lost it."""

NIGHTS_LEARNT_FROM, NIGHTS_LEFT_OUT = 28, 7
"""How many accepted nights say what a host loses on an ordinary one, and how many of the newest do not: a loss of a few
pages a night would teach its own slope.
"""

PAGES_LEARNT_FROM = 200
"""A rate is learnt from so many pages or more, counted anew each night. Wilson's limit of fewer is wide: two nights of
ten pages without a loss allow 12 per cent.
"""

WATCH_PAGES, WATCH_P = 2, 0.003
"""A loss that is noted to be looked at, and never told."""

FALSE_ALARMS_A_YEAR = 6.0
"""Unless the config says otherwise."""

PLACEHOLDER_TOOLS, PLACEHOLDER_SHARE, PLACEHOLDER_BEFORE = 3, 0.8, 0.2
"""A value that stands on so many tools and so large a share of those read anew, and stood on so few of them before, is
no value: `$0`, `Loading...`, `N/A`.
"""

LOST_FACTOR = 2
"""A page has lost what it shows half as often as before, or less: the scores of one of its two tools."""


@dataclass(frozen=True, slots=True)
class HealthTest:
    """Pages that fail tonight, whatever they were: told from `share` on, where chance at `rate` is below `p_value`."""

    share: float
    rate: float
    p_value: float


HEALTH_TESTS: Mapping[GateMeasure, HealthTest] = {
    "answered": HealthTest(share=0.10, rate=0.02, p_value=0.001),
    "rejects": HealthTest(share=0.05, rate=0.01, p_value=0.001),
}

GONE_SHARE = 0.5
"""Where no page answers, and this share of the known ones or more is gone or leads elsewhere, none of them answered:
all of a site does not go in a night.
"""

EXAMPLES = 3
"""Pages that are shown of a loss."""

GateMode: TypeAlias = Literal["hold", "shadow"]


@dataclass(frozen=True, slots=True)
class GateSettings:
    """`shadow` notes what would be held and holds nothing. `false_alarms_a_year` are what chance may cost, in all."""

    mode: GateMode = "hold"
    false_alarms_a_year: float = FALSE_ALARMS_A_YEAR
