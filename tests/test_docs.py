"""The documents say what is so: every command in them exists, every answer in them is the answer."""

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from threading import Thread
from typing import get_args

import click
import pytest
import yaml

import verdicts
from builders.command import find_published_file, run_here
from builders.paths import ROOT
from verdicts.commands.group import SUBCOMMANDS, cli
from verdicts.commands.signals import ENDING, exit_code
from verdicts.commands.viewing import write_notebook
from verdicts.corpus.findings import DISCREPANCIES, REJECTS
from verdicts.extract.model.records import DoubtRule, RejectReason
from verdicts.normalize.isolation import REASON
from verdicts.normalize.rows.consistency import RULES
from verdicts.pipeline.exit_codes import EXIT_CODES
from verdicts.warehouse.serving.named_queries import list_queries
from write_reference import questions

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
PYTHON = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
DOCS = sorted((ROOT / "docs").glob("*.md"))
EXAMPLES = re.findall(r"```console\n\$ uv run verdicts (.+)\n((?:.*\n)*?)```", README)


def test_every_example_of_the_readme_prints_what_it_shows(night, tmp_path):
    home = shutil.copytree(night[0], tmp_path / "home", symlinks=True)
    (home / "examples").symlink_to(ROOT / "examples")
    assert len(EXAMPLES) == 4
    for call, shown in EXAMPLES:
        answer = night[1].stdout if call == "run" else run_here(*shlex.split(call), cwd=home).stdout
        assert without_seconds(answer) == without_seconds(shown.replace("next: uv run ", "next: ")), call


@pytest.mark.whole
def test_the_readme_shows_what_a_first_night_of_a_site_prints(tmp_path):
    (block,) = re.findall(r"```\n(\$ uv run verdicts init .*?)```", README, re.DOTALL)
    examples = re.findall(r"\$ uv run verdicts (.+)\n((?:(?!\$ ).*\n)*)", block)
    assert [call.split()[0] for call, _ in examples] == ["init", "crawl", "run"]
    served = partial(SimpleHTTPRequestHandler, directory=ROOT / "examples" / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), served) as server:
        Thread(target=server.serve_forever).start()
        address = "http://{}:{}".format(*server.server_address)
        for call, shown in examples:
            done = run_here(*shlex.split(call.replace("https://notes.example", address)), cwd=tmp_path)
            printed = done.stdout.replace(address, "https://notes.example").replace(address[7:], "notes.example")
            words = shown.replace("next: uv run ", "next: ").split()
            assert without_seconds(" ".join(printed.split())) == without_seconds(" ".join(words)), call
            config = tmp_path / "verdicts.toml"
            config.write_text(config.read_text().replace("delay_s = 1.0", "delay_s = 0.01"))
        server.shutdown()


@pytest.mark.parametrize("heading", ["Why not your own spider", "Compared with"])
def test_every_figure_of_the_readme_is_one_of_the_benchmarks(heading):
    section = README.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    figures = set(re.findall(r"(?<![\w$/])\d[\d,.]*\d(?: %)?", section)) - {"2,000", "200"}
    measured = "".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("benchmarks.md", "bench.md"))
    assert len(figures) > 5
    assert {
        figure for figure in figures if not re.search(rf"(?<![\d,.]){re.escape(figure)}(?![\d])", measured)
    } == set()


