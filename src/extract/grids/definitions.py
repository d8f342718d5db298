"""Lists of definitions below headings, with the same terms: a grid with a column a heading, a row a term. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verdicts.extract.grids.grid import Defect, Grid, GridCell
from verdicts.extract.html.cell_text import EMPTY, CellText, cell_text
from verdicts.extract.html.elements import Element

SHARED_SHARE = 0.5
"""Of the terms of a list so many stand in the first one: lists of other things are no columns beside each other."""


@dataclass(frozen=True, slots=True)
class DefinitionList:
    """A `dl`, and the heading that it stands below; None where it stands below none."""

    element: Element
    heading: CellText | None


def read_definitions(lists: Sequence[DefinitionList], ids: Mapping[str, Element]) -> Grid | None:
    """The grid of the lists of a page that have terms in common, in its order; None where there are not two."""
    columns: list[tuple[CellText, dict[str, CellText]]] = []
    is_doubled = False
    for found in lists:
        terms = dict(_terms(found.element, ids))
        if found.heading is None or not found.heading.text or not terms:
            continue
        shared = not columns or len(terms.keys() & columns[0][1].keys()) >= SHARED_SHARE * len(terms)
        same = [known for heading, known in columns if heading.text == found.heading.text]
        if same:
            is_doubled |= terms not in same
        elif shared:
            columns.append((found.heading, terms))
    if len(columns) < 2:
        return None
    names = list(dict.fromkeys(term for _, terms in columns for term in terms))
    lines = [[EMPTY, *(heading for heading, _ in columns)]]
    lines += [[CellText(name), *(terms.get(name, EMPTY) for _, terms in columns)] for name in names]
    cells = tuple(
        GridCell(row, column, 1, 1, 0, row == 0, None, said)
        for row, line in enumerate(lines)
        for column, said in enumerate(line)
    )
    defects = (Defect("copies_differ", 0, 0),) if is_doubled else ()
    return Grid("definitions", len(lines), len(columns) + 1, cells, defects=defects)


def _terms(element: Element, ids: Mapping[str, Element]) -> Iterator[tuple[str, CellText]]:
    """Each term and what it is, several definitions as one text. A group of both may have an element around it."""
    term: str | None = None
    said: list[CellText] = []
    for tag, attributes, children in _parts(element):
        text = cell_text((tag, attributes, children), ids)
        if tag == "dt":
            if term and said:
                yield term, _joined(said)
            term, said = (text.text or "").removesuffix(":").strip(), []
        else:
            said.append(text)
    if term and said:
        yield term, _joined(said)


def _parts(element: Element) -> Iterator[Element]:
    for child in element[2]:
        if isinstance(child, tuple):
            if child[0] in {"dt", "dd"}:
                yield child
            elif child[0] == "div":
                yield from _parts(child)


def _joined(said: Sequence[CellText]) -> CellText:
    texts = [each.text for each in said if each.text]
    return replace(said[0], text=", ".join(texts) or None, is_unreadable=any(each.is_unreadable for each in said))
