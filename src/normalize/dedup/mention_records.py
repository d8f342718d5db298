"""Mentions and distinct texts as rounds keep them."""

from operator import attrgetter

import msgspec

from extract.model.records import Take
from fetch.model.snapshot import Location
from normalize.dedup.clusters import MatchKind
from normalize.identity.ids import ToolPair, is_short, text_id
from normalize.identity.version_head import VERSIONS, VersionHead
from normalize.parse.text import fold_name, match_key
from normalize.state.relation import Apart, Relation


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """One take on one page version. `label` is the tool that the page names, None where it lost the label."""

    text_id: str
    version: VersionHead
    take: Take
    label: str | None

    @property
    def page_id(self) -> str:
        return self.version.page_id


class StoredMention(msgspec.Struct, frozen=True, array_like=True):
    """A mention without its page version, which ten mentions share, and how that is found."""

    text_id: str
    page_id: str
    location: Location
    take: Take
    label: str | None


def stored_mention(mention: Mention) -> StoredMention:
    """The mention without its page version."""
    return StoredMention(mention.text_id, mention.page_id, mention.version.location, mention.take, mention.label)


MENTIONS = Relation(
    "mentions",
    Mention,
    ("text_id", "page_id"),
    Apart(
        shared=VERSIONS,
        by="page_id",
        stored=StoredMention,
        split=stored_mention,
        place=attrgetter("location"),
        joined=lambda stored, version: Mention(stored.text_id, version, stored.take, stored.label),
    ),
)


class FoldedText(msgspec.Struct, frozen=True, array_like=True):
    """A distinct text and the review it belongs to. `kind` and `similarity` (0 to 1) are against the canonical text.

    `text` is one of its strings as published. `was_canonical`: its id has been a review's.
    """

    text_id: str
    match_key: str
    text: str
    review_id: str
    kind: MatchKind
    similarity: float
    was_canonical: bool


TEXTS = Relation("texts", FoldedText, ("text_id", "review_id"))


class TextIds:
    """Ids of distinct texts. Most takes repeat one: a string is folded once, and an id made once."""

    def __init__(self) -> None:
        self._of_string: dict[str, tuple[str, str | None]] = {}
        self._of_short: dict[tuple[str, str], str] = {}
        self._of_long: dict[str, str] = {}

    def of(self, text: str, early_ids: ToolPair, label: str | None) -> str:
        """The id of a take. `early_ids` are the tools of its page as known on the day it came in, `label` one of them.

        They count for a short text only.
        """
        known = self._of_string.get(text)
        if known is None:
            known = self._of_string[text] = self._folded(text)
        key, long_id = known
        if long_id is not None:
            return long_id
        owner = label or "|".join(sorted({*early_ids}))
        short_id = self._of_short.get((key, owner))
        if short_id is None:
            short_id = self._of_short[key, owner] = text_id(key, owner)
        return short_id

    def _folded(self, text: str) -> tuple[str, str | None]:
        """The match key of a short text; of a long one its id."""
        # A take of punctuation alone has no letters to keep.
        key = match_key(text) or fold_name(text)
        if is_short(key):
            return key, None
        long_id = self._of_long.get(key)
        if long_id is None:
            long_id = self._of_long[key] = text_id(key, "")
        return "", long_id


class TextHome(msgspec.Struct, frozen=True, array_like=True):
    """A tool that a text may be about on some day, as it was known then; a tool told apart by hosts has a mark before.

    A text can have more of them than its mentions give.
    """

    text_id: str
    tool_id: str


HOMES = Relation("homes", TextHome, ("text_id", "tool_id"))


class TextTies(msgspec.Struct, frozen=True, array_like=True):
    """What the last fold of a text left: all that says whether more mentions of it can change a review.

    `component` is the same for texts that have to do with each other, None for a text alone. `homes` are as in
    `TextHome`. `tools` are those it may be about by now, `is_labelled` whether a page named one; both hold in a
    component alone. `last_day` is the last one that brought the component anything but mentions that said nothing new.
    """

    text_id: str
    component: str | None
    homes: tuple[str, ...]
    tools: tuple[str, ...]
    is_labelled: bool
    last_day: str


TIES = Relation("ties", TextTies, ("text_id", "component"))


class Lookalike(msgspec.Struct, frozen=True, array_like=True):
    """Two texts that are similar and were not joined: they are in two reviews. `similarity` is 0 to 1."""

    text_id: str
    other_id: str
    similarity: float


LOOKALIKES = Relation("lookalikes", Lookalike, ("text_id", "other_id"))
