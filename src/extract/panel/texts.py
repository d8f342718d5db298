"""The texts of a page with the words of its site: which element holds them, and which of them are none of its facts."""

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from verdicts.corpus.enumerations import Side
from verdicts.extract.model.blocks import Block, fold, shared_depth
from verdicts.extract.model.records import Doubt
from verdicts.extract.panel.page_words import PERCENT, PageWords

BOILERPLATE_MAX = 60
"""Characters of a text that may be a link's, a button's or an advert's label: `12 people found this helpful`."""

SHOWN_MAX = 200
"""Characters of an unread text that a doubt quotes."""


class Texts(tuple[Block, ...]):
    """The blocks of a page, or of a part of it, in order. Other things name them by their numbers."""

    words: PageWords

    def __new__(cls, blocks: Iterable[Block], words: PageWords) -> "Texts":
        made = super().__new__(cls, blocks)
        made.words = words
        return made

    @cached_property
    def folded(self) -> Sequence[str]:
        """All texts, folded."""
        return [fold(block.text) for block in self]

    def element(self, path: tuple[int, ...]) -> range:
        """From the first to the last block within the element that a path ends in."""
        depth, number = len(path), path[-1]
        within = [index for index, block in enumerate(self) if block.path[depth - 1 : depth] == (number,)]
        return range(within[0], within[-1] + 1) if within else range(0)

    def widest_element(self, anchor: int, others: Iterable[int]) -> range | None:
        """The blocks of the widest element that holds `anchor` and none of `others`. None where no element does."""
        path = self[anchor].path
        depth = 1 + max((shared_depth(path, self[other].path) for other in others), default=0)
        return self.element(path[:depth]) if depth <= len(path) else None

    def only_other(self, index: int, among: range) -> int | None:
        """The one block that shares the closest element with `index`. None where several do, and without paths."""
        path = self[index].path
        for depth in range(len(path), 0, -1):
            first = last = index
            while first > among.start and self[first - 1].path[:depth] == path[:depth]:
                first -= 1
                if index - first > 1:
                    return None
            while last + 1 < among.stop and self[last + 1].path[:depth] == path[:depth]:
                last += 1
                if last - first > 1:
                    return None
            if last > first:
                return first if first != index else last
        return None

    def is_percent(self, index: int) -> bool:
        return PERCENT.fullmatch(self[index].text) is not None

    def is_boilerplate(self, index: int) -> bool:
        """Says nothing about the tools: an empty text, a button, `Visit site`, an advert's label."""
        block = self[index]
        if not block.text or block.is_control or block.text in self.words.no_value:
            return True
        if len(block.text) > BOILERPLATE_MAX:
            return False
        is_named = fold(block.text) in self.words.links or self.words.advert.fullmatch(block.text) is not None
        return is_named or self.words.boilerplate.fullmatch(block.text) is not None or is_decoration(block, self.words)

    def hangs_on_take(self, index: int) -> bool:
        """A button, a badge, `Share · Report`, `12 found this helpful`, `Sponsored`."""
        block = self[index]
        if block.is_control or not block.text:
            return True
        is_long = len(block.text) > BOILERPLATE_MAX
        return self.is_advert(index) if is_long else _hangs(block.text, self.words)

    def is_advert(self, index: int) -> bool:
        """`Sponsored`, `Ad · Try this`."""
        return self.words.advert.match(self[index].text) is not None

    def without_adverts(self, left: Sequence[int]) -> list[int]:
        """Without what names itself an advert, and without all in an element that begins with this name."""
        cut: set[int] = set()
        for index in left:
            if len(self[index].text) <= BOILERPLATE_MAX and self.is_advert(index):
                own = self.element(self[index].path) if self[index].path else range(0)
                cut |= {index, *(own if own.start == index and set(own) <= set(left) else ())}
        return [index for index in left if index not in cut]

    def unread(self, left: Iterable[int], side: Side | None, known: Iterable[str], where: str) -> list[Doubt]:
        """A doubt for each run of texts in `left` that is neither boilerplate nor repeats something in `known`."""
        repeated = {fold(text.strip()) for text in known} | self.words.closing_lines
        runs: list[list[int]] = []
        for index in self.without_adverts([*left]):
            if self.folded[index] in repeated or self.is_boilerplate(index):
                continue
            if not runs or index > runs[-1][-1] + 1:
                runs.append([])
            runs[-1].append(index)
        shown = [" / ".join(self[index].text for index in run) for run in runs]
        cut = [text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 3]}..." for text in shown]
        return [Doubt("unread_text", side, where, text) for text in cut]


@lru_cache(maxsize=8192)
def _hangs(text: str, words: PageWords) -> bool:
    is_sign = not any(character.isalnum() for character in text)
    is_named = fold(text) in words.badges or words.boilerplate.fullmatch(text) is not None
    return is_sign or is_named or words.advert.match(text) is not None


def is_decoration(block: Block, words: PageWords) -> bool:
    """`★`, `New`, `Sponsored`: hung beside the facts, none of them."""
    text = block.text
    if not text or len(text) > words.badge_max:
        return False
    is_symbol = len(text) <= 3 and text != "/" and not any(character.isalnum() for character in text)
    return fold(text) in words.badges or (is_symbol and text not in words.no_value)


def is_monogram(text: str, name: str) -> bool:
    """The card's picture: the first letter of its name."""
    return len(text) == 1 and text.casefold() == name[:1].casefold()
