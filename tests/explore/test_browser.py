"""Every page in a real browser, over texts that are meant to break it."""

import json
from collections import Counter
from pathlib import Path
from urllib.request import urlopen

import pytest

from builders.explore_browser import HEIGHT, NARROW, WIDE, Tab, browser, serve_pages
from builders.many_nights import make_data

SIZES = (1280, NARROW)
SCHEMES = ("light", "dark")

OF_A_SHAPE = 2
"""Pages that are opened of one shape, such as `/tools/ID`: the corpus has many."""


@pytest.fixture(scope="module")
def chromium():
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serve_pages(make_data(tmp_path_factory.mktemp("many-nights") / "data")) as made:
        yield made


SPOILT = """() => [...document.querySelectorAll("main svg")].flatMap(svg => {
  const shown = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim());
  const frame = svg.getBoundingClientRect(), scale = frame.width / (svg.viewBox.baseVal.width || frame.width);
  const small = shown.filter(text => parseFloat(getComputedStyle(text).fontSize) * scale < 9);
  const boxes = shown.map(text => [text.textContent, text.getBoundingClientRect()]);
  const meet = ([, a], [, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const outside = ([, box]) => box.left < frame.left - 2 || box.right > frame.right + 2;
  return [
    ...boxes.filter(outside).map(([label]) => `'${label}' leaves its picture`),
    ...small.map(text => `'${text.textContent}' is too small to read`),
    ...boxes.flatMap((one, at) => boxes.slice(0, at).filter(other => meet(one, other)).map(
      other => `'${one[0]}' stands on '${other[0]}'`)),
  ];
})"""
"""Labels of pictures that cannot be read: below 9 pixels on the screen, beside their picture, or on one another."""


UNTOLD = """() => [
  ...[...document.querySelectorAll("h1, h2, h3, h4")].map(head => Number(head.tagName[1])).flatMap(
    (level, at, all) => level > (at ? all[at - 1] : 0) + 1 ? [`h${level} follows h${at ? all[at - 1] : 0}`] : []),
  ...[...document.querySelectorAll("th:not([scope])")].map(head => `'${head.textContent}' heads no row or column`),
  ...[...document.querySelectorAll("input, select, textarea")].filter(
    field => field.type !== "hidden" && !field.labels.length && !field.ariaLabel).map(
      field => `${field.name} has no label`),
  ...[...document.querySelectorAll("svg:not([aria-hidden])")].filter(
    svg => !svg.getAttribute("aria-label")).map(() => "a picture has no words"),
  ...[...document.querySelectorAll("main *")].filter(box => box.scrollWidth > box.clientWidth + 1
    && ["auto", "scroll"].includes(getComputedStyle(box).overflowX) && box.tabIndex < 0).map(
    box => `<${box.tagName} class="${box.className}"> scrolls without a keyboard's reach`),
]"""
"""What readers without eyes or without a mouse do not get."""


UNSEEN = """() => {
  const opaque = colour => (colour.match(/[\\d.]+/g).map(Number)[3] ?? 1) > 0.5;
  const why = one => {
    const style = getComputedStyle(one);
    let {left, right, top, bottom} = one.getBoundingClientRect();
    if (right - left < 2 || bottom - top < 2) return "has no size";
    const ink = one.closest("svg") ? style.fill : style.color;
    if (!opaque(ink) || style.opacity < 0.5 || style.visibility !== "visible") return "is transparent";
    for (let around = one.parentElement; around !== document.body; around = around.parentElement) {
      const box = around.getBoundingClientRect(), how = getComputedStyle(around);
      if (how.opacity < 0.5) return "is transparent";
      if (["auto", "scroll"].includes(how.overflowX)) {
        if (left + around.scrollLeft < box.left - 1) return "cannot be scrolled to";
        [left, right] = [box.left, box.right];
      } else if (how.overflowX !== "visible") {
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
    }
    if (right - left < 2 || bottom - top < 2) return "is clipped away";
    const page = document.documentElement;
    return left < -1 || right > page.clientWidth + 1 || top + page.scrollTop < -1 ? "is off the page" : null;
  };
  const told = [...document.querySelectorAll("main :is(.verdict, .score, .name, h1, bdi, .n, dd):not(thead *)")];
  // A phone leaves out columns, and what is closed shows nothing; a verdict, a score and a name are never left out.
  return told.filter(one => one.textContent.trim()
    && (one.checkVisibility() || one.matches(".verdict, .score, .name, h1"))).flatMap(
    one => why(one) ? [`'${one.textContent.trim().slice(0, 40)}' ${why(one)}`] : []);
}"""
"""Verdicts, scores and names that are nowhere to be seen: beside the page, clipped away, transparent, of no size."""


FAINT = """() => {
    const part = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4 };
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const numbers = colour => colour.match(/[\\d.]+/g).map(Number);
    const ground = one => {
        for (; one; one = one.parentElement) {
            const colour = numbers(getComputedStyle(one).backgroundColor);
            if (colour.length === 3 || colour[3] > 0.5) return colour;
        }
        return [255, 255, 255];
    };
    const faint = [];
    for (const one of document.querySelectorAll("main *:not(title)")) {
        if (![...one.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        const style = getComputedStyle(one);
        const ink = numbers(one.closest("svg") ? style.fill : style.color);
        const [high, low] = [light(ink), light(ground(one))].sort((a, b) => b - a);
        if ((high + 0.05) / (low + 0.05) < 4.5)
            faint.push(`${one.tagName} ${one.textContent.slice(0, 40)} ${ink} on ${ground(one)}`);
    }
    return faint;
}"""
"""Words with a contrast below 4.5 to what is behind them, https://www.w3.org/TR/WCAG21/#contrast-minimum."""