@pytest.mark.parametrize("document", ["asking.md", "warehouse.md", "datasets.md", "care.md"])
def test_every_example_of_a_document_prints_what_it_shows(night, document, tmp_path):
    home = shutil.copytree(night[0], tmp_path / "home", symlinks=True)
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    examples = re.findall(r"^\$ verdicts (.+)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert len(examples) == text.count("$ verdicts ") > 0
    for call, shown in examples:
        done = run_here(*shlex.split(call), cwd=home)
        assert done.returncode == 0, done.stderr
        assert done.stdout == shown or "export" in call, call


def test_every_command_of_the_tour_prints_what_it_shows(night):
    home, _ = night
    text = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    examples = re.findall(r"^\$ (.+\n(?:> .+\n)*)((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert len(examples) == text.count("\n$ ") > 0
    for typed, shown in examples:
        call = re.sub(r" ?\\?\n> ", " ", typed).strip()
        is_ours = call.startswith("verdicts ") and " | " not in call
        printed = run_here(*shlex.split(call)[1:], cwd=home).stdout if is_ours else run_in_shell(call, home)
        assert without_hours(printed) == without_hours(shown), call


def test_the_example_for_python_prints_what_it_shows(night):
    home, _ = night
    (example,) = re.findall(r"```python\n(.*?)```", PYTHON, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PYTHON, re.DOTALL)
    # Tests bring pyarrow, an installation does not.
    code = f"import sys; sys.modules['pyarrow'] = None\n{example}"
    done = subprocess.run([sys.executable, "-c", code], cwd=home, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, shown), done.stderr


def test_every_public_name_is_documented_and_importing_them_waits_for_nothing():
    assert {name for name in verdicts.__all__ if not re.search(rf"`(?:verdicts\.)?{name}[`(]", PYTHON)} == set()
    assert [getattr(verdicts, name) for name in verdicts.__all__]
    loaded = "import sys, verdicts; print({'click', 'duckdb', 'polars', 'pydantic'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True) == "set()\n"


def test_the_door_says_what_to_do_and_reaches_nothing_but_the_corpus(six_pages, tmp_path):
    with pytest.raises(verdicts.NothingPublished, match="run 'verdicts run'"):
        verdicts.open(tmp_path)
    corpus = verdicts.open(six_pages / "data")
    (tmp_path / "mine.csv").write_text("n\n7\n")
    mine = f"SELECT n FROM '{tmp_path}/mine.csv'"
    for refused in ("DROP TABLE tools", "SELECT 1; SELECT 2", mine):
        with pytest.raises(verdicts.QuestionFailed):
            corpus.sql(refused)
    assert corpus.sql(mine, readable=[tmp_path])["n"].to_list() == [7]
    assert corpus.sql("SELECT $n::BIGINT AS n", {"n": 3}).rows() == [(3,)]
    assert corpus.questions().keys() == {query.name for query in list_queries()}
    assert {"review", "evidence"} <= corpus.show(corpus.sql("SELECT min(review_id) FROM reviews").item()).parts.keys()


def run_in_shell(call: str, home: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    done = subprocess.run(["bash", "-c", call], cwd=home, env=environment, capture_output=True, text=True, check=False)
    return done.stdout


def without_hours(text: str) -> str:
    """Without what differs from run to run: the id of the crawl or load, and where in a segment a record begins."""
    return re.sub(r"\d{8}T\d{6}Z-[0-9a-f]{4}|(?<=gz at )\d+", "", text)


@pytest.mark.whole
def test_the_written_questions_and_their_answers_are_current(night):
    home, _ = night
    written = (ROOT / "docs" / "questions.md").read_text(encoding="utf-8")
    made = questions(find_published_file(home / "data"))
    assert written == made, "run: python docs/write_reference.py questions CORPUS > docs/questions.md"


@pytest.mark.skipif(not (ROOT / "src").exists(), reason="a wheel is tested without the sources")
@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in DOCS)])
def test_every_source_file_that_a_document_names_is_there(document):
    """`<site>` and other names in brackets stand for any; `{cards,decision}` for each."""
    text = (ROOT / document).read_text(encoding="utf-8")
    for named in re.findall(r"`((?:src|flows|tests|fixtures|benchmarks)/[^`\s]*)`", text):
        choice = re.search(r"{(.+)}", named)
        for path in [named.replace(choice[0], name) for name in choice[1].split(",")] if choice else [named]:
            assert list(ROOT.glob(re.sub(r"<\w+>|NNNN", "*", path))), path


