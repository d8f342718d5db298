"""Datasets and pointers that somebody changed (A21), and stores that rot (A1, A20)."""

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import duckdb

from builders.faults.call_case import DONE, REFUSED, STORAGE, CallCase

DATASETS, POINTERS, ROT = "tampered datasets", "pointers", "rot"
REBUILT = (("build",), ("publish",), ("sql", "SELECT 1"))


def manifest(change: Callable[[dict], object]) -> Callable[[Path], None]:
    def spoil(home: Path) -> None:
        path = home / "dataset" / "_manifest.json"
        said = json.loads(path.read_text())
        change(said)
        path.write_text(json.dumps(said))

    return spoil


def of_tools(said: dict) -> dict:
    return next(file for file in said["files"] if "tools" in file.values())


def loads(name: str, spoil: Callable[[Path], object], codes=REFUSED) -> CallCase:
    return CallCase(
        DATASETS,
        name,
        "A21, docs/datasets",
        ("load", "dataset", "--data", "other"),
        codes,
        spoil=spoil,
        lacks=("root:",),
    )


def rewritten(statement: str, table: str = "tools") -> Callable[[Path], None]:
    """The table's file made again by a query, its digest in the manifest too."""

    def spoil(home: Path) -> None:
        file = home / "dataset" / f"{table}.parquet"
        new = file.with_suffix(".new")
        with duckdb.connect() as connection:
            connection.execute(f"COPY ({statement.format(file=file)}) TO '{new}' (FORMAT parquet)")
        os.replace(new, file)
        redigest(home, file)

    return spoil


def redigest(home: Path, file: Path) -> None:
    def change(said: dict) -> None:
        entry = next(item for item in said["files"] if file.name in item.values())
        for key in entry:
            if "sha" in key:
                entry[key] = hashlib.sha256(file.read_bytes()).hexdigest()
            if key == "bytes":
                entry[key] = file.stat().st_size

    manifest(change)(home)


def named(path: str) -> Callable[[dict], None]:
    def change(said: dict) -> None:
        entry = of_tools(said)
        key = next(key for key, value in entry.items() if value == "tools.parquet")
        entry[key] = path

    return change


def setting(**values: object) -> Callable[[dict], None]:
    return lambda said: of_tools(said).update(values)


def cut(home: Path) -> None:
    file = home / "dataset" / "tools.parquet"
    file.write_bytes(file.read_bytes()[:-200])
    redigest(home, file)


def flip(file: Path, position: float = 0.5) -> None:
    data = bytearray(file.read_bytes())
    data[int(position * (len(data) - 1))] ^= 0xFF
    file.write_bytes(bytes(data))


def outside(home: Path) -> None:
    file = home / "dataset" / "tools.parquet"
    shutil.move(file, home / "tools.parquet")
    file.symlink_to(home / "tools.parquet")


LOADS = (
    loads("whole", lambda home: None, DONE),
    loads("a byte flipped", lambda home: flip(home / "dataset" / "tools.parquet")),
    loads("a byte of the manifest flipped", lambda home: flip(home / "dataset" / "_manifest.json", 0)),
    loads("a file missing", lambda home: (home / "dataset" / "tools.parquet").unlink()),
    loads("no manifest", lambda home: (home / "dataset" / "_manifest.json").unlink()),
    loads("an empty manifest", lambda home: (home / "dataset" / "_manifest.json").write_text("")),
    loads("a manifest that is a list", lambda home: (home / "dataset" / "_manifest.json").write_text("[]")),
    loads("a manifest without files", lambda home: (home / "dataset" / "_manifest.json").write_text("{}")),
    loads("a manifest of nesting", lambda home: (home / "dataset" / "_manifest.json").write_text("[" * 100_000)),
    loads("a manifest that is no text", lambda home: (home / "dataset" / "_manifest.json").write_bytes(b"\xff\xfe{}")),
    *(loads(f"a file at {path!r}"[:50], manifest(named(path))) for path in ("../dataset/tools.parquet", "/etc/passwd", "../../../../etc/passwd", "", ".", "tools.parquet\0", "\udcff", "x" * 5_000,
                                                                             "reviews", "http://127.0.0.1:9/x", "*.parquet", "dataset/../../tools.parquet")),
    loads("a file that is a link out of the folder", outside),
    loads("a file that is a link to a pipe", lambda home: ((home / "dataset" / "tools.parquet").unlink(), os.mkfifo(home / "dataset" / "tools.parquet"))),
    loads("no folder", lambda home: shutil.rmtree(home / "dataset")),
    loads("a file for a folder", lambda home: (shutil.rmtree(home / "dataset"), (home / "dataset").write_text("x"))),
    *(loads(f"{key} is {str(value)[:20]}", manifest(setting(**{key: value}))) for key, value in (
        ("rows", -1), ("rows", 10**30), ("rows", "many"), ("rows", None), ("bytes", -1), ("sha256", ""), ("sha256", None), ("table", "no_such_table"), ("table", "../tools"), ("table", None), ("table", "crawls"))),
    loads("a table twice", manifest(lambda said: said["files"].append(of_tools(said)))),
    loads("cut off, its digest right", cut),
    loads("a column missing, its digest right", rewritten("SELECT * EXCLUDE (name) FROM '{file}'")),
    loads("a column of another type, its digest right", rewritten("SELECT * REPLACE ([name] AS name) FROM '{file}'")),
    loads("a NULL name, its digest right", rewritten("SELECT * REPLACE (NULL::VARCHAR AS name) FROM '{file}'"), frozenset({1, 3})),
    loads("a key twice, its digest right", rewritten("SELECT * FROM '{file}' UNION ALL SELECT * FROM '{file}'"), frozenset({1, 3})),
    loads("a key that is none, its digest right", rewritten("SELECT * REPLACE ('x' AS tool_id) FROM '{file}'"), frozenset({1, 3})),
    loads("references that lead nowhere, its digest right", rewritten("SELECT * FROM '{file}' LIMIT 0"), frozenset({1, 3})),
)  # fmt: skip


