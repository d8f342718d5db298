"""Imports run one way, and a room is taken in at a glance: `layers.toml` declares packages and rooms."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import verdicts

PACKAGE = Path(verdicts.__file__).parent

MODULES_MAX = 18
"""Modules of one room, at most: what one takes in at a glance. A package's small rooms are modules of it."""


def test_imports_run_one_way_and_what_is_pure_stays_pure():
    layers = Path(__file__).with_name("layers.toml")
    # In a process of its own: it keeps the captured output of this test for the log of all others.
    call = [Path(sys.executable).with_name("lint-imports"), layers, "--no-cache"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_room_is_taken_in_at_a_glance():
    modules = Counter(path.parent for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    assert {str(room): count for room, count in modules.items() if count > MODULES_MAX} == {}


def test_every_folder_of_modules_says_what_it_is_for():
    for room in {path.parent for path in PACKAGE.rglob("*.py")}:
        assert ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))), room


def test_no_package_has_the_name_of_a_module_of_the_standard_library():
    assert not {path.name for path in PACKAGE.iterdir()} & set(sys.stdlib_module_names)
