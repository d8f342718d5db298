"""All commands: their groups in `--help`, and for each its chapter, one sentence and an example.

A chapter is imported when one of its commands is called: `--help` needs only this table.
"""

from importlib import import_module
from inspect import cleandoc
from typing import NamedTuple

import click


class Entry(NamedTuple):
    """A command: its module in this package, one sentence, and an example."""

    chapter: str
    sentence: str
    example: str


GROUPS = {
    "Every day": {
        "init": Entry(
            "building",
            "Write a commented config; with a URL, for that site.",
            "verdicts init https://shop.example/compare --contact me@bot.example",
        ),
        "run": Entry(
            "building",
            "Run a whole night now: crawl, build, publish and export.",
            "verdicts run --config verdicts.toml",
        ),
        "ingest": Entry(
            "building",
            "Add text dumps, HTML, archives (WARC, WACZ) and saved pages (HAR, MHTML, SingleFile, wget) to the corpus.",
            "verdicts ingest my-pages/",
        ),
        "status": Entry(
            "status",
            "Show the last ten nights, open problems, the size of the corpus, and workers.",
            "verdicts status",
        ),
        "why": Entry(
            "inspecting",
            "Explain why a page was fetched or not, when it is due, what was read from it, and what holds it back.",
            "verdicts why https://shop.example/compare/a-vs-b",
        ),
        "report": Entry(
            "nights",
            "Show the report of a night: its result, hosts, losses, changes and care.",
            "verdicts report --output night.html",
        ),
        "check": Entry(
            "nights",
            "Show what the gates found: losses of the last night, and hosts that are held back.",
            'verdicts check --accept example.org price --why "they removed their price table"',
        ),
        "alerts": Entry("nights", "Show open incidents, and alerts that could not be sent.", "verdicts alerts --test"),
        "serve": Entry(
            "serve",
            "Run nights by schedule, until you press Ctrl-C.",
            'verdicts serve --config verdicts.toml --at "30 2 * * *"',
        ),
    },
    "Ask the corpus": {
        "sql": Entry("asking", "Run one SELECT on the corpus.", 'verdicts sql "SELECT name, mean_score FROM tools"'),
        "query": Entry("asking", "Ask a named question, or list the questions by topic.", "verdicts query tool_prices"),
        "search": Entry(
            "asking",
            "Find tools and reviews about WORDS, sorted by relevance.",
            "verdicts search image generator",
        ),
        "show": Entry(
            "asking", "Show a review, tool or page with its evidence and where it was read.", "verdicts show Midmeadow"
        ),
        "explore": Entry(
            "viewing", "Show the published corpus in a browser, until you press Ctrl-C.", "verdicts explore --open"
        ),
        "mcp": Entry(
            "viewing",
            "Answer an assistant through the Model Context Protocol.",
            "verdicts mcp --data /srv/verdicts/data",
        ),
        "notebook": Entry(
            "viewing",
            "Write a marimo notebook about the published corpus to FILE, for you to change.",
            "verdicts notebook corpus.py",
        ),
        "export": Entry(
            "publishing",
            "Write the published corpus as a dataset to TARGET: Parquet files, a workbook or a SQLite file.",
            "verdicts export dataset",
        ),
        "changes": Entry(
            "publishing",
            "Print each row of the published corpus that changed since a load.",
            "verdicts changes --since 20261101T013000Z-9f3c --output changes.jsonl",
        ),
        "path": Entry(
            "viewing",
            "Print the path of the published DuckDB file. It stays the same.",
            'duckdb -readonly "$(verdicts path)"',
        ),
    },
    "Correct the corpus": {
        "doubts": Entry(
            "doubting",
            "List doubtful rows, each with the commands that settle it.",
            "verdicts doubts --limit 10",
        ),
        "correct": Entry(
            "correcting",
            "Record a decision about rows; every later build applies it.",
            'verdicts correct review 5d0c8e --tool midmeadow --why "its first line names it"',
        ),
    },
    "Care for the data folder": {
        "doctor": Entry(
            "care", "Show what is wrong with the data folder, and the command that repairs it.", "verdicts doctor"
        ),
        "verify": Entry(
            "care",
            "Check that no byte of the raw store and the state has changed.",
            "verdicts verify",
        ),
        "repair": Entry(
            "care", "Fetch lost pages again, and build the rest again from the raw store.", "verdicts repair"
        ),
        "diff": Entry(
            "publishing",
            "Show what differs between two loads, copies or datasets.",
            "verdicts diff published built --table tools",
        ),
        "rollback": Entry("publishing", "Go back to the copy published before.", "verdicts rollback"),
        "forget": Entry(
            "forgetting",
            "Erase a page, a host or a review for ever: from the raw store, the corpus, and all copies here.",
            "verdicts forget https://shop.example/compare/a-vs-b --dry-run",
        ),
        "snapshot": Entry(
            "care",
            "Copy the data folder to DIRECTORY, as of one moment, for a backup program.",
            "verdicts snapshot /backup/verdicts",
        ),
    },
    "Other": {
        "crawl": Entry("building", "Fetch the pages that are due into the raw store.", "verdicts crawl --dry-run"),
        "build": Entry("building", "Build the warehouse from the raw store, without network.", "verdicts build --all"),
        "publish": Entry("publishing", "Publish a read-only copy of the warehouse for readers.", "verdicts publish"),
        "load": Entry(
            "building",
            "Make a corpus from the exported dataset in DIRECTORY, and publish it.",
            "verdicts load dataset --data copy",
        ),
        "recipe": Entry(
            "recipes",
            "Write and test recipes, which say where a site has names, prices and reviews.",
            "verdicts recipe new example.org page.html",
        ),
        "wacz": Entry(
            "publishing",
            "Write the raw store to FILE as a WACZ, for ReplayWeb.page and other web archive tools.",
            "verdicts wacz corpus.wacz",
        ),
        "docs": Entry(
            "viewing", "Show the documents with search in a browser, until you press Ctrl-C.", "verdicts docs --open"
        ),
    },
}
"""The commands by group, in the order of `--help`."""

