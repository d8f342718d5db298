"""Stores that rot (A1, A20): named, refused with 5, mended; what was published stays."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from builders.faults.call_case import DONE, STORAGE, CallCase

ROT = "rot"


def flip(file: Path, position: float = 0.5) -> None:
    data = bytearray(file.read_bytes())
    data[int(position * (len(data) - 1))] ^= 0xFF
    file.write_bytes(bytes(data))


def segment(home: Path) -> Path:
    return sorted((home / "data" / "raw").glob("*.warc.zst"))[0]


def cut_to(file: Callable[[Path], Path], share: float) -> Callable[[Path], None]:
    def spoil(home: Path) -> None:
        path = file(home)
        os.truncate(path, int(path.stat().st_size * share))

    return spoil


def at(name: str) -> Callable[[Path], Path]:
    return lambda home: next(iter(sorted((home / "data").glob(name))))


def rots(
    name: str, spoil: Callable[[Path], object], args: tuple[str, ...] = ("build", "--all"), codes=STORAGE, **more
) -> CallCase:
    return CallCase(ROT, f"{name}: {' '.join(args)[:30]}", more.pop("rule", "A1"), args, codes, spoil=spoil, **more)


def garbage(name: str, data: bytes = b"garbage " * 2_000) -> Callable[[Path], object]:
    return lambda home: at(name)(home).write_bytes(data)


def lost(name: str) -> Callable[[Path], object]:
    return lambda home: [path.unlink() for path in (home / "data").glob(name)]


def other_version(home: Path) -> None:
    with sqlite3.connect(home / "data" / "state.sqlite") as state:
        state.execute("PRAGMA user_version = 999")


STORE = (
    *(rots(f"a byte of a segment flipped at {share:.0%}", lambda home, share=share: flip(segment(home), share),
        has=(".warc.zst",), keeps=True) for share in (0.1, 0.3, 0.5, 0.7, 0.9)),
    *(rots(f"a segment cut to {share:.0%}", cut_to(segment, share), has=(".warc.zst",), keeps=True)
        for share in (0, 0.5, 0.98)),
    rots("a segment missing", lambda home: segment(home).unlink(), has=(".warc.zst",), keeps=True),
    rots("a segment overwritten", lambda home: segment(home).write_bytes(b"x" * segment(home).stat().st_size),
        has=(".warc.zst",), keeps=True),
    *(rots(f"a byte of a segment flipped at {share:.0%}", lambda home, share=share: flip(segment(home), share),
        ("verify",), has=(".warc.zst",), keeps=True) for share in (0.2, 0.6)),
    rots("a segment missing", lambda home: segment(home).unlink(), ("verify",), has=(".warc.zst",), keeps=True),
    rots("nothing wrong", lambda _: None, ("verify",), DONE, rule="docs", keeps=True),
    rots("a segment missing", lambda home: segment(home).unlink(), ("repair",), frozenset({0, 2}),
        then=(("crawl",), ("build",), ("publish",)), keeps=True),
    rots("a byte of a segment flipped", lambda home: flip(segment(home), 0.5), ("repair",), frozenset({0, 2}),
        then=(("crawl",), ("build",), ("publish",)), keeps=True),
    rots("nothing wrong", lambda _: None, ("repair",), DONE, rule="docs", keeps=True),
    rots("the state is garbage", garbage("state.sqlite"), ("crawl",), keeps=True),
    rots("the state is cut", cut_to(at("state.sqlite"), 0.4), ("crawl",), keeps=True),
    rots("the state is empty", garbage("state.sqlite", b""), ("crawl",), frozenset({0, 5}), rule="A20", keeps=True),
    rots("the state is of another version", other_version, ("crawl",), frozenset({1, 5}), rule="docs", keeps=True),
    rots("the state is garbage", garbage("state.sqlite"), ("status",), frozenset({1, 5})),
    rots("the state is garbage", garbage("state.sqlite"), ("sql", "SELECT 1"), DONE),
    rots("the state is lost", lost("state.sqlite*"), ("build",), frozenset({0, 1, 5}), rule="A20", keeps=True),
    rots("the state is lost, the segments are made into another", lost("state.sqlite*"), ("repair",),
        frozenset({0, 2}), rule="A20", then=(("sql", "SELECT 1"),)),
    rots("the state is lost, the segments moved are taken in", lambda home: (lost("state.sqlite*")(home),
        shutil.move(home / "data" / "raw", home / "old"), shutil.rmtree(home / "data")), ("ingest", "old"),
         DONE, rule="A20", then=(("sql", "SELECT 1"),)),
    rots("a record file is garbage", garbage("records/*.parquet"), ("build",), frozenset({0, 5}), keeps=True,
        then=(("build", "--all"),)), rots("a record file is cut", cut_to(at("records/*.parquet"), 0.5), ("build",),
        frozenset({0, 5}), keeps=True, then=(("build", "--all"),)),
    rots("a record file is missing", lost("records/*.parquet"), ("build",), DONE, keeps=True),
    rots("a byte of a record file flipped", lambda home: flip(at("records/*.parquet")(home)), ("build",),
        frozenset({0, 5}), keeps=True, then=(("build", "--all"),)),
    rots("the warehouse is garbage", garbage("warehouse/corpus.duckdb"), ("build",), frozenset({0, 5}), keeps=True),
    rots("the warehouse is cut", cut_to(at("warehouse/corpus.duckdb"), 0.5), ("build",), frozenset({0, 5}), keeps=True),
    rots("the warehouse is empty", garbage("warehouse/corpus.duckdb", b""), ("build",), frozenset({0, 5}), keeps=True),
    rots("the warehouse is missing", lost("warehouse/corpus.duckdb"), ("build",), DONE, keeps=True),
    rots("the warehouse is garbage", garbage("warehouse/corpus.duckdb"), ("publish",), STORAGE, keeps=True),
    rots("the manifest of the build is garbage", garbage("warehouse/built.txt", b"\xff\xfe\0"), ("build",),
        frozenset({0, 5}), keeps=True),
    rots("the published copy is garbage", garbage("serve/*.duckdb"), ("sql", "SELECT 1"), STORAGE,
        then=(("publish",), ("sql", "SELECT 1"))),
    rots("the published copy is cut", cut_to(at("serve/*.duckdb"), 0.1), ("sql", "SELECT max(text) FROM reviews"),
        STORAGE, then=(("publish",), ("sql", "SELECT 1"))),
    rots("the published copy is empty", garbage("serve/*.duckdb", b""), ("sql", "SELECT 1"), frozenset({1, 5}),
        then=(("publish",), ("sql", "SELECT 1"))),
    rots("the lock file is garbage", garbage("lock", b"\xff\0" * 900), ("crawl",), DONE, rule="docs"),
    rots("the lock is a folder", lambda home: ((home / "data" / "lock").unlink(), (home / "data" / "lock").mkdir()),
        ("crawl",)),
    rots("raw is a file", lambda home: (shutil.rmtree(home / "data" / "raw"), (home / "data" / "raw").write_text("x")),
        ("crawl",)),
        rots("strange files lie in raw", lambda home: (home / "data" / "raw" / "x\udcff.warc.zst").write_bytes(b"x"),
            ("crawl",), DONE, rule="docs"),
)  # fmt: skip

CASES = STORE
