"""Renders every page of the demo site. Comparisons have four DOMs, in `templates/`.

Text is escaped as on such sites, where quotes stay. The bytes of a page never change.
"""

import json
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verdicts.demo_site.site_facts import REVIEWERS, Article, Dom, Facts, Pair, Tool

HOST = "demo.verdicts.example"
URL = f"http://{HOST}/"
SITE_NAME = "Verdicts Demo"

EYEBROW = "AI tool comparison"
INTRO = (
    "Which one should you ship with? Here is the side-by-side panel verdict, pricing read, reviewer split, "
    "and community vote comparison."
)
NO_TAKE = "No panel take"
NEWSLETTER = (
    "Weekly AI Tool Verdicts",
    "Get the next comparison in your inbox",
    "New AI tools ship daily. We compare them before you waste an afternoon.",
)
INVENTED = "This is a demo: its tools, companies, reviews, prices and scores are invented."
BOOKMARKS = ("Bookmarks", "Loading bookmarks...", "No bookmarks yet", "Bookmark tools to save them for later")


def text(value: str) -> str:
    """Escapes text content, but not quotes."""
    return escape(value, quote=False)


def link(href: str, words: str) -> Markup:
    return Markup(f'<a href="{escape(href)}">{text(words)}</a>')  # noqa: S704  both parts are escaped


def address(path: str) -> str:
    return URL.rstrip("/") + path


def reviewer_path(reviewer: str, category: str) -> str:
    """`/reviewer/pm?category=Voice+%26+Audio`."""
    return f"/reviewer/{reviewer.lower()}?{urlencode({'category': category})}"


def make_page_title(facts: Facts, pair: Pair) -> str:
    return f"{facts.title(pair)}: Which AI Tool Should You Ship? — {SITE_NAME}"


def list_decision_rows(facts: Facts, pair: Pair) -> tuple[tuple[str, str, str], ...]:
    """Rows of the Decision table below the names: label, value of A, value of B."""
    a, b = facts.cards(pair)
    return (
        ("Panel verdict", a.panel_verdict, b.panel_verdict),
        ("Community", a.community_vote, b.community_vote),
        ("Pricing", a.pricing, b.pricing),
        ("Best for", a.tagline, b.tagline),
        ("Category", a.category, b.category),
    )


def render_document(title: str, path: str, body: str, head: str = "") -> str:
    """A whole HTML page. `path` becomes its canonical address."""
    context = {"page_title": title, "path": path, "body": Markup(body), "head": Markup(head)}  # noqa: S704
    return _make_environment().get_template("document.html.jinja").render(context)


def render_comparison(facts: Facts, pair: Pair, dom: Dom | None = None) -> str:
    """The comparison of a pair, by default in its declared DOM."""
    a, b = facts.cards(pair)
    return (
        _make_environment()
        .get_template(f"{dom or pair.dom}.html.jinja")
        .render(
            facts=facts,
            pair=pair,
            path=pair.path,
            head="",
            page_title=make_page_title(facts, pair),
            title=facts.title(pair),
            a=a,
            b=b,
            decision=list_decision_rows(facts, pair),
            rows=facts.scorecard(pair),
            related=_add_titles(facts, facts.find_related(pair)),
        )
    )


def render_front_page(facts: Facts) -> str:
    """Links to every tool and article."""
    tools = [(f"/tool/{tool.slug}", tool.name) for tool in facts.tools.values()]
    return render_document(
        SITE_NAME, "/", _render_macro("front", tools, [(article.path, article.title) for article in facts.articles])
    )


def render_listing(facts: Facts, pairs: Sequence[Pair], path: str, next_path: str | None) -> str:
    """One page of the list of comparisons."""
    return render_document(
        f"All comparisons — {SITE_NAME}", path, _render_macro("listing", _add_titles(facts, pairs), next_path)
    )


def render_tool_page(facts: Facts, tool: Tool) -> str:
    """A tool, with links to its comparisons and reviewers."""
    pairs = [pair for pair in facts.pairs if tool.slug in (pair.a, pair.b) and pair.reach != "sitemap"]
    reviewers = [(reviewer_path(take.reviewer, tool.category), take.reviewer) for take in tool.takes]
    body = _render_macro("tool", tool, _add_titles(facts, pairs), reviewers)
    return render_document(f"{tool.name} — {SITE_NAME}", f"/tool/{tool.slug}", body)


