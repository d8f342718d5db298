"""The main text of a page that no grammar claims, by trafilatura."""

from extract.model.blocks import clean
from extract.model.records import Document, SideBySide


def read_document(html: str, url: str, side_by_side: SideBySide | None) -> Document | None:
    """The page's main text, title, author and date; None where it has neither main text nor anything side by side."""
    from trafilatura import bare_extraction  # noqa: PLC0415  an eighth of a command's start, owed by few pages

    found = bare_extraction(html, url=url, with_metadata=True, fast=True, include_comments=False)
    if found is None or isinstance(found, dict) or not found.text:
        return None if side_by_side is None else Document(None, None, None, "", side_by_side)
    return Document(
        title=clean(found.title) if found.title else None,
        author=found.author,
        published_on=found.date,
        text=found.text,
        side_by_side=side_by_side,
    )
