"""The scorecard: a reviewer, then a cell for each tool; or, without reviewers, takes in quotation marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace as replace_record
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from verdicts.corpus.enumerations import SIDES, Side
from verdicts.corpus.text import is_visible
from verdicts.extract.model.blocks import fold
from verdicts.extract.model.records import Doubt, MissingTake, PageRejected, Take
from verdicts.extract.panel.take_cells import Cells, PanelVotes, cell_readings, is_reviewer_with_words
from verdicts.extract.panel.take_heads import openings, take_parts
from verdicts.extract.panel.take_words import TakeWords, is_cut, other_voice, read_words
from verdicts.extract.panel.texts import Texts

READINGS_MAX = 60
"""The most ways to read a scorecard: a page is given up before it takes a second."""

WORDLESS_SHARE = 4
"""At most one cell in so many may have no words."""

ONE_SCORE_MIN = 4
"""So many takes never all had one score."""

COUNT_MAX = 60
"""The most characters of a count that touches a take: `12 people found this helpful`."""

_DIGIT = re.compile(r"\d")
_BULLET = re.compile(r"^(?:[-*•>–]|\d{1,3}[.)])\s")
"""List bullets in dumps."""


class Scorecard(Struct, frozen=True):
    """All takes in reading order, the cells without a take, and the doubts."""

    takes: tuple[Take, ...] = ()
    missing_takes: tuple[MissingTake, ...] = ()
    is_labelled: bool = False
    doubts: tuple[Doubt, ...] = ()
    wordless: tuple[Side, ...] = ()
    """The sides of score and verdict without words."""
    problem: str | None = None
    """Why this reading cannot be trusted."""

    def counts(self) -> tuple[int, ...]:
        """How many takes each tool has."""
        return tuple(sum(take.side == side for take in self.takes) + self.wordless.count(side) for side in SIDES)

    def fits(self, votes: PanelVotes) -> bool:
        """Whether each tool has as many takes as the page's votes say."""
        return all(said is None or sum(said) == count for said, count in zip(votes, self.counts(), strict=True))

    def agrees(self, votes: PanelVotes) -> bool:
        """Whether each tool has as many takes for and against it as the votes say, as far as votes are known."""
        return all(
            said is None
            or said
            == tuple(
                sum(take.side == side and _is_for(take) is is_for for take in self.takes) for is_for in (True, False)
            )
            for side, said in zip(SIDES, votes, strict=True)
        )

    def score(self, votes: PanelVotes) -> tuple[bool, bool, bool]:
        """How well a reading explains the section; of equally good ones the first counts."""
        return self.problem is None, self.fits(votes), not self.wordless


def _is_for(take: Take) -> bool | None:
    return None if take.verdict is None else take.verdict.casefold() == "ship"


def read_scorecard(page: Texts, section: range, names: tuple[str, str], votes: PanelVotes = (None, None)) -> Scorecard:
    """The takes between the scorecard's head and its end. `votes` select one of several readings.

    Raises `PageRejected`: `incomplete_scorecard` if a row lacks a reviewer or one cell per tool, `truncated` if a
    quotation mark is never closed.
    """
    best: Scorecard | None = None
    for reading in islice(_readings(page, section, names, votes), READINGS_MAX):
        if best is None or reading.score(votes) > best.score(votes):
            best = reading
        if all(best.score(votes)):
            break
    if best is None:
        return _read_quoted(page, section)
    if best.problem is not None:
        raise PageRejected("incomplete_scorecard", best.problem)
    return best


def _readings(page: Texts, section: range, names: tuple[str, str], votes: PanelVotes) -> Iterator[Scorecard]:
    """The ways to read the section: heads, their tools and reviewers, and words behind or before them."""
    texts = take_parts(page, section, names)
    for heads in openings(texts):
        for cells in cell_readings(texts, heads, names, votes):
            if cells.problem is not None:
                yield Scorecard(problem=cells.problem)
                continue
            for own_behind in (False, True):
                yield _read(texts, cells, read_words(texts, cells, own_behind=own_behind), votes)


