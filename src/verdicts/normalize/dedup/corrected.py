"""Takes that people declare to be one, or not to be one."""

from collections.abc import Sequence

from msgspec.structs import replace
from rapidfuzz.fuzz import ratio

from verdicts.normalize.corrections import Correction, Corrections, Outcome, follow
from verdicts.normalize.dedup.deduplicate import Folding
from verdicts.normalize.dedup.mentions import DistinctText, FoldedText
from verdicts.normalize.dedup.similarity import Neighbours


def join_corrected(
    folding: Folding, texts: Sequence[DistinctText], similar: Neighbours, corrections: Corrections
) -> tuple[Folding, list[Outcome]]:
    """The folding with the reviews that people declare to be one, and the outcomes of the corrections.

    No text counts twice: a take moves into the review with the other text only while it is a review of its own. `texts`
    and `similar` are those of the folding.
    """
    outcomes, steps = list[Outcome](), dict[str, Correction]()
    for correction in corrections.select("different", "reviews"):
        if (pair := _find_texts(folding, correction)) is not None:
            number = next(number for number, text in enumerate(texts) if text.text_id == correction.target)
            is_similar = any(
                texts[neighbour.number].text_id == correction.decision for neighbour in similar.get(number, ())
            )
            outcomes.append(Outcome(correction.id, "applied" if is_similar else "agrees", _shorten_text(pair[0])))
    for correction in corrections.select("same", "reviews"):
        if (pair := _find_texts(folding, correction)) is not None:
            goes, stays = pair[0], pair[1].review_id
            if goes.review_id == stays:
                outcomes.append(
                    Outcome(correction.id, "agrees", _shorten_text(goes), correction.target, about=(stays,))
                )
            elif goes.review_id == goes.text_id:
                outcomes.append(
                    Outcome(correction.id, "applied", _shorten_text(goes), correction.target, about=(stays,))
                )
                steps[correction.target] = replace(correction, value=stays)
            else:
                detail = f"it is a part of {goes.review_id} now"
                outcomes.append(Outcome(correction.id, "gone", _shorten_text(goes), goes.review_id, detail))
    into = {goes: way[-1].decision for goes in steps if (way := follow(goes, steps))}
    if not into:
        return folding, outcomes
    joined = {text.text_id: _join_review(text, folding, into) for text in folding.texts.values()}
    alike = {
        (min(review_ids), max(review_ids)): similarity
        for ids, similarity in folding.lookalikes.items()
        if len(review_ids := {into.get(review_id, review_id) for review_id in ids}) == 2
    }
    return Folding(joined, alike), outcomes


def _join_review(text: FoldedText, folding: Folding, into: dict[str, str]) -> FoldedText:
    if text.review_id not in into:
        return text
    review_id = into[text.review_id]
    similarity = ratio(text.match_key, folding.texts[review_id].match_key) / 100
    return replace(text, review_id=review_id, kind="near", similarity=similarity)


def _find_texts(folding: Folding, correction: Correction) -> tuple[FoldedText, FoldedText] | None:
    first, second = folding.texts.get(correction.target), folding.texts.get(correction.decision)
    return None if first is None or second is None else (first, second)


def _shorten_text(text: FoldedText) -> str:
    return text.text[:80]
