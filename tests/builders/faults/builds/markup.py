"""HTML made to hurt: nesting, sizes, spans. Each costs itself, is refused or read, and no neighbour pays."""

from collections.abc import Callable
from functools import partial

from builders.faults.page_case import ANY, DEMO, PageCase

KIND = "hostile markup"
WORDS = b"<p>Some words of a paragraph that a reader may keep.</p>"


def whole(body: Callable[[], bytes]) -> bytes:
    return b"<html><body>" + body()


BODIES = {
    "200,000 nested divs": lambda: b"<div>" * 200_000,
    "100,000 nested lists": lambda: b"<ul><li>" * 50_000,
    "100,000 nested spans": lambda: b"<span>" * 100_000 + WORDS,
    "tables in tables": lambda: b"<table><tr><td>" * 20_000,
    "formatting in formatting": lambda: b"<b><i>" * 50_000,
    "links in formatting": lambda: b"<a href=x><b>" * 30_000,
    "the adoption agency": lambda: b"<b><p>" * 20_000 + b"</b>" * 20_000,
    "selects in selects": lambda: b"<select><option>" * 50_000,
    "nested templates": lambda: b"<template>" * 50_000,
    "nested svg": lambda: b"<svg><g>" * 50_000,
    "nested math": lambda: b"<math><mi>" * 50_000,
    "foreign and back": lambda: b"<svg><foreignObject><p>" * 20_000,
    "nested forms": lambda: b"<form><button>" * 30_000,
    "open comment": lambda: b"<!-- " + b"x " * 500_000,
    "comments": lambda: b"<!---->" * 200_000,
    "plaintext": lambda: b"<plaintext>" + WORDS * 1_000,
    "a frameset": lambda: b"<frameset><frame src=x>" * 10_000,
    "20,000 attributes": lambda: b"<div " + b" ".join(b"a%d=1" % number for number in range(20_000)) + b">x</div>",
    "an attribute of 2 MB": lambda: b'<div title="' + b"x" * 2_000_000 + b'">x</div>',
    "huge spans": lambda: b"<table><tr><td colspan=9000000000000000>x<td rowspan=100000000>y</table>",
    "negative spans": lambda: b"<table><tr><td colspan=-5 rowspan=-9>x<td colspan=0 rowspan=0>y</table>" + WORDS,
    "spans of 1,000 by 65,534": lambda: b"<table>" + b"<tr><td colspan=1000 rowspan=65534>x" * 300 + b"</table>",
    "overlapping spans": lambda: b"<table>" + b"<tr>" + b"<td rowspan=200 colspan=3>x" * 60 + b"</table>" * 2,
    "a table of 400 by 400": lambda: b"<table>" + (b"<tr>" + b"<td>x" * 400) * 400 + b"</table>",
    "a table of one row": lambda: b"<table><tr>" + b"<td>x" * 100_000 + b"</table>",
    "a table of one column": lambda: b"<table>" + b"<tr><td>x" * 100_000 + b"</table>",
    "50,000 paragraphs": lambda: b"<p>A short one.</p>" * 50_000,
    "50,000 headings": lambda: b"<h2>A short one</h2>" * 50_000,
    "50,000 breaks": lambda: b"words<br>" * 50_000,
    "100,000 entities": lambda: b"&amp;&lt;&copy" * 100_000,
    "1 MB of <": lambda: b"<" * 1_000_000,
    "1 MB of &": lambda: b"&" * 1_000_000,
    "a word of 5 MB": lambda: b"x" * 5_000_000,
    "a line of 20 MB": lambda: b"x " * 10_000_000,
    "NULs": lambda: b"\0" * 1_000_000,
    "a doctype of 1 MB": lambda: b"<!doctype " + b"x" * 1_000_000 + b">" + WORDS,
    "a title of 1 MB": lambda: b"<title>" + b"t " * 500_000 + b"</title>" + WORDS,
    "a script of 5 MB": lambda: b"<script>" + b"x=1;" * 1_250_000 + b"</script>" + WORDS,
    "a JSON script without end": lambda: b'<script type="application/json">{"a":' + b"[" * 100_000,
    "a data script of nested lists": lambda: b'<script type="application/json">' + b"[" * 90_000 + b"]" * 90_000,
    "a thousand mains": lambda: b"<main><article>" * 1_000 + WORDS,
    "many of one id": lambda: b"<div id=x class='a b c'>x</div>" * 50_000,
    "hidden in hidden": lambda: b"<div hidden><div aria-hidden=true style='display:none'>" * 20_000 + WORDS,
    "styles without end": lambda: b"<div style='" + b"display:none;" * 50_000 + b"'>x</div>" + WORDS,
    "aria tables in tables": lambda: b"<div role=table><div role=row><div role=cell>" * 10_000,
    "superscripts in superscripts": lambda: b"<sup>" * 50_000 + b"1",
    "definition lists": lambda: b"<dl><dt>x<dd>y" * 20_000,
    "Panel ship a thousand times": lambda: b"<p>Panel ship</p><p>75%</p>" * 20_000,
    "Decision a thousand times": lambda: b"<h2>Decision</h2><table><tr><td>Pricing<td>$1<td>$2</table>" * 3_000,
    "Reviewer scorecard a thousand times": lambda: b"<h2>Reviewer scorecard</h2><p>Builder</p><p>88/100</p>" * 3_000,
    "a title of vs": lambda: b"<h1>" + b"A vs " * 5_000 + b"B</h1><table><tr><td>x<td>y</table>",
}  # fmt: skip

CASES = tuple(
    PageCase(
        KIND,
        f"{name}{where}",
        "faults 62",
        partial(whole, body),
        site=site,
        path=path and path.format(number),
        kinds=ANY,
    )
    for number, (name, body) in enumerate(BODIES.items())
    for where, site, path in (
        ("", "http://other.example", None),
        (", called a comparison", DEMO, "/compare/evil-{}-vs-evil"),
    )
)
