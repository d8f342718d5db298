"""An analysis told with pictures: which reviewers are hard to please, and what that does to a panel's verdict.

    uv run python examples/hard_to_please.py $(uv run verdicts path)

writes `hard_to_please.md` and its pictures beside this file. Every number of the text is an answer of the corpus.
"""

import sys
from html import escape
from pathlib import Path

import duckdb

HERE = Path(__file__).parent

AGAINST_THE_REST = """
WITH rest AS (
    SELECT one.tool_id, one.reviewer, avg(other.score) AS score
    FROM scored_reviews AS one
    JOIN scored_reviews AS other ON one.tool_id = other.tool_id AND one.reviewer <> other.reviewer
    GROUP BY ALL
)

SELECT reviewer, count(*) AS tools, avg(scored_reviews.score - rest.score) AS difference
FROM scored_reviews
JOIN rest USING (tool_id, reviewer)
GROUP BY reviewer
ORDER BY difference, reviewer
"""

SIDE_BY_SIDE = """
SELECT
    if(tools.is_shared_name, tools.slug, tools.name) AS tool,
    builder.score AS builder, builder.verdict AS builder_says,
    skeptic.score AS skeptic, skeptic.verdict AS skeptic_says,
    tools.panel_ship_pct AS panel
FROM scored_reviews AS builder
JOIN scored_reviews AS skeptic USING (tool_id)
JOIN tools USING (tool_id)
WHERE builder.reviewer = 'Builder' AND skeptic.reviewer = 'Skeptic'
ORDER BY builder.score - skeptic.score DESC, tool
"""

STYLE = """<style>
text { font: 13px sans-serif; fill: #1c1e21 } .quiet { fill: #6b7076 }
.rule { stroke: #c9ccd1 } .mark { stroke: #1c1e21 } rect { fill: #7d8590 } .ground { fill: #fff }
circle { fill: #fff; stroke: #1c1e21; stroke-width: 1.5 } circle.full { fill: #1c1e21 }
@media (prefers-color-scheme: dark) {
  text { fill: #e3e5e8 } .ground { fill: #16181b } .quiet { fill: #9aa0a6 }
  .rule { stroke: #4a4e55 } .mark { stroke: #e3e5e8 }
  circle { fill: #16181b; stroke: #e3e5e8 } circle.full { fill: #e3e5e8 }
}
</style>"""

TEXT = """# Who is hard to please?

Made by `examples/hard_to_please.py` from the corpus of the demo site; do not edit. Its facts are invented, so that
these numbers say nothing of any real tool. The way they are asked holds for any corpus: fork the script.

Every tool is judged by a panel. A reviewer's mean score alone says little: one reviewer
may have been given the better tools. So each score is compared with what the *other* reviewers gave the *same* tool.

![Each reviewer's distance from the rest of its panel, in points](hard_to_please_reviewers.svg)

{harshest} scores {harshest_below} points below the rest of its panel, over {harshest_tools} tools; {keenest}
{keenest_above} points above it, over {keenest_tools}. The reviewer with the fewest tools is {rarest}, with
{rarest_tools}: too few to tell.

```sql
{against_the_rest}
```

## One tool at a time

{pairs} tools have a score from both the Skeptic and the Builder. The Builder's is higher for {higher} of them, by
{gap} points in the mean and {widest} at most. The two follow each other to a degree (correlation {correlation}) and
place the bar elsewhere.

![Skeptic and Builder, tool by tool, the widest gap first](hard_to_please_pairs.svg)

```sql
{side_by_side}
```

## What it does to the panel

The Skeptic says skip of {skips} of these {pairs} tools, and the Builder says ship of {overruled} of those {skips}.
Where the Skeptic says ship, {unanimous} panels of {ships} ship unanimously; where it says skip, none can. So a panel
of 100% tells one thing above all: that the Skeptic was pleased.

## What it does not tell

Means over a handful of tools differ by chance: below 3 points read nothing into them. Reviews whose score no page shows
are left out. And a reviewer is a role: whether one person fills it, or many, no page says.
"""


def against_the_rest(rows: list[dict[str, object]]) -> str:
    """A bar for each reviewer, from the middle line: the rest of the panel."""
    middle, scale, height = 330, 12, 34
    marks = []
    for number, row in enumerate(rows):
        difference, y = float(row["difference"]), 16 + number * height
        left = middle + min(difference, 0) * scale
        count = f'<tspan class="quiet">n = {row["tools"]}</tspan>'
        marks += [
            f'<text x="10" y="{y + 14}">{escape(row["reviewer"])} {count}</text>',
            f'<rect x="{left:.1f}" y="{y}" width="{abs(difference) * scale:.1f}" height="20"/>',
            text_at(
                left - 6 if difference < 0 else left + difference * scale + 6,
                y + 14,
                signed(difference),
                "end" if difference < 0 else "start",
            ),
        ]
    bottom = 16 + len(rows) * height
    marks += [
        f'<line class="mark" x1="{middle}" x2="{middle}" y1="8" y2="{bottom}"/>',
        text_at(middle, bottom + 18, "the rest of its panel", "middle", "quiet"),
    ]
    return picture(530, bottom + 28, "Each reviewer's distance from the rest of its panel", marks)


