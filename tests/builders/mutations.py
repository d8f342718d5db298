"""Pages of the demo site, and what a redesign or a release may make of them."""

import hashlib
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from html import unescape

import lxml.html
from lxml.html import HtmlElement

from builders.answer_key import make_key
from builders.redesigns import CARDS, DECISIONS, SCORECARDS, STATS, Design, page
from builders.renderings import RENDERERS, page_url, render_pair
from builders.scoring import Reading, panel_values
from builders.snapshots import html
from comparison_bench.scoring import judge_values
from verdicts.demo_site.site_facts import Facts, Pair, load_facts
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import extract

Mutation = Callable[[HtmlElement, random.Random], None]

BLOCK_TAGS = frozenset({"div", "section", "article", "main", "aside", "header", "footer"})
LABELS = frozenset({"Panel ship", "Community", "Entry", "Panel verdict", "Pricing", "Best for", "Category", "Decision",
                    "Reviewer scorecard"})  # fmt: skip


def elements(tree: HtmlElement) -> list[HtmlElement]:
    return [node for node in tree.body.iter() if isinstance(node.tag, str) and node.tag not in {"script", "body"}]


def labels(tree: HtmlElement) -> list[HtmlElement]:
    return [node for node in elements(tree) if (node.text or "").strip() in LABELS]


def share(nodes: list[HtmlElement], chance: random.Random, part: float) -> list[HtmlElement]:
    return [node for node in nodes if chance.random() < part]


def wrap_in_divs(tree: HtmlElement, chance: random.Random) -> None:
    for node in share([node for node in elements(tree) if node.tag in BLOCK_TAGS | {"p", "h2", "h3"}], chance, 0.4):
        parent, tail = node.getparent(), node.tail
        node.tail = None
        wrapper = lxml.html.Element("div")
        parent.replace(node, wrapper)
        wrapper.append(node)
        wrapper.tail = tail


def unwrap_divs(tree: HtmlElement, chance: random.Random) -> None:
    """Containers of containers go; one that holds text or only inline elements stays."""
    for node in share([node for node in elements(tree) if node.tag in BLOCK_TAGS], chance, 0.4):
        if len(node) and all(child.tag in BLOCK_TAGS | {"p", "table", "ul", "dl", "h2", "h3"} for child in node):
            node.drop_tag()


def other_block_tags(tree: HtmlElement, chance: random.Random) -> None:
    for node in share([node for node in elements(tree) if node.tag in BLOCK_TAGS], chance, 0.6):
        node.tag = chance.choice(sorted(BLOCK_TAGS))


def headings_as_divs(tree: HtmlElement, chance: random.Random) -> None:
    for node in elements(tree):
        if node.tag in {"h1", "h2", "h3", "h4", "p"}:
            node.tag = "div"


def reordered_attributes(tree: HtmlElement, chance: random.Random) -> None:
    for node in elements(tree):
        pairs = list(node.attrib.items())
        chance.shuffle(pairs)
        node.attrib.clear()
        node.attrib.update(pairs)


def renamed_classes(tree: HtmlElement, chance: random.Random) -> None:
    for node in elements(tree):
        if "sr-only" not in node.get("class", ""):
            node.set("class", f"x{chance.randrange(16**6):06x} y{chance.randrange(99)}")


def upper_case_labels(tree: HtmlElement, chance: random.Random) -> None:
    for node in labels(tree):
        node.text = node.text.upper()


def lower_case_labels(tree: HtmlElement, chance: random.Random) -> None:
    for node in labels(tree):
        node.text = node.text.lower()


def icons(tree: HtmlElement, chance: random.Random) -> None:
    for node in share([node for node in elements(tree) if (node.text or "").strip()], chance, 0.4):
        icon = lxml.html.fragment_fromstring('<svg aria-hidden="true"><title>icon</title><path d="M2 8l4 4"/></svg>')
        icon.tail, node.text = node.text, None
        node.insert(0, icon)


