"""The sets of pages with answer keys that extraction is measured on, each with its digest and its reader."""

import tomllib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from builders import readings
from builders.paths import BUILDERS
from builders.scoring import Reading
from comparison_bench.gallery import pages as gallery

FLOORS = tomllib.loads((BUILDERS / "fidelity_floors.toml").read_text(encoding="utf-8"))


class PageSet(NamedTuple):
    """`pages` makes the set that the floors were measured on. `digest` covers pages and keys."""

    pages: Callable[[], Iterator[Any]]
    digest: Callable[[list[Any]], str]
    read: Callable[[Any], Reading]


SETS = {
    "gallery": PageSet(gallery.gallery_pages, gallery.digest, readings.read_gallery),
    "shapes": PageSet(gallery.shapes, gallery.digest, readings.read_gallery),
}
