"""The named questions with what they answer: `python -m verdicts.warehouse.documents.questions_doc CORPUS.duckdb`."""

import sys
from collections.abc import Iterator
from pathlib import Path

from verdicts.warehouse.serving.named_queries import TOPICS, Query, queries_by_topic
from verdicts.warehouse.serving.query import Answer, ask

_HEAD = """# Questions

Made of `warehouse/serving/queries/` and the corpus of the demo site by
`python -m verdicts.warehouse.documents.questions_doc`; do not edit.
`verdicts query` lists them, `verdicts query NAME PARAMETER=VALUE` asks one; each is a SELECT over the views of the
[dictionary](dictionary.md), to be copied and changed. Shown are the first rows of the demo site's answer; times and
ids of runs are left out."""

_ROWS = 3
_WIDTH = 48
"""Characters of a value that are shown."""

_OF_A_RUN = ("crawl_id", "load_id", "segment", "segment_offset", "seconds", "median_ms", "p95_ms", "bytes")


def handbook(corpus: Path) -> str:
    """Markdown: every question by topic, its parameters, and the first rows of its answer."""
    return "\n\n".join([_HEAD, _topics(), *_sections(corpus)]) + "\n"


def _topics() -> str:
    """A line a topic: its heading, which leads to it, and the names of its questions."""
    return "\n".join(
        f"- [{TOPICS[topic]}](#{TOPICS[topic].lower().replace(' ', '-')}): "
        + ", ".join(f"[{query.name}](#{query.name})" for query in queries)
        for topic, queries in queries_by_topic()
    )


def _sections(corpus: Path) -> Iterator[str]:
    for topic, queries in queries_by_topic():
        yield f"## {TOPICS[topic]}"
        yield from (_section(corpus, query) for query in queries)


def _section(corpus: Path, query: Query) -> str:
    answer = ask(corpus, query.sql, query.bound({}))
    shown = _table(answer) if answer.rows else "No row on the demo site."
    return "\n\n".join([f"### {query.name}", query.question, *_parameters(query), shown])


def _parameters(query: Query) -> Iterator[str]:
    if query.parameters:
        yield "\n".join(
            f"- `{parameter.name}`"
            + (f" (`{parameter.default}`)" if parameter.default else "")
            + f": {parameter.meaning}"
            for parameter in query.parameters
        )


def _table(answer: Answer) -> str:
    rows = [list(map(_shown, answer.columns, row)) for row in answer.rows[:_ROWS]]
    return "\n".join(f"| {' | '.join(row)} |" for row in [answer.columns, ["---"] * len(answer.columns), *rows])


def _shown(name: str, value: object) -> str:
    if value is None:
        return ""
    if name in _OF_A_RUN or hasattr(value, "isoformat"):
        return "…"
    text = f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1].rstrip() + "…"


if __name__ == "__main__":
    sys.stdout.write(handbook(Path(sys.argv[1])))
