"""Ids: 128 bits of SHA-256 in hex, the same on every machine and night."""

import hashlib

NORM_VERSION = "2"
"""Part of every text id. Raised only together with a migration: it renames every review."""

SHORT_SKELETON = 120
"""Characters under which a take may well be said of two tools; then the tool is part of the id."""


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def slug_tool_id(host: str, slug: str) -> str:
    """A tool with an address: its slug on its host is what it is."""
    return _digest("tool", host, slug)


def named_tool_id(name: str, tagline: str) -> str:
    """A tool of a dump without an address, by its folded name and tagline."""
    return _digest("named-tool", name, tagline)


def address_page_id(url: str) -> str:
    """A page with an address."""
    return _digest("page", url)


def pair_page_id(tool_a: str, tool_b: str) -> str:
    """A page without an address: the pair of tools it compares."""
    return _digest("pair", tool_a, tool_b)


def is_short(skeleton: str) -> bool:
    """Whether the words alone are too few to know a take by."""
    return len(skeleton) < SHORT_SKELETON


def text_id(skeleton: str, owner: str) -> str:
    """A wording. Page, name, seat, score, rendering and date are no part of it.

    `owner` counts for a short one alone: the tool it is labelled with, or the two tools of its page as `id|id`.
    """
    return _digest("text", NORM_VERSION, skeleton, owner if is_short(skeleton) else "")
