r"""The report as Markdown: for a terminal, the body of a mail, Prefect's artifact, and what its page is made of. Pure.

Words of pages are cut, freed of characters that act, and escaped: `\*`, `\|`, `:\//`. They make no markup, no link and
no cell of a table.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from verdicts.corpus.rows.runs import GateMeasureRow
from verdicts.pipeline.exit_codes import STORAGE
from verdicts.pipeline.gates.words import DOWN_TODO, accept_command, found_line
from verdicts.pipeline.nights.corpus_changes import CorpusChanges
from verdicts.pipeline.nights.night_log import NightEnding
from verdicts.pipeline.nights.report_facts import Gates, NightFacts, age_in_words
from verdicts.pipeline.terminal import block_bar, shown_line

STATES = {
    "done": ("published", "Readers have the whole night."),
    "partial": ("degraded", "Readers have the night, but not all of it went well."),
    "held": ("held", "A gate holds something back; there, readers keep what they had."),
    "failed": ("down", "Readers have nothing of this night."),
    "refused": ("refused", "Another run held the data folder; nothing was begun."),
    "interrupted": (
        "interrupted",
        "The night was stopped; what was finished is kept, and the next run goes on from there.",
    ),
}
"""The word for a status, and its meaning."""

GLYPHS = {
    "published": "●",
    "degraded": "◐",
    "held": "■",
    "down": "✕",
    "interrupted": "○",
    "refused": "○",
    "killed": "?",
}
"""Different shapes, because not everybody can tell the colours apart."""

HOSTS_NAMED = 5
"""Hosts named in a sentence."""

COMMAND_CHARS = 400
"""Longer commands are replaced by `verdicts check`. A host name of 250 characters stays below."""

SPARK_LEAST = 0.05
"""The least top of a sparkline, so that noise stays low."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$!^@]")
_STARTS = re.compile(r"^(\d*)([-+=.)])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_ADDRESS = re.compile(r"https?://[^\s<>\\|…]+")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for the items of a list and the characters of a text."""

    rows: int
    chars: int


LIMITS = (Limits(40, 300), Limits(20, 200), Limits(12, 120), Limits(6, 60), Limits(3, 30))
"""Widest first. A smaller one is used if the report is too large. A few hosts fit the first, two hundred hosts full of
escapes the last."""


def state_of(ending: NightEnding) -> str:
    """The state in a word. A night that failed after publication is degraded."""
    is_there = ending.status == "failed" and ending.published is not None
    return STATES["partial" if is_there else ending.status][0]


def day_of(ending: NightEnding) -> str:
    """`21 November 2026`: when the night began."""
    return f"{ending.began_at.day} {ending.began_at:%B %Y}"


def markdown_of(facts: NightFacts, limits: Limits) -> str:
    """The report within the limits."""
    text = "\n".join(_Writer(facts, limits).lines())
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def escaped(words: str) -> str:
    """Escapes words so that Markdown shows them literally, inside a line or a table cell."""
    return _LINKS.sub(lambda match: f"\\{match[0]}", _MARKUP.sub(r"\\\g<0>", words))


def block_spark(history: Sequence[float]) -> str:
    """A sparkline of text: `▁▁▂█`."""
    top = max(SPARK_LEAST, *history) if history else SPARK_LEAST
    return "".join("▁▂▃▄▅▆▇█"[min(7, int(share / top * 8))] for share in history)


def percent(share: float) -> str:
    """`83 %`. Rounded so that 100 means all and 0 means nothing."""
    number = share * 100
    if 0 < number < 1:
        return "< 1 %"
    return f"{ceil(number) if number < 50 else int(number)} %"


def _plural(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class _Writer:
    facts: NightFacts
    limits: Limits

    def lines(self) -> Iterator[str]:
        facts, ending = self.facts, self.facts.ending
        gates = None if isinstance(facts.gates, str) else facts.gates
        state = state_of(ending)
        meaning = next(meaning for word, meaning in STATES.values() if word == state)
        yield from (f"# Night of {day_of(ending)}: {state}", "", f"{GLYPHS[state]} **{state}**: {meaning}", "")
        if ending.status != "done":
            yield from (self.paragraph(self.why()), "")
        if numbers := "; ".join(
            ", ".join(part) for part in (self.crawl_in_numbers(), self.changes_in_numbers()) if part
        ):
            yield from (f"{numbers}.", "")
        yield from self.command(self.next_command())
        if gates is not None and gates.held:
            yield from self.held(gates)
        yield from self.nights()
        yield from self.hosts()
        yield from ("## Losses", "")
        yield from (self.paragraph(str(facts.gates)), "") if gates is None else self.losses(gates)
        yield from ("## What changed for readers", "")
        yield from (self.paragraph(facts.corpus), "") if isinstance(facts.corpus, str) else self.corpus(facts.corpus)
        yield from ("## Care", "")
        yield from (f"- {line.name}: {'**!** ' if line.is_wrong else ''}{self.words(line.says)}" for line in facts.care)
        yield from ("", "## Open incidents", "")
        for incident in facts.incidents[: self.limits.rows]:
            host, cause = self.words(incident.host or "the night"), self.words(incident.cause)
            yield f"- **{host}** {cause} since {incident.opened_at:%Y-%m-%d}: {self.words(incident.words)}"
        yield from self.more(facts.incidents) if facts.incidents else ("None.", "")
        for line in facts.undelivered:
            yield from (self.paragraph(line), "")
        if gates is not None and gates.accepted:
            yield from ("## Accepts in force", "")
            for accept in gates.accepted[: self.limits.rows]:
                who = f"{accept.accepted_at:%Y-%m-%d}, {self.words(accept.accepted_by)}"
                yield f"- **{self.words(accept.host)}** {accept.measure} ({who}): {self.words(accept.reason)}"
            yield from self.more(gates.accepted)
        crawl = f", crawl {ending.crawl_id}" if ending.crawl_id else ""
        yield f"Night {ending.night_id}{crawl}. Times in UTC."

    def words(self, text: str | None) -> str:
        """Foreign words in one line, cut and escaped."""
        text, most = text or "", self.limits.chars
        line = shown_line(" ".join(text[: most + 1].split()) or text[:most])
        return escaped(line if len(line) <= most else f"{line[: most - 1]}…")

    def paragraph(self, text: str) -> str:
        r"""The same for words that begin a line: `1\. x` and `\- x` are no lists."""
        return _STARTS.sub(lambda match: f"{match[1]}\\{match[2]}", self.words(text))

    def more(self, items: Sequence[object], total: int | None = None) -> tuple[str, ...]:
        """The number of items that are not shown, and a blank line."""
        left = (len(items) if total is None else total) - min(len(items), self.limits.rows)
        return (f"- and {left:,} more", "") if left else ("",)

    def command(self, line: str | None) -> tuple[str, ...]:
        """A command, never cut, because half a command does something else."""
        if line is None:
            return ()
        shown = shown_line(line)
        return f"    {shown if len(shown) <= COMMAND_CHARS else 'verdicts check'}", ""

    def why(self) -> str:
        """Why the night is not simply published."""
        ending, gates = self.facts.ending, self.facts.gates
        if ending.status == "held" and isinstance(gates, Gates) and gates.held:
            hosts = ", ".join(rows[0].host for rows in gates.held[:HOSTS_NAMED])
            left = len(gates.held) - HOSTS_NAMED
            return f"Held: {hosts}{f' and {left:,} more' if left > 0 else ''}. Readers keep their rows as they were."
        return f"{ending.headline.rstrip('.')}."

    def crawl_in_numbers(self) -> list[str]:
        crawled = self.facts.crawled
        if isinstance(crawled, str):
            return []
        stored = f"{_plural(crawled.stored, 'page')} stored anew"
        return [stored, f"{crawled.unchanged:,} unchanged", f"{crawled.failed:,} failed"]

    def changes_in_numbers(self) -> list[str]:
        corpus = self.facts.corpus
        if isinstance(corpus, str):
            return []
        if corpus.before is None:
            return ["the first copy for readers"]
        named = (
            (corpus.new_tools, "new tool", ""),
            (corpus.vanished_tools, "vanished tool", ""),
            (corpus.verdicts, "verdict", " that turned"),
            (corpus.prices, "price", " that changed"),
        )
        return [f"{_plural(changed.total, noun)}{clause}" for changed, noun, clause in named if changed.total]

    def next_command(self) -> str | None:
        """None if there is nothing to do, or the command stands beside each held host."""
        ending, gates = self.facts.ending, self.facts.gates
        if ending.status == "held":
            is_said = isinstance(gates, Gates) and 0 < len(gates.held) <= self.limits.rows
            return None if is_said else "verdicts check"
        if ending.status == "failed" and ending.exit_code == STORAGE:
            return "verdicts doctor"
        return {"failed": "verdicts run", "interrupted": "verdicts run", "partial": "verdicts status"}.get(
            ending.status
        )

    def held(self, gates: Gates) -> Iterator[str]:
        yield from (f"## Held: {_plural(len(gates.held), 'host')}", "")
        for rows in gates.held[: self.limits.rows]:
            host, crawl_id = rows[0].host, rows[0].crawl_id
            yield from (f"### {self.words(host)}", "", f"Its rows stay as they were (run {crawl_id}).", "")
            shown: set[tuple[str, ...]] = set()
            for row in rows[: self.limits.rows]:
                # Prices that became `$0` lose both `price` and `amount`, on the same pages.
                yield from self.loss(row, () if row.examples in shown else row.examples)
                shown.add(row.examples)
            yield from self.more(rows)
            if host in gates.down:
                yield from (f"{DOWN_TODO}.", "")
            else:
                yield from ("The hold ends by itself once the pages show it again. To accept them as they are:", "")
                yield from self.command(accept_command(rows))
        yield from self.more(gates.held)

    def loss(self, row: GateMeasureRow, examples: Sequence[str], host: str = "") -> Iterator[str]:
        yield f"- {host}**{row.measure}**:{self.finding(row)} {block_bar(row.lost / max(1, row.had))}"
        for example in examples:
            # `gates.host_night` writes `http://a.example/x: before → after`.
            page, colon, words = example.partition(": ")
            before, arrow, after = words.partition(" → ")
            if not (colon and arrow):
                yield f"  - page: {self.words(example)}"
                continue
            is_whole = len(page) <= self.limits.chars and page == shown_line(page)
            address = f"<{page}>" if is_whole and _ADDRESS.fullmatch(page) else self.words(page)
            yield f"  - {address}: {self.words(before)} → {self.words(after)}"
        yield ""

    def finding(self, row: GateMeasureRow) -> str:
        return f" {self.words(found_line(row).partition(':')[2])}"

    def nights(self) -> Iterator[str]:
        nights = self.facts.nights
        yield from (f"## Addresses by outcome, {_plural(len(nights), 'night')}", "")
        most = max((night.addresses for night in nights), default=0)
        rows = []
        for night in nights:
            word = "killed" if night.status is None else STATES[night.status][0]
            counts = ["–"] * 4
            if night.unchanged is not None:
                counts = [f"{number:,}" for number in (night.unchanged, night.stored, night.other, night.failed)]
            bar = block_bar(night.addresses / most) if most else ""
            rows.append((f"{night.began_at.day} {night.began_at:%b}", f"{GLYPHS[word]} {word}", *counts, bar))
        yield from self.table(
            ("Night", "State", "Unchanged", "Stored", "Other", "Failed", "Addresses"), rows, "llrrrrl"
        )

    def hosts(self) -> Iterator[str]:
        yield from ("## Hosts", "")
        crawled = self.facts.crawled
        if isinstance(crawled, str):
            yield from (self.paragraph(crawled), "")
            return
        shown = crawled.hosts[: self.limits.rows]
        rows = []
        for host in shown:
            numbers = (host.asked, host.answered, host.failed, host.changed, host.lost, host.gone)
            age = "–" if host.oldest_at is None else age_in_words(self.facts.ending.ended_at - host.oldest_at)
            rows.append((self.words(host.host), *("–" if n is None else f"{n:,}" for n in numbers), age))
        heads = ("Host", "Asked", "Answered", "Failed", "Changed", "Lost", "Gone", "Oldest reading")
        yield from self.table(heads, rows, "lrrrrrrr")
        yield from (f"- {self.words(host.host)}: {self.words(host.why)}" for host in shown if host.why is not None)
        yield from self.more(crawled.hosts)

    def losses(self, gates: Gates) -> Iterator[str]:
        for row in gates.losses[: self.limits.rows]:
            yield from self.loss(row, row.examples, f"{self.words(row.host)} ({row.state}) ")
        yield from self.more(gates.losses)
        if not gates.losses and gates.held:
            yield from ("None besides the held ones.", "")
        elif not gates.losses:
            yield from ("No page lost more than usual.", "")
        if gates.unjudged:
            hosts = ", ".join(map(self.words, gates.unjudged[: self.limits.rows]))
            left = len(gates.unjudged) - self.limits.rows
            more = f" and {left:,} more" if left > 0 else ""
            yield from (f"Not judged yet, because no earlier run was accepted: {hosts}{more}.", "")
        if gates.watch:
            yield from ("## To watch", "")
            for row, history in gates.watch[: self.limits.rows]:
                yield f"- {self.words(row.host)} **{row.measure}**:{self.finding(row)} {block_spark(history)}"
            yield from self.more(gates.watch)

    def corpus(self, corpus: CorpusChanges) -> Iterator[str]:
        beside = ": the first copy, all of it is new" if corpus.before is None else f", beside {corpus.before}"
        yield from (f"{corpus.published}{beside}", "")
        counts = []
        for name, now, before in corpus.counts:
            difference = "" if before in {None, now} else f" ({now - (before or 0):+,})"
            counts.append(f"{now:,} {name}{difference}")
        yield from (", ".join(counts), "")
        turned, tool = ("Tool", "Before", "Now"), ("Tool", "Category")
        for title, heads, changed in (
            ("Verdicts that turned", turned, corpus.verdicts),
            ("Prices", turned, corpus.prices),
            ("New tools", tool, corpus.new_tools),
            ("Vanished tools", tool, corpus.vanished_tools),
        ):
            if changed.total:
                yield from (f"### {title}", "")
                shown = changed.rows[: self.limits.rows]
                # A price or verdict may be new, and a tool may have no category.
                missing = "none" if heads is turned else ""
                rows = [[self.words(cell or missing) for cell in row[: len(heads)]] for row in shown]
                yield from self.table(heads, rows, "l" * len(heads))
                yield from self.more(changed.rows, changed.total)
        if corpus.fill_rates:
            yield from ("### How full the fields are", "")
            shares = [(name, filled / rows) for name, filled, rows in corpus.fill_rates]
            rows = [[name, block_bar(share), percent(share)] for name, share in shares]
            yield from self.table(("Field", "", "Filled"), rows, "llr")

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> Iterator[str]:
        """A table whose columns are aligned in the source, too."""
        widths = [max(3, *(len(row[place]) for row in [heads, *rows])) for place in range(len(heads))]

        def line(cells: Sequence[str]) -> str:
            padded = (
                cell.rjust(width) if side == "r" else cell.ljust(width)
                for cell, width, side in zip(cells, widths, align, strict=True)
            )
            return f"| {' | '.join(padded)} |"

        yield line(heads)
        yield line(
            ["-" * (width - 1) + ":" if side == "r" else "-" * width for width, side in zip(widths, align, strict=True)]
        )
        yield from map(line, rows)
        yield ""