@pytest.mark.skipif(not (ROOT / "benchmarks").exists(), reason="a wheel is tested without the benchmarks")
@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_every_benchmark_that_a_document_names_is_there_and_has_these_options(document):
    text = document.read_text(encoding="utf-8")
    for name, arguments in re.findall(r"python -m benchmarks\.(\w+)([^`\n]*)", text):
        source = (ROOT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8")
        assert '__name__ == "__main__"' in source, name
        assert set(re.findall(r"--[a-z-]+", arguments)) <= set(re.findall(r'"(--[a-z-]+)"', source)), name


def without_seconds(text: str) -> str:
    return re.sub(r"\bseconds +\S+", "seconds", text).strip()


def test_every_command_is_documented_and_every_documented_command_exists():
    assert set(re.findall(r"^### verdicts (\w+)", COMMANDS, re.MULTILINE)) == set(cli.entries)


@pytest.mark.parametrize(
    "command",
    [(name,) for name in cli.entries] + [(group, name) for group, names in SUBCOMMANDS.items() for name in names],
)
def test_the_help_of_a_command_has_its_whole_sentence_and_an_example_that_it_takes(tmp_path, command):
    entry = (SUBCOMMANDS[command[0]] if len(command) > 1 else cli.entries)[command[-1]]
    assert f"\n    {entry.example}\n" in run_here(*command, "--help", cwd=tmp_path).stdout
    assert entry.sentence in " ".join(run_here(*command[:-1], "--help", cwd=tmp_path).stdout.split())
    names, group = shlex.split(re.sub(r".*\$\((.+)\).*", r"\1", entry.example))[1:], cli
    while isinstance(group, click.Group) and names:
        group = group.get_command(click.Context(group), names.pop(0))
    # It checks the options and their values, and runs nothing.
    group.make_context(group.name, names)


def test_everything_that_is_printed_opens_the_corpus_read_only():
    """Without it a client is refused, or as root changes the copy and locks readers out."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS, *(ROOT / "examples").glob("*.*")]
    texts = [page.read_text(encoding="utf-8") for page in pages] + [entry.example for entry in cli.entries.values()]
    texts.append(write_notebook(Path("corpus.duckdb"), []))
    opened = r"duckdb (?:-\w+ )*[\"']?\$\(.*|duckdb\.connect\([^)].*|DuckDBInstance\.create.*|ATTACH '.*|duckdb:///.*|attach:\n.*"
    found = [words for text in texts for words in re.findall(opened, text)]
    assert len(found) > 10
    # `mine` is a file of the reader's own.
    assert [words for words in found if not re.search(r"read_?only| AS mine ", words, re.IGNORECASE)] == []


@pytest.mark.parametrize("document", DOCS, ids=lambda path: path.name)
def test_every_question_in_the_running_text_of_a_document_is_answered(night, document):
    home, _ = night
    for call in re.findall(r"`(verdicts (?:sql|query) [^`\n]*)`", document.read_text(encoding="utf-8")):
        if not re.search("NAME|…|[.]{3}|=VALUE", call):
            done = run_here(*shlex.split(call)[1:], cwd=home)
            assert done.returncode == 0, (call, done.stderr)


@pytest.mark.parametrize("document", [ROOT / "README.md", *DOCS], ids=lambda path: path.name)
def test_every_command_of_a_document_is_one_with_these_options(document, tmp_path, monkeypatch):
    """Those whose answer is shown are also run; here a context checks options and values, and runs nothing."""
    text = document.read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL))
    blocks = re.sub(r" ?\\?\n> | ?\\\n", " ", blocks)
    lines = re.findall(r"(?:^|&& |; |\$ |/)(verdicts [a-z][^\n]*)", blocks, re.MULTILINE)
    quoted = re.findall(r"`(verdicts [a-z][^`\n]*)`", text)
    monkeypatch.chdir(tmp_path)
    Path("question.sql").touch()
    for typed in [*lines, *(call for call in quoted if not re.search("[A-Z]{2}|…|[.]{3}", call))]:
        lexed = shlex.shlex(typed, posix=True, punctuation_chars=True)
        lexed.whitespace_split = True
        _, *names = takewhile(lambda word: not set(word) <= set("();<>|&"), lexed)
        group = cli
        while isinstance(group, click.Group) and names:
            group = group.get_command(click.Context(group), names.pop(0))
            assert group is not None, typed
        if names and not isinstance(group, click.Group):
            group.make_context(group.name, names)


def test_the_page_for_the_night_has_every_exit_code_and_quotes_lines_that_the_program_says():
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8").partition("## Undo\n")[0]
    rows, behind = (
        [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")][1:]
        for table in page.split("## Readers are behind")
    )
    codes = {int(code) for row in rows for code in re.findall(r"\d+", row[0])}
    assert codes == {0, 2, 137, 139, *(exit_code(number) for number in ENDING), *EXIT_CODES.values()}
    modules = [path for room in Path(verdicts.__file__).parent.iterdir() for path in room.resolve().rglob("*.py")]
    sources = "".join(path.read_text(encoding="utf-8") for path in modules)
    said = re.sub(r'"\s*\n\s*f?"', "", sources)
    lines = [*(row[1] for row in rows), *(row[0] for row in behind)]
    quoted = [part.strip("`,: ") for line in lines for part in re.split(r"…|verdicts: |[;:.] ", line)]
    assert {part for part in quoted if part not in said} == set()


def test_every_deployment_names_a_flow_and_parameters_that_exist():
    spec = find_spec("verdicts.flows.nightly")
    assert spec is not None
    flows = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    ours = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    for deployment in ours:
        file, _, flow = deployment["entrypoint"].partition(":")
        assert file == "flows/nightly.py"
        (defined,) = [node for node in flows.body if isinstance(node, ast.FunctionDef) and node.name == flow]
        assert set(deployment["parameters"]) <= {argument.arg for argument in defined.args.args}
    # Prefect ends a run that has a limit when the API does not answer.
    assert not any("concurrency_limit" in deployment for deployment in ours)


def test_every_reject_and_every_rule_is_documented():
    others = {
        "reviews_vs_panel",
        "ambiguous_address",
        "slug_vs_link",
        "title_vs_cards",
        "reviewer_conflict",
        "review_tool_conflict",
        "attribution_conflict",
    }
    assert REJECTS.keys() == {*get_args(RejectReason), REASON}
    assert DISCREPANCIES.keys() == set(RULES) | set(get_args(DoubtRule)) | others
