"""Writes that survive a power cut: synced under a draft's name, then renamed."""

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Syncs the file or folder at `path` to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_text(path: Path, text: str) -> None:
    """Replaces the small file at `path` in one step: a reader sees the old text or the new one."""
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text, encoding="utf-8")
    sync(draft)
    draft.replace(path)
    sync(path.parent)