SMALL = """() => {
  const targets = document.querySelectorAll("header a, footer a, button, summary, select, input:not([type=hidden])");
  return [...targets].filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 24).map(
    one => `'${one.textContent.trim()}' is too small to hit`);
}"""
"""Targets below 24 pixels, https://www.w3.org/TR/WCAG22/#target-size-minimum."""


AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
"""`npm install --no-save axe-core` puts it there. Without it the pages are judged by the rules above alone."""

BREAKS_A_RULE = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.flatMap(
  one => one.nodes.map(node => `${one.id}: ${node.html}`))"""


DRAWN = (
    "/questions/reviewer_leanings",
    "/questions/top_tools",
    "/questions/price_and_score",
    "/search?words=tag+editor",
)
"""Questions whose pictures name what a page wrote, as dots, bars and points; and a search that finds it."""


def shape(path: str) -> str:
    """`/tools/ID` for `/tools/080c...`; each page of the menu is a shape of its own."""
    first, *rest = path.partition("?")[0].strip("/").split("/")
    return f"/{first}{'/ID' if rest else ''}"


def unseen(tab, width) -> list[str]:
    """Faults of a page as it is drawn now; colours are the same at every width."""
    return tab.page.evaluate(UNSEEN) + tab.page.evaluate(SMALL if width == NARROW else FAINT)


PAGES = (
    "/ /tools /reviews /pages /mentioned /reviewers /prices /changes /nights /doubts /questions /sql /compare /glossary"
)


def one_of_each_kind(address) -> list[str]:
    """The path of each kind of page, of a tool, a review, a page, and of two tools side by side."""

    def listed(path):
        return json.load(urlopen(f"{address}/{path}"))["rows"]

    one, other = (row["tool_id"] for row in listed("tools.json?limit=2"))
    ((review, *_), (page, *_)) = listed("reviews.json?sort=lowest&limit=1"), listed("pages.json?limit=1")
    return [
        *PAGES.split(),
        f"/tools/{one}",
        f"/reviews/{review['review_id']}",
        f"/pages/{page['page_id']}",
        f"/compare?one={one}&other={other}",
    ]


def test_verdicts_scores_and_names_are_seen_on_every_kind_of_page(chromium, address):
    """On a desk and on a telephone, in light and in dark."""
    tab = Tab.open_at(chromium, address, viewport={"width": WIDE, "height": HEIGHT})
    seen, faults = set(), []
    for path in one_of_each_kind(address):
        tab.open(path)
        for width in SIZES:
            tab.page.set_viewport_size({"width": width, "height": HEIGHT})
            faults += [f"{path} is too wide for {width}"] * bool(tab.overflow())
            for scheme in SCHEMES:
                tab.page.emulate_media(color_scheme=scheme)
                faults += [f"{path}: {fault}, {width} px, {scheme}" for fault in unseen(tab, width)]
        seen |= {one.split()[-1] for one in tab.page.locator(".verdict").all_inner_texts()}
    tab.page.close()
    assert faults == []
    assert seen == {"ship", "mixed", "skip"}


@pytest.mark.whole
def test_no_page_asks_outside_fails_speaks_or_overflows_whatever_its_words_are(chromium, address):
    """From the first page on, by its links: the menu and two of every other shape; on a desk and on a telephone."""
    tab = Tab.open_at(chromium, address, viewport={"width": NARROW, "height": HEIGHT})
    waiting, opened, seen, verdicts = ["/", *DRAWN], Counter(), set(), set()
    while waiting:
        path = waiting.pop(0)
        if path in seen or opened[shape(path)] == (OF_A_SHAPE if "ID" in shape(path) else 3):
            continue
        seen.add(path)
        opened[shape(path)] += 1
        if (status := tab.open(path)) != 200:
            tab.faults.append(f"{path} answers {status}")
        for width in SIZES:
            tab.page.set_viewport_size({"width": width, "height": HEIGHT})
            if tab.overflow():
                tab.faults.append(f"{path} is {tab.overflow()} px too wide for {width}")
            tab.faults += tab.page.evaluate(SPOILT) + tab.page.evaluate(UNTOLD)
            for scheme in SCHEMES:
                tab.page.emulate_media(color_scheme=scheme)
                tab.faults += [f"{fault}, {width} px, {scheme}" for fault in unseen(tab, width)]
                if AXE.exists():
                    tab.page.evaluate(AXE.read_text(encoding="utf-8"))
                    tab.faults += [f"{fault}, {width} px, {scheme}" for fault in tab.page.evaluate(BREAKS_A_RULE)]
        verdicts |= set(tab.page.locator(".verdict").all_inner_texts())
        waiting += tab.links()
        assert tab.faults == [], path
    tab.page.close()
    menu = {
        "/",
        "/tools",
        "/reviews",
        "/pages",
        "/reviewers",
        "/prices",
        "/changes",
        "/nights",
        "/doubts",
        "/questions",
        "/sql",
        "/search",
        "/compare",
        "/glossary",
    }
    assert menu <= set(opened)
    assert {verdict.split()[-1] for verdict in verdicts} == {"ship", "mixed", "skip"}


def test_the_first_key_of_a_keyboard_offers_the_way_past_the_menu(chromium, address):
    tab = Tab.open_at(chromium, address, viewport={"width": NARROW, "height": HEIGHT})
    tab.open("/tools")
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.getBoundingClientRect().left") >= 0
    tab.page.keyboard.press("Enter")
    tab.page.keyboard.press("Tab")
    assert tab.page.evaluate("document.activeElement.closest('main') !== null")
    tab.page.close()
