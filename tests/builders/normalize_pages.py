"""Small comparison pages for the normalization tests, their observations, and the corpus made of them."""

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from random import Random
from typing import Any

from hypothesis import strategies as st

from verdicts.corpus.enumerations import Claim, Rendering
from verdicts.corpus.tables import TABLES
from verdicts.extract.model.records import (
    Card,
    Comparison,
    Decision,
    Document,
    Extracted,
    Fact,
    Observation,
    Reject,
    SideBySide,
    Span,
    Take,
)
from verdicts.fetch.model.snapshot import Location
from verdicts.fetch.model.url_state import Absence
from verdicts.fetch.parse.rights import Rights
from verdicts.normalize.corpus import Corpus, normalize

HOST = "tools.example"
REVIEWERS = ("Builder", "Skeptic", "Futurist", "PM", "Founder")
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
GONE_AT = FIRST_NIGHT + timedelta(days=90)
"""When the pages of a test that are gone were found gone."""

VOCABULARY = """
anchor basin cedar delta ember fjord garnet harbor inlet juniper kettle lantern meadow nectar orchard pepper quarry
ribbon saddle timber umber velvet willow yarrow zephyr acorn beacon copper dapple echo fennel glacier hollow island
"""


def prose(seed: str, words: int = 60) -> str:
    """A different paragraph for every seed, the same on every machine."""
    vocabulary = VOCABULARY.split()
    digests = (hashlib.sha256(f"{seed}/{number}".encode()).digest()[0] for number in itertools.count())
    return " ".join(vocabulary[byte % len(vocabulary)] for byte in itertools.islice(digests, words)).capitalize() + "."


@dataclass(frozen=True)
class Tool:
    """A tool of a test page: `takes` by reviewer, (text, score, verdict)."""

    slug: str
    name: str
    tagline: str | None
    takes: Mapping[str, tuple[str, int, str]] = field(default_factory=dict)
    category: str | None = "Developer Tools"
    pricing: str | None = "Free tier / $20/mo Pro"
    entry: str | None = "Free"
    community: str | None = None

    @property
    def ships(self) -> int:
        return sum(verdict == "ship" for _, _, verdict in self.takes.values())

    @property
    def pct(self) -> int:
        return int(100 * self.ships / len(self.takes) + 0.5) if self.takes else 100

    @property
    def chip(self) -> str:
        return "Ship" if self.pct > 50 else "Mixed" if self.pct == 50 else "Skip"


def tool(slug: str, reviewers: Sequence[str] = REVIEWERS[:4], *, skips: int = 0, **fields: Any) -> Tool:
    """A tool with takes of its own; the last `skips` of its reviewers skip it."""
    verdicts = ["ship"] * (len(reviewers) - skips) + ["skip"] * skips
    takes = {
        reviewer: (prose(f"{slug} {reviewer}"), 80 + index, verdict)
        for index, (reviewer, verdict) in enumerate(zip(reviewers, verdicts, strict=True))
    }
    name = fields.pop("name", slug.replace("-", " ").title())
    return Tool(slug, name, fields.pop("tagline", f"The tagline of {slug}"), fields.pop("takes", takes), **fields)


def with_take(of: Tool, reviewer: str, text: str) -> Tool:
    """The tool with another text in one reviewer."""
    return replace(of, takes={**of.takes, reviewer: (text, *of.takes[reviewer][1:])})


