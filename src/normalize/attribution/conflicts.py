"""Evidence that contradicts, as a row of `discrepancies`."""

from collections.abc import Mapping

from verdicts.corpus.rows.doubts import DiscrepancyRow
from verdicts.normalize.dedup.mentions import Mention


def page_conflict(mention: Mention, tool_id: str | None, expected: str, names: Mapping[str, str]) -> DiscrepancyRow:
    """A take on a page of neither of the tools it should be about. `expected` names these."""
    version = mention.version
    found = f"stands on a page of {names[version.tool_ids[0]]} and {names[version.tool_ids[1]]}"
    return DiscrepancyRow(version.page_id, tool_id, "attribution_conflict", f"{expected}: {mention.quote}", found)
