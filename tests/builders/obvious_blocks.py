"""The blocks of a page by the same rules, read node by node off Lexbor's tree: slow, recursive, easy to check."""

from itertools import accumulate

from selectolax.lexbor import LexborHTMLParser, LexborNode

from verdicts.extract.html.elements import CELLS, CONTROL_ROLE, CONTROLS, GLUED, HIDDEN, KEYS, PHRASING, PROSE, UNSEEN
from verdicts.extract.model.blocks import Block, clean

NOT_SEEN = f"{', '.join(UNSEEN)}, {HIDDEN}"
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BREAK = "\x00"


def obvious_blocks(html: str) -> list[Block]:
    """Without cells, and with whole paths."""
    tree = LexborHTMLParser(html, scripting=True)
    for node in tree.css(NOT_SEEN):
        node.decompose()
    return [] if tree.body is None else _blocks(tree.body, Block(""))


def _blocks(node: LexborNode, around: Block) -> list[Block]:
    """Of an element that breaks a line; `around` holds what its texts inherit, and the path up to it."""
    tag, children = node.tag, _children(node)
    chain = _to_one_text(children)
    like = Block(
        text="",
        level=HEADINGS.index(tag) + 1 if tag in HEADINGS else around.level,
        href=_link(node, around.href),
        path=around.path,
        is_key=around.is_key or tag in KEYS,
        is_inline=tag in PHRASING,
        is_control=around.is_control or _is_control(node) or any(map(_is_control, chain or ())),
    )
    splits = chain is None and _splits_inline(tag, children)
    blocks: list[Block] = []
    run: list[tuple[str, str | None]] = []

    def end() -> None:
        if text := _text(run):
            href = next((href for text, href in run if href and text.strip()), None)
            blocks.append(_with(like, text, href, like.path, _breaks(run)))
        run.clear()

    def read(children: list[LexborNode | str], href: str | None, is_own: bool) -> None:
        for child in children:
            if isinstance(child, str):
                run.append((child, href))
            elif child.tag == "br":
                run.append((BREAK, None))
            elif child.tag in PHRASING and not (splits and is_own):
                read(_children(child), _link(child, href), False)
            else:
                end()
                blocks.extend(_blocks(child, _with(like, "", href, (*like.path, node.mem_id))))

    read(children, like.href, True)
    end()
    return blocks if blocks or tag not in CELLS else [_with(like, "", None, like.path)]


def _with(like: Block, text: str, href: str | None, path: tuple[int, ...], breaks: tuple[int, ...] = ()) -> Block:
    return Block(text, like.level, href, path, None, like.is_key, like.is_inline, like.is_control, breaks)


def _children(node: LexborNode) -> list[LexborNode | str]:
    """Elements, and texts as long as they go."""
    children: list[LexborNode | str] = []
    for child in node.iter(include_text=True):
        if child.is_text_node and children and isinstance(children[-1], str):
            children[-1] += child.text_content
        elif child.is_text_node or child.is_element_node:
            children.append(child.text_content if child.is_text_node else child)
    return children


def _to_one_text(children: list[LexborNode | str]) -> list[LexborNode] | None:
    """The inline elements around the one text that an element holds; None where it holds anything else."""
    chain: list[LexborNode] = []
    while len(children) == 1:
        if isinstance(children[0], str):
            return chain
        if children[0].tag not in PHRASING:
            return None
        chain.append(children[0])
        children = _children(children[0])
    return None


def _splits_inline(tag: str, children: list[LexborNode | str]) -> bool:
    if tag in PHRASING or any(isinstance(child, str) and child.strip() for child in children):
        return False
    inline = sum(not isinstance(child, str) and child.tag in PHRASING for child in children)
    return tag not in PROSE or (tag in GLUED and inline > 1)


def _is_control(node: LexborNode) -> bool:
    return node.tag in CONTROLS or node.attributes.get("role") == CONTROL_ROLE


def _link(node: LexborNode, around: str | None) -> str | None:
    return node.attributes.get("href") or None if node.tag == "a" else around


def _lines(run: list[tuple[str, str | None]]) -> list[str]:
    return [line for line in map(clean, "".join(text for text, _ in run).split(BREAK)) if line]


def _text(run: list[tuple[str, str | None]]) -> str:
    return " ".join(_lines(run))


def _breaks(run: list[tuple[str, str | None]]) -> tuple[int, ...]:
    return tuple(accumulate((len(line) for line in _lines(run)[:-1]), lambda end, length: end + 1 + length))
