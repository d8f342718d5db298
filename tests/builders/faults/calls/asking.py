"""Questions: what `sql` may touch, what reaches a terminal, and what works on a folder that cannot be written."""

from pathlib import Path

from builders.faults.call_case import DONE, REFUSED, CallCase

ESCAPES, LOCKED, READ_ONLY = "output to a terminal", "the lock of sql", "read-only folders"
SECRET = "a secret of another folder"


def sql(name: str, statement: str, codes=REFUSED, **more) -> CallCase:
    return CallCase(
        LOCKED, name, "A11", ("sql", statement), codes, spoil=more.pop("spoil", secret), lacks=(SECRET, "root:"), **more
    )


def secret(home: Path) -> None:
    (home.parent / "secret.csv").write_text(f"a\n{SECRET}\n")
    (home / "own.csv").write_text("a\n1\n")


def linked(home: Path) -> None:
    secret(home)
    (home / "link.csv").symlink_to(home.parent / "secret.csv")


OUTSIDE = (
    "SELECT * FROM '/etc/passwd'", "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/passwd', sep=':')",
    "SELECT * FROM read_csv('/etc/pass*')", "SELECT * FROM glob('/etc/*')", "SELECT * FROM '../secret.csv'",
    "SELECT * FROM read_csv('../*.csv')", "SELECT * FROM glob('../*')",
    "SELECT * FROM 'data/../../secret.csv'", "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM read_json('/etc/passwd')", "SELECT * FROM read_ndjson('/etc/hosts')",
    "SELECT * FROM read_text('/proc/self/environ')", "SELECT * FROM 'file:///etc/passwd'",
    "SELECT content FROM read_text('/dev/stdin')",
)  # fmt: skip
WRITES = (
    "COPY reviews TO '../stolen.csv'", "COPY (SELECT 1) TO '/tmp/stolen-by-a-test.csv'",
    "ATTACH '/tmp/stolen-by-a-test.duckdb'", "ATTACH '../x.duckdb' AS x", "EXPORT DATABASE '/tmp/stolen-by-a-test'",
    "CREATE TABLE x AS SELECT 1", "DROP TABLE reviews", "DELETE FROM reviews", "UPDATE reviews SET score = 0",
    "INSERT INTO reviews SELECT * FROM reviews",
    "SELECT 1; DROP TABLE reviews", "SELECT 1; COPY reviews TO '/tmp/stolen-by-a-test.csv'",
    "CREATE VIEW v AS SELECT 1", "CREATE SECRET s (TYPE S3)", "ALTER TABLE reviews ADD COLUMN x INT",
)  # fmt: skip
SETTINGS = (
    "INSTALL httpfs", "LOAD httpfs", "INSTALL 'http://127.0.0.1:9/x.duckdb_extension'",
    "LOAD '/tmp/x.duckdb_extension'", "SELECT * FROM 'http://127.0.0.1:9/x.parquet'",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')", "SELECT * FROM 'https://127.0.0.1:9/x.csv'",
    "SELECT * FROM postgres_scan('host=127.0.0.1', 'a', 'b')",
    "SELECT * FROM sqlite_scan('data/state.sqlite', 'urls')", "SELECT * FROM st_read('x')",
    "SELECT * FROM iceberg_scan('data')", "SELECT * FROM delta_scan('data')",
    "SET enable_external_access = true", "SET allowed_directories = ['/']", "SET lock_configuration = false",
    "SET autoinstall_known_extensions = true",
    "SET autoload_known_extensions = true", "SET allow_unsigned_extensions = true", "RESET lock_configuration",
    "SET custom_extension_repository = 'http://127.0.0.1:9'",
    "PRAGMA enable_profiling = 'json'", "SET profiling_output = '/tmp/stolen-by-a-test.json'",
    "SET log_query_path = '/tmp/stolen-by-a-test.log'", "SET home_directory = '/tmp'",
    "SET temp_directory = '/tmp/stolen-by-a-test'", "SET extension_directory = '/tmp'",
    "SET secret_directory = '/tmp'", "CALL force_checkpoint()",
)  # fmt: skip

