"""The Decision table: a label and a value for each tool, however the table is turned."""

from collections.abc import Iterator, Sequence

from corpus.enumerations import SIDES
from extract.model.blocks import Block, fold
from extract.model.errors import PageRejected
from extract.model.records import Decision, Span
from extract.panel.page_words import PERCENT, DecisionField, PageWords

TOOLS = len(SIDES)

Rows = dict[DecisionField, tuple[str | None, str | None]]


def read_decision(
    blocks: Sequence[Block], section: range, names: tuple[str, str], words: PageWords
) -> tuple[Decision, Decision]:
    """The two columns, A then B.

    Raises `PageRejected` (`incomplete_decision`) where no way of turning the table gives each label one value a tool:
    shifting the values of one tool to the other would be worse than losing the page.
    """
    texts = [blocks[index].text for index in section if fold(blocks[index].text) != words.decision]
    rows = next((rows for rows in _readings(texts, names, words) if _is_sound(rows, words)), None)
    if rows is None:
        raise PageRejected(
            "incomplete_decision",
            "the labels of the Decision table have not exactly one value for each of the two tools",
        )
    span = Span(section.start, section.stop - 1)
    by_field = [{field: values[index] for field, values in rows.items()} for index in range(TOOLS)]
    first, second = (
        Decision(
            side=side,
            name=names[index],
            verdict=by_field[index].get("verdict"),
            community=by_field[index].get("community"),
            pricing=by_field[index].get("pricing"),
            best_for=by_field[index].get("best_for"),
            category=by_field[index].get("category"),
            span=span,
        )
        for index, side in enumerate(SIDES)
    )
    return first, second


def panel_votes(decisions: Sequence[Decision], words: PageWords) -> tuple[int | None, int | None]:
    """How many of the panel voted on A and on B, as the verdict line says; None where it does not."""
    counts = [words.vote_counts.search(decision.verdict or "") for decision in decisions]
    of_a, of_b = [None if found is None else sum(map(int, found.groups())) for found in counts] or (None, None)
    return of_a, of_b


def _is_sound(rows: Rows | None, words: PageWords) -> bool:
    """Verdicts read like verdicts and community votes like votes: what tells a right reading from a shifted one."""
    if rows is None or "verdict" not in rows:
        return False
    verdicts = [value for value in rows["verdict"] if value is not None]
    votes = [value for value in rows.get("community", ()) if value is not None]
    return all(words.verdict_value.fullmatch(value) for value in verdicts) and all(
        PERCENT.search(value) or any(word in value.casefold() for word in words.community_votes) for value in votes
    )


def _readings(texts: Sequence[str], names: tuple[str, str], words: PageWords) -> Iterator[Rows | None]:
    """Every way to read the table, the usual first. None where one does not come out even."""
    corner = 1 if texts and not texts[0] else 0
    body = texts[corner + TOOLS :] if tuple(texts[corner : corner + TOOLS]) == names else texts
    for label_column in range(TOOLS + 1):
        yield _by_row(body, names, label_column, words)
    yield _by_tool(_without(texts, names, (0, len(texts) // 2)), words)
    labelled = texts[corner:]
    labels = max(len(labelled) - TOOLS, 0) // (1 + TOOLS)
    yield _transposed(_without(labelled, names, (labels, 2 * labels + 1)), words)


def _without(texts: Sequence[str], names: tuple[str, str], places: tuple[int, int]) -> Sequence[str]:
    """The texts without the two names, where these stand at their places: a name may read like a label."""
    if tuple(texts[place] for place in places if place < len(texts)) != names:
        return texts
    return [text for index, text in enumerate(texts) if index not in places]


def _field(text: str, words: PageWords) -> DecisionField | None:
    return words.decision_labels.get(fold(text))


def _by_row(texts: Sequence[str], names: tuple[str, str], label_column: int, words: PageWords) -> Rows | None:
    """A label and two values, the label first, between or last. A value may read like a label: `Community`."""
    rows: Rows = {}
    index = 0
    while index < len(texts):
        row = texts[index : index + 1 + TOOLS]
        field = _field(row[label_column], words) if len(row) == 1 + TOOLS else None
        if field is not None and field not in rows:
            first, second = (text for column, text in enumerate(row) if column != label_column)
            rows[field] = (_present(first, words), _present(second, words))
            index += 1 + TOOLS
        elif texts[index] in names or not texts[index]:
            # The head: an empty corner, then the names.
            index += 1
        else:
            return None
    return rows


def _by_tool(texts: Sequence[str], words: PageWords) -> Rows | None:
    """All labels of A with their values, then all of B."""
    if len(texts) % 2 or not texts:
        return None
    pairs = [(_field(texts[index], words), _present(texts[index + 1], words)) for index in range(0, len(texts), 2)]
    half = len(pairs) // 2
    of_a, of_b = pairs[:half], pairs[half:]
    if [field for field, _ in of_a] != [field for field, _ in of_b]:
        return None
    return _joined([field for field, _ in of_a], [value for _, value in of_a], [value for _, value in of_b])


def _transposed(texts: Sequence[str], words: PageWords) -> Rows | None:
    """All labels, then all values of A, then all of B."""
    count = len(texts) // (1 + TOOLS)
    if not count or len(texts) % (1 + TOOLS):
        return None
    fields = [_field(text, words) for text in texts[:count]]
    values = [_present(text, words) for text in texts[count:]]
    return _joined(fields, values[:count], values[count:])


def _joined(
    fields: Sequence[DecisionField | None], of_a: Sequence[str | None], of_b: Sequence[str | None]
) -> Rows | None:
    rows: Rows = {}
    for field, first, second in zip(fields, of_a, of_b, strict=True):
        if field is None or field in rows:
            return None
        rows[field] = (first, second)
    return rows


def _present(text: str, words: PageWords) -> str | None:
    return None if text in words.no_value else text