def _read(texts: Texts, cells: Cells, words: TakeWords, votes: PanelVotes) -> Scorecard:
    takes_said = {first: " ".join(texts[index].text for index in own) for first, own in words.own.items()}
    takes: list[Take] = []
    missing: list[MissingTake] = []
    wordless: list[Doubt] = []
    for cell in cells.cells:
        opening = cell.opening
        span = texts.span((opening.first, opening.last, *words.own.get(opening.first, ())))
        if not opening.is_take:
            missing.append(MissingTake(cell.reviewer, cell.side, span))
            continue
        text = _without_quotation_marks(takes_said[opening.first], texts.words.profile.page.quotation_marks)
        # `82 found this helpful` is not a take: the words of the take are above its score.
        if not is_visible(text) or texts.words.boilerplate.fullmatch(text) is not None:
            head = " · ".join(filter(None, [opening.score, opening.verdict]))
            # A dump may have lost a line.
            if wordless or len(cells.cells) < WORDLESS_SHARE or not texts[opening.first].path:
                return Scorecard(problem=f"{cell.reviewer} gives '{head}' and no words with it")
            wordless.append(Doubt("unread_text", cell.side, f"words of {cell.reviewer}", head))
            continue
        takes.append(Take(len(takes), cell.row, cell.side, cell.reviewer, opening.score, opening.verdict, text, span))
    without = tuple(doubt.side for doubt in wordless if doubt.side is not None)
    scorecard = _without_guests(Scorecard(tuple(takes), tuple(missing), True, wordless=without), texts, votes)
    is_whole = None not in votes and scorecard.fits(votes)
    doubts = (
        *scorecard.doubts,
        *_doubt_unread(texts, cells, words, is_whole=is_whole),
        *_doubts(texts, cells, words, takes),
        *wordless,
    )
    return _with_sides(replace(scorecard, doubts=doubts), cells, votes)


def _without_guests(scorecard: Scorecard, texts: Texts, votes: PanelVotes) -> Scorecard:
    """Without unknown reviewers, if the votes count all others and not these: `Guest · not counted`."""
    known = [take for take in scorecard.takes if fold(take.reviewer or "") in texts.words.reviewers]
    guests = [take for take in scorecard.takes if take not in known]
    panel = replace(scorecard, takes=tuple(known))
    if not guests or None in votes or scorecard.fits(votes) or not panel.fits(votes) or not panel.agrees(votes):
        return scorecard
    doubts = tuple(_doubt_text(f"{take.reviewer} · {take.score} · {take.verdict}: {take.text}") for take in guests)
    return replace(
        panel, takes=tuple(replace_record(take, position=at) for at, take in enumerate(known)), doubts=doubts
    )


def _with_sides(scorecard: Scorecard, cells: Cells, votes: PanelVotes) -> Scorecard:
    """The scorecard with its columns swapped if only that agrees with the votes, and nothing names the columns."""
    if not cells.is_ordered or None in votes or scorecard.agrees(votes):
        return scorecard
    turn = dict(zip(SIDES, SIDES[::-1], strict=True))
    turned = replace(
        scorecard,
        takes=tuple(replace_record(take, side=turn[take.side]) for take in scorecard.takes if take.side),
        missing_takes=tuple(replace_record(cell, side=turn[cell.side]) for cell in scorecard.missing_takes),
        wordless=tuple(turn[side] for side in scorecard.wordless),
    )
    if not turned.agrees(votes):
        return scorecard
    takes = sorted(turned.takes, key=lambda take: (take.row or 0, take.side or ""))
    doubt = Doubt("copies_differ", None, "columns in the order of the cards", "votes agree with the other order")
    return replace(
        turned,
        takes=tuple(replace_record(take, position=at) for at, take in enumerate(takes)),
        doubts=(*turned.doubts, doubt),
    )


def _doubt_text(text: str) -> Doubt:
    return Doubt("unread_text", None, "every text of the scorecard in a take", text)


def _doubt_unread(texts: Texts, cells: Cells, words: TakeWords, *, is_whole: bool) -> Iterator[Doubt]:
    """Texts outside of takes, reviewers, names and boilerplate.

    If the votes say that every take was read (`is_whole`), texts before and below the rows belong to another part of
    the page.
    """
    first, last = min(cells.reviewers), max(cell.opening.last for cell in cells.cells)
    for reviewer in cells.reviewers:
        if is_reviewer_with_words(texts[reviewer].text, texts.words):
            yield Doubt("unread_text", None, "the name of a reviewer alone", texts[reviewer].text)
    for index in words.others:
        is_known = texts.hangs_on_take(index) or texts.folded[index] in texts.words.column_heads
        if not is_known and not (is_whole and (index > last or index < first)):
            yield _doubt_text(texts[index].text)


