"""Mentions: every take of every page version, with the distinct text and the review it belongs to."""

from textwrap import shorten

import msgspec

from extract.model.records import Take
from normalize.dedup.mention_records import FoldedText
from normalize.identity.version_head import VersionHead

QUOTED = 60
"""Characters of a take that a report quotes."""


class TakeMention(msgspec.Struct, frozen=True):
    """One take on one page version. `label` is the tool of its label, None where the page lost the label."""

    version: VersionHead
    take: Take
    label: str | None
    text: FoldedText

    @property
    def page_id(self) -> str:
        return self.version.page_id

    @property
    def review_id(self) -> str:
        """The id of its review: that of the canonical text."""
        return self.text.review_id

    @property
    def quote(self) -> str:
        """The first words of the take, as reports quote it."""
        return f"'{shorten(self.take.text, QUOTED, placeholder='…')}'"
