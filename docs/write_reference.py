"""Makes documents from declarations, comments and SQL files.

`python docs/write_reference.py dictionary`, `diagram`, `outcomes`, `config`, `commands`, or `questions CORPUS.duckdb`.
Also the keys of all tables, as a view (`keys`) and as sources of dbt (`sources`).
"""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import click
import duckdb
from pydantic.fields import FieldInfo

from verdicts.commands.group import GROUPS, cli
from verdicts.corpus.columns import SqlType
from verdicts.corpus.declare import SCHEMAS
from verdicts.corpus.findings import DISCREPANCIES, REJECTS
from verdicts.corpus.tables import TABLES, Reference, list_references, name_relation
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.pipeline import nights
from verdicts.pipeline.sources.config import DEMO, Config, SiteConfig
from verdicts.pipeline.sources.config_sections import Section
from verdicts.warehouse.schema.declared import Relation, create_schemas, create_tables, examples, relations
from verdicts.warehouse.serving.named_queries import TOPICS, Query, queries_by_topic
from verdicts.warehouse.serving.query import ask
from verdicts.warehouse.storage.sql_files import declarations, literal, read_sql

_DICTIONARY = """# Data dictionary

Made of the tables declared in `src/verdicts/corpus/` and the comments in `src/verdicts/warehouse/schema/views/` by
`python docs/write_reference.py dictionary`; do not edit.
Most questions need only the relations of `main`. Those of another schema are called with its name: `evidence.rejects`.
Ids are 32 lower-case hex digits unless stated otherwise. Times are UTC. Each column explains its `NULL`; without an
explanation, the page does not state the value."""

_DIAGRAM = """# Tables and their references

Made of the declared tables by `python docs/write_reference.py diagram`; do not edit.
A line leads from a table to the tables that refer to it. The columns shown are those of the key; the
[dictionary](dictionary.md) explains them.
"""

_OUTCOMES = """# Outcomes, rejects, discrepancies, metrics

Made of the declarations in `src/verdicts/` by `python docs/write_reference.py outcomes`; do not edit."""

_CONFIG = """# The config

Made of the declarations in `src/verdicts/pipeline/sources/` by `python docs/write_reference.py config`; do not edit.

`verdicts init` writes a commented `verdicts.toml` without the rare keys, which few people need. A mistake is
reported with file, line and key; an unknown key with the closest valid one. `VERDICTS_USER_AGENT`,
`VERDICTS_GATES` and `VERDICTS_SHARE` in the environment replace these keys."""

_COMMANDS = """# Commands

Made of the commands' help by `python docs/write_reference.py commands`; do not edit.
Commands that use the corpus take `--data DIR` (default: `VERDICTS_DATA`, else `data`). Commands that need a config take
`--config FILE` (default: `verdicts.toml` if it exists, else the demo site). See also [files, exit codes and the data
folder](commands.md)."""

_QUESTIONS = """# Questions

Made of `src/verdicts/warehouse/serving/queries/` and the corpus of the demo site by
`python docs/write_reference.py questions`; do not edit.
`verdicts query --all` lists them, and `verdicts query NAME PARAMETER=VALUE` asks one. Each is a SELECT over the
views of the [dictionary](dictionary.md) that you can copy and change. Below each are the first rows of the answer for
the demo site, without times and ids of runs."""

_KEYS = """\
CREATE OR REPLACE VIEW ops.keys AS
-- Made of the declared tables by `python docs/write_reference.py keys`; do not edit.
SELECT *
FROM (
    VALUES
    {rows}
) AS declared (relation, column_names, references_relation, references_columns, condition, has_many);

COMMENT ON VIEW ops.keys IS
    'The key of a table, or a reference of it to another one.';

COMMENT ON COLUMN ops.keys.relation IS 'Table, with its schema unless that is main.';
COMMENT ON COLUMN ops.keys.column_names IS 'Its columns, in order.';
COMMENT ON COLUMN ops.keys.references_relation IS 'Table that they refer to. NULL: they are the key of relation.';
COMMENT ON COLUMN ops.keys.references_columns IS 'Key of that table, in the same order. NULL: as above.';
COMMENT ON COLUMN ops.keys.condition IS
    'Rows that refer to it, as an SQL condition. NULL: all whose columns are not NULL.';
COMMENT ON COLUMN ops.keys.has_many IS
    'Whether several rows may refer to the same row: then a join repeats rows of references_relation. NULL: a key.';
"""

