"""The settings of the gates, as data. `benchmarks/gates.py` shows the effect of numbers not explained here."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from verdicts.corpus.enumerations import GateMeasure, GateTest, GateUnit

GATE_VERSION = "3"
"""Raised when the measures of a page change. It is part of the names of record files, so all are made again."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A test of pages or tools, compared with `nights_ago` accepted nights before.

    It fails if at least `least` and `share` of them lose the measure, and chance does not explain that at `rate` or at
    the learnt rate, whichever is larger.
    """

    name: GateTest
    unit: GateUnit
    nights_ago: int
    share: float
    rate: float
    least: int
    finds: str
    """The break that no other test finds as early."""


NIGHT = PairedTest("night", "page", 1, 0.05, 0.005, 3, "half of the pages lose a field, of a site asked in thirds")
PAGE_TESTS = (
    NIGHT,
    PairedTest("week", "page", 7, 0.05, 0.01, 3, "2 % of the pages lose prices every night, or a tenth, of 20 pages"),
    PairedTest("month", "page", 28, 0.10, 0.02, 3, "0.7 % of the pages lose reviews every night"),
)
"""Of every measure but `amount`. A host younger than 28 nights is compared with its first accepted night. Three pages
at least: one or two may change on any night."""

TOOL_TESTS = (
    PairedTest("night", "tool", 1, 0.05, 0.01, 4, "a fifth of the tools lose prices, on all of their pages"),
    PairedTest("week", "tool", 7, 0.10, 0.02, 4, "one more tool loses its price every night"),
)
"""Of facts of tools, too. Sites edit a few tools a night, and some of these lose a fact."""

AMOUNT_TESTS = (PairedTest("night", "tool", 1, 0.5, 0.1, 4, "prices are read without their numbers"),)
"""`Free + Pro $20/mo` may become `Free · Contact sales`, which is as good a price, so single amounts often disappear.
If most tools lose them, the site or the reader is broken."""

FACTS: tuple[GateMeasure, ...] = (
    "whole_panel", "panel", "tagline", "description", "category", "entry", "slug", "rating", "decision", "price",
    "amount",
)  # fmt: skip
"""Measures that are counted by tool. A fact of a tool is on all its pages, so one edit changes them all. Pages are
tested too, for losses that their tools do not explain. All other measures are about a page itself."""


def list_tests(measure: GateMeasure) -> tuple[PairedTest, ...]:
    if measure == "amount":
        return AMOUNT_TESTS
    return PAGE_TESTS + TOOL_TESTS if measure in FACTS else PAGE_TESTS


REREAD = PairedTest("reread", "page", 0, 0.02, 0.002, 3, "a new extractor reads less of the same bytes")

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

SILENT_PAGES, SILENT_SHARE = 3, 0.1
"""From so many addresses, and so large a share, a host that does not answer is an incident. It holds nothing: its pages
keep what they showed."""

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
