"""Comparison pages, and what each shows of its two tools."""

from datetime import datetime
from typing import Annotated, TypeAlias

from verdicts.corpus.columns import COUNT, PCT, Id, NotEmpty, References, Visit
from verdicts.corpus.declare import SEEN, Row, table
from verdicts.corpus.enumerations import Rendering, Side, Verdict

StatedRights: TypeAlias = Annotated[
    str | None,
    "What the page and its host state about the use of its texts, each with its place: ai-train=no (robots.txt); "
    "noarchive (X-Robots-Tag). NULL: nothing.",
]

IsReserved: TypeAlias = Annotated[
    bool, "True: they are reserved. A dataset has the address and title of the page, and nothing that it says."
]


@table(
    "pages",
    example="SELECT title, url FROM pages WHERE NOT is_gone ORDER BY first_seen_at DESC, url LIMIT 5",
    key=("page_id",),
    in_order=(SEEN,),
)
class PageRow(Row, frozen=True):
    """A comparison page: one address that compares two tools. All its renderings (HTML, text dumps) are one row."""

    page_id: Annotated[
        str,
        Id(),
        "Id of the page: 32 hex digits made of its canonical address, or without one, of the two tools it compares.",
    ]
    url: Annotated[
        str | None,
        "Canonical address, the key of the page: it finds two links to one page. NULL: the page came as a file without "
        "an address.",
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
    title: Annotated[str, "Title as published. The site joins the names of the two cards (evidence.tool_cards.name)."]
    renderings: Annotated[
        tuple[Rendering, ...],
        "Renderings that it was read from, richest first: html, innertext, quotes.",
    ]
    is_ambiguous: Annotated[
        bool,
        "True: the address can be split into two slugs in several ways, and no evidence decides between them.",
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
    entry: Annotated[str | None, "What starting costs, as printed: Free, Paid or another word. NULL: not shown."]
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