_SOURCES = """\
# The tables of the corpus as sources of dbt (1.10.5 or newer), with tests of their keys and references.
# Made of the declared tables by `python docs/write_reference.py sources`; do not edit.
version: 2
sources:"""

_MERMAID_TYPES: dict[SqlType, str] = {
    "VARCHAR": "string",
    "VARCHAR[]": "list",
    "BIGINT": "int64",
    "DOUBLE": "float64",
    "BOOLEAN": "bool",
    "TIMESTAMPTZ": "datetime",
}

_ROWS, _WIDTH, _COLUMNS = 3, 48, 6
"""Most rows of an answer, most characters of a value, and most columns side by side."""

_OF_A_RUN = ("crawl_id", "load_id", "segment", "segment_offset", "seconds", "median_ms", "p95_ms", "bytes")


def dictionary() -> str:
    """Markdown: every table, view and macro with its meaning and columns."""
    with duckdb.connect() as connection:
        for statement in (
            *create_schemas(),
            *create_tables(is_plain=True).values(),
            *declarations("schema/views").values(),
        ):
            connection.execute(statement)
        described = relations(connection)
    schemas = [
        part
        for schema, meaning in SCHEMAS.items()
        for part in (f"## {schema}", meaning, *(_relation(one) for one in described if one.schema == schema))
    ]
    macros = [_macro(sql) for sql in read_sql("schema/macros").values()]
    return "\n\n".join([_DICTIONARY, *schemas, "## Macros", *macros]) + "\n"


def _relation(relation: Relation) -> str:
    grain = [relation.comment or ""]
    if relation.name in TABLES:
        grain.append("Key: " + ", ".join(f"`{name}`" for name in TABLES[relation.name].key) + ".")
        grain += [
            _describe_join(one) for one in list_references() if one.table == relation.name and one.parent != "loads"
        ]
    asked = [f"```sql\n{examples()[relation.name]}\n```"] if relation.schema == "main" else []
    return "\n\n".join([f"### {relation.relation}", " ".join(grain), *asked, _columns(relation)])


def _describe_join(reference: Reference) -> str:
    """What a join with the table that it refers to does to the rows of that table."""
    pairs = zip(reference.columns, reference.keys, strict=True)
    named = " and ".join(f"`{column}`" + f" = `{key}`" * (column != key) for column, key in pairs)
    condition = "" if reference.where is None else f" where `{reference.where}`"
    rows = "may have several" if reference.has_many else "has at most one"
    return f"{named} is a row of `{name_relation(reference.parent)}`{condition}, which {rows} here."


def _columns(relation: Relation) -> str:
    """The columns of a relation as a Markdown table; a view has no null column."""
    rows = [
        [f"`{column.name}`", column.type, "yes" if column.is_nullable else "no", _escape(column.comment or "")]
        for column in relation.columns
    ]
    if relation.kind == "table":
        return _table(("column", "type", "null", "meaning"), rows)
    return _table(("column", "type", "meaning"), [[*row[:2], row[3]] for row in rows])


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *rows])


def _macro(sql: str) -> str:
    """The call of a macro, and the comment at its beginning."""
    comment, declared = sql.split("CREATE OR REPLACE MACRO ", maxsplit=1)
    call = ("FROM " if " AS TABLE" in declared else "") + declared.split(" AS", maxsplit=1)[0]
    return f"### `{call}`\n\n{comment.strip().removeprefix('-- ').replace(chr(10) + '--', '')}"


def diagram() -> str:
    """Markdown with a Mermaid diagram of every table, its key and its references."""
    return "\n".join([_DIAGRAM, "```mermaid", "erDiagram", *_entities(), *_references(), "```"]) + "\n"


def _entities() -> Iterator[str]:
    for table in TABLES.values():
        types = {column.name: _MERMAID_TYPES[column.type] for column in table.columns}
        yield f"    {table.name} {{"
        yield from (f"        {types[name]} {name} PK" for name in table.key)
        yield "    }"


def _references() -> Iterator[str]:
    for one in list_references():
        yield f"    {one.parent} ||--o{{ {one.table} : {'_'.join(one.columns)}"


def keys() -> str:
    """SQL: a view of the key of each table, and of its references."""
    rows = [(table.relation, [*table.key], None, None, None, None) for table in TABLES.values()]
    rows += [
        (name_relation(one.table), [*one.columns], name_relation(one.parent), [*one.keys], one.where, one.has_many)
        for one in list_references()
    ]
    shown = ",\n    ".join(f"({', '.join(map(_sql, row))})" for row in rows)
    return _KEYS.format(rows=shown)


