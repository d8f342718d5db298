"""The kinds of pages, by class: what each changes in a page, and what may be expected of a reader."""

from builders.other_site.kinds.kind import Kind
from builders.other_site.kinds.layout import COLUMNS, FURNITURE, HEADS
from builders.other_site.kinds.values import REFUSALS, VALUES
from builders.other_site.kinds.words import EXTRAS, MISSING, NAMES, PROSE

KINDS: tuple[Kind, ...] = (
    *NAMES,
    *MISSING,
    *HEADS,
    *PROSE,
    *FURNITURE,
    *VALUES,
    *EXTRAS,
    *COLUMNS,
    *REFUSALS,
)
"""In the order in which the kinds of one page are applied: facts first, columns after what stands in their cells."""
