"""How panel and community voted on a tool of a page, as the freshest version that shows it has it."""

from collections.abc import Sequence

from corpus.enumerations import SIDES, Side
from normalize.identity.page_versions import PageVersion
from normalize.parse.values import Community, VerdictLine, community, readable, verdict_line


def panel_votes(versions: Sequence[PageVersion], side: Side) -> VerdictLine:
    """The verdict line of a side; all None where no version shows one. `versions` come freshest first."""
    for version in versions:
        raw = version.comparison.decisions[SIDES.index(side)].verdict if version.comparison.decisions else None
        if raw is not None:
            return readable(verdict_line, raw, version.profile)
    return VerdictLine(None, None, None)


def community_votes(versions: Sequence[PageVersion], side: Side) -> Community:
    """The community's vote of a side, by the Decision table; all None where no version shows one."""
    for version in versions:
        raw = version.comparison.decisions[SIDES.index(side)].community if version.comparison.decisions else None
        if raw is not None:
            return readable(community, raw, version.profile)
    return Community(None, None)
