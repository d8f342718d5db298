"""The steps of normalization on partitions: each stage calls a step on its share of the records, and sends the rest."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from verdicts.normalize.attribution.attribute import attribute_by_own
from verdicts.normalize.attribution.open_reviews import describe_open, find_compared, select_compared
from verdicts.normalize.attribution.review_attribution import JudgedReview, open_attributions
from verdicts.normalize.attribution.row_order import choose_reviewers
from verdicts.normalize.corrections import make_correction_rows
from verdicts.normalize.dedup.mentions import FoldedText, Mention, group_by_text, list_distinct_texts, make_lone_text
from verdicts.normalize.dedup.similarity import Neighbours, SimilarText, find_similar
from verdicts.normalize.identity.ids import make_address_id
from verdicts.normalize.steps.attribute_reviews import Reviews, attribute_by_mentions, attribute_by_pages
from verdicts.normalize.steps.fold_texts import fold_distinct
from verdicts.normalize.steps.identify import identify_pages, sight_pages
from verdicts.normalize.steps.read_pages import IdentifiedSnapshot, read_identified
from verdicts.normalize.steps.trace_tools import Tools, describe_tools, keep_candidates, keep_products
from verdicts.normalize.steps.write_reviews import find_ranges, keep_discrepancies, keep_review_rows
from verdicts.pipeline.scale import relations as rel
from verdicts.pipeline.scale.partitions import OUTCOMES, Relation, Stage, Work


def _sight_pages(work: Work) -> None:
    work.send(rel.SIGHTINGS, sight_pages(work.read(rel.OBSERVED), work.inputs, work.output))


def _identify_pages(work: Work) -> None:
    resolved = identify_pages(work.read(rel.SIGHTINGS), work.inputs, work.output)
    work.send(rel.IDENTITIES, resolved.identities)
    work.send(rel.ALIASES, resolved.aliases)


def _send_snapshots(work: Work) -> None:
    """Sends each snapshot to the partition of its page and to that of its address. Most often they are the same."""
    of_place = {identity.location: identity for identity in work.read(rel.IDENTITIES)}
    for snapshot in work.read(rel.OBSERVED):
        identity = of_place.get(snapshot.location)
        address = work.partitions.find("page", make_address_id(snapshot.url))
        page = address if identity is None else work.partitions.find("page", identity.page_id)
        work.send_to(rel.IDENTIFIED, page, (IdentifiedSnapshot(snapshot, identity, page == address),))
        if page != address:
            work.send_to(rel.IDENTIFIED, address, (IdentifiedSnapshot(snapshot, None),))


def _read_pages(work: Work) -> None:
    for pages in read_identified([*work.read(rel.IDENTIFIED)], work.inputs, work.output):
        work.send(rel.MENTIONS, pages.mentions)
        work.send_to(rel.MENTIONS_ON_PAGES, work.number, pages.mentions)
        work.send(rel.STATEMENTS, pages.statements)
        work.send_to(rel.EXTERNAL_TOOLS, work.number, pages.external_tools)
        work.send(rel.DISCREPANCIES, pages.discrepancies)


def _describe_tools(work: Work) -> None:
    work.send(rel.TOOLS, describe_tools(work.read(rel.STATEMENTS), work.inputs, work.output))


def _keep_products(work: Work) -> None:
    keep_products(work.read(rel.TOOLS), work.inputs, work.output)


def _keep_candidates(work: Work) -> None:
    tools = _read_tools(work)
    keep_candidates(work.read(rel.EXTERNAL_TOOLS), [*tools.by_id.values()], tools.aliases, work.inputs, work.output)


def _read_tools(work: Work) -> Tools:
    aliases = {alias.alias_id: alias.tool_id for alias in work.read(rel.ALIASES)}
    return Tools({tool.tool_id: tool for tool in work.read(rel.TOOLS)}, aliases)


def _send_texts(work: Work) -> None:
    """Sends each distinct text to the partitions of the tools that it may be about."""
    corrections = work.inputs.corrections
    decided = {
        text_id
        for kind in ("same", "different", "review")
        for correction in corrections.select(kind, "reviews")
        for text_id in (correction.target, correction.decision)
    }
    for text in list_distinct_texts(work.read(rel.MENTIONS), {tool.tool_id: tool for tool in work.read(rel.TOOLS)}):
        for number in {work.partitions.find("tool", tool_id) for tool_id in text.tools}:
            work.send_to(rel.DISTINCT_TEXTS, number, (text,))
        if text.text_id in decided:
            work.send(rel.SIMILAR_TEXTS, (text,))


def _pair_texts(work: Work) -> None:
    """Sends the pairs of similar texts under the tools of the partition."""
    texts = sorted(work.read(rel.DISTINCT_TEXTS), key=lambda text: text.age)
    here = [
        replace(text, tools=frozenset(tool for tool in text.tools if work.partitions.find("tool", tool) == work.number))
        for text in texts
    ]
    similar = find_similar(here)
    work.send(rel.SIMILAR_TEXTS, (texts[number] for number in sorted(similar)))
    for number, others in similar.items():
        for neighbour in others:
            if neighbour.number > number:
                ids = texts[number].text_id, texts[neighbour.number].text_id
                work.send(rel.SIMILAR_PAIRS, (rel.SimilarPair(*ids, neighbour.similarity, neighbour.tools),))


def _fold_texts(work: Work) -> None:
    texts = sorted({text.text_id: text for text in work.read(rel.SIMILAR_TEXTS)}.values(), key=lambda text: text.age)
    numbers = {text.text_id: number for number, text in enumerate(texts)}
    folded = fold_distinct(texts, _merge_pairs(work.read(rel.SIMILAR_PAIRS), numbers), work.inputs, work.output)
    work.send(rel.FOLDED, folded.values())


def _merge_pairs(pairs: Iterable[rel.SimilarPair], numbers: Mapping[str, int]) -> Neighbours:
    """Two texts may be similar under tools of several partitions."""
    merged: dict[tuple[int, int], SimilarText] = {}
    for pair in pairs:
        for text_id, other_id in ((pair.first, pair.second), (pair.second, pair.first)):
            key = numbers[text_id], numbers[other_id]
            tools = pair.tools | (merged[key].tools if key in merged else frozenset())
            merged[key] = SimilarText(numbers[other_id], pair.similarity, tools)
    near: dict[int, list[SimilarText]] = defaultdict(list)
    for (number, _), similar in sorted(merged.items()):
        near[number].append(similar)
    return near


def _gather_mentions(work: Work) -> None:
    """Sends the mentions of each review to one partition, and each text to the pages that show it."""
    mentions = work.read(rel.MENTIONS)
    folded = {text.text_id: text for text in work.read(rel.FOLDED)}
    texts = {
        text_id: folded.get(text_id) or make_lone_text(text_id, of_text)
        for text_id, of_text in group_by_text(mentions).items()
    }
    by_partition: dict[int, set[str]] = defaultdict(set)
    here: dict[int, list[Mention]] = defaultdict(list)
    for mention in mentions:
        here[work.partitions.find("review", texts[mention.text_id].review_id)].append(mention)
        by_partition[work.partitions.find("page", mention.page_id)].add(mention.text_id)
    for number, of_reviews in here.items():
        work.send_to(rel.MENTIONS_OF_REVIEWS, number, of_reviews)
    for number, text_ids in by_partition.items():
        work.send_to(rel.TEXTS_ON_PAGES, number, [texts[text_id] for text_id in sorted(text_ids)])
    work.send(rel.TEXTS_OF_REVIEWS, texts.values())


def _attribute_reviews(work: Work) -> None:
    """Decides reviews by their own mentions, and sends those that stay open."""
    texts = {text.text_id: text for text in work.read(rel.TEXTS_OF_REVIEWS)}
    mentions = work.read(rel.MENTIONS_OF_REVIEWS)
    reviews, undecided, _ = attribute_by_mentions(mentions, texts, _read_tools(work), work.output)
    for review in undecided:
        work.send(rel.OPEN_REVIEWS, (describe_open(review),))
    _send_reviews(work, reviews, mentions, texts, rel.JUDGED)


def _send_reviews(
    work: Work,
    reviews: Reviews,
    mentions: Iterable[Mention],
    texts: Mapping[str, FoldedText],
    to_pages: Relation[JudgedReview],
) -> None:
    work.send(rel.REVIEW_ROWS, reviews.rows)
    work.send(rel.REVIEW_STATES, reviews.states)
    work.send(rel.DISCREPANCIES, reviews.discrepancies)
    by_partition: dict[int, set[str]] = defaultdict(set)
    for mention in mentions:
        by_partition[work.partitions.find("page", mention.page_id)].add(texts[mention.text_id].review_id)
    for number, review_ids in by_partition.items():
        there = sorted(review_ids & reviews.judged.keys())
        work.send_to(to_pages, number, [reviews.judged[review_id] for review_id in there])


def _send_compared(work: Work) -> None:
    """Sends the pages of open reviews, and those that they are compared with, with all that they show."""
    open_reviews = work.read(rel.OPEN_REVIEWS)
    if not open_reviews:
        return
    _, mentions = select_compared(open_reviews, work.read(rel.MENTIONS_ON_PAGES))
    text_ids = {mention.text_id for mention in mentions}
    texts = [text for text in work.read(rel.TEXTS_ON_PAGES) if text.text_id in text_ids]
    review_ids = {text.review_id for text in texts}
    work.send(rel.COMPARED_MENTIONS, mentions)
    work.send(rel.COMPARED_TEXTS, texts)
    work.send(rel.COMPARED_REVIEWS, (review for review in work.read(rel.JUDGED) if review.review_id in review_ids))


def _decide_open(work: Work) -> None:
    """Decides the open reviews by their pages and others."""
    open_reviews = work.read(rel.OPEN_REVIEWS)
    if not open_reviews:
        return
    open_ids = {review.review_id for review in open_reviews}
    texts = {text.text_id: text for text in work.read(rel.COMPARED_TEXTS)}
    judged = {review.review_id: review for review in work.read(rel.COMPARED_REVIEWS)}
    mentions = work.read(rel.COMPARED_MENTIONS)
    on_pages = [mention for mention in mentions if texts[mention.text_id].review_id in open_ids]
    undecided = [*open_attributions(on_pages, texts).values()]
    compared, tools = find_compared(open_reviews, (mention.version for mention in mentions)), _read_tools(work)
    conflicts = attribute_by_own(undecided, tools.by_id)
    reviews = attribute_by_pages(undecided, conflicts, mentions, texts, compared, judged, tools, work.output)
    _send_reviews(work, reviews, on_pages, texts, rel.JUDGED_BY_PAGES)


def _find_reviewers(work: Work) -> None:
    texts = {text.text_id: text for text in work.read(rel.TEXTS_ON_PAGES)}
    judged = {
        review.review_id: review for relation in (rel.JUDGED, rel.JUDGED_BY_PAGES) for review in work.read(relation)
    }
    work.send(rel.REVIEWER_RANGES, find_ranges(work.read(rel.MENTIONS_ON_PAGES), texts, judged, work.inputs.profiles))
    keep_discrepancies(work.read(rel.DISCREPANCIES), work.output)


def _keep_reviews(work: Work) -> None:
    reviewers = choose_reviewers(work.read(rel.REVIEWER_RANGES), work.inputs.profiles)
    keep_review_rows(work.read(rel.REVIEW_ROWS), work.read(rel.REVIEW_STATES), reviewers, work.output)


def _keep_corrections(work: Work) -> None:
    work.output.keep("corrections", [*make_correction_rows(work.inputs.corrections, work.read(OUTCOMES))])


OF_PAGES = (
    rel.MENTIONS,
    rel.MENTIONS_ON_PAGES,
    rel.STATEMENTS,
    rel.EXTERNAL_TOOLS,
    rel.DISCREPANCIES,
)
COMPARED = (rel.COMPARED_MENTIONS, rel.COMPARED_TEXTS, rel.COMPARED_REVIEWS)
OF_REVIEWS = (rel.REVIEW_ROWS, rel.REVIEW_STATES, rel.DISCREPANCIES)

STAGES = (
    Stage("sightings", "segment", (rel.SIGHTINGS,), _sight_pages),
    Stage("identities", "all", (rel.IDENTITIES, rel.ALIASES), _identify_pages),
    Stage("identified", "segment", (rel.IDENTIFIED,), _send_snapshots),
    Stage("pages", "page", OF_PAGES, _read_pages),
    Stage("tools", "tool", (rel.TOOLS,), _describe_tools),
    Stage("products", "all", (), _keep_products),
    Stage("candidates", "page", (), _keep_candidates),
    # Texts are compared within a tool. One partition folds those that are similar to another one: they are few.
    Stage("texts", "text", (rel.DISTINCT_TEXTS, rel.SIMILAR_TEXTS), _send_texts),
    Stage("similar", "tool", (rel.SIMILAR_PAIRS, rel.SIMILAR_TEXTS), _pair_texts),
    Stage("folds", "all", (rel.FOLDED,), _fold_texts),
    Stage("gathered", "text", (rel.MENTIONS_OF_REVIEWS, rel.TEXTS_OF_REVIEWS, rel.TEXTS_ON_PAGES), _gather_mentions),
    Stage("attributions", "review", (rel.JUDGED, rel.OPEN_REVIEWS, *OF_REVIEWS), _attribute_reviews),
    # One partition decides open reviews, which are few: they share pages, and need other pages of the same tools.
    Stage("compared", "page", COMPARED, _send_compared),
    Stage("open_reviews", "all", (rel.JUDGED_BY_PAGES, *OF_REVIEWS), _decide_open),
    Stage("reviewers", "page", (rel.REVIEWER_RANGES,), _find_reviewers),
    Stage("reviews", "review", (), _keep_reviews),
    Stage("corrections", "all", (), _keep_corrections),
)
"""All stages in order: the name of each, its partitioning, what it sends, and its function."""
