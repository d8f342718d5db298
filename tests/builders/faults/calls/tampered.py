"""Datasets and pointers that somebody changed (A21)."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb

from builders.faults.call_case import DONE, REFUSED, CallCase
from builders.faults.calls.rot import flip

DATASETS, POINTERS = "tampered datasets", "pointers"


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
        new.replace(file)
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


def outside(home: Path) -> None:
    file = home / "dataset" / "tools.parquet"
    shutil.move(file, home / "tools.parquet")
    file.symlink_to(home / "tools.parquet")


LOADS = (
    loads("whole", lambda _: None, DONE),
    loads("a byte flipped", lambda home: flip(home / "dataset" / "tools.parquet")),
    loads("a byte of the manifest flipped", lambda home: flip(home / "dataset" / "_manifest.json", 0)),
    loads("a file missing", lambda home: (home / "dataset" / "tools.parquet").unlink()),
    loads("no manifest", lambda home: (home / "dataset" / "_manifest.json").unlink()),
    loads("an empty manifest", lambda home: (home / "dataset" / "_manifest.json").write_text("")),
    loads("a manifest that is a list", lambda home: (home / "dataset" / "_manifest.json").write_text("[]")),
    loads("a manifest without files", lambda home: (home / "dataset" / "_manifest.json").write_text("{}")),
    loads("a manifest of nesting", lambda home: (home / "dataset" / "_manifest.json").write_text("[" * 100_000)),
    loads("a manifest that is no text", lambda home: (home / "dataset" / "_manifest.json").write_bytes(b"\xff\xfe{}")),
    *(loads(f"a file at {path!r}"[:50], manifest(named(path))) for path in ("../dataset/tools.parquet", "/etc/passwd",
        "../../../../etc/passwd", "", ".", "tools.parquet\0", "\udcff", "x" * 5_000,
                                                                             "reviews", "http://127.0.0.1:9/x",
                                                                             "*.parquet",
                                                                             "dataset/../../tools.parquet")),
    loads("a file that is a link out of the folder", outside),
    loads("a file that is a link to a pipe", lambda home: ((home / "dataset" / "tools.parquet").unlink(),
        os.mkfifo(home / "dataset" / "tools.parquet"))),
    loads("no folder", lambda home: shutil.rmtree(home / "dataset")),
    loads("a file for a folder", lambda home: (shutil.rmtree(home / "dataset"), (home / "dataset").write_text("x"))),
    *(loads(f"{key} is {str(value)[:20]}", manifest(setting(**{key: value}))) for key, value in (
        ("rows", -1), ("rows", 10**30), ("rows", "many"), ("rows", None), ("bytes", -1), ("sha256", ""),
        ("sha256", None), ("relation", "no_such_table"), ("relation", "../tools"), ("relation", None),
        ("relation", "crawls"))),
    loads("a table twice", manifest(lambda said: said["files"].append(of_tools(said)))),
    loads("cut off, its digest right", cut),
    loads("a column missing, its digest right", rewritten("SELECT * EXCLUDE (name) FROM '{file}'")),
    loads("a column of another type, its digest right", rewritten("SELECT * REPLACE ([name] AS name) FROM '{file}'")),
    loads("a NULL name, its digest right", rewritten("SELECT * REPLACE (NULL::VARCHAR AS name) FROM '{file}'"),
        frozenset({1, 3})),
    loads("a key twice, its digest right", rewritten("SELECT * FROM '{file}' UNION ALL SELECT * FROM '{file}'"),
        frozenset({1, 3})),
    loads("a key that is none, its digest right", rewritten("SELECT * REPLACE ('x' AS tool_id) FROM '{file}'"),
        frozenset({1, 3})),
    loads("references that lead nowhere, its digest right", rewritten("SELECT * FROM '{file}' LIMIT 0"),
        frozenset({1, 3})),
)  # fmt: skip


def points(name: str, content: bytes, codes=frozenset({1, 5})) -> list[CallCase]:
    def spoil(home: Path) -> None:
        shutil.copy(next((home / "data" / "serve").glob("*.duckdb")), home / "outside.duckdb")
        (home / "data" / "serve" / "current").write_bytes(content)

    return [CallCase(POINTERS, f"serve/current is {name}: {args[0]}", "A21", args, codes, spoil=spoil,
        lacks=("root:",), then=(("publish",),))
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
    copy_that("serve/current leads through a folder", lambda serve, _: (serve / "corpus-x").mkdir(),
        "corpus-x/../../../outside.duckdb"),
    copy_that("serve/current names a link out of the folder", lambda serve,
        outside: (serve / "corpus-x.duckdb").symlink_to(outside), "corpus-x.duckdb"),
    copy_that("serve/current names a folder", lambda serve, _: (serve / "corpus-x.duckdb").mkdir(), "corpus-x.duckdb"),
    copy_that("serve/current names a pipe", lambda serve, _: os.mkfifo(serve / "corpus-x.duckdb"), "corpus-x.duckdb"),
)  # fmt: skip

CURRENT = tuple(case for pointed in (
    points("a path out of the folder", b"../../outside.duckdb"), points("an absolute path", b"/etc/passwd"),
    points("nothing", b""), points("a file that is missing", b"corpus-none.duckdb"),
    points("the folder", b"."), points("no text", b"\xff\xfe\0"), points("a megabyte", b"x" * 1_000_000),
    points("two lines", b"a\nb\n"),
) for case in pointed)  # fmt: skip


CASES = (*LOADS, *CURRENT, *LINKS)
