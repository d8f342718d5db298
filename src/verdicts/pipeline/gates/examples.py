"""Some of the pages that lost something, with their words before and after."""

from collections.abc import Mapping, Sequence

from verdicts.corpus.enumerations import GateMeasure
from verdicts.extract.model.records import Document, Extracted, Reject
from verdicts.extract.panel.profile import Profiles
from verdicts.pipeline.gates.compare import Loss
from verdicts.pipeline.gates.measures import list_places
from verdicts.pipeline.gates.thresholds import EXAMPLES

WORDS_MAX = 80
"""Characters on each side of the arrow. A review is longer."""


def pick_examples(losses: Sequence[Loss]) -> Sequence[Loss]:
    """The losses to show, spread evenly: they say more than neighbours."""
    count = min(EXAMPLES, len(losses))
    return [losses[number * (len(losses) - 1) // max(1, count - 1)] for number in range(count)]


def write_examples(
    measure: GateMeasure, losses: Sequence[Loss], read: Mapping[int, Extracted], profiles: Profiles
) -> tuple[str, ...]:
    """`http://a.example/a-vs-b: Pro $20/mo → nothing`."""
    return tuple(
        f"{loss.page}: {_quote(measure, read.get(loss.before), profiles)}"
        f" → {_quote(measure, read.get(loss.after), profiles)}"
        for loss in losses
    )


def _quote(measure: GateMeasure, extracted: Extracted | None, profiles: Profiles) -> str:
    if extracted is None:
        return "(its record is lost)"
    if isinstance(extracted, Reject):
        text = f"({extracted.reason}: {extracted.detail})"
    elif isinstance(extracted, Document) and measure == "comparison" and extracted.side_by_side is None:
        text = f"(no comparison: {extracted.title or extracted.text})"
    else:
        places = list_places(extracted, profiles).get(measure, ())
        words = [place.words for place in places if place.words is not None]
        text = " / ".join(words) or "nothing"
        if measure in {"reviews", "review_text"} and words:
            text = f"{len(words)} reviews, {sum(map(len, words)):,} characters: {words[0]}"
    line = " ".join(text.split())
    return line if len(line) <= WORDS_MAX else f"{line[: WORDS_MAX - 1]}…"
