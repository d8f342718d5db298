"""What contradicts, and what could not be read."""

from typing import Annotated

from verdicts.corpus.columns import COUNT, Id, NotEmpty, References
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import Stage


@table("discrepancies", key=("page_id", "rule", "expected", "found"))
class DiscrepancyRow(Row, frozen=True):
    """Two statements of the corpus that must agree and do not. Both are kept; neither is corrected."""

    page_id: Annotated[str, Id(), References("pages"), "Page that contradicts itself or another one (pages.page_id)."]
    tool_id: Annotated[
        str | None,
        Id(),
        References("tools"),
        "Tool it is about (tools.tool_id). NULL: the page as a whole.",
    ]
    rule: Annotated[str, NotEmpty(), "Name of the rule that was broken."]
    expected: Annotated[str, "What one statement leads to."]
    found: Annotated[str, "What the other statement says."]


@table("rejects", key=("reason", "segment", "segment_offset"))
class RejectRow(Row, frozen=True):
    """A snapshot, or a part of one, that could not be read, and why."""

    url: Annotated[str, NotEmpty(), "Address of the snapshot; urn:sha256:... for a file that came without one."]
    stage: Annotated[Stage, "Stage that gave it up: extract, normalize."]
    reason: Annotated[str, NotEmpty(), "Short name of the reason, fit for counting."]
    detail: Annotated[str, "The reason in words."]
    segment: Annotated[str, NotEmpty(), "Segment file of the raw store that holds the snapshot."]
    segment_offset: Annotated[int, COUNT, "Place of the snapshot's record in the segment, bytes."]