def reword(of: Tool, how: str) -> Tool:
    """The tool with its first take `as it is`, `cut` or `edited`; `bare`; for any other word, with another tagline."""
    if how == "bare":
        return replace(of, tagline=None, category=None, pricing=None, entry=None)
    reviewer, (text, _, _) = next(iter(of.takes.items()))
    words = text.split()
    cut, edited = words[: len(words) * 2 // 3], [*words[:-1], "anew"]
    texts = {"as it is": text, "cut": " ".join(cut), "edited": " ".join(edited)}
    return with_take(of, reviewer, texts[how]) if how in texts else replace(of, tagline=f"{of.tagline}, {how}")


CAST = (
    tool("alpha"),
    tool("beta", REVIEWERS[:3]),
    tool("gamma", skips=1, name="Twin", tagline="One"),
    tool("delta", ("Builder", "PM", "Founder"), name="Twin", tagline="Two"),
    with_take(tool("epsilon"), "Builder", "Short, and shared."),
    with_take(tool("zeta"), "Builder", "Short, and shared."),
)
"""Tools for generated corpora: panels of three and four, two of one name, two that share a short take."""


def page(a: Tool, b: Tool, rendering: Rendering = "html", **fields: Any) -> Comparison:
    """The two tools side by side. The quotes rendering lacks what the site's own text dumps lack."""
    is_labelled = fields.pop("is_labelled", rendering != "quotes")
    cells = [
        (row, reviewer, side, of.takes[reviewer])
        for row, reviewer in enumerate(reviewer for reviewer in REVIEWERS if reviewer in a.takes or reviewer in b.takes)
        for side, of in (("a", a), ("b", b))
        if reviewer in of.takes
    ]
    takes = tuple(
        Take(
            position=position,
            row=row if is_labelled else None,
            side=side if is_labelled else None,  # type: ignore[arg-type]  # a or b
            reviewer=reviewer if is_labelled else None,
            score=f"{score}/100" if is_labelled else None,
            verdict=verdict if is_labelled else None,
            text=text,
            span=Span(20 + position, 20 + position),
        )
        for position, (row, reviewer, side, (text, score, verdict)) in enumerate(cells)
    )
    comparison = Comparison(
        profile="shiporskip",
        rendering=rendering,
        title=f"{a.name} vs {b.name}",
        canonical_url=None,
        cards=(_card("a", a, rendering), _card("b", b, rendering)),
        decisions=(_decision("a", a), _decision("b", b)) if rendering != "quotes" else (),
        takes=takes,
        missing_takes=(),
    )
    return replace(comparison, **fields)


def _card(side: Any, of: Tool, rendering: Rendering) -> Card:
    return Card(
        side=side,
        name=of.name,
        slug=of.slug if rendering == "html" else None,
        tagline=of.tagline,
        category=of.category,
        chip=None if rendering == "quotes" else of.chip,
        panel_ship=f"{of.pct}%",
        community=of.community,
        entry=of.entry,
        description=f"What {of.slug} does.",
        span=Span(0, 9),
    )


def _decision(side: Any, of: Tool) -> Decision:
    votes = f"{of.chip} · {of.ships} ship / {len(of.takes) - of.ships} skip"
    community = "No community votes yet" if of.community is None else f"{of.community} · 130 votes"
    return Decision(side, of.name, votes, community, of.pricing, of.tagline, of.category, Span(10, 19))


def address(a: Tool, b: Tool, host: str = HOST) -> str:
    return f"https://{host}/compare/{a.slug}-vs-{b.slug}"


def observe(
    extracted: Extracted, url: str | None = None, *, night: int = 1, second: int = 0, answered: str | None = None
) -> Observation:
    """A snapshot taken by the crawl of that night; without an address its URL is its digest. `answered` is the address
    that did, by default the URL.
    """
    start = FIRST_NIGHT + timedelta(days=night - 1)
    digest = hashlib.sha256(f"{url} {extracted!r}".encode()).hexdigest()
    crawl_id = f"{start:%Y%m%dT%H%M%SZ}-0001"
    return Observation(
        url=url or f"urn:sha256:{digest}",
        fetched_at=start + timedelta(seconds=1 + second),
        crawl_id=crawl_id,
        location=Location(f"{crawl_id}-00001.warc.gz", int(digest[:8], 16)),
        sha256=digest,
        extracted=extracted,
        address=answered or url,
    )


def observe_page(a: Tool, b: Tool, night: int = 1, **fields: Any) -> Observation:
    """The HTML page of two tools at its address."""
    return observe(page(a, b, **fields), address(a, b), night=night)


def dump(a: Tool, b: Tool, night: int = 1, **fields: Any) -> Observation:
    """The quotes dump of two tools, without an address."""
    return observe(page(a, b, "quotes", **fields), night=night)


def normalize_all(
    *observations: Observation,
    gone: Iterable[str] = (),
    moved: Mapping[str, str] | None = None,
    rights: Mapping[str, Rights] | None = None,
) -> Corpus:
    corpus = normalize(
        observations, gone={url: (Absence(GONE_AT),) for url in gone}, moved_urls=moved or {}, rights=rights or {}
    )
    for table, of_table in corpus.items():
        keys = [*map(attrgetter(*TABLES[table].key), of_table)]
        assert len({*keys}) == len(keys), f"{table} has a key twice"
    return corpus


def rows(corpus: Corpus, table: str, **where: Any) -> list[Any]:
    """The rows of a table whose columns have these values."""
    return [row for row in corpus[table] if all(getattr(row, name) == value for name, value in where.items())]


def find_review(corpus: Corpus, text: str) -> Any:
    """The review that has this text."""
    ids = {row.review_id for row in corpus["appearances"] if row.text == text}  # type: ignore[union-attr]  # appearances
    (review,) = rows(corpus, "reviews", review_id=ids.pop())
    return review


def names(corpus: Corpus) -> dict[str, str]:
    """tool_id to slug, or to the name where there is none."""
    return {row.tool_id: row.slug or row.name for row in corpus["tools"]}  # type: ignore[union-attr]  # tools


@st.composite
def any_observation(
    draw: st.DrawFn, tools: Sequence[Tool] = CAST, hosts: Sequence[str] = (HOST,), endings: Sequence[str] = ("",)
) -> Observation:
    """A page of two of the tools in some night and rendering, as it is, cut, edited or renamed; or one not read.

    `endings` are those that the site may have put behind a slug; it says so where a page leads from one to the other.
    """
    numbers = sorted(draw(st.permutations(range(len(tools))))[:2])
    how = st.sampled_from(["as it is", "as it is", "as it is", "cut", "edited", "renamed", "bare"])
    changed = [reword(tools[number], draw(how)) for number in numbers]
    a, b = (replace(one, slug=f"{one.slug}{draw(st.sampled_from(endings))}") for one in changed)
    rendering: Rendering = draw(st.sampled_from(["html", "html", "html", "innertext", "quotes"]))
    url = address(a, b, draw(st.sampled_from(hosts))) if rendering == "html" or draw(st.booleans()) else None
    url = f"{url}?ref=x" if url and draw(st.integers(0, 4)) == 0 else url
    night, second = draw(st.integers(1, 4)), draw(st.integers(0, 59))
    if url and draw(st.integers(0, 9)) == 0:
        return observe(Reject("empty", "nothing"), url, night=night, second=second)
    return observe(page(a, b, rendering), url, night=night, second=second)


OUTSIDE_NAMES = ("Claude Code", "Claude Code by Anthropic", "GPT-4", "GPT-4o", "Cursor", "Acme Kit", "Acme Kits", "?")
OUTSIDE_LINKS = (None, "https://claude.com/x", "https://cursor.com", "https://lists.example.org/go/1")


def outside_nights(seed: int, nights: int = 6) -> list[list[Observation]]:
    """Of each night one page of a panel whose tools change their names, and two of another site that may name some."""
    chance = Random(seed)
    return [[*_documents(chance, night), _comparison(chance, night)] for night in range(1, nights + 1)]


def _documents(chance: Random, night: int) -> list[Observation]:
    return [
        observe(_document(chance), f"https://lists.example.org/{n}", night=night) for n in chance.sample("12345", 2)
    ]


def _document(chance: Random) -> Document:
    linked = [(chance.choice(OUTSIDE_NAMES), chance.choice(OUTSIDE_LINKS)) for _ in range(chance.randint(1, 4))]
    named = tuple(name for name, _ in linked)
    facts = tuple(Fact(place, link, "table", property="url") for place, (_, link) in enumerate(linked) if link)
    claim: Claim = "compares" if len(named) > 1 and chance.random() < 0.7 else "describes"
    tables = SideBySide("table", named, facts, (), claim) if chance.random() < 0.9 else None
    return Document("A list", None, None, "Words.", tables)


def _comparison(chance: Random, night: int) -> Observation:
    first, second = (tool(slug) for slug in sorted(chance.sample(["four", "one", "three", "two"], 2)))
    shown = page(first, second)
    cards = tuple(replace(card, name=chance.choice(OUTSIDE_NAMES)) for card in shown.cards)
    return observe(replace(shown, cards=cards), address(first, second), night=night)