def _sql(value: str | bool | list[str] | None) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return "NULL" if value is None else str(value).lower() if isinstance(value, bool) else literal(value)


def sources() -> str:
    """YAML: each schema as a source of dbt, with the tests of keys and references."""
    parts = [_SOURCES]
    for schema, meaning in SCHEMAS.items():
        tables = [table for table in TABLES.values() if table.schema == schema]
        parts.append(f"  - name: {schema}\n    database: corpus\n    description: {json.dumps(meaning)}\n    tables:")
        for table in tables:
            parts.append(
                f"      - name: {table.name}\n        description: {json.dumps(table.meaning)}\n        data_tests:"
            )
            parts += [_test("unique", _together(table.key)), *(_test("not_null", name) for name in table.key)]
            parts += [_relationship(one) for one in list_references() if one.table == table.name]
    return "\n".join(parts) + "\n"


def _test(name: str, column: str, more: str = "") -> str:
    return f"          - {name}:\n              arguments: {{column_name: {json.dumps(column)}{more}}}"


def _together(columns: Sequence[str]) -> str:
    return columns[0] if len(columns) == 1 else f"concat_ws('|', {', '.join(columns)})"


def _relationship(one: Reference) -> str:
    to = f"source('{TABLES[one.parent].schema}', '{one.parent}')"
    test = _test(
        "relationships", _together(one.columns), f", to: {json.dumps(to)}, field: {json.dumps(_together(one.keys))}"
    )
    return test if one.where is None else f"{test}\n              config: {{where: {json.dumps(one.where)}}}"


def outcomes() -> str:
    """Markdown: outcomes of attempts, reasons of skipped URLs and of rejects, rules of discrepancies, metrics."""
    ended = [
        [f"`{one}`", one.meaning, "failure, repeated" if one.is_transient else "failure" if one.is_failure else ""]
        for one in Outcome
    ]
    skipped = [[f"`{one}`", one.meaning] for one in SkipReason]
    template = Path(nights.__file__).with_name("metrics.prom.jinja").read_text(encoding="utf-8")
    metrics = []
    for name, meaning in re.findall(r"# HELP (\w+) (.*)\.\n", template):
        labels = re.findall(r'(\w+)="', next(line for line in template.splitlines() if line.startswith(name)))
        metrics.append([f"`{name}{'{' + ', '.join(labels) + '}' if labels else ''}`", meaning])
    parts = [
        "## Outcomes of an attempt",
        "Column `outcome` of `fetches`. A failure as the last outcome of a URL makes the run `partial`.",
        _table(["outcome", "means", "counts as"], ended),
        "## What is skipped",
        "`verdicts crawl` and `verdicts status` count these by host. A link counts each time it is seen.",
        _table(["reason", "means"], skipped),
        "## Rejects",
        "Column `reason` of `evidence.rejects`, for a whole page.",
        _table(["reason", "means"], [[f"`{name}`", meaning] for name, meaning in REJECTS.items()]),
        "## Discrepancies",
        "Column `rule` of `evidence.discrepancies`; for a page without a panel, column `reason` of `evidence.rejects`.",
        _table(["rule", "means"], [[f"`{name}`", meaning] for name, meaning in DISCREPANCIES.items()]),
        "## Metrics",
        "Gauges of the newest night.",
        _table(["metric", "means"], metrics),
    ]
    return "\n\n".join([_OUTCOMES, *parts]) + "\n"


def config() -> str:
    """Markdown: every key of the config, by table, the rare ones last."""
    tables = {"Above the first table": Config, "`[[site]]`": SiteConfig}
    tables |= {f"`[{name}]`": type(getattr(DEMO, name)) for name in ("dataset", "care", "alerts", "metrics", "scale")}
    sections = [
        part
        for title, section in tables.items()
        for part in (f"## {title}", _table(["key", "default", "means"], _keys(section)))
    ]
    return "\n\n".join([_CONFIG, *sections]) + "\n"


