"""Imports run one way, between packages and between the rooms of a package; what is pure stays pure."""

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

PACKAGES = (
    "corpus",
    "fetch",
    "extract",
    "normalize",
    "warehouse",
    "demo_site",
    "pipeline",
    "flows",
    "reading",
    "explore",
    "assistant",
    "commands",
)
"""Lowest first: each imports only from those before it."""

ROOMS = {
    "corpus": (),
    "fetch": ("given_files", "model", "objects", "http", "parse", "archives", "store", "care", "run"),
    "extract": ("model", "html", "grids", "panel", "statements", "generic", "recipes", "declarations", "page"),
    "extract.panel": (
        "profile",
        "texts",
        "take_heads",
        "take_columns",
        "take_rows",
        "take_words",
        "scorecard",
        "sections",
        "frames",
        "decision",
        "cards",
        "arrange",
        "comparison",
        "html_page",
    ),
    "normalize": (
        "components",
        "corrections",
        "parse",
        "identity",
        "isolation",
        "work",
        "dedup",
        "attribution",
        "rows",
        "external",
        "stages",
        "corpus",
    ),
    "warehouse": (
        "storage",
        "schema",
        "loading",
        "manifests",
        "parts",
        "serving",
        "exporting",
    ),
    "pipeline": (
        "terminal",
        "errors",
        "exit_codes",
        "prefect_api",
        "data_folder",
        "logs",
        "progress",
        "event_loop",
        "memory",
        "gates",
        "sources",
        "recipes",
        "corrections",
        "workers",
        "engine",
        "build",
        "scale",
        "publishing",
        "verify",
        "care",
        "steps",
        "nights",
        "night",
        "repair",
    ),
    "demo_site": (),
    "flows": (),
    "explore": ("figures", "copies", "rendering", "sql_child", "sql_cell", "visit", "editing", "pages", "token", "app"),
    "reading": ("story", "doubts", "corpus"),
    "assistant": ("answers", "calls", "server"),
    "commands": (
        "group",
        "options",
        "signals",
        "printing",
        "building",
        "publishing",
        "asking",
        "correcting",
        "viewing",
        "status",
        "nights",
        "care",
        "serve",
        "recipes",
        "doubting",
        "cli",
    ),
}
"""The rooms of a package or of a room, lowest first; a name that is no folder is a module that stands among them."""

MODULES_MAX = 18
"""Modules of one room, at most: what one takes in at a glance. A package's small rooms are modules of it."""

STRANGERS: dict[str, set[str]] = {"demo_site": set(), "corpus": set()}
"""Packages that import none of the others."""

MCP = {"anyio", "mcp", "mcp_types"}
"""The SDK of the Model Context Protocol takes a second to import."""

IMPURE = {
    "aiohttp",
    "asyncio",
    "httpx",
    "os",
    "random",
    "socket",
    "sqlite3",
    "subprocess",
    "time",
}


def folder(package: str) -> Path:
    spec = find_spec(f"verdicts.{package}")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def imports(package: str) -> Iterator[tuple[Path, str]]:
    """Each module of a package, as its path within it, and the dotted name of what it imports."""
    home = folder(package)
    for path in sorted(home.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path.relative_to(home), item.name.removeprefix("verdicts.")) for item in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                module = node.module.removeprefix("verdicts.")
                yield from ((path.relative_to(home), f"{module}.{item.name}") for item in node.names)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_stands_before_it(package):
    allowed = STRANGERS.get(package, set(PACKAGES[: PACKAGES.index(package)]))
    others = set(PACKAGES) - {package} - allowed
    assert [(str(path), name) for path, name in imports(package) if name.partition(".")[0] in others] == []


@pytest.mark.parametrize("house", [house for house, rooms in ROOMS.items() if rooms])
def test_a_room_imports_only_what_stands_before_it(house):
    places = {room: place for place, room in enumerate(ROOMS[house])}
    for path, name in imports(house):
        if not name.startswith(f"{house}."):
            continue
        there = name.removeprefix(f"{house}.").partition(".")[0]
        here = path.parts[0].removesuffix(".py")
        assert places[there] <= places[here], f"{path} imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_room_is_taken_in_at_a_glance(package):
    home = folder(package)
    crowded = {
        str(room): count
        for room in {path.parent for path in home.rglob("*.py")}
        if (count := len([*room.glob("*.py")]) - 1) > MODULES_MAX
    }
    assert crowded == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_of_modules_is_a_room_that_says_what_it_is_for(package):
    home = folder(package)
    for room in {path.parent for path in home.rglob("*.py")}:
        doc = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
        assert doc, room
    for house in (house for house in ROOMS if house.partition(".")[0] == package and ROOMS[house]):
        rooms = {path.parent.name for path in folder(house).glob("*/__init__.py")}
        assert rooms <= set(ROOMS[house])


@pytest.mark.parametrize("package", ["corpus", "extract", "normalize"])
def test_a_pure_package_has_no_network_clock_or_disk(package):
    assert [(str(path), name) for path, name in imports(package) if name.partition(".")[0] in IMPURE] == []


def test_prefect_is_imported_by_the_flows_alone():
    others = set(PACKAGES) - {"flows"}
    found = [
        (package, str(path)) for package in others for path, name in imports(package) if name.startswith("prefect")
    ]
    assert found == []


def test_the_protocol_of_assistants_is_imported_by_its_server_alone():
    found = {
        (package, str(path)) for package in PACKAGES for path, name in imports(package) if name.partition(".")[0] in MCP
    }
    assert found == {("assistant", "server.py")}


def test_no_package_has_the_name_of_a_module_of_the_standard_library():
    assert not set(PACKAGES) & set(sys.stdlib_module_names)