RECIPE_COMMANDS = {
    "try": Entry(
        "recipes",
        "Show the texts of a page and the fields that each fills.",
        "verdicts recipe try page.html --recipe example.org.toml",
    ),
    "new": Entry(
        "recipes",
        "Write a first recipe for HOST, and keep each PAGE (a file or a crawled URL) as a test.",
        "verdicts recipe new example.org page.html",
    ),
    "test": Entry("recipes", "Test whether every recipe reads its pages as expected.", "verdicts recipe test"),
}
"""The commands of `verdicts recipe`."""

CORRECT_COMMANDS = {
    "same": Entry(
        "correcting",
        "Merge two tools or two reviews.",
        'verdicts correct same curlow-v0-50 curlow --why "one tool under two addresses"',
    ),
    "different": Entry(
        "correcting",
        "Keep two tools or two reviews separate.",
        'verdicts correct different 5d0c8e 91ab04 --why "two reviewers chose the same words"',
    ),
    "review": Entry(
        "correcting",
        "Give a review another tool, or no tool.",
        'verdicts correct review 5d0c8e --tool midmeadow --why "its first line names it"',
    ),
    "value": Entry(
        "correcting",
        "Change a value of a row.",
        'verdicts correct value pricing_tiers amount 20 --row tool_id=cursor --row tier_number=1 --why "$20, not $200"',
    ),
    "category": Entry(
        "correcting",
        "Put a category into a group.",
        'verdicts correct category "Speech Tools" "Audio & Voice" --why "the same tools"',
    ),
    "outside": Entry(
        "correcting",
        "Match a tool on a page of another site to a tool of the panel, or to none.",
        'verdicts correct outside https://example.org/best "Curlow IDE" --tool curlow --why "it links to it"',
    ),
}
"""The commands of `verdicts correct`."""

SUBCOMMANDS = {"recipe": RECIPE_COMMANDS, "correct": CORRECT_COMMANDS}


class Commands(click.Group):
    """A group that imports the chapter of a command when it is called."""

    group_class = type

    @property
    def _groups(self) -> dict[str, dict[str, Entry]]:
        commands = SUBCOMMANDS.get(str(self.name))
        return GROUPS if commands is None else {"Commands": commands}

    @property
    def entries(self) -> dict[str, Entry]:
        """All commands of this group, in the order of `--help`."""
        return {name: entry for group in self._groups.values() for name, entry in group.items()}

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return [*self.entries]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # For an unknown name click proposes those of `self.commands`.
        wanted = self.entries.values() if cmd_name not in self.entries else [self.entries[cmd_name]]
        for entry in wanted:
            import_module(f"verdicts.commands.{entry.chapter}")
        return super().get_command(ctx, cmd_name)

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        """The docstring of a command has only what its sentence does not say."""
        entry = self.entries[name or str(cmd.name)]
        cmd.help = f"{entry.sentence}\n\n{cleandoc(cmd.help or '')}".strip()
        cmd.epilog = f"\b\nExample:\n  {entry.example}"
        super().add_command(cmd, name)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, self.entries))
        for title, entries in self._groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), entry.sentence) for name, entry in entries.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="verdicts")
def cli() -> None:
    """Build a corpus of tools and reviews from comparison pages, and ask it questions.

    'verdicts COMMAND --help' has the options and an example of each command.
    """
