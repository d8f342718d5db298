"""Documents: pages that are no comparison, with their main text as last read."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from extract.records import Document, Observation
from fetch.snapshot import has_address
from normalize.rejects import newest_by_url
from normalize.rows import DocumentRow
from normalize.views import order_of


def document_rows(seen: Sequence[Observation]) -> Iterator[DocumentRow]:
    """A row an address that ever gave a document, as the newest one has it."""
    documents = [item for item in seen if isinstance(item.extracted, Document)]
    shown: dict[str, list[Observation]] = defaultdict(list)
    for item in sorted(documents, key=order_of):
        if not shown[item.url] or shown[item.url][-1].extracted != item.extracted:
            shown[item.url].append(item)
    for url, newest in newest_by_url(documents).items():
        found = newest.extracted
        if isinstance(found, Document):
            times = [item.fetched_at for item in shown[url]]
            host = urlsplit(url).hostname if has_address(url) else None
            words = (found.title, found.author, found.published_on, found.text)
            reader = "main_text" if found.side_by_side is None else found.side_by_side.reader
            yield DocumentRow(url, host, *words, reader, first_seen_at=min(times), last_seen_at=max(times))
