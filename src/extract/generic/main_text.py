"""The main text of a page that no site's grammar reads, by trafilatura."""

from extract.model.blocks import clean
from extract.model.records import Document, SideBySide


def read_document(html: str, url: str, side_by_side: SideBySide | None) -> Document | None:
    """The page's main text, title, author and date. None where it has no main text and sets nothing side by side."""
    from trafilatura import bare_extraction  # noqa: PLC0415  an eighth of a command's start, and few pages need it

    article = bare_extraction(html, url=url, with_metadata=True, fast=True, include_comments=False)
    if article is None or isinstance(article, dict) or not article.text:
        return None if side_by_side is None else Document(None, None, None, "", side_by_side)
    return Document(
        title=clean(article.title) if article.title else None,
        author=article.author,
        published_on=article.date,
        text=article.text,
        side_by_side=side_by_side,
    )
