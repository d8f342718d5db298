"""Main text of made pages by kind: the reader's, beside trafilatura in each of its settings.

uv run python -m benchmarks.main_text [--pages 20] [--seed 1]

F1 of words, each as often as it stands, against the text that the page was made of: the mean of the pages of a kind.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from statistics import fmean

from benchmarks.main_text_pages import KINDS, MadePage, made_pages
from benchmarks.measuring import markdown_table, options_of
from builders.snapshots import html
from verdicts.extract.model.records import Document
from verdicts.extract.page import extract

SETTINGS: Mapping[str, Mapping[str, bool]] = {
    "fast": {"fast": True},
    "default": {},
    "favor_recall": {"favor_recall": True},
    "favor_precision": {"favor_precision": True},
}


def f1(text: str, truth: str) -> float:
    read, true = (Counter(re.findall(r"\w++", words.casefold())) for words in (text, truth))
    return 2 * (read & true).total() / (read.total() + true.total())


def _ours(page: MadePage) -> str:
    document = extract(html(page.html, "http://made.example/page"))
    return document.text if isinstance(document, Document) else ""


def _peer(options: Mapping[str, bool]) -> Callable[[MadePage], str]:
    from trafilatura import bare_extraction

    def read(page: MadePage) -> str:
        article = bare_extraction(page.html, url="http://made.example/page", include_comments=False, **options)
        return "" if article is None else article.text or ""

    return read


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--pages", type=int, default=20, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pages = made_pages(arguments.pages, arguments.seed)
    readers = {"ours": _ours, **{name: _peer(options) for name, options in SETTINGS.items()}}
    rows = []
    for name, read in readers.items():
        began = time.process_time()
        scores = [(page.kind, f1(read(page), page.text)) for page in pages]
        cpu_ms = 1_000 * (time.process_time() - began) / len(pages)
        means = (fmean(score for kind, score in scores if kind == of) for of in KINDS)
        rows.append((name, *(f"{mean:.3f}" for mean in means), f"{fmean(s for _, s in scores):.3f}", f"{cpu_ms:.0f}"))
    print(markdown_table(("F1 of words", *KINDS, "all", "CPU ms a page"), rows))


if __name__ == "__main__":
    main()