def render_reviewer_pages(facts: Facts) -> dict[str, str]:
    """Pages by address, one for each reviewer and category that occur together. They show no names or scores."""
    pages = {}
    for reviewer in REVIEWERS:
        takes = [(tool, take) for tool in facts.tools.values() for take in tool.takes if take.reviewer == reviewer]
        for category in sorted({tool.category for tool, _ in takes}):
            path = reviewer_path(reviewer, category)
            quoted = [(tool.tagline, take.text) for tool, take in takes if tool.category == category]
            body = _render_macro("reviewer", reviewer, category, quoted)
            pages[path] = render_document(f"{reviewer} on {category} — {SITE_NAME}", path, body)
    return pages


def render_article(article: Article) -> str:
    head = _render_macro("article_head", article) + "\n"
    return render_document(f"{article.title} — {SITE_NAME}", article.path, _render_macro("article", article), head)


def render_notice(title: str, path: str, words: str) -> str:
    return render_document(title, path, _render_macro("notice", title, words))


def _add_titles(facts: Facts, pairs: Iterable[Pair]) -> list[tuple[str, str]]:
    return [(pair.path, facts.title(pair)) for pair in pairs]


def _render_macro(macro: str, *values: object) -> str:
    return str(getattr(_make_environment().get_template("other.html.jinja").module, macro)(*values)).rstrip("\n")


@cache
def _make_environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("verdicts.demo_site", "templates"),
        autoescape=True,
        finalize=lambda value: value if hasattr(value, "__html__") else Markup(text(str(value))),  # noqa: S704
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "attribute": lambda value: Markup(escape(value)),  # noqa: S704
        "script_json": lambda value: Markup(_write_script_json(value)),  # noqa: S704
    }
    environment.globals |= {
        "EYEBROW": EYEBROW,
        "INTRO": INTRO,
        "NO_TAKE": NO_TAKE,
        "NEWSLETTER": NEWSLETTER,
        "BOOKMARKS": BOOKMARKS,
        "INVENTED": INVENTED,
        "SITE_NAME": SITE_NAME,
        "link": link,
        "address": address,
        "reviewer_path": reviewer_path,
        "hydration": _describe_hydration,
        "linked_data": _make_json_ld,
    }
    return environment


def _write_script_json(value: object) -> str:
    """JSON inside a script element, which it cannot close."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _describe_hydration(facts: Facts, pair: Pair) -> dict[str, Any]:
    """The data that a React build repeats in scripts."""
    return {
        "title": facts.title(pair),
        "rows": [[row.reviewer, row.a and row.a.text, row.b and row.b.text] for row in facts.scorecard(pair)],
        "tools": [
            {
                "slug": tool.slug,
                "name": tool.name,
                "tagline": tool.tagline,
                "panelShip": tool.panel_pct,
                "pricing": tool.pricing,
            }
            for tool in facts.cards(pair)
        ],
    }


def _make_json_ld(facts: Facts, pair: Pair) -> dict[str, Any]:
    applications = [
        {
            "@type": "SoftwareApplication",
            "name": tool.name,
            "url": address(f"/tool/{tool.slug}"),
            "applicationCategory": tool.category,
            "description": tool.description,
            "abstract": tool.tagline,
            "review": [
                {
                    "@type": "Review",
                    "author": {"@type": "Person", "name": take.reviewer},
                    "reviewBody": take.text,
                    "reviewRating": {
                        "@type": "Rating",
                        "ratingValue": take.score,
                        "bestRating": 100,
                        "worstRating": 0,
                        "ratingExplanation": take.verdict,
                    },
                }
                for take in tool.takes
            ],
        }
        for tool in facts.cards(pair)
    ]
    return {
        "@context": "https://schema.org",
        "@type": "ItemList",
        "name": facts.title(pair),
        "url": address(pair.path),
        "itemListElement": [
            {"@type": "ListItem", "position": position, "item": application}
            for position, application in enumerate(applications, 1)
        ],
    }
