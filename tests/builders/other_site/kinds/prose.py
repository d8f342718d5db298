"""Forms of a take's text."""

from dataclasses import replace
from random import Random

from builders.other_site.changes import each_take, swapped
from builders.other_site.facts import SIDES, Pair, Take, with_takes
from builders.other_site.kinds.kind import ALL_MEDIA, HTML_ONLY, LABELLED, Kind
from builders.other_site.page import Cell, Page, Part, text
from builders.other_site.words import WORDS, filled


def _parts(make):
    """A kind whose text consists of these parts."""

    def change(page: Page, _: Random) -> Page:
        def cell(cell: Cell, take: Take) -> Cell:
            return swapped(cell, "text", *make([text(sentence) for sentence in take.sentences]))

        return each_take(page, cell)

    return change


def paragraphs(sentences):
    return [Part("text", sentence) for sentence in sentences]


def bullets(sentences):
    points = "".join(f"<li>{sentence}</li>" for sentence in sentences[1:])
    return [Part("text", sentences[0]), *([Part("block", f"<ul>{points}</ul>")] if points else [])]


def folded(sentences):
    rest = "".join(f"<p>{sentence}</p>" for sentence in sentences[1:])
    fold = f"<details><summary>Read more</summary>{rest}</details>"
    return [Part("text", sentences[0]), *([Part("block", fold)] if rest else [])]


def quoted(sentences):
    return [Part("block", f"<blockquote><p>{' '.join(sentences)}</p></blockquote>")]


def broken_lines(sentences):
    return [Part("text", "<br><br>".join(sentences))]


def quotation_marks(sentences):
    return [Part("text", f"“{' '.join(sentences)}”")]


def inline_code(sentences):
    return [Part("text", " ".join(_inline(sentence) for sentence in sentences))]


def _inline(sentence):
    first, _, rest = sentence.partition(" ")
    middle, _, last = rest.rpartition(" ")
    return f'<code>{first}</code> {middle} <a href="https://docs.example/x">{last}</a>'


def bold_lead(sentences):
    return [Part("text", " ".join([f"<strong>{sentences[0]}</strong>", *sentences[1:]]))]


def wrapped_words(sentences):
    """A span round each sentence, as editors and translators leave them."""
    return [Part("text", " ".join(f"<span>{sentence}</span>" for sentence in sentences))]


def _said(sentence):
    """A kind whose facts have one other take a tool."""

    def facts(pair: Pair, random: Random) -> Pair:
        for side in SIDES:
            takes = pair.tool(side).takes
            seat = random.choice(list(takes))
            changed = replace(takes[seat], sentences=sentence(random))
            pair = with_takes(pair, side, {**takes, seat: changed})
        return pair

    return facts


def short(random):
    return (random.choice(WORDS["short_takes"]),)


def like_a_head(random):
    return filled(random.choice(WORDS["takes_like_heads"]), random), filled(random.choice(WORDS["closings"]), random)


def like_a_label(random):
    return (random.choice(WORDS["takes_that_are_labels"]),)


def _kind(name, page, media=HTML_ONLY):
    return Kind("prose", name, page, touches=frozenset({"text"}), media=media)


def _takes(name, facts, media):
    return Kind("prose", name, facts=facts, touches=frozenset({"sentences"}), media=media)


KINDS = (
    _takes("very short take", _said(short), ALL_MEDIA),
    _takes("take like a head", _said(like_a_head), ALL_MEDIA),
    _takes("take that is a label", _said(like_a_label), HTML_ONLY),
    _kind("several paragraphs", _parts(paragraphs), LABELLED),
    _kind("bullet list", _parts(bullets), LABELLED),
    _kind("rest folded", _parts(folded)),
    _kind("block quotation", _parts(quoted)),
    _kind("broken lines", _parts(broken_lines)),
    _kind("quotation marks", _parts(quotation_marks), LABELLED),
    _kind("code and links", _parts(inline_code)),
    _kind("bold lead", _parts(bold_lead)),
    _kind("sentences in spans", _parts(wrapped_words)),
)
