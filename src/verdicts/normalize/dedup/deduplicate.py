"""Deduplication: distinct texts in, reviews out, in one pass over the texts.

A review is a cluster around one text, its center. Other texts join the center directly, never through one another, so
edits cannot chain two reviews together. Texts whose tool is known come first, then the others, each from the oldest to
the newest: a text joins the most similar center before it, or becomes a center. Texts that one page version shows, that
have no possible tool in common, or that pages print with different reviewers never join.

The id of a review is that of its oldest text. Every other text of a review leads to it, so a former id of a review can
always be found. The result depends on the texts alone, not on the order in which they became known.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from verdicts.corpus.enumerations import Match
from verdicts.normalize.dedup.mentions import DistinctText, FoldedText
from verdicts.normalize.dedup.similarity import Neighbours, Similarity


@dataclass(slots=True)
class Cluster:
    """A review: the number of its center, and its texts by number, with their similarity to it.

    `tools` are those that all its texts may be about, `reviewers` those that pages print beside any of them.
    """

    center: int
    tools: frozenset[str]
    reviewers: frozenset[str]
    texts: dict[int, Similarity]


SAME = Similarity("near", 1.0)
"""Of a center to itself."""


class Candidate(NamedTuple):
    """A cluster that a text may belong to, and how similar the text is to its center."""

    cluster: Cluster
    similarity: Similarity


class Folding(NamedTuple):
    """Text id to its folded text, and two review ids to the similarity of their texts (0 to 1)."""

    texts: dict[str, FoldedText]
    lookalikes: dict[tuple[str, str], float]


def fold(texts: Sequence[DistinctText], near: Neighbours, apart: Collection[frozenset[str]] = frozenset()) -> Folding:
    """The review of each text. `texts` come oldest first, `apart` are pairs of texts that are never one review."""
    clusters: dict[int, Cluster] = {}
    alike: dict[tuple[int, int], float] = {}
    for number in sorted(range(len(texts)), key=lambda number: (len(texts[number].tools) != 1, number)):
        text = texts[number]
        matches = [*_find_matches(number, texts, near, clusters, apart)]
        alike |= {
            (number, match.cluster.center): match.similarity.score
            for match in matches
            if match.similarity.kind == "lookalike"
        }
        closest = _choose_closest(text, matches)
        if closest is None:
            clusters[number] = Cluster(number, text.tools, text.reviewers, {number: SAME})
            continue
        cluster = closest.cluster
        cluster.texts[number] = closest.similarity
        cluster.tools &= text.tools
        cluster.reviewers |= text.reviewers
    folded = {text.text_id: text for cluster in clusters.values() for text in _fold_cluster(cluster, texts)}
    return Folding(folded, _list_lookalikes(alike, texts, folded))


def _find_matches(
    number: int,
    texts: Sequence[DistinctText],
    near: Neighbours,
    clusters: Mapping[int, Cluster],
    apart: Collection[frozenset[str]],
) -> Iterator[Candidate]:
    """The clusters of its tools whose center is at least a lookalike of a text."""
    similar = near.get(number)
    if not similar:
        return
    text = texts[number]
    versions = {*text.versions}
    for neighbour in similar:
        cluster = clusters.get(neighbour.number)
        if cluster is None or not cluster.tools & text.tools & neighbour.tools:
            continue
        if cluster.reviewers and text.reviewers and cluster.reviewers.isdisjoint(text.reviewers):
            continue
        is_separate = any(
            not versions.isdisjoint(member.versions) or frozenset({text.text_id, member.text_id}) in apart
            for member in map(texts.__getitem__, cluster.texts)
        )
        if not is_separate:
            yield Candidate(cluster, neighbour.similarity)


def _choose_closest(text: DistinctText, matches: Sequence[Candidate]) -> Candidate | None:
    """The most similar cluster that a text may join; of equals, that of the oldest center."""
    joinable = [match for match in matches if match.similarity.kind != "lookalike"]
    if not joinable:
        return None
    best = min(joinable, key=lambda match: (-match.similarity.score, match.cluster.center))
    # A text of an unknown tool that fits two tools joins neither: sibling tools have nearly equal takes.
    is_undecided = len(text.tools) > 1 and any(not match.cluster.tools & best.cluster.tools for match in matches)
    return None if is_undecided else best


def _fold_cluster(cluster: Cluster, texts: Sequence[DistinctText]) -> Iterator[FoldedText]:
    # Texts are numbered by age.
    oldest = min(cluster.texts)
    review_id, key = texts[oldest].text_id, texts[oldest].match_key
    for number, (how, score) in cluster.texts.items():
        text = texts[number]
        kind: Match = "prefix" if how == "prefix" else "near"
        if text.match_key == key:
            kind, score = "exact", 1.0
        elif oldest != cluster.center:
            score = ratio(text.match_key, key) / 100
        yield FoldedText(text.text_id, text.match_key, text.text, review_id, kind, score)


def _list_lookalikes(
    alike: Mapping[tuple[int, int], float], texts: Sequence[DistinctText], folded: Mapping[str, FoldedText]
) -> dict[tuple[str, str], float]:
    """By the ids of two reviews, smaller first. Of several pairs of texts the most similar counts."""
    similarities: dict[tuple[str, str], float] = defaultdict(float)
    for numbers, similarity in alike.items():
        first, second = sorted(folded[texts[number].text_id].review_id for number in numbers)
        if first != second:
            similarities[first, second] = max(similarities[first, second], similarity)
    return dict(similarities)
