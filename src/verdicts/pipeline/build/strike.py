"""Strikes forgotten words out of stored pages. The rest of a page stays, and so do its place and its date.

The list of what is forgotten has only digests. So a build compares each new review with them, and takes the words to
strike from the page that shows them again.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from verdicts.extract.model.records import Comparison
from verdicts.fetch.model.charset import find_encoding
from verdicts.fetch.model.snapshot import Location, Snapshot, parse_charset
from verdicts.fetch.store.erase import erase
from verdicts.fetch.store.store import Store
from verdicts.normalize.identity.ids import is_short
from verdicts.normalize.parse.match_keys import STRUCK, match_key, take_key
from verdicts.pipeline.build.record_files import cut_suffixes, files_with, read_records
from verdicts.pipeline.data_folder import DataFolder

_BETWEEN = r"(?:<[^>]*>|&(?:#?\w+;)?|\\u[0-9a-fA-F]{4}|\\.|[^\w<&\\]|_)*"
"""What may stand between two words of a text: tags, entities, escapes of JSON, signs, white space."""


def strike_forgotten(store: Store, folder: DataFolder, files: Sequence[Path]) -> bool:
    """Strikes forgotten words out of the pages of these record files that show them. False if none does.

    A page that still shows them afterwards is removed as a whole.
    """
    forgotten = store.forgotten
    looked_at = files if forgotten.is_begun else files_with(files, store.list_unread())
    struck: dict[Location, Snapshot | None] = {}
    for item in read_records(looked_at):
        takes = item.extracted.takes if isinstance(item.extracted, Comparison) else ()
        texts = [take.text for take in takes if forgotten.has("words", take_key(take.text))]
        if texts:
            struck[item.location] = strike(store.read(item.location), texts)
    if struck:
        erase(store, forgotten, struck)
        remove_stale_records(store, folder)
    return bool(struck)


def strike(page: Snapshot, texts: Iterable[str]) -> Snapshot | None:
    """The page without these texts; None if its bytes contain none of them."""
    encoding = find_encoding(page.body, parse_charset(page.header("content-type"))).encoding
    # Every byte that is not struck stays, also bytes that are not UTF-8.
    coding, errors = ("utf-8", "surrogateescape") if encoding == "utf-8" else ("latin-1", "strict")
    body = page.body.decode(coding, errors)
    for text in texts:
        body = _make_pattern(text).sub(STRUCK, body)
    content = body.encode(coding, errors)
    return None if content == page.body else replace(page, body=content)


def find_texts(pages: Iterable[tuple[Location, Snapshot]], texts: Sequence[str]) -> Iterator[tuple[Location, Snapshot]]:
    """The pages whose bytes contain one of the texts, each without it."""
    for location, page in pages:
        if (struck := strike(page, texts)) is not None:
            yield location, struck


def remove_stale_records(store: Store, folder: DataFolder) -> None:
    """Removes record files, and indexes for other machines, of segments that the state does not have."""
    present = {cut_suffixes(entry.location.segment) for entry in store.index()}
    for path in (*folder.records.glob("*"), *folder.index.glob("*")):
        if cut_suffixes(path.name.removeprefix(".")) not in present and path.is_file():
            path.unlink(missing_ok=True)


@cache
def _make_pattern(text: str) -> re.Pattern[str]:
    """The words of a text in their order, with any markup between them. A short one is all that its element says."""
    pattern = _BETWEEN.join(map(re.escape, re.findall(r"[^\W_]+", text))) + r"[.!?…]*"
    if is_short(match_key(text)):
        # `Solid.` must not take the word out of another review.
        pattern = rf"(?<=[>\n])[^\w<]*{pattern}[^\w<]*(?=[<\n])"
    return re.compile(pattern, re.IGNORECASE)
