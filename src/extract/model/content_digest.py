"""The digest of what was read from a page: two snapshots with the same content have the same one. Pure."""

import hashlib
import json
from dataclasses import fields, is_dataclass

from verdicts.extract.model.records import Extracted, Span


def content_sha256(extracted: Extracted) -> str:
    """Hex digest of the records of a page.

    Where and with which profile they were read is left out: a new advertisement moves the blocks and changes nothing.
    """
    content = [type(extracted).__name__, _plain(extracted)]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Span):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return [_plain(getattr(value, field.name)) for field in fields(value) if field.name != "profile"]
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value
