"""Pages, the tools on them, and what a panel's page shows of its two tools."""

from datetime import datetime
from typing import Annotated, TypeAlias

from verdicts.corpus.columns import COUNT, PCT, Between, Id, NotEmpty, References, Visit
from verdicts.corpus.declare import SEEN, Row, table
from verdicts.corpus.enumerations import MentionEvidence, PageKind, Reader, Rendering, Side, Verdict

StatedRights: TypeAlias = Annotated[
    str | None,
    "What the page and its host state about the use of its texts, each with its place: ai-train=no (robots.txt); "
    "noarchive (X-Robots-Tag). NULL: nothing.",
]

IsReserved: TypeAlias = Annotated[
    bool, "True: they are reserved. A dataset has only the address and title of the page."
]


@table(
    "pages",
    example="SELECT kind, title, url FROM pages WHERE NOT is_gone ORDER BY first_seen_at DESC, url LIMIT 5",
    key=("page_id",),
    in_order=(SEEN,),
)
class PageRow(Row, frozen=True):
    """A page that was fetched: one address, or one file that came without an address.

    All renderings (HTML, text dumps) of a panel's comparison are one row.
    """

    page_id: Annotated[
        str,
        Id(),
        "Id of the page: 32 hex digits made of its canonical address, or without one, of the two tools it compares.",
    ]
    kind: Annotated[
        PageKind,
        "What was read from it. panel: a comparison of two tools by a panel. versus: a comparison of two tools by "
        "another site. list: more tools, ranked or side by side. product: one tool, described by itself. article: text "
        "that compares no tools. unread: nothing (evidence.rejects says why).",
    ]
    url: Annotated[
        str | None,
        "Canonical address, the key of the page: it finds two links to one page. urn:sha256:... for a page of another "
        "site that came as a file without an address. NULL: a panel's page that came so.",
    ]
    address: Annotated[
        str | None,
        "Address that last answered with the page, which a browser opens: it may have a slash that url lacks. NULL: "
        "the page has no address.",
    ]
    host: Annotated[
        str | None,
        "Host of the address, lower case, compared exactly (a look-alike host is another host). NULL: no address.",
    ]
    title: Annotated[
        str | None,
        "Title as published. A panel's site joins the names of the two cards (evidence.tool_cards.name). NULL: not "
        "found.",
    ]
    author: Annotated[str | None, "Author as published. NULL: not found, or a panel's page."]
    published_date: Annotated[
        str | None, "Date of publication as the page states it, ISO 8601. NULL: not stated, or a panel's page."
    ]
    reader: Annotated[
        Reader | None,
        "The reader that understood the page. panel: the panel's comparison. schema_org, table, sections, recipe: "
        "tools of another site; recipe: a person declared where they are on the pages of the host. main_text: no "
        "reader found tools; the text is kept. NULL: nothing was read.",
    ]
    renderings: Annotated[
        tuple[Rendering, ...],
        "Renderings that a panel's page was read from, richest first: html, innertext, quotes. Empty: another page.",
    ]
    is_ambiguous: Annotated[
        bool,
        "True: the address of a panel's page can be split into two slugs in several ways, and no evidence decides "
        "between them.",
    ]
    first_seen_at: Annotated[datetime, "Fetch time of the oldest snapshot whose content was read."]
    last_seen_at: Annotated[
        datetime,
        Visit(),
        "Fetch time of the newest snapshot whose content was read. Only fetches shows later visits that found the "
        "same bytes.",
    ]
    is_gone: Annotated[
        bool,
        "True: the site says that the page is gone (410, or 404 on several nights). Its rows stay.",
    ]
    rights: StatedRights = None
    is_reserved: IsReserved = False