def side_by_side(rows: list[dict[str, object]]) -> str:
    """A dumbbell for each tool on an axis of whole tens: the Skeptic's score hollow, the Builder's full."""
    left, width, height = 320, 360, 20
    scores = [row[reviewer] for row in rows for reviewer in ("skeptic", "builder")]
    low, high = min(scores) // 10 * 10, -(-max(scores) // 10) * 10

    def x(score: object) -> float:
        return left + (float(score) - low) * width / (high - low)

    marks = [
        '<circle cx="326" cy="14" r="5"/><text x="338" y="18">Skeptic</text>',
        '<circle class="full" cx="416" cy="14" r="5"/><text x="428" y="18">Builder</text>',
        text_at(left + width + 60, 18, "the Skeptic says", "middle", "quiet"),
    ]
    bottom = 44 + len(rows) * height
    for at in range(low, high + 1, 10):
        marks.append(f'<line class="rule" x1="{x(at):.0f}" x2="{x(at):.0f}" y1="32" y2="{bottom - 8}"/>')
        marks.append(text_at(x(at), bottom + 8, str(at), "middle", "quiet"))
    for number, row in enumerate(rows):
        y = 44 + number * height
        says = {"ship": "▲ ship", "skip": "▼ skip"}.get(str(row["skeptic_says"]), "◆ mixed")
        marks += [
            text_at(left - 14, y + 4, short(str(row["tool"])), "end"),
            f'<line class="mark" x1="{x(row["skeptic"]):.1f}" x2="{x(row["builder"]):.1f}" y1="{y}" y2="{y}"/>',
            f'<circle cx="{x(row["skeptic"]):.1f}" cy="{y}" r="5"/>',
            f'<circle class="full" cx="{x(row["builder"]):.1f}" cy="{y}" r="5"/>',
            text_at(left + width + 60, y + 4, says, "middle"),
        ]
    return picture(800, bottom + 18, "Skeptic and Builder, tool by tool", marks)


def told(reviewers: list[dict[str, object]], pairs: list[dict[str, object]], correlation: float) -> str:
    """The text with its numbers."""
    gaps = [row["builder"] - row["skeptic"] for row in pairs]
    skips = [row for row in pairs if row["skeptic_says"] == "skip"]
    ships = [row for row in pairs if row["skeptic_says"] == "ship"]
    rarest = min(reviewers, key=lambda row: row["tools"])
    return TEXT.format(
        harshest=f"The {reviewers[0]['reviewer']}",
        harshest_below=f"{-reviewers[0]['difference']:.1f}",
        harshest_tools=reviewers[0]["tools"],
        keenest=f"the {reviewers[-1]['reviewer']}",
        keenest_above=f"{reviewers[-1]['difference']:.1f}",
        keenest_tools=reviewers[-1]["tools"],
        rarest=f"the {rarest['reviewer']}",
        rarest_tools=rarest["tools"],
        against_the_rest=AGAINST_THE_REST.strip(),
        pairs=len(pairs),
        higher=sum(gap > 0 for gap in gaps),
        gap=f"{sum(gaps) / len(gaps):.1f}",
        widest=max(gaps),
        correlation=f"{correlation:.2f}",
        side_by_side=SIDE_BY_SIDE.strip(),
        skips=len(skips),
        overruled=sum(row["builder_says"] == "ship" for row in skips),
        ships=len(ships),
        unanimous=sum(row["panel"] == 100 for row in ships),
    )


def picture(width: int, height: int, title: str, marks: list[str]) -> str:
    """The marks as an SVG file that fetches nothing."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">'
    # A ground of its own: the page around it may be light where the reader's screen is dark.
    ground = f'<rect class="ground" width="{width}" height="{height}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", STYLE, ground, *marks, "</svg>\n"])


def text_at(x: float, y: float, words: str, anchor: str, kind: str = "") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'


def signed(difference: float) -> str:
    return f"{difference:+.1f}".replace("-", "−")


def short(words: str) -> str:
    return words if len(words) <= 40 else words[:39] + "…"


def made_from(corpus: Path) -> dict[str, str]:
    """The files of the analysis, by name. The corpus is opened to read alone."""
    with duckdb.connect(str(corpus), read_only=True) as connection:
        reviewers = rows_of(connection.execute(AGAINST_THE_REST))
        pairs = rows_of(connection.execute(SIDE_BY_SIDE))
        (together,) = connection.execute(f"SELECT corr(builder, skeptic) FROM ({SIDE_BY_SIDE})").fetchone()
    return {
        "hard_to_please.md": told(reviewers, pairs, together),
        "hard_to_please_reviewers.svg": against_the_rest(reviewers),
        "hard_to_please_pairs.svg": side_by_side(pairs),
    }


def rows_of(answer: duckdb.DuckDBPyConnection) -> list[dict[str, object]]:
    columns = [column[0] for column in answer.description]
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


if __name__ == "__main__":
    for name, words in made_from(Path(sys.argv[1])).items():
        (HERE / name).write_text(words, encoding="utf-8")
