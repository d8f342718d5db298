"""How panel and community voted on a tool of a page, as the freshest version that shows it has it."""

from collections.abc import Sequence

from extract.model.records import Side
from normalize.identity.page_versions import SIDES, View
from normalize.parse.values import Community, VerdictLine, community, readable, verdict_line


def panel_votes(views: Sequence[View], side: Side) -> VerdictLine:
    """The verdict line of a side; all None where no version shows one. `views` come freshest first."""
    for view in views:
        raw = view.comparison.decisions[SIDES.index(side)].verdict if view.comparison.decisions else None
        if raw is not None:
            return readable(verdict_line, raw, view.profile)
    return VerdictLine(None, None, None)


def community_votes(views: Sequence[View], side: Side) -> Community:
    """The community's vote of a side, by the Decision table; all None where no version shows one."""
    for view in views:
        raw = view.comparison.decisions[SIDES.index(side)].community if view.comparison.decisions else None
        if raw is not None:
            return readable(community, raw, view.profile)
    return Community(None, None)