def emoji_icons(tree: HtmlElement, chance: random.Random) -> None:
    for node in labels(tree):
        node.text = f"{chance.choice('🚢⭐💬💰🏷️📊')} {node.text}"


def badges(tree: HtmlElement, chance: random.Random) -> None:
    """A badge before or behind the names of the cards."""
    for node in tree.body.iter("h2", "h3"):
        if node.find(".//a[@href]") is not None:
            badge = lxml.html.fragment_fromstring(
                f"<div>{chance.choice(('New', 'Popular', '★', 'Editor’s pick'))}</div>"
            )
            (node.addprevious if chance.random() < 0.5 else node.addnext)(badge)


def split_over_inline(tree: HtmlElement, chance: random.Random) -> None:
    for node in share([node for node in elements(tree) if node.tag in {"p", "td", "h1", "h2", "li"}], chance, 0.5):
        words = (node.text or "").split(" ")
        if len(node) or len(words) < 3:
            continue
        cut = chance.randrange(1, len(words))
        inline = lxml.html.Element(chance.choice(("span", "em", "b")))
        node.text, inline.text = " ".join(words[:cut]) + " ", " ".join(words[cut:])
        node.append(inline)


def split_by_comments(tree: HtmlElement, chance: random.Random) -> None:
    for node in share([node for node in elements(tree) if len(node.text or "") > 6], chance, 0.5):
        cut = chance.randrange(1, len(node.text))
        comment = lxml.etree.Comment(" ")
        comment.tail, node.text = node.text[cut:], node.text[:cut]
        node.insert(0, comment)


def strange_spaces(tree: HtmlElement, chance: random.Random) -> None:
    for node in elements(tree):
        if node.text and node.text.strip():
            text = "".join("\u00a0" if sign == " " and chance.random() < 0.3 else sign for sign in node.text)
            place = chance.randrange(len(text) + 1)
            node.text = (
                text[:place] + chance.choice(("\u200b", "\u200c", "\u2060", "\ufeff", "\u00ad", "")) + text[place:]
            )


def deeper(tree: HtmlElement, chance: random.Random) -> None:
    """Everything inside thirty more elements."""
    for _ in range(30):
        outer = lxml.html.Element("div")
        outer.extend(list(tree.body))
        tree.body.append(outer)


def screen_reader_texts(tree: HtmlElement, chance: random.Random) -> None:
    for node in share(labels(tree), chance, 0.7):
        hidden = lxml.html.fragment_fromstring('<span class="sr-only">see what this means</span>')
        node.append(hidden)


def move_into(tag: str) -> Mutation:
    def move(tree: HtmlElement, chance: random.Random) -> None:
        """The main part is there only for the script that puts it in place."""
        lazy = lxml.html.Element(tag)
        for child in list(tree.body):
            if child.tag != "script":
                lazy.append(child)
        tree.body.append(lxml.html.fragment_fromstring('<div id="app">Loading...</div>'))
        tree.body.append(lazy)

    return move


MUTATIONS: dict[str, Mutation] = {
    "wrapped in divs": wrap_in_divs,
    "divs unwrapped": unwrap_divs,
    "other block tags": other_block_tags,
    "headings as divs": headings_as_divs,
    "attributes reordered": reordered_attributes,
    "classes renamed": renamed_classes,
    "labels in upper case": upper_case_labels,
    "labels in lower case": lower_case_labels,
    "icons": icons,
    "emoji before labels": emoji_icons,
    "badges": badges,
    "split over inline elements": split_over_inline,
    "split by comments": split_by_comments,
    "strange spaces": strange_spaces,
    "deeper": deeper,
    "texts for screen readers": screen_reader_texts,
    "in a template": move_into("template"),
    "in a noscript": move_into("noscript"),
}


