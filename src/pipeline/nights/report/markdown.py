r"""The report as Markdown: for a terminal, the body of a mail, Prefect's artifact. Pure.

Words of pages are escaped: `\*`, `\|`, `:\//`. They make no markup, no link and no cell of a table.
"""

import re
from collections.abc import Iterator, Sequence

from verdicts.pipeline.gates.words import DOWN_TODO
from verdicts.pipeline.nights.report.facts import (
    Absent,
    Command,
    CorpusChanges,
    Count,
    Crawled,
    Gates,
    Loss,
    NightFacts,
    Turned,
)
from verdicts.pipeline.nights.report.figures import block_bar, block_spark, percent
from verdicts.pipeline.nights.report.fit import LIMITS, fitted
from verdicts.pipeline.nights.report.words import (
    GLYPHS,
    MEANINGS,
    NONE_LOST,
    age_in_words,
    commands,
    day_of,
    plural,
    rest,
    sentences,
    state_of,
    state_of_status,
)

BYTES_MAX = 100_000
"""Of a report as Markdown: what a mail's body and an artifact bear."""

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&$!^@]")
_STARTS = re.compile(r"^(\d*)([-+=.)])")
_LINKS = re.compile(r"(?i)(:)(?=//)|(?<=www)(\.)")
_BLANKS = re.compile(r"\n{3,}")
_ADDRESS = re.compile(r"https?://[^\s<>\\|…]+")


def markdown_of(facts: NightFacts) -> str:
    """The report, with as much as fits."""
    for limits in LIMITS:
        text = _BLANKS.sub("\n\n", "\n".join(_lines(fitted(facts, limits)))).rstrip() + "\n"
        if len(text.encode()) < BYTES_MAX:
            break
    return text


def escaped(words: str) -> str:
    """Words that no reader of Markdown takes for markup, behind other words or in a cell."""
    return _LINKS.sub(lambda match: f"\\{match[0]}", _MARKUP.sub(r"\\\g<0>", words))


def paragraph(words: str) -> str:
    r"""The same for words that begin a line: `1\. x` and `\- x` are no lists."""
    return _STARTS.sub(lambda match: f"{match[1]}\\{match[2]}", escaped(words))


def _lines(facts: NightFacts) -> Iterator[str]:
    ending = facts.ending
    state = state_of(ending)
    yield from (f"# Night of {day_of(ending)}: {state}", "", f"{GLYPHS[state]} **{state}**: {MEANINGS[state]}", "")
    for sentence in sentences(facts):
        yield from (paragraph(sentence), "")
    gates = facts.gates
    yield from _commands(commands(facts))
    if isinstance(gates, Gates) and gates.held.total:
        yield from _held(gates)
    yield from _nights(facts)
    yield from _hosts(facts)
    yield from _losses(gates)
    yield from _corpus(facts.corpus)
    yield from ("## Care", "")
    yield from (f"- {line.name}: {'**!** ' if line.is_wrong else ''}{escaped(line.says)}" for line in facts.care)
    yield from ("", "## Open incidents", "")
    for incident in facts.incidents.shown:
        host = escaped(incident.host or "the night")
        yield f"- **{host}** {escaped(incident.cause)} since {incident.opened_at:%Y-%m-%d}: {escaped(incident.says)}"
    yield from _more(facts.incidents.left) if facts.incidents.total else ("None.", "")
    for line in facts.undelivered:
        yield from (paragraph(line), "")
    if isinstance(gates, Gates) and gates.accepted.total:
        yield from ("## Accepts in force", "")
        for accept in gates.accepted.shown:
            who = f"{accept.at:%Y-%m-%d}, {escaped(accept.by)}"
            yield f"- **{escaped(accept.host)}** {accept.measure} ({who}): {escaped(accept.reason)}"
        yield from _more(gates.accepted.left)
    yield f"Night {ending.night_id}" + (f", crawl {ending.crawl_id}" if ending.crawl_id else "") + ". Times in UTC."


def _held(gates: Gates) -> Iterator[str]:
    yield from (f"## Held: {plural(gates.held.total, 'host')}", "")
    for host in gates.held.shown:
        yield from (f"### {escaped(host.host)}", "", f"Its rows stay as they were (run {host.crawl_id}).", "")
        for loss in host.losses.shown:
            yield from _loss(loss)
        yield from _more(host.losses.left)
        if host.accept is None:
            yield from (f"{DOWN_TODO}.", "")
        else:
            yield from ("It opens by itself once the pages say it again. To take them as they are:", "")
            yield from _commands((host.accept,))
    yield from _more(gates.held.left)


def _loss(loss: Loss, host: str = "") -> Iterator[str]:
    words = escaped(loss.words.partition(":")[2])
    yield f"- {host}**{loss.measure}**:{words} {block_bar(loss.lost / max(1, loss.had))}"
    for example in loss.examples:
        if example.page is None:
            yield f"  - page: {escaped(example.before)}"
        else:
            yield f"  - {_address(example.page)}: {escaped(example.before)} → {escaped(example.after)}"
    yield ""


def _address(page: str) -> str:
    return f"<{page}>" if _ADDRESS.fullmatch(page) else escaped(page)


def _commands(items: Sequence[Command]) -> Iterator[str]:
    for item in items:
        yield from (f"    {item.line}", "")