def points(name: str, content: bytes, codes=frozenset({1, 5})) -> list[CallCase]:
    def spoil(home: Path) -> None:
        shutil.copy(next((home / "data" / "serve").glob("*.duckdb")), home / "outside.duckdb")
        (home / "data" / "serve" / "current").write_bytes(content)

    return [CallCase(POINTERS, f"serve/current is {name}: {args[0]}", "A21", args, codes, spoil=spoil, lacks=("root:",), then=(("publish",),))
            for args in (("sql", "SELECT 1"), ("path",))]  # fmt: skip


def copy_that(name: str, make: Callable[[Path, Path], object], pointer: str) -> CallCase:
    """The pointer names what looks like a copy and lies elsewhere."""

    def spoil(home: Path) -> None:
        serve = home / "data" / "serve"
        shutil.copy(next(serve.glob("*.duckdb")), home / "outside.duckdb")
        make(serve, home / "outside.duckdb")
        (serve / "current").write_text(pointer)

    return CallCase(POINTERS, name, "A21", ("sql", "SELECT 1"), frozenset({1, 5}), spoil=spoil)


LINKS = (
    copy_that("serve/current leads through a folder", lambda serve, _: (serve / "corpus-x").mkdir(), "corpus-x/../../../outside.duckdb"),
    copy_that("serve/current names a link out of the folder", lambda serve, outside: (serve / "corpus-x.duckdb").symlink_to(outside), "corpus-x.duckdb"),
    copy_that("serve/current names a folder", lambda serve, _: (serve / "corpus-x.duckdb").mkdir(), "corpus-x.duckdb"),
    copy_that("serve/current names a pipe", lambda serve, _: os.mkfifo(serve / "corpus-x.duckdb"), "corpus-x.duckdb"),
)  # fmt: skip

