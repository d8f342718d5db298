"""One file of a data folder damaged, and what each command makes of that.

A fork of a process that has imported the commands and run none takes the place of a process start.
"""

import os
import random
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.bit_rot import QUESTION, fresh, import_all
from verdicts.commands.cli import main

KINDS = {
    "segment": "raw/*.warc.gz",
    "state": "state.sqlite",
    "warehouse": "warehouse/corpus.duckdb",
    "manifest": "warehouse/built.txt",
    "published copy": "serve/corpus-*.duckdb",
    "pointer": "serve/current",
    "dataset": "dataset/**/*.*",
    "digest": "**/*.sha256",
    "report": "reports/*.*",
}

LIMIT_S = 60


@dataclass(frozen=True)
class Fault:
    """What becomes of a file: a bit flipped at a byte, the file cut there, or (None) the file removed."""

    path: Path
    kind: str
    how: str
    offset: int

    def __str__(self) -> str:
        return f"{self.kind}: {self.path.name} {self.how} at {self.offset:,}"

    def apply(self, data: Path) -> None:
        path = data / self.path
        content = bytearray(path.read_bytes())
        path.unlink()
        if self.how == "removed":
            return
        if self.how == "cut":
            path.write_bytes(content[: self.offset])
            return
        content[self.offset] ^= 1 << (self.offset % 8)
        path.write_bytes(content)


@dataclass(frozen=True)
class Said:
    """A command's exit code (negative: the signal that ended it) and its words."""

    command: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def is_crash(self) -> bool:
        return self.code < 0 or "Traceback" in self.err or self.code not in {0, 1, 2, 3, 4, 5}


def faults(data: Path, count: int, seed: int) -> Iterator[Fault]:
    """By seed, of every kind of file in turn; one in ten is a file cut short, one in twenty a file that is gone."""
    chance = random.Random(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        path = chance.choice(sorted(path for path in data.glob(KINDS[kind]) if path.is_file()))
        how = chance.choices(["flipped", "cut", "removed"], [17, 2, 1])[0]
        yield Fault(path.relative_to(data), kind, how, chance.randrange(max(1, path.stat().st_size)))


def run(*command: str | Path, cwd: Path) -> Said:
    """A command in a fork of this process, which must have run none itself: threads do not survive a fork."""
    words = tuple(map(str, command))
    with tempfile.TemporaryFile("w+b") as out, tempfile.TemporaryFile("w+b") as err:
        pid = os.fork()
        if pid == 0:
            _child(words, cwd, out.fileno(), err.fileno())
        _, status = os.waitpid(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        return Said(words, code, out.read().decode(), err.read().decode())


def _child(words: tuple[str, ...], cwd: Path, out: int, err: int) -> None:
    code = 70
    try:
        signal.alarm(LIMIT_S)
        os.dup2(out, 1), os.dup2(err, 2)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        os.chdir(cwd)
        sys.argv = ["verdicts", *words]
        main()
    except SystemExit as done:
        code = done.code if isinstance(done.code, int) else 70
    except BaseException:
        import traceback

        traceback.print_exc(file=sys.stderr)
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        os._exit(code)


@dataclass(frozen=True)
class Expected:
    """What the commands say of the whole folder."""

    show: str
    answers: Mapping[tuple[str, ...], str]

    @staticmethod
    def of(whole: Path, home: Path) -> "Expected":
        import_all()
        fresh(whole, home)
        show = run("sql", "SELECT min(review_id) AS id FROM reviews", "--format", "json", cwd=home).out.split('"')[3]
        said = [run(*command, cwd=home) for command in reading(show)]
        assert [item.code for item in said] == [0] * len(said), said
        return Expected(show, {item.command: item.out for item in said})


def reading(review_id: str) -> tuple[tuple[str, ...], ...]:
    return (("status",), QUESTION, ("show", review_id), ("check",), ("diff",))


Commands = Sequence[tuple[str, ...]]


@dataclass(frozen=True)
class Verdict:
    """`how`: found, harmless or silent. `first`: the command that found it. `problems`: what must not be."""

    how: str
    first: str
    problems: tuple[str, ...]


def judge(
    fault: Fault, whole: Path, home: Path, expected: Expected, since: Commands = (), mending: Commands = ()
) -> Verdict:
    """Damages a copy of the folder, and has every command look at it: those that read, what follows, what mends."""
    fault.apply(fresh(whole, home))
    asked = [run(*command, cwd=home) for command in (*reading(expected.show), ("verify",))]
    wrong = [item for item in asked[:-1] if item.code == 0 and item.out != expected.answers[item.command]]
    followed = [run(*command, cwd=home) for command in since]
    mended = [run(*command, cwd=home) for command in mending]
    rows = expected.answers[QUESTION]
    wrong += [item for item in followed[-1:] if item.code == 0 and item.out != rows]
    said = [*asked, *followed]
    first = next((item for item in said if item.code), None)
    problems = [f"{item.command[0]} crashed: {item.code} {item.err[-2000:]}" for item in said + mended if item.is_crash]
    problems += [
        f"{item.command[0]} does not say which file: {item.err[-300:]}{item.out[-300:]}"
        for item in said
        if item.code and not item.is_crash and not says_which(item, fault)
    ]
    problems += [f"{item.command[0]} after a repair: {item.code} {item.out}{item.err}" for item in mended if item.code]
    problems += [f"other rows after a repair: {item.out}" for item in mended[-1:] if not item.code and item.out != rows]
    if first is not None:
        return Verdict("found", first.command[0], tuple(problems))
    if wrong:
        return Verdict("silent", "", (*problems, f"silent: {[item.command[0] for item in wrong]}"))
    return Verdict("harmless", "", tuple(problems))


def says_which(said: Said, fault: Fault) -> bool:
    """Whether an error names the file, or that whose digest it is; of a segment its record too."""
    name = fault.path.name.removesuffix(".sha256")
    words = said.out + said.err
    return name in words or (name == "current" and "published copy" in words) or "dataset" in words


SINCE = (("build",), ("publish",), ("rollback",), QUESTION)
"""What is done after the analysts: a night without a crawl, and a look back."""

BEFORE = {"segment": (("build", "--all"),), "dataset": (("load", "data/dataset", "--data", "other"),)}
"""By the kind of the damaged file: what is done first."""

PRIMARY = frozenset({"segment", "state"})


def mending(fault: Fault) -> tuple[tuple[str, ...], ...]:
    """What mends and proves it; a build of everything starts processes, and is done for what it reads alone."""
    build = ("build", "--all") if fault.kind in PRIMARY else ("build",)
    return (("repair",), ("verify",), build, ("publish",), QUESTION)
