"""Finds the format of a file by its first bytes, or by its name if these do not decide."""

import re
from pathlib import Path
from typing import Literal, TypeAlias

from verdicts.fetch.archives.archive_records import GZIP, PLAIN, ZSTD
from verdicts.fetch.http.content_encoding import decode_first
from verdicts.fetch.input_files import open_file
from verdicts.fetch.model.charset import find_encoding

ARCHIVES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")
"""Endings of files that are read as archives whatever they hold: damage is named with its place."""

READABLE = (".txt", ".html", ".htm", ".har", ".txt.gz", ".html.gz", ".htm.gz", ".har.gz", ".wacz", ".mhtml", ".mht")
"""Further endings of files that are read in a folder."""

Format: TypeAlias = Literal["warc", "zip", "har", "mhtml", "html", "text"]

START_BYTES = 4_096


class FormatNotRead(ValueError):
    """The file has another format, which the message names."""


_BYTES: dict[bytes, str] = {
    b"%PDF-": "a PDF document",
    b"SQLite format 3\0": "an SQLite database",
    b"bplist00": "a Safari webarchive, or another property list",
    b"filedesc:": "an ARC file; 'warcio recompress FILE FILE.warc.gz' makes a WARC file of it",
    b"{\\rtf": "an RTF document",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"\x89PNG": "a PNG picture",
    b"GIF8": "a GIF picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"RIFF": "a WebP picture or a film",
    b"PAR1": "a Parquet file",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"BZh": "a bzip2 file; unpack it first",
    b"\xfd7zXZ": "an xz file; unpack it first",
    b"\x04\x22\x4d\x18": "an lz4 file; unpack it first",
}
_ENDINGS: dict[str, str] = {
    ".json": "a JSON document",
    ".jsonl": "a JSON document",
    ".csv": "a CSV table",
    ".tsv": "a CSV table",
    ".cdx": "an index of archives",
    ".cdxj": "an index of archives",
    ".xml": "an XML document",
    ".webarchive": "a Safari webarchive",
    ".eml": "an e-mail",
    ".css": "a style sheet",
    ".js": "a script",
    ".toml": "a config",
    ".log": "a log",
}
"""Formats that are text, and no page."""

_ZIPS = {
    "word/": "a Word document (docx)",
    "xl/": "an Excel workbook (xlsx)",
    "ppt/": "a PowerPoint presentation (pptx)",
    "META-INF/container.xml": "an EPUB book",
    "META-INF/manifest.xml": "an OpenDocument file",
}

_HAR = re.compile(rb'\s*\{\s*"log"\s*:')
_MHTML = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)*?content-type:\s*multipart/related", re.IGNORECASE)
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?>(?:<\?xml[^>]*+>\s*+)?)(?>(?:<!--(?>.*?-->)\s*+)*)<(?:!doctype html|html[\s>])",
    re.I | re.S,
)
_PLIST = re.compile(rb"\s*<\?xml[^>]*>\s*<!DOCTYPE plist")


def find_format(path: Path, *, follows_links: bool = True) -> Format:
    """The format of a file; text if it has no other. Raises `FormatNotRead`, `OSError`."""
    with open_file(path, follows_links=follows_links) as file:
        start = file.read(START_BYTES)
    name = path.name.lower()
    for magic, coding, ending in ((GZIP, "gzip", ".gz"), (ZSTD, "zstd", ".zst")):
        if start.startswith(magic):
            start, name = decode_first(start, coding), name.removesuffix(ending)
    for magic, what in _BYTES.items():
        if start.startswith(magic):
            raise FormatNotRead(f"it is {what}")
    if start.startswith(b"PK\x03\x04"):
        return "zip"
    if start.startswith(PLAIN[:5]):
        return "warc"
    return _find_text_format(start, name)


def _find_text_format(start: bytes, name: str) -> Format:
    if _HAR.match(start) or name.endswith(".har"):
        return "har"
    if _MHTML.match(start) or name.endswith((".mhtml", ".mht")):
        return "mhtml"
    if _PLIST.match(start):
        raise FormatNotRead("it is a Safari webarchive, or another property list")
    if name.endswith((".html", ".htm")):
        return "html"
    if name.endswith(".txt"):
        return "text"
    if b"\0" in start[:1024] and not find_encoding(start).encoding.startswith("utf-16"):
        raise FormatNotRead("it is a binary file of an unknown format")
    if _HTML.match(start):
        return "html"
    for ending, what in _ENDINGS.items():
        if name.endswith(ending):
            raise FormatNotRead(f"it is {what}")
    return "text"


def name_zip(names: list[str]) -> str:
    """The name of the format of a zip without WARC files."""
    return next((what for mark, what in _ZIPS.items() if any(name.startswith(mark) for name in names)), "a zip archive")