@table(
    "mentions",
    example="SELECT name_key, count(*) AS pages, min(rank) AS best_rank FROM mentions GROUP BY ALL ORDER BY pages DESC",
    key=("page_id", "tool_number"),
)
class MentionRow(Row, frozen=True):
    """A tool on a page of any kind, under the name that the page gives it.

    pages.kind says what the page does with it. The rows of a page that is gone stay (pages.is_gone).
    """

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    tool_number: Annotated[
        int, COUNT, "Number of the tool on the page, from 0. On a panel's page 0 is side a, 1 is side b."
    ]
    name: Annotated[str, NotEmpty(), "Name as printed."]
    name_key: Annotated[
        str,
        NotEmpty(),
        "The name to group by, its letters and digits in lower case: gpt4o for GPT-4o and gpt 4o. Two products can "
        "have one name.",
    ]
    tool_url: Annotated[str | None, "Address that the page gives for the tool. NULL: not stated."]
    description: Annotated[str | None, "Description as published. NULL: not stated."]
    category: Annotated[str | None, "Category as published. NULL: not stated."]
    price: Annotated[
        str | None,
        "Price as published (outside.comparison_facts and pricing_tiers have its amounts). NULL: not stated.",
    ]
    rating: Annotated[
        float | None,
        Between(0),
        "Mean rating, on a scale up to rating_best; on a panel's page the share of the panel that would ship it, of "
        "100. NULL: not stated, or not one number on that scale: then rejects has a row with the reason broken_rating.",
    ]
    rating_best: Annotated[
        float | None,
        Between(0),
        "Best possible rating: as stated by itself or in the rating (8.5/10, 85%), 5 if schema.org states none, 100 on "
        "a panel's page. NULL: not stated, or not a number: then rejects has a row with the reason broken_rating_best.",
    ]
    ratings: Annotated[
        int | None,
        COUNT,
        "Number of ratings, reviews or votes behind it. NULL: not stated, or not exact (1.2k, 350+): then rejects has "
        "a row with the reason broken_ratings.",
    ]
    rank: Annotated[int | None, COUNT, "Number of its heading in a list. NULL: not numbered."]
    best_for: Annotated[str | None, "What the page says it is best for, as published. NULL: not stated."]
    tool_id: Annotated[
        str | None,
        Id(),
        References("tools"),
        "Tool of a panel (tools.tool_id). NULL: no panel has it, or several of its tools have this name "
        "(evidence.product_candidates).",
    ] = None
    known_by: Annotated[
        MentionEvidence | None,
        "Evidence for tool_id. panel: it is a page of the panel. corrected: a person says so. same_name_and_vendor: "
        "equal names and versions, and name or link show the same maker. same_name: equal names and versions alone, so "
        "it may be another product. NULL: no tool_id.",
    ] = None


@table("tool_cards", schema="evidence", key=("page_id", "side"), cluster_by=("tool_id",))
class ToolCardRow(Row, frozen=True):
    """A tool's card on a page, as the newest snapshot of the page shows it."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    side: Annotated[Side, "a: the card shown first, b: the second."]
    tool_id: Annotated[str, Id(), References("tools"), "Tool on the card (tools.tool_id)."]
    name: Annotated[str, NotEmpty(), "Display name on this card; the title and the Decision table repeat it."]
    tagline: Annotated[str | None, "Tagline on this card. The Decision table repeats it as best_for. NULL: not shown."]
    category: Annotated[
        str | None, "Category on this card. The Decision table repeats it (verdicts.category). NULL: not shown."
    ]
    panel_ship_pct: Annotated[
        int | None,
        PCT,
        "Share of the panel that would ship it, percent, 0-100. It follows from the votes of the Decision table. "
        "NULL: not shown.",
    ]
    chip: Annotated[
        Verdict | None,
        "Verdict chip on this card: ship, mixed, skip. It follows from panel_ship_pct, and the Decision table repeats "
        "it as panel_verdict. NULL: the rendering has none.",
    ]
    community_pct: Annotated[
        int | None,
        PCT,
        "Share of the community that would ship it, percent, 0-100. The Decision table repeats it. NULL: no votes yet, "
        "or not shown.",
    ]
    entry: Annotated[str | None, "Entry price as printed: Free, Paid or another word. NULL: not shown."]
    description: Annotated[str | None, "Description on this card. NULL: not shown."]


@table(
    "verdicts",
    example="SELECT panel_verdict, count(*) AS columns, avg(community_pct) AS community FROM verdicts GROUP BY ALL",
    key=("page_id", "side"),
    cluster_by=("tool_id",),
)
class VerdictRow(Row, frozen=True):
    """A tool's column of the Decision table on a page, as the newest snapshot with such a table shows it."""

    page_id: Annotated[str, Id(), References("pages"), "Page (pages.page_id)."]
    side: Annotated[Side, "a: the first column, b: the second."]
    tool_id: Annotated[str, Id(), References("tools"), "Tool of the column (tools.tool_id)."]
    panel_verdict: Annotated[
        Verdict | None,
        "Verdict of the panel: ship, mixed, skip. NULL: not stated, or another word (see panel_verdict_raw).",
    ]
    ship_votes: Annotated[int | None, COUNT, "Panel members who would ship it. NULL: not stated."]
    skip_votes: Annotated[int | None, COUNT, "Panel members who would skip it. NULL: not stated."]
    community_pct: Annotated[
        int | None,
        PCT,
        "Share of the community that would ship it, percent, 0-100. NULL: no votes yet, or not stated.",
    ]
    community_votes: Annotated[
        int | None,
        COUNT,
        "Number of community votes; 0: the page says that there are no votes yet. NULL: not stated.",
    ]
    pricing: Annotated[str | None, "Pricing as printed; its tiers are in pricing_tiers. NULL: not stated."]
    best_for: Annotated[
        str | None,
        "What it is best for, as printed. The site repeats the tagline of the card here. NULL: not stated.",
    ]
    category: Annotated[
        str | None,
        "Category as printed. The site repeats the category of the card. NULL: not stated.",
    ]
    panel_verdict_raw: Annotated[
        str | None,
        "The verdict cell as printed, for example Ship · 3 ship / 1 skip. NULL: no such cell.",
    ]
    community_raw: Annotated[str | None, "The community cell as printed. NULL: no such cell."]