def _nights(facts: NightFacts) -> Iterator[str]:
    yield from (f"## Addresses by outcome, {plural(len(facts.nights), 'night')}", "")
    most = max((night.addresses for night in facts.nights), default=0)
    rows = []
    for night in reversed(facts.nights):
        word = state_of_status(night.status)
        state = f"{GLYPHS[word]} {word}"
        counts = ("–",) * 4
        if night.unchanged is not None:
            numbers = (night.unchanged, night.stored, night.other, night.failed)
            counts = tuple(f"{number:,}" for number in numbers)  # type: ignore[assignment]  # four of them
        bar = block_bar(night.addresses / most) if most else ""
        rows.append((f"{night.began_at.day} {night.began_at:%b}", state, *counts, bar))
    yield from _table(("Night", "State", "Unchanged", "Stored", "Other", "Failed", "Addresses"), rows, "llrrrrl")


def _hosts(facts: NightFacts) -> Iterator[str]:
    yield from ("## Hosts", "")
    crawled = facts.crawled
    if not isinstance(crawled, Crawled):
        yield from (paragraph(crawled.why), "")
        return
    rows = []
    for host in crawled.hosts.shown:
        numbers = (host.asked, host.answered, host.failed, host.changed, host.lost, host.gone)
        counts = ("–" if number is None else f"{number:,}" for number in numbers)
        age = "–" if host.oldest_at is None else age_in_words(facts.ending.ended_at - host.oldest_at)
        rows.append((escaped(host.host), *counts, age))
    heads = ("Host", "Asked", "Answered", "Failed", "Changed", "Lost", "Gone", "Oldest reading")
    yield from _table(heads, rows, "lrrrrrrr")
    for host in crawled.hosts.shown:
        if host.why is not None:
            yield f"- {escaped(host.host)}: {escaped(host.why)}"
    yield from _more(crawled.hosts.left)


def _losses(gates: Gates | Absent) -> Iterator[str]:
    yield from ("## Losses", "")
    if isinstance(gates, Absent):
        yield from (paragraph(gates.why), "")
        return
    for loss in gates.losses.shown:
        yield from _loss(loss, f"{escaped(loss.host)} ({loss.state}) ")
    yield from _more(gates.losses.left)
    if not gates.losses.total:
        others = "No others than those that are held."
        yield from (others if gates.held.total else NONE_LOST, "")
    if gates.unjudged.total:
        hosts = ", ".join(map(escaped, gates.unjudged.shown))
        left = f" {rest(gates.unjudged.left)}" if gates.unjudged.left else ""
        yield from (f"Not judged yet, as nothing of it was accepted before: {hosts}{left}.", "")
    if gates.watch.total:
        yield from ("## To watch", "")
        for loss in gates.watch.shown:
            words = escaped(loss.words.partition(":")[2])
            yield f"- {escaped(loss.host)} **{loss.measure}**:{words} {block_spark(loss.history)}"
        yield from _more(gates.watch.left)


def _corpus(corpus: CorpusChanges | Absent) -> Iterator[str]:
    yield from ("## What changed for readers", "")
    if isinstance(corpus, Absent):
        yield from (paragraph(corpus.why), "")
        return
    beside = ": the first copy, all of it is new" if corpus.before is None else f", beside {corpus.before}"
    yield from (f"{corpus.published}{beside}", "")
    counts = (f"{count.now:,} {count.name}{_difference(count)}" for count in corpus.counts)
    yield from (", ".join(counts), "")
    for title, changes in (("Verdicts that turned", corpus.verdicts), ("Prices", corpus.prices)):
        if changes.total:
            yield from (f"### {title}", "")
            yield from _table(("Tool", "Before", "Now"), [_turned(turn) for turn in changes.shown], "lll")
            yield from _more(changes.left)
    for title, tools in (("New tools", corpus.new_tools), ("Vanished tools", corpus.vanished_tools)):
        if tools.total:
            yield from (f"### {title}", "")
            yield from _table(
                ("Tool", "Category"), [(escaped(tool.name), escaped(tool.category or "")) for tool in tools.shown], "ll"
            )
            yield from _more(tools.left)
    if corpus.fill_rates:
        yield from ("### How full the fields are", "")
        rows = [(field.name, block_bar(field.share), percent(field.share)) for field in corpus.fill_rates]
        yield from _table(("Field", "", "Filled"), rows, "llr")


def _turned(turn: Turned) -> tuple[str, str, str]:
    return escaped(turn.name), escaped(turn.before or "none"), escaped(turn.after or "none")


def _difference(count: Count) -> str:
    return "" if count.before in {None, count.now} else f" ({count.now - (count.before or 0):+,})"


def _more(left: int) -> Iterator[str]:
    """A blank line after a list, after the number of those that are not shown."""
    yield from ((f"- {rest(left)}", "") if left else ("",))


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> Iterator[str]:
    """Columns in line for a reader of the text, too."""
    widths = [max(3, *(len(row[place]) for row in [heads, *rows])) for place in range(len(heads))]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(cells, widths, align, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rules = ("-" * (width - 1) + ":" if side == "r" else "-" * width for width, side in zip(widths, align, strict=True))
    yield line(heads)
    yield f"| {' | '.join(rules)} |"
    yield from map(line, rows)
    yield ""
