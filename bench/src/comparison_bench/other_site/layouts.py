"""Pages as HTML, in layouts that are templates and nothing else: `layouts.toml`."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from comparison_bench.other_site.page import CardView, Cell, Grid, Notice, Page, Part, Row, Stat, text


def _whole(layout: dict[str, Any], default: dict[str, Any]) -> Mapping[str, Any]:
    """A layout with what it does not say: parts that it lacks altogether stay out, but for those of cells."""
    decision = default["decision"] | layout["decision"]
    whole = default | layout | {"decision": decision, "scorecard": decision | layout.get("scorecard", {})}
    whole["part"] = default["part"] | layout.get("part", {})
    card = {"card": default["card"] | layout["card"]} if "card" in layout else {}
    return {name: tags for name, tags in whole.items() if name != "card"} | card


_DECLARED = tomllib.loads(Path(__file__).with_name("layouts.toml").read_text(encoding="utf-8"))
_DEFAULT = _DECLARED.pop("default")
LAYOUTS: Mapping[str, Mapping[str, Any]] = {name: _whole(layout, _DEFAULT) for name, layout in _DECLARED.items()}

LAST_ROW = "<table>{}</table>"
"""Numbers above, their labels in the last row, whatever the layout."""


def put(template: str, inside: str, **slots: str) -> str:
    """The template around something. No `str.format`: prose has braces of its own."""
    for name, value in slots.items():
        template = template.replace(f"{{{name}}}", value)
    return template.replace("{}", inside)


def html_page(page: Page, layout: Mapping[str, Any]) -> str:
    title = f"{text(page.title)}: Which AI Tool Should You Ship? — Ship or Skip"
    content = body(page, layout)
    if page.has_page_copies:
        content = f'<div class="md:hidden">{content}</div><div class="hidden md:block">{content}</div>'
    closing = "".join(f"<p>{text(line)}</p>" for line in page.closing)
    whole = put(layout["body"], f"{content}<footer>{closing}</footer>" if closing else content)
    head = f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
    return f"{head}{whole}</html>" if page.has_end_tags else head + whole.removesuffix("</body>")


def body(page: Page, layout: Mapping[str, Any]) -> str:
    written = {"cards": cards(page, layout), "decision": _table(page, layout, "decision", "Decision")}
    written["scorecard"] = _table(page, layout, "scorecard", "Reviewer scorecard")
    related = ""
    if page.related:
        related = put(layout["section"], put(layout["heading"], "Related tools") + _card_list(page.related, layout))
    parts = [blocks(page, "top"), put(layout["title"], text(page.title)), blocks(page, "before cards")]
    parts += [related] if page.is_related_first else []
    if page.section_form == "tabs":
        parts.append('<div role="tablist"><button role="tab">Tools</button><button role="tab">Decision</button></div>')
    for number, name in enumerate(page.sections):
        parts += [_section(page, written[name], number), blocks(page, f"after {name}")]
    if page.readers is not None:
        inside = put(layout["heading"], "Reader reviews") + grid(page.readers, layout, "scorecard")
        parts.append(put(layout["section"], inside))
    parts += [] if page.is_related_first else [related]
    return "".join([*parts, blocks(page, "bottom")])


def _section(page: Page, html: str, number: int) -> str:
    if page.section_form == "tabs":
        return f'<div role="tabpanel"{" hidden" if number else ""}>{html}</div>'
    if page.section_form == "accordions":
        return f"<details><summary>Section {number + 1}</summary>{html}</details>"
    return html


def blocks(page: Page, place: str) -> str:
    return "".join(html for where, html in page.blocks if where == place)


def cards(page: Page, layout: Mapping[str, Any]) -> str:
    between = blocks(page, "between cards")
    once = put(layout["section"], _card_list(page.cards, layout, between))
    if page.phone_cards:
        phone = put(layout["section"], _card_list(page.phone_cards, layout))
        return f'<div class="md:hidden">{phone}</div><div class="hidden md:block">{once}</div>'
    return once


def _card_list(views: Iterable[CardView], layout: Mapping[str, Any], between: str = "") -> str:
    if "cards_table" in layout:
        return put(layout["cards"], _cards_in_a_table(tuple(views), layout)) + between
    written = [_card(view, layout) for view in views]
    if between and layout["cards"] != "{}":
        between = put(layout["card"]["card"], _box(layout["card"], between))
    return put(layout["cards"], written[0] + between + "".join(written[1:]))


def _card(view: CardView, layout: Mapping[str, Any]) -> str:
    tags = layout["card"]
    parts = [put(tags["monogram"], view.monogram)] if "monogram" in tags else []
    parts.append(put(tags["category"], view.category))
    parts.append(put(tags["name"], view.name, href=f"/tool/{view.slug}"))
    parts.append(put(tags["tagline"], view.tagline))
    parts += [_box(tags, view.before_chip)] if view.before_chip else []
    parts += [put(tags["chip"], _split(view.chip, layout)), _stats(view, tags, layout)]
    parts.append(put(tags["description"], view.description))
    parts += [_box(tags, view.inside)] if view.inside else []
    return put(tags["card"], "".join(parts))


def _box(tags: Mapping[str, Any], html: str) -> str:
    """Something that is no field of the card, in what its fields stand in."""
    return put(tags.get("box", "<div>{}</div>"), html)


def _stats(view: CardView, tags: Mapping[str, Any], layout: Mapping[str, Any]) -> str:
    labels = view.stat_labels or tags["stat_labels"]
    stats = [Stat(stat.label, _split(stat.value, layout)) for stat in view.stats]
    if labels == "last row":
        values = "".join(f"<td>{stat.value}</td>" for stat in stats)
        names = "".join(f"<th>{stat.label}</th>" for stat in stats)
        return _box(tags, LAST_ROW.replace("{}", f"<tr>{values}</tr><tr>{names}</tr>"))
    if labels in ("left", "right"):
        lines = [_line(stat, labels) for stat in stats]
        return put(tags["stats"], "".join(put(tags["stat"] if tags["stat"] != "{}" else "<p>{}</p>", i) for i in lines))
    pairs = [(put(tags["stat_value"], stat.value), put(tags["stat_label"], stat.label)) for stat in stats]
    return put(tags["stats"], "".join(put(tags["stat"], v + n if labels == "below" else n + v) for v, n in pairs))


def _line(stat: Stat, labels: str) -> str:
    return f"{stat.label}: <b>{stat.value}</b>" if labels == "left" else f"<b>{stat.value}</b> {stat.label}"


def _cards_in_a_table(views: tuple[CardView, ...], layout: Mapping[str, Any]) -> str:
    tags = layout["cards_table"]
    names = [put(tags["head"], view.name, href=f"/tool/{view.slug}") for view in views]
    lines = [("Category", [view.category for view in views]), ("Tagline", [view.tagline for view in views])]
    lines.append(("Verdict", [_chip(view) for view in views]))
    for number, stat in enumerate(views[0].stats):
        lines.append((stat.label, [view.stats[number].value for view in views]))
    lines.append(("Description", [view.description + view.inside for view in views]))
    rows = [put(tags["head_row"], put(tags["corner"], "") + "".join(names))]
    for label, values in lines:
        row = put(tags["label"], label) + "".join(put(tags["cell"], value) for value in values)
        rows.append(put(tags["row"], row))
    return "".join(rows)


def _chip(view: CardView) -> str:
    return f"<div>{view.before_chip}</div>{view.chip}" if view.before_chip else view.chip


def _table(page: Page, layout: Mapping[str, Any], name: str, heading: str) -> str:
    grids = page.decision if name == "decision" else page.scorecard
    if not grids:
        return ""
    written = "".join(grid(part, layout, name) for part in grids)
    return put(layout["section"], put(layout["heading"], heading) + written)


def grid(view: Grid, layout: Mapping[str, Any], name: str) -> str:
    tags = layout[name]
    width = max((len(row.cells) for row in view.rows if isinstance(row, Row)), default=2)
    rows = []
    if view.heads is not None:
        corner = put(tags["corner"], view.corner)
        rows.append(put(tags["head_row"], corner + "".join(put(tags["head"], head) for head in view.heads)))
    for row in view.rows:
        if isinstance(row, Notice):
            rows.append(put(tags["notice"], row.html))
            continue
        cells = "".join(put(tags["cell"], _parts(cell, layout)) for cell in row.cells if not cell.is_absent)
        rows.append(put(tags["row"], put(tags["label"], "".join(_part(part, layout) for part in row.label)) + cells))
    title = put(layout["subheading"], view.title) if view.title else ""
    return title + put(tags["grid"], "".join(rows), columns=str(width + 1))


def _parts(cell: Cell, layout: Mapping[str, Any]) -> str:
    return "".join(_part(part, layout) for part in cell.parts)


def _part(part: Part, layout: Mapping[str, Any]) -> str:
    if part.role in ("block", "value", "label", "reviewer"):
        return part.html
    return put(layout["part"][part.role], _split(part.html, layout) if part.role == "head" else part.html)


def _split(html: str, layout: Mapping[str, Any]) -> str:
    """A text as React's server writes it: what was put in and what stood there, with comments between."""
    if not layout.get("splits_texts") or "<" in html:
        return html
    return re.sub(r"^(\d+)(/100 · |%)", r"\1<!-- -->\2<!-- -->", html)
