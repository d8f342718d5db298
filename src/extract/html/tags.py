"""What HTML elements mean for reading: which break a line, which are invisible, which matter when they are empty."""

UNREAD = frozenset(
    [
        *("script", "style", "template", "noscript", "noembed", "noframes", "iframe", "object", "select"),
        *("textarea", "dialog"),
    ]
)
"""Elements with text that no reader of the page is shown: hydration scripts repeat the content."""

STRUCK = frozenset({"del", "s", "strike"})
"""Elements with what no longer holds: `<del>$29</del> $19/mo` asks 19."""

UNSEEN = UNREAD | STRUCK | {"svg", "head"}
"""Elements without text of a block; icons carry titles."""

SCREEN_READER_CLASSES = frozenset({"sr-only", "visually-hidden", "screen-reader-text"})
"""Names that frameworks give to text for screen readers: it repeats what is visible, or says what an icon shows."""
HIDDEN_CLASSES = frozenset({"tooltip", "headerlink", "header-anchor", "heading-anchor", "anchorjs-link", "hash-link"})
"""Of what is shown over a word, and of the `#` or `¶` behind a heading that leads to itself."""
HIDDEN_STYLES = ("display:none", "visibility:hidden")
"""Written with a space behind the colon, too."""
STRUCK_STYLE = "line-through"
TOOLTIP_ROLE = "tooltip"

HIDDEN = ", ".join(
    [
        "[hidden]",
        *(f'[style*="{written}"]' for style in HIDDEN_STYLES for written in (style, style.replace(":", ": "))),
        f'[style*="{STRUCK_STYLE}"]',
        f'[role="{TOOLTIP_ROLE}"]',
        'a[aria-hidden="true"][href^="#"]',
        *(f".{name}" for name in sorted(SCREEN_READER_CLASSES | HIDDEN_CLASSES)),
    ]
)
"""What a reader of blocks does not see at once: hidden, struck out, for screen readers, or shown over a word."""

CONTROLS = frozenset({"button", "summary"})
CONTROL_ROLE = "button"
"""Elements, and the role of others, whose text is what they do: `Share`, `Read more`."""

UNESCAPED = "xmp, plaintext"
"""Obsolete elements that are seen and whose text HTML writes as it is, `<` and all."""

VOID = frozenset(
    [
        *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input"),
        *("keygen", "link", "meta", "param", "source", "track", "wbr"),
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
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "dfn", "em", "font", "i", "ins", "kbd"),
        *("label", "mark", "q", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    ]
)
"""Elements that do not break a line by themselves."""

BLOCK_TAGS = frozenset(
    [
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "dir", "div", "dl", "dt"),
        *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup"),
        *("hr", "legend", "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search"),
        *("section", "summary", "ul", "table", "caption", "colgroup", "thead", "tbody", "tfoot", "tr", "td", "th"),
    ]
)
"""Elements whose `display` parts lines in every browser (HTML standard, Rendering); any other element is inline."""

BLOCK_CLASSES = frozenset({"block", "d-block"})
"""Classes of Tailwind and Bootstrap that make an element a block."""

ICON_TAGS = frozenset({"img", "svg", "canvas", "input", "select", "textarea"})
"""Elements that show something and hold no text of the page: pictures, and fields that a reader fills."""

PROSE = frozenset(
    [
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "li", "dt", "dd", "td", "th", "caption"),
        *("figcaption", "summary", "title"),
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