CURRENT = tuple(case for pointed in (
    points("a path out of the folder", b"../../outside.duckdb"), points("an absolute path", b"/etc/passwd"), points("nothing", b""), points("a file that is missing", b"corpus-none.duckdb"),
    points("the folder", b"."), points("no text", b"\xff\xfe\0"), points("a megabyte", b"x" * 1_000_000), points("two lines", b"a\nb\n"),
) for case in pointed)  # fmt: skip


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
    *(rots(f"a byte of a segment flipped at {share:.0%}", lambda home, share=share: flip(segment(home), share), has=(".warc.zst",), keeps=True) for share in (0.1, 0.3, 0.5, 0.7, 0.9)),
    *(rots(f"a segment cut to {share:.0%}", cut_to(segment, share), has=(".warc.zst",), keeps=True) for share in (0, 0.5, 0.98)),
    rots("a segment missing", lambda home: segment(home).unlink(), has=(".warc.zst",), keeps=True),
    rots("a segment overwritten", lambda home: segment(home).write_bytes(b"x" * segment(home).stat().st_size), has=(".warc.zst",), keeps=True),
    *(rots(f"a byte of a segment flipped at {share:.0%}", lambda home, share=share: flip(segment(home), share), ("verify",), has=(".warc.zst",), keeps=True) for share in (0.2, 0.6)),
    rots("a segment missing", lambda home: segment(home).unlink(), ("verify",), has=(".warc.zst",), keeps=True),
    rots("nothing wrong", lambda home: None, ("verify",), DONE, rule="docs", keeps=True),
    rots("a segment missing", lambda home: segment(home).unlink(), ("repair",), frozenset({0, 2}), then=(("crawl",), ("build",), ("publish",)), keeps=True),
    rots("a byte of a segment flipped", lambda home: flip(segment(home), 0.5), ("repair",), frozenset({0, 2}), then=(("crawl",), ("build",), ("publish",)), keeps=True),
    rots("nothing wrong", lambda home: None, ("repair",), DONE, rule="docs", keeps=True),
    rots("the state is garbage", garbage("state.sqlite"), ("crawl",), keeps=True), rots("the state is cut", cut_to(at("state.sqlite"), 0.4), ("crawl",), keeps=True),
    rots("the state is empty", garbage("state.sqlite", b""), ("crawl",), frozenset({0, 5}), rule="A20", keeps=True), rots("the state is of another version", other_version, ("crawl",), frozenset({1, 5}), rule="docs", keeps=True),
    rots("the state is garbage", garbage("state.sqlite"), ("status",), frozenset({1, 5})), rots("the state is garbage", garbage("state.sqlite"), ("sql", "SELECT 1"), DONE),
    rots("the state is lost", lost("state.sqlite*"), ("build",), frozenset({0, 1, 5}), rule="A20", keeps=True),
    rots("the state is lost, the segments are taken in again", lost("state.sqlite*"), ("ingest", "data/raw"), frozenset({0, 2}), rule="A20", then=(("sql", "SELECT 1"),)),
    rots("the state is lost, the segments moved are taken in", lambda home: (lost("state.sqlite*")(home), shutil.move(home / "data" / "raw", home / "old"), shutil.rmtree(home / "data")), ("ingest", "old"),
         DONE, rule="A20", then=(("sql", "SELECT 1"),)),
    rots("a record file is garbage", garbage("records/*.parquet"), ("build",), frozenset({0, 5}), keeps=True, then=(("build", "--all"),)), rots("a record file is cut", cut_to(at("records/*.parquet"), 0.5), ("build",), frozenset({0, 5}), keeps=True, then=(("build", "--all"),)),
    rots("a record file is missing", lost("records/*.parquet"), ("build",), DONE, keeps=True), rots("a byte of a record file flipped", lambda home: flip(at("records/*.parquet")(home)), ("build",), frozenset({0, 5}), keeps=True, then=(("build", "--all"),)),
    rots("the warehouse is garbage", garbage("warehouse/corpus.duckdb"), ("build",), frozenset({0, 5}), keeps=True), rots("the warehouse is cut", cut_to(at("warehouse/corpus.duckdb"), 0.5), ("build",), frozenset({0, 5}), keeps=True),
    rots("the warehouse is empty", garbage("warehouse/corpus.duckdb", b""), ("build",), frozenset({0, 5}), keeps=True), rots("the warehouse is missing", lost("warehouse/corpus.duckdb"), ("build",), DONE, keeps=True),
    rots("the warehouse is garbage", garbage("warehouse/corpus.duckdb"), ("publish",), STORAGE, keeps=True), rots("the manifest of the build is garbage", garbage("warehouse/built.txt", b"\xff\xfe\0"), ("build",), frozenset({0, 5}), keeps=True),
    rots("the published copy is garbage", garbage("serve/*.duckdb"), ("sql", "SELECT 1"), STORAGE, then=(("publish",), ("sql", "SELECT 1"))),
    rots("the published copy is cut", cut_to(at("serve/*.duckdb"), 0.5), ("sql", "SELECT count(*) FROM reviews"), STORAGE, then=(("publish",), ("sql", "SELECT 1"))),
    rots("the published copy is empty", garbage("serve/*.duckdb", b""), ("sql", "SELECT 1"), frozenset({1, 5}), then=(("publish",), ("sql", "SELECT 1"))),
    rots("the lock file is garbage", garbage("lock", b"\xff\0" * 900), ("crawl",), DONE, rule="docs"), rots("the lock is a folder", lambda home: ((home / "data" / "lock").unlink(), (home / "data" / "lock").mkdir()), ("crawl",)),
    rots("raw is a file", lambda home: (shutil.rmtree(home / "data" / "raw"), (home / "data" / "raw").write_text("x")), ("crawl",)), rots("strange files lie in raw", lambda home: (home / "data" / "raw" / "x\udcff.warc.zst").write_bytes(b"x"), ("crawl",), DONE, rule="docs"),
)  # fmt: skip

CASES = (*LOADS, *CURRENT, *LINKS, *STORE)
