"""Imports run one way; what is pure stays pure."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import extract
import fetch
import fixtures
import flows
import normalize
import warehouse

MAY_IMPORT = {
    "fetch": set(),
    "extract": {"fetch"},
    "normalize": {"fetch", "extract"},
    "warehouse": {"fetch", "extract", "normalize"},
    "flows": {"fetch", "extract", "normalize", "warehouse", "fixtures"},
    "fixtures": set(),
}
PACKAGES = {
    package.__name__: Path(package.__path__[0]) for package in (fetch, extract, normalize, warehouse, flows, fixtures)
}
IMPURE = {
    "aiohttp",
    "asyncio",
    "datetime.now",
    "httpx",
    "os",
    "pathlib",
    "random",
    "socket",
    "sqlite3",
    "subprocess",
    "time",
}


def imported(package: str) -> Iterator[tuple[Path, str]]:
    for path in sorted(PACKAGES[package].rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [item.name for item in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            yield from ((path, name.partition(".")[0]) for name in names)


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_what_stands_before_it(package):
    others = set(MAY_IMPORT) - {package} - MAY_IMPORT[package]
    assert [(path.name, name) for path, name in imported(package) if name in others] == []


@pytest.mark.parametrize("package", ["extract", "normalize"])
def test_a_pure_package_has_no_network_clock_or_disk(package):
    assert [(path.name, name) for path, name in imported(package) if name in IMPURE] == []


@pytest.mark.parametrize("package", ["fetch", "extract", "normalize", "warehouse"])
def test_every_public_name_of_a_package_is_there_and_sorted(package):
    module = {"fetch": fetch, "extract": extract, "normalize": normalize, "warehouse": warehouse}[package]
    upper_first = sorted(module.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert list(module.__all__) == upper_first
    assert all(hasattr(module, name) for name in module.__all__)