def mutate(html: str, names: list[str], seed: int) -> str:
    """A page after these mutations, in order."""
    tree = lxml.html.document_fromstring(html)
    for name in names:
        MUTATIONS[name](tree, random.Random(f"{seed} {name}"))
    return "<!doctype html>\n" + lxml.html.tostring(tree, encoding="unicode")


def designs() -> Iterator[dict[str, object]]:
    """Every choice of every part of a redesign once, then orders of the sections; as keywords of `Design`."""
    for part, choices in (("cards", CARDS), ("stats", STATS), ("decision", DECISIONS), ("scorecard", SCORECARDS)):
        yield from ({part: choice} for choice in choices)
    for order in (
        ("scorecard", "decision", "cards"),
        ("decision", "cards", "scorecard"),
        ("scorecard", "cards", "decision"),
        ("cards", "scorecard", "decision"),
        ("decision", "scorecard", "cards"),
    ):
        yield {"order": order}


SEED = 20261101


@dataclass(frozen=True)
class Case:
    """A page to read: what was done to it, its HTML or text, and the rendering whose key it has."""

    kind: str
    pair: Pair
    rendering: str
    body: str


def redesigns() -> Iterator[Case]:
    """The mutation set: each mutation on each DOM, each design, and seeded mixtures of both."""
    facts, chance = load_facts(), random.Random(SEED)
    pairs = list(facts.pairs)
    for name in MUTATIONS:
        for rendering in ("html_semantic", "html_flat", "html_jsonld"):
            for pair in chance.sample(pairs, 3):
                body = RENDERERS[rendering](facts, pair)
                yield Case(name, pair, rendering, mutate(body, [name], chance.randrange(10**6)))
    for choice in designs():
        for pair in chance.sample(pairs, 4):
            part, value = next(iter(choice.items()))
            words = ", ".join(value) if isinstance(value, tuple) else value
            yield Case(f"{part}: {words}", pair, "html_semantic", page(facts, pair, Design(**choice)))
    for _ in range(300):
        yield _mixture(facts, chance.choice(pairs), chance)
    for _ in range(150):
        pair, rendering = chance.choice(pairs), chance.choice(("html_semantic", "html_flat", "html_jsonld"))
        names = chance.sample([*MUTATIONS], 4)
        body = mutate(RENDERERS[rendering](facts, pair), names, chance.randrange(10**6))
        yield Case("four at once", pair, rendering, body)


def _mixture(facts: Facts, pair: Pair, chance: random.Random) -> Case:
    order = ["cards", "decision", "scorecard"]
    chance.shuffle(order)
    parts = (chance.choice([*choices]) for choices in (CARDS, STATS, DECISIONS, SCORECARDS))
    design = Design(*parts, order=tuple(order))
    names = chance.sample([*MUTATIONS], 3)
    body = mutate(page(facts, pair, design), names, chance.randrange(10**6))
    return Case("mixtures", pair, "html_semantic", body)


def digest(cases: list[Case]) -> str:
    """Of the whole set: floors measured on another set say nothing. How a library writes its tags does not count."""
    total = hashlib.sha256()
    for case in cases:
        words = re.sub(r"<[^<>]*>|\s+", "", unescape(case.body))
        total.update(f"{case.kind}\0{case.pair.path}\0{words}\0".encode())
    return total.hexdigest()


def read(case: Case) -> Reading:
    """What the reader makes of one page. It has nothing of a page that it refuses."""
    page = render_pair(case.pair, case.rendering)
    if case.body != page.body.decode():
        page = html(case.body, page_url(case.pair))
    extracted = extract(page)
    is_read = isinstance(extracted, Comparison)
    key = panel_values(make_key(case.pair, case.rendering))
    findings = judge_values(key, panel_values(asdict(extracted)) if is_read else (), lambda *_: not is_read)
    return Reading(page, f"{case.kind}, {case.pair.path}", case.kind, case.rendering, findings, (), not is_read)
