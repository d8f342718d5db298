"""Decisions of people, and what each did."""

from datetime import datetime
from typing import Annotated

from verdicts.corpus.columns import COUNT, Id, NotEmpty
from verdicts.corpus.declare import Row, table
from verdicts.corpus.enumerations import CorrectionKind, CorrectionOutcome


@table("corrections", schema="evidence", key=("correction_id",))
class CorrectionRow(Row, frozen=True):
    """A decision of a person in `corrections/*.toml`, and what it did to the rows."""

    correction_id: Annotated[str, Id(), "Id of the decision: 32 hex digits made of its content."]
    kind: Annotated[
        CorrectionKind,
        "What it decides. same, different: two tools or reviews are the same, are different. review: the tool of a "
        "review. "
        "value: a value of a row. category: the group of a category. outside: the tool of the panel that another site "
        "names.",
    ]
    relation: Annotated[str, NotEmpty(), "Table of its target, with its schema unless that is main."]
    row_key: Annotated[str, NotEmpty(), "The key of its target: column=value, separated by a comma and a space."]
    column_name: Annotated[str, NotEmpty(), "The column that it changes."]
    subject: Annotated[str | None, "The target in words. NULL: there is no such target."]
    value_before: Annotated[str | None, "Value that the rows would have without it. NULL: no value, or no target."]
    value_after: Annotated[str | None, "Value that it decides. NULL: no value; for a review: it is about no tool."]
    outcome: Annotated[
        CorrectionOutcome,
        "applied: it decides rows. agrees: the pages now say the same without it. gone: its target is missing, or no"
        " longer says what the person saw. contradicts: another correction decides otherwise, so neither is applied.",
    ]
    rows_changed: Annotated[int, COUNT, "Tools, reviews or values that it decides; 0 unless it was applied."]
    detail: Annotated[str | None, "More on the outcome, in words. NULL: nothing to add."]
    about: Annotated[tuple[str, ...], "Ids of the tools, reviews and pages that it is about, sorted."]
    made_by: Annotated[str, NotEmpty(), "Who decided."]
    made_at: Annotated[datetime, "When it was decided."]
    reason: Annotated[str, NotEmpty(), "Why, in the person's words."]