def _doubts(texts: Texts, cells: Cells, words: TakeWords, takes: Sequence[Take]) -> Iterator[Doubt]:
    """The doubts of a reading, with the words in question."""
    for cell in cells.cells:
        own = words.own.get(cell.opening.first, ())
        unproven = [texts[index].text for index in words.unproven.get(cell.opening.first, ())]
        if unproven:
            yield Doubt("unread_text", cell.side, f"one text in the take of {cell.reviewer}", " ".join(unproven))
        is_item = bool(own) and texts[own[-1]].elements[-1:] and texts[own[-1]].elements[-1][0] == "li"
        if own and not is_item and is_cut(texts[own[-1]].text):
            yield Doubt("unread_text", cell.side, f"the whole take of {cell.reviewer}", texts[own[-1]].text[-60:])
        for other in filter(None, (other_voice(texts[index].text) for index in own)):
            yield Doubt("unread_text", cell.side, f"words of {cell.reviewer} alone", other)
    for take in takes:
        if take.score is None or take.verdict is None:
            head = take.score or take.verdict or ""
            yield Doubt("unread_text", take.side, f"score and verdict of {take.reviewer}", head)
        # `29 days agoThe demo works`: no element separates age and take.
        has_count = take.text[0].isdecimal() or _DIGIT.search(take.text, len(take.text) - COUNT_MAX) is not None
        if has_count and (glued := texts.words.count_beside_take.search(take.text)) is not None:
            yield Doubt("unread_text", take.side, f"words of {take.reviewer} alone", glued[0])
    # A counter that a script would count up shows 0 to all others.
    scores = {take.score for take in takes if take.score is not None}
    if len(scores) == 1 and (len(takes) >= ONE_SCORE_MIN or any(_says_zero(take) for take in takes)):
        yield Doubt("unread_text", None, "the scores of the takes", next(iter(scores)))
    for take in takes:
        if _says_zero(take) and len(scores) > 1:
            yield Doubt("unread_text", take.side, f"the score of {take.reviewer}", f"{take.score} · {take.verdict}")
    for reviewer in cells.inferred:
        expected = f"two cells in the row of {texts[reviewer].text}"
        yield Doubt("missing_cell", None, expected, "one, whose tool the votes tell")


def _says_zero(take: Take) -> bool:
    return _is_for(take) is True and (take.score or "").split("/")[0].strip("0.,") == ""


def _read_quoted(page: Texts, section: range) -> Scorecard:
    takes = tuple(_read_quotes(page, section))
    used = {number for take in takes for number in range(take.span.first, take.span.last + 1)}
    unread = [index for index in section if page.numbers[index] not in used and not page.hangs_on_take(index)]
    return Scorecard(takes, doubts=tuple(_doubt_text(page[index].text) for index in unread))


def _read_quotes(page: Texts, section: range) -> Iterator[Take]:
    """The takes in quotation marks, one after the other, maybe over several lines.

    Raises `PageRejected` if a mark is never closed (`truncated`) or encloses nothing.
    """
    position = 0
    index = section.start
    while index < section.stop:
        start = _BULLET.sub("", page[index].text)
        closing = next((mark[1] for mark in page.words.profile.page.quotation_marks if start.startswith(mark[0])), None)
        last = index
        if closing is not None:
            while not (page[last].text.endswith(closing) and (last > index or len(page[last].text) > 1)):
                last += 1
                if last >= section.stop:
                    raise PageRejected("truncated", f"the take that begins {page[index].text[:60]!r} is cut off")
            text = " ".join([start, *(block.text for block in page[index + 1 : last + 1])])[1:-1].strip()
            if not is_visible(text):
                raise PageRejected("incomplete_scorecard", "two quotation marks hold no words")
            yield Take(position, None, None, None, None, None, text, page.span((index, last)))
            position += 1
        index = last + 1


def _without_quotation_marks(text: str, marks: Sequence[tuple[str, str]]) -> str:
    """A take without the marks around it. Marks of only its first or last words stay."""
    for opening, closing in marks:
        if text.startswith(opening) and text.endswith(closing) and text.count(opening) + text.count(closing) in {2, 4}:
            inner = text[1:-1]
            return inner if opening not in inner and closing not in inner else text
    return text
