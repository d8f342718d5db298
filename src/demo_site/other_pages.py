"""The pages that are not comparisons: front page, listing, tools, reviewers, articles."""

from collections.abc import Iterable, Sequence

from verdicts.demo_site.facts import SEATS, Article, Facts, Pair, Tool
from verdicts.demo_site.renderings.markup import document, lines, link, reviewer_path, text

SITE_NAME = "Ship or Skip"


def front_page(facts: Facts) -> str:
    tools = _links((f"/tool/{tool.slug}", tool.name) for tool in facts.tools.values())
    articles = _links((article.path, article.title) for article in facts.articles)
    body = f"""<h1>{SITE_NAME}</h1>
<p>A panel of reviewers sets AI tools side by side.</p>
<nav><a href="/compare">All comparisons</a> <a href="/bookmarks">Bookmarks</a></nav>
<h2>Tools</h2>
{tools}
<h2>Reading</h2>
{articles}"""
    return document(SITE_NAME, "/", "", body)


def listing(facts: Facts, pairs: Sequence[Pair], path: str, next_path: str | None) -> str:
    """One page of the list of comparisons."""
    further = "" if next_path is None else f"\n<p>{link(next_path, 'Next page')}</p>"
    body = f"<h1>All comparisons</h1>\n{_links((pair.path, facts.title(pair)) for pair in pairs)}{further}"
    return document(f"All comparisons — {SITE_NAME}", path, "", body)


def tool_page(facts: Facts, tool: Tool) -> str:
    pairs = [pair for pair in facts.pairs_of(tool.slug) if pair.reach != "sitemap"]
    body = f"""<p><a href="/">{SITE_NAME}</a></p>
<h1>{text(tool.name)}</h1>
<p>{text(tool.tagline)}</p>
<p>{text(tool.description)}</p>
<p>{text(tool.pricing)}</p>
<h2>Compared with</h2>
{_links((pair.path, facts.title(pair)) for pair in pairs)}
<h2>Reviewed by</h2>
{_links((reviewer_path(take.seat, tool.category), take.seat) for take in tool.takes)}"""
    return document(f"{tool.name} — {SITE_NAME}", f"/tool/{tool.slug}", "", body)


def reviewer_pages(facts: Facts) -> dict[str, str]:
    """Address to page, one per seat and category that occur together. They show no names and no scores."""
    pages = {}
    for seat in SEATS:
        takes = [(tool, take) for tool in facts.tools.values() for take in tool.takes if take.seat == seat]
        for category in sorted({tool.category for tool, _ in takes}):
            path = reviewer_path(seat, category)
            quoted = lines(
                f"<h2>{text(tool.tagline)}</h2>\n<p>{text(take.text)}</p>"
                for tool, take in takes
                if tool.category == category
            )
            body = f'<h1>{seat}</h1>\n<p>{text(category)}</p>\n{quoted}\n<p><a href="/compare">All comparisons</a></p>'
            pages[path] = document(f"{seat} on {category} — {SITE_NAME}", path, "", body)
    return pages


def article_page(article: Article) -> str:
    head = (
        f'<meta name="author" content="{text(article.author)}">\n'
        f'<meta property="article:published_time" content="{article.published_on}">\n'
    )
    paragraphs = lines(f"<p>{text(paragraph)}</p>" for paragraph in article.paragraphs)
    body = f"""<article>
<h1>{text(article.title)}</h1>
<p>By <span rel="author">{text(article.author)}</span>, {_date(article.published_on)}</p>
{paragraphs}
</article>
<nav>{_links(article.links)}</nav>"""
    return document(f"{article.title} — {SITE_NAME}", article.path, head, body)


def _date(day: str) -> str:
    return f'<time datetime="{day}">{day}</time>'


def notice(title: str, path: str, words: str) -> str:
    return document(title, path, "", f"<h1>{text(title)}</h1>\n<p>{text(words)}</p>")


def _links(targets: Iterable[tuple[str, str]]) -> str:
    return f"<ul>{''.join(f'<li>{link(href, words)}</li>' for href, words in targets)}</ul>"
