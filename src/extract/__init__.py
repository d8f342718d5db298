"""Snapshots in, records out.

`extract(snapshot)` reads one page: HTML or a text dump becomes blocks, the comparison grammar reads the blocks. What it
yields is a `Comparison`, a `Document` (a page that is no comparison and did not have to be one) or a `Reject` that says
why the page could not be read. Pure: no network, no clock, no disk; the same snapshot always gives the same records.
"""

from extract.content import content_sha256
from extract.errors import PageRejected
from extract.page import EXTRACTOR_VERSION, extract, source_words
from extract.records import (
    Card,
    Comparison,
    Decision,
    Document,
    Extracted,
    MissingTake,
    Observation,
    Reject,
    Span,
    Take,
)

__all__ = [
    "EXTRACTOR_VERSION",
    "Card",
    "Comparison",
    "Decision",
    "Document",
    "Extracted",
    "MissingTake",
    "Observation",
    "PageRejected",
    "Reject",
    "Span",
    "Take",
    "content_sha256",
    "extract",
    "source_words",
]
