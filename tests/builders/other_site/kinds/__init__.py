"""The kinds of pages, by class: what each changes in a page, and what may be expected of a reader."""

from builders.other_site.kinds import columns, extras, furniture, heads, missing, names, prose, refusals, values
from builders.other_site.kinds.kind import Kind

KINDS: tuple[Kind, ...] = (
    *names.KINDS,
    *missing.KINDS,
    *heads.KINDS,
    *prose.KINDS,
    *furniture.KINDS,
    *values.KINDS,
    *extras.KINDS,
    *columns.KINDS,
    *refusals.KINDS,
)
"""In the order in which the kinds of one page are applied: facts first, columns after what stands in their cells."""
