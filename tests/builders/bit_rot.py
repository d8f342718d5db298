"""A small data folder, one file of it damaged, and what each command makes of that.

A fork of a process that has imported the commands and run none takes the place of a process start.
"""

import importlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from verdicts.commands.cli import main
from verdicts.corpus.rows.runs import FetchRow
from verdicts.corpus.tables import CORPUS_TABLES
from verdicts.demo_site.responses import build_site
from verdicts.fetch.care.verify import EVERYTHING, Verified, note_verification
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Snapshot, new_run_id
from verdicts.fetch.store import frontier
from verdicts.fetch.store.store import Store, open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.logs import log_to, logging_of_command
from verdicts.pipeline.nights.night_log import NightEnding, note_beginning
from verdicts.pipeline.nights.reporting import report_ending
from verdicts.pipeline.sources.config import DEMO

TESTS = Path(__file__).parents[1]

SITE = "http://demo.verdicts.example"
FIRST_NIGHT = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
PAGES = 5


def flip(path: Path, offset: int | None = None) -> None:
    """Changes one bit, in the middle where no offset is given."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if offset is None else offset] ^= 4
    path.chmod(0o644)
    path.write_bytes(content)


ROWS = " UNION ALL ".join(
    f"SELECT '{table}' AS relation, count(*) AS n, bit_xor(hash(row)) AS digest"
    f" FROM (SELECT * EXCLUDE load_id FROM {table}) AS row"
    for table in CORPUS_TABLES
)
"""Every value of every row of the corpus, as one number a table."""

KINDS = {
    "segment": "raw/*.warc.zst",
    "state": "state.sqlite",
    "record file": "records/*.parquet",
    "warehouse": "warehouse/corpus.duckdb",
    "manifest": "warehouse/built.txt",
    "published copy": "serve/corpus-*.duckdb",
    "pointer": "serve/current",
    "dataset": "dataset/**/*.*",
    "digest": "**/*.sha256",
    "report": "reports/*.*",
    "log": "logs/*.jsonl",
    "metrics": "metrics/*.prom",
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


def make(data: Path) -> None:
    """Two nights of a few pages each, built, published twice, exported and verified."""
    pages = [(path, answer.body) for path, answer in build_site().items() if path.startswith("/compare/")]
    with open_store(data, command="test") as store:
        for night in range(2):
            _crawl(store, pages[night * PAGES : (night + 1) * PAGES], FIRST_NIGHT + timedelta(days=night))
        steps.build_corpus(store, DataFolder(data))
    for _ in range(2):
        steps.publish_corpus(DataFolder(data))
    steps.export_dataset(DataFolder(data), data / "dataset")
    with open_store(data, command="test") as store:
        note_verification(store, Verified(0, 0, ()), EVERYTHING, steps.now(), ())
    _tell(DataFolder(data))


def _tell(folder: DataFolder) -> None:
    """What a night leaves beside its corpus: a line in both logs, incidents, a report, metrics."""
    moment = steps.now()
    night_id = new_run_id(moment)
    with logging_of_command():
        log_to(folder, "run")
        note_beginning(folder, night_id, moment)
        report_ending(folder, DEMO, NightEnding(night_id, moment, steps.now(), "done", 0, "readers have the night"))


def _crawl(store: Store, pages: Sequence[tuple[str, bytes]], at: datetime) -> None:
    crawl_id = store.begin(f"{at:%Y%m%dT%H%M%SZ}-0000", "crawl", at).crawl_id
    for number, (path, body) in enumerate(pages, start=1):
        url = SITE + path
        snapshot = Snapshot(url, url, at, 200, (("content-type", "text/html"), ("etag", f'"{number}"')), body, crawl_id)
        with store.transaction():
            frontier.add(store.state, [url], crawl_id=crawl_id, source="start")
            location = store.keep(snapshot)
            frontier.settle(store.state, url, crawl_id, at, at + timedelta(days=1))
            name = f"{crawl_id}.{number:07d}"
            place = (len(body), snapshot.sha256, location.segment, location.offset, None)
            store.log(FetchRow(name, crawl_id, url, Outcome.STORED, 200, 1, at, 5, *place))
    store.finish(crawl_id, at)


def faults(data: Path, count: int, seed: int) -> Iterator[Fault]:
    """By seed, of every kind of file in turn; one in ten is a file cut short, one in twenty a file that is gone."""
    chance = random.Random(seed)
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        path = chance.choice(sorted(path for path in data.glob(KINDS[kind]) if path.is_file()))
        how = chance.choices(["flipped", "cut", "removed"], [17, 2, 1])[0]
        yield Fault(path.relative_to(data), kind, how, chance.randrange(max(1, path.stat().st_size)))


def import_all() -> None:
    """What the commands import when they run, once for all forks. Nothing of it may start a thread yet."""
    for name in (
        "verdicts.pipeline.exit_codes",
        "verdicts.commands.printing.output",
        "verdicts.reading.story",
        "verdicts.commands.printing.summary",
        "verdicts.pipeline.build.build",
        "verdicts.pipeline.repair",
        "rich.console",
        "rich.table",
        "verdicts.warehouse.exporting.dataset",
        "verdicts.warehouse.exporting.export",
        "verdicts.warehouse.loading.load",
        "verdicts.warehouse.serving.published",
        "verdicts.warehouse.serving.query",
    ):
        importlib.import_module(name)


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


def fresh(whole: Path, home: Path) -> Path:
    """A copy of the folder as `data` in `home`, in place of the one before."""
    shutil.rmtree(home / "data", ignore_errors=True)
    shutil.copytree(whole, home / "data")
    return home / "data"


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


QUESTION = ("sql", ROWS, "--format", "csv")
SINCE = (("build",), ("publish",), ("rollback",), QUESTION)
"""What is done after the analysts: a night without a crawl, and a look back."""

PRIMARY = frozenset({"segment", "state"})


def mending(fault: Fault) -> tuple[tuple[str, ...], ...]:
    """What mends and proves it; a build of everything starts processes, and is done for what it reads alone."""
    build = ("build", "--all") if fault.kind in PRIMARY else ("build",)
    return (("repair",), ("verify",), build, ("publish",), QUESTION)


@dataclass(frozen=True)
class Verdict:
    """`how`: found, harmless or silent. `first`: the command that found it. `problems`: what must not be."""

    how: str
    first: str
    problems: tuple[str, ...]


def judge(
    fault: Fault, whole: Path, home: Path, expected: Expected, *, is_built: bool = True, is_mended: bool = True
) -> Verdict:
    """Damages a copy of the folder, and has every command look at it: those that read, a build, a repair."""
    fault.apply(fresh(whole, home))
    asked = [run(*command, cwd=home) for command in (*reading(expected.show), ("verify",))]
    wrong = [item for item in asked[:-1] if item.code == 0 and item.out != expected.answers[item.command]]
    since = _night(fault, home) if is_built else []
    mended = [run(*command, cwd=home) for command in mending(fault)] if is_mended else []
    rows = expected.answers[QUESTION]
    wrong += [item for item in since[-1:] if item.code == 0 and item.out != rows]
    said = [*asked, *since]
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


def _night(fault: Fault, home: Path) -> list[Said]:
    """What is built and published of the damaged folder."""
    extra = {"segment": (("build", "--all"),), "dataset": (("load", "data/dataset", "--data", "other"),)}
    shutil.rmtree(home / "other", ignore_errors=True)
    return [run(*command, cwd=home) for command in (*extra.get(fault.kind, ()), *SINCE)]


def says_which(said: Said, fault: Fault) -> bool:
    """Whether an error names the file, or that whose digest it is; of a segment its record too."""
    name = fault.path.name.removesuffix(".sha256")
    words = said.out + said.err
    return name in words or (name == "current" and "published copy" in words) or "dataset" in words


def main_of_share(whole: Path, count: int, seed: int) -> None:
    """Prints the verdicts on a share of faults, by what reads alone."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        expected = Expected.of(whole, home)
        chosen = list(faults(whole, count, seed))
        verdicts = [judge(fault, whole, home, expected, is_built=False, is_mended=False) for fault in chosen]
    print(json.dumps([asdict(verdict) for verdict in verdicts]))


if __name__ == "__main__":
    main_of_share(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
