"""Which texts are one review, with what people decided about it."""

from collections.abc import Iterable, Mapping, Sequence

from verdicts.normalize.attribution.overruling import group_by_review
from verdicts.normalize.dedup.corrected import join_corrected
from verdicts.normalize.dedup.deduplicate import Folding, fold
from verdicts.normalize.dedup.mentions import DistinctText, FoldedText, Mention, list_distinct_texts
from verdicts.normalize.dedup.similarity import Neighbours, find_similar
from verdicts.normalize.rows.review_rows import make_alias_rows, make_lookalike_rows
from verdicts.normalize.steps.trace_tools import Tools
from verdicts.normalize.work import Output, RunInputs


def fold_texts(
    mentions: Iterable[Mention], tools: Tools, inputs: RunInputs, output: Output
) -> Mapping[str, FoldedText]:
    """Every distinct text by its id, with its review. Keeps the rows of folding."""
    texts = list_distinct_texts(mentions, tools.by_id)
    return fold_distinct(texts, find_similar(texts), inputs, output)


def fold_distinct(
    texts: Sequence[DistinctText], similar: Neighbours, inputs: RunInputs, output: Output
) -> Mapping[str, FoldedText]:
    """As `fold_texts`, for a share of the texts, from the oldest to the newest."""
    corrections = inputs.corrections
    folding = fold(texts, similar, corrections.list_apart("reviews"))
    folding, outcomes = join_corrected(folding, texts, similar, corrections)
    output.outcomes += outcomes
    keep_folding(folding, inputs, output)
    return folding.texts


def keep_folding(folding: Folding, inputs: RunInputs, output: Output) -> None:
    """Keeps the rows of texts that lead to a review, and of lookalikes, without reviews that are about no tool."""
    corrections, texts = inputs.corrections, folding.texts
    decided = group_by_review(corrections, texts)
    without_tool = {
        review_id
        for review_id, of_review in decided.items()
        if {correction.value for correction in of_review} == {None}
    }
    reasons = {
        correction.target: f"a person says so (correction {correction.id[:12]})"
        for correction in corrections.select("same", "reviews")
    }
    stay = (text for text in texts.values() if text.review_id not in without_tool)
    output.keep("review_aliases", [*make_alias_rows(stay, reasons)])
    alike = {pair: similarity for pair, similarity in folding.lookalikes.items() if without_tool.isdisjoint(pair)}
    output.keep("lookalikes", [*make_lookalike_rows(alike)])