def _keys(section: type[Section]) -> list[list[str]]:
    (declared,) = ast.parse(inspect.getsource(section)).body
    assert isinstance(declared, ast.ClassDef)
    rows = []
    for field, said in pairwise(declared.body):
        if isinstance(field, ast.AnnAssign) and isinstance(said, ast.Expr):
            name, meaning = ast.unparse(field.target), " ".join(ast.literal_eval(said.value).split())
            rows.append([f"`{name}`", _default(section.model_fields[name]), meaning.removesuffix(".")])
    told = {row[0].strip("`") for row in rows}
    missing = {name for name, field in section.model_fields.items() if name not in told and not _is_table(field)}
    assert not missing, f"{section.__name__} has no words for {missing}"
    return sorted(rows, key=lambda row: row[2].startswith("Rare: "))


def _is_table(field: FieldInfo) -> bool:
    return field.annotation == tuple[SiteConfig, ...] or isinstance(field.default, Section)


def _default(field: FieldInfo) -> str:
    value = field.default
    if field.is_required():
        return "must be given"
    if isinstance(value, timedelta):
        return f'`"{value.days}d"`'
    if isinstance(value, Section):
        return "`{ " + ", ".join(f"{name} = {number}" for name, number in value) + " }`"
    if value is None or value in ((), {}):
        return ""
    return f"`{round(value, 4) if isinstance(value, float) else json.dumps(value)}`"


def commands() -> str:
    """Markdown: every command with its sentence, options and example, in the order of `--help`."""
    context = click.Context(cli, info_name="verdicts")
    sections = [
        section
        for title, names in GROUPS.items()
        for section in (f"## {title}", *(part for name in names for part in _command(name, cli, context)))
    ]
    return "\n\n".join([_COMMANDS, *sections]) + "\n"


def _command(name: str, group: click.Group, parent: click.Context) -> Iterator[str]:
    command = group.get_command(parent, name)
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    yield f"### {context.command_path}"
    yield str(command.help).replace("\b\n", "")
    own = (option for option in command.params if not {"--data", "--config"} & {*option.opts})
    records = [record for option in own if (record := option.get_help_record(context)) and record[1]]
    if records:
        yield "\n".join(f"- `{option}`: {meaning}" for option, meaning in records)
    yield f"```\n{str(command.epilog).partition('Example:')[2].strip()}\n```"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            yield from _command(inner, command, context)


def questions(corpus: Path) -> str:
    """Markdown: every question by topic, with its parameters and the first rows of its answer."""
    topics = "\n".join(
        f"- [{TOPICS[topic]}](#{TOPICS[topic].lower().replace(' ', '-')}): "
        + ", ".join(f"[{query.name}](#{query.name})" for query in queries)
        for topic, queries in queries_by_topic()
    )
    sections = [
        section
        for topic, queries in queries_by_topic()
        for section in (f"## {TOPICS[topic]}", *(_question(corpus, query) for query in queries))
    ]
    return "\n\n".join([_QUESTIONS, topics, *sections]) + "\n"


def _question(corpus: Path, query: Query) -> str:
    answer = ask(corpus, query.sql, query.bind({}))
    rows = [list(map(_format_value, answer.columns, row)) for row in answer.rows[:_ROWS]]
    parameters = "\n".join(
        f"- `{known.name}`{f' (`{known.default}`)' if known.default else ''}: {known.meaning}"
        for known in query.parameters
    )
    notes = "\n".join(f"Note: {note}." for note in query.notes)
    shown = _answer(answer.columns, rows) if rows else "No row on the demo site."
    return "\n\n".join(filter(None, [f"### {query.name}", query.question, parameters, notes, shown]))


def _answer(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A line a row, or a line a column where more columns than fit a page."""
    if len(columns) <= _COLUMNS:
        return _table(columns, rows)
    header = ["column", *(f"row {number}" for number in range(1, len(rows) + 1))]
    return _table(header, [[f"`{name}`", *values] for name, *values in zip(columns, *rows, strict=True)])


def _format_value(name: str, value: object) -> str:
    if value is None:
        return ""
    if name in _OF_A_RUN or hasattr(value, "isoformat"):
        return "…"
    text = f"{value:.4g}" if isinstance(value, float) else str(value).replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1].rstrip() + "…"


if __name__ == "__main__":
    makers = {
        "dictionary": dictionary,
        "diagram": diagram,
        "outcomes": outcomes,
        "config": config,
        "commands": commands,
        "questions": questions,
        "keys": keys,
        "sources": sources,
    }
    sys.stdout.write(makers[sys.argv[1]](*map(Path, sys.argv[2:])))  # type: ignore[operator]
