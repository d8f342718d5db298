"""The report as one HTML page: no script, nothing asked for from outside, every word of a page escaped. Pure."""

from datetime import datetime
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from verdicts.pipeline.gates.words import DOWN_TODO
from verdicts.pipeline.nights.report import figures
from verdicts.pipeline.nights.report.facts import Absent, NightFacts
from verdicts.pipeline.nights.report.fit import LIMITS, Limits, fitted
from verdicts.pipeline.nights.report.words import (
    GLYPHS,
    MEANINGS,
    NONE_LOST,
    age_in_words,
    commands,
    day_of,
    figures_of,
    plural,
    rest,
    sentences,
    state_of,
)

BYTES_MAX = 200_000
"""Of a page; mail servers take that, and it opens at once."""

MARKS = {"ship": "▲", "mixed": "◆", "skip": "▼"}


def html_of(facts: NightFacts) -> str:
    """The page, with as much as fits."""
    for limits in LIMITS:
        page = _page(facts, limits)
        if len(page.encode()) < BYTES_MAX:
            break
    return page


def _page(facts: NightFacts, limits: Limits) -> str:
    facts = fitted(facts, limits)
    state = state_of(facts.ending)

    def age(at: datetime | None) -> str:
        return "–" if at is None else age_in_words(facts.ending.ended_at - at)

    return _template().render(
        facts=facts,
        crawled=None if isinstance(facts.crawled, Absent) else facts.crawled,
        gates=None if isinstance(facts.gates, Absent) else facts.gates,
        corpus=None if isinstance(facts.corpus, Absent) else facts.corpus,
        state=state,
        meaning=MEANINGS[state],
        day=day_of(facts.ending),
        sentences=[*sentences(facts)],
        commands=commands(facts),
        figures=[*figures_of(facts)],
        chart=figures.chart_of(facts.nights),
        age=age,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("verdicts.pipeline.nights", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["after_colon"] = lambda words: ":" + words.partition(":")[2]
    css = (environment.loader or PackageLoader("verdicts.pipeline.nights")).get_source(environment, "night.css")[0]
    environment.globals |= {
        "css": Markup(css),  # noqa: S704  a file of ours
        "glyphs": GLYPHS,
        "MARKS": MARKS,
        "NONE_LOST": NONE_LOST,
        "DOWN_TODO": DOWN_TODO,
        "plural": plural,
        "rest": rest,
        "percent": figures.percent,
        "spark_points": figures.spark_points,
        **{name: getattr(figures, name) for name in ("WIDTH", "HEIGHT", "LEFT", "TOP", "SPARK_WIDTH", "SPARK_HEIGHT")},
    }
    return environment.get_template("night.html.jinja")
