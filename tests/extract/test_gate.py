"""Pages of a second generator: none may be trusted and wrong. Floors and the digest of the pages are pinned."""

import ast
import sys
import tomllib

from builders.other_site import cases, gate
from builders.other_site.gate import read
from builders.paths import BUILDERS

FLOORS = tomllib.loads((BUILDERS / "gate_floors.toml").read_text(encoding="utf-8"))

READERS = {"gate.py", "comparing.py", "row_values.py"}
"""The modules that read pages. The others make them."""


def test_no_page_is_silently_wrong_and_no_class_falls_below_its_floor():
    pages = list(cases.share())
    assert len(pages) == FLOORS["pages"]
    assert cases.digest(pages) == FLOORS["digest"], "other pages: measure again with benchmarks.fidelity"
    classes = dict(gate.grouped([read(case) for case in pages], lambda reading: reading.case.family))
    assert classes["all"]["silent pages"] <= FLOORS["silent_pages"]
    right = {name: counts["all right"] for name, counts in classes.items()}
    assert sorted(right) == sorted(FLOORS["all_right"])
    assert {name: count for name, count in right.items() if count < FLOORS["all_right"][name]} == {}


def test_the_pages_are_made_without_the_extractor_and_without_the_first_generator():
    imported = set()
    for path in (BUILDERS / "other_site").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if path.name not in READERS:
            imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    foreign = {module for module in imported if not module.startswith("builders.other_site")}
    assert {module for module in foreign if module.partition(".")[0] not in sys.stdlib_module_names} == {
        "builders.paths"
    }
