"""Mentions: every take of every page version, with its distinct text; and the review of each text."""

from textwrap import shorten

import msgspec

from verdicts.corpus.enumerations import Match
from verdicts.extract.model.records import Take
from verdicts.normalize.identity.ids import ToolPair, is_short, text_id
from verdicts.normalize.identity.page_versions import VersionHead
from verdicts.normalize.parse.text import take_key

QUOTED = 60
"""Most characters of a take in a quote."""


class Mention(msgspec.Struct, frozen=True, array_like=True):
    """One take on one page version. `label` is the tool that the page names, None where the page lost the label."""

    text_id: str
    version: VersionHead
    take: Take
    label: str | None

    @property
    def page_id(self) -> str:
        return self.version.page_id

    @property
    def early_label(self) -> str | None:
        """The label as the tool was known on the ingest day."""
        version = self.version
        return None if self.label is None else version.early_ids[version.tool_ids.index(self.label)]

    @property
    def age(self) -> tuple[tuple[str, int, str, str, str], int]:
        """Sorts mentions from the oldest to the newest, those of one version in reading order."""
        return self.version.freshness, self.take.position

    @property
    def quote(self) -> str:
        """The first words of the take."""
        return f"'{shorten(self.take.text, QUOTED, placeholder='…')}'"


class FoldedText(msgspec.Struct, frozen=True, array_like=True):
    """A distinct text and the review it belongs to. `kind` and `similarity` (0 to 1) are against the canonical text.

    `text` is one of its strings as published. `was_canonical`: its id has been a review's.
    """

    text_id: str
    match_key: str
    text: str
    review_id: str
    kind: Match
    similarity: float
    was_canonical: bool


class TextIds:
    """Ids of distinct texts, cached: most takes repeat a text."""

    def __init__(self) -> None:
        self._keys: dict[str, str] = {}
        self._ids: dict[tuple[str, str], str] = {}

    def of(self, text: str, early_ids: ToolPair, label: str | None) -> str:
        """The id of a take. `early_ids` are the tools of its page as known on the day it came in, `label` one of them.

        They count for a short text only.
        """
        key = self._keys.get(text)
        if key is None:
            key = self._keys[text] = take_key(text)
        owner = label or "|".join(sorted({*early_ids})) if is_short(key) else ""
        known = self._ids.get((key, owner))
        if known is None:
            known = self._ids[key, owner] = text_id(key, owner)
        return known
