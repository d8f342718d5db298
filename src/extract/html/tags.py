"""What HTML elements mean for reading: which break a line, which are invisible, which matter when they are empty."""

UNSEEN = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "head",
        "iframe",
        "object",
        "select",
        "textarea",
        "dialog",
        "del",
        "s",
        "strike",
    ]
)
"""Elements with text that is not shown, or no longer holds: hydration scripts repeat the content, icons carry titles,
`<del>$29</del> $19/mo` asks 19.
"""

HIDDEN = ", ".join(
    [
        "[hidden]",
        '[style*="display:none"]',
        '[style*="display: none"]',
        '[style*="visibility:hidden"]',
        '[style*="visibility: hidden"]',
        '[style*="line-through"]',
        '[role="tooltip"]',
        ".sr-only",
        ".visually-hidden",
        ".screen-reader-text",
        ".tooltip",
    ]
)
"""What a reader does not see at once. Classes are names that frameworks give to text for screen readers, which repeats
what is visible, and to text that is shown over a word.
"""

CONTROLS = frozenset({"button", "summary"})
CONTROL_ROLE = "button"
"""Elements, and the role of others, whose text is what they do: `Share`, `Read more`."""

UNESCAPED = "xmp, plaintext"
"""Obsolete elements that are seen and whose text HTML writes as it is, `<` and all."""

VOID = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
"""Elements that hold nothing and are written without an end tag."""

ROLES = {
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
}
"""ARIA's roles of tables, and the elements that are such by themselves: `<div role="cell">` is read as a cell."""

PHRASING = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
        "var",
        "wbr",
    ]
)
"""Elements that do not break a line by themselves."""

PROSE = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "li",
        "dt",
        "dd",
        "td",
        "th",
        "caption",
        "figcaption",
        "summary",
        "title",
    ]
)
"""Elements that hold one text even if it is made of inline elements alone: `<p><b>Free</b> <i>tier</i></p>`."""

CELLS = frozenset({"td", "th", "dd"})
"""Elements that become a block even when they are empty: an empty cell is a missing value."""

KEYS = frozenset({"th", "dt"})
"""Elements that label others."""

GLUED = frozenset({"li", "p"})
"""Elements of prose whose inline elements are units of their own where no text stands between them.

`<li><span>Panel ship</span><span>75%</span></li>` would read `Panel ship75%`.
"""

HEADINGS = {f"h{level}": level for level in range(1, 7)}
