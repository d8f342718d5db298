"""Whether two snapshots say the same: the digest of what was read out of a page, and nothing else of it. Pure."""

import hashlib
import json
from dataclasses import fields, is_dataclass

from extract.model.records import Extracted, Span


def content_sha256(extracted: Extracted) -> str:
    """Hex digest of the records of a page.

    Where they were read from is left out: a new advertisement moves the blocks and changes nothing.
    """
    said = [type(extracted).__name__, _said(extracted)]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def _said(value: object) -> object:
    if isinstance(value, Span):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return [_said(getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, tuple):
        return [_said(item) for item in value]
    return value