EITHER = frozenset({0, 1})
LOCK = (
    *(sql(statement[:66], statement) for statement in (*OUTSIDE, *WRITES)),
    *(sql(statement[:66], statement) for statement in SETTINGS),
    sql("a link in the working folder that leads out", "SELECT * FROM 'link.csv'", spoil=linked),
    sql("a file of the working folder", "SELECT * FROM 'own.csv'", DONE),
    sql("a file of the data folder", "SELECT count(*) FROM 'data/dataset/tools.parquet'", DONE),
    sql("files of the data folder", "SELECT count(*) FROM 'data/dataset/reviews/*.parquet'", DONE),
    sql("a question", "SELECT count(*) FROM reviews", DONE),
    sql("an environment variable", "SELECT getenv('HOME')", EITHER),
    sql("nothing", "", EITHER),
    sql("two questions", "SELECT 1; SELECT 2", EITHER),
    sql("text that is no SQL", "how many?", REFUSED),
    sql("a NUL by its number", "SELECT chr(0)", EITHER),
    sql("half an emoji", "SELECT '\udcff'", REFUSED | DONE),
    sql("nesting", "SELECT " + "(" * 5_000 + "1" + ")" * 5_000, EITHER),
    sql("a million digits", "SELECT " + "1" * 100_000, EITHER),
)  # fmt: skip

FIRST = "SELECT tool_id FROM tools WHERE name LIKE 'Al%' LIMIT 1"
SHOWN = (
    ("sql", "SELECT name, tagline, description FROM tools"), ("sql", "SELECT name, tagline FROM tools", "--format",
        "csv"), ("sql", "SELECT name FROM tools", "--format", "json"),
    ("sql", "SELECT title FROM pages"), ("sql", "SELECT title, text FROM documents"),
    ("sql", "SELECT title, text FROM documents", "--format", "csv"), ("search", "Alpha"), ("search", "OWNED"),
    ("search", "command", "--format", "csv"), ("query", "shared_names"), ("query", "takes_of_a_tool", "tool=Al"),
    ("query", "coverage_by_host"), ("status",), ("check",), ("diff",),
    ("diff", "--table", "tools"), ("replay", "--dry-run"), ("show", "\x1b]0;OWNED\x07"),
    ("sql", "SELECT '\x1b]0;OWNED\x07'"), ("sql", "SELECT error('\x1b]0;OWNED\x07')"), ("query", "\x1b]0;OWNED\x07"),
    ("sql", "SELECT chr(27) || ']0;OWNED' || chr(7) AS a, chr(155) || '31m' AS b"),
    ("sql", "SELECT [chr(27) || ']0;x'] AS list, {'k': chr(7)} AS struct"),
    ("sql", "SELECT 1 AS \"\x1b]0;OWNED\x07\""), ("sql", "SELECT chr(27) || ']0;x' AS a", "--format", "csv"),
    ("crawl", "--config", "\x1b]0;OWNED\x07.toml"), ("ingest", "\x1b]0;OWNED\x07"),
)  # fmt: skip
TERMINAL = (
    *(CallCase(ESCAPES, f"{' '.join(args)[:60]!r}", "A10", args, frozenset({0, 1, 3}), home="evil", is_terminal=True)
        for args in SHOWN),
    *(CallCase(ESCAPES, f"show the {kind}", "A10", ("show", "{" + kind + "}"), frozenset({0}), home="evil",
        is_terminal=True) for kind in ("tool", "page", "review")),
    CallCase(ESCAPES, "a file keeps what was said", "docs/commands", ("sql", "SELECT chr(27) AS a", "--format", "csv"),
        DONE, home="evil", has=("\x1b",)),
)  # fmt: skip

ANALYST = (
    ("sql", "SELECT count(*) FROM reviews"), ("sql", "SELECT * FROM scorecards", "--format", "csv"), ("query",),
    ("query", "coverage_by_host"), ("search", "command"), ("status",), ("path",), ("check",),
    ("diff",), ("export", "elsewhere"), ("export", "elsewhere", "--format", "csv"),
    ("sql", "SELECT * FROM tools ORDER BY random()", "--output", "mine.csv", "--format", "csv"), ("show", "{tool}"),
    ("show", "{page}"),
    ("show", "{review}"), ("crawl", "--dry-run"), ("replay", "--dry-run"),
)  # fmt: skip
WRITERS = (
    ("crawl",),
    ("build",),
    ("build", "--all"),
    ("publish",),
    ("run",),
    ("ingest", "own.csv.html"),
    ("export", "data/dataset"),
    ("rollback",),
    ("replay",),
)

FROZEN = (
    *(CallCase(READ_ONLY, f"{' '.join(args)[:50]!r} asks", "A12", args, DONE, is_read_only=True, keeps=True)
        for args in ANALYST),
    *(CallCase(READ_ONLY, f"{' '.join(args)!r} writes", "faults 66", args, frozenset({5}) if args[0] != "rollback"
        else frozenset({1, 5}), spoil=lambda home: (home / "own.csv.html").write_text("<p>x</p>"),
               is_read_only=True, keeps=True, then=(("crawl",),)) for args in WRITERS),
)  # fmt: skip

CASES = (*LOCK, *TERMINAL, *FROZEN)
