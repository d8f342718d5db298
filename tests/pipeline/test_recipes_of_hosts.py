"""Recipes of a data folder: workers read by them, on this machine and past it, and a change reads pages again."""

from datetime import UTC, datetime

import pytest

from builders.snapshots import keep_pages
from verdicts.extract.declarations import Declarations
from verdicts.extract.model.records import Document
from verdicts.extract.recipes.recipe import NO_RECIPES, Recipes
from verdicts.fetch.objects import open_objects
from verdicts.fetch.store.store import open_store
from verdicts.normalize.parse.tool_values import choose_tools
from verdicts.pipeline.build.extraction import bring_records_up_to_date
from verdicts.pipeline.build.record_files import read_records
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.declaration_files import read_recipes
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.logs import FailureLog
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.pipeline.scale.shipping import extract_at_scale, ship

NIGHT = datetime(2026, 11, 1, tzinfo=UTC)
PAGE = b"""<title>Our shelf</title><p>We keep these two tools on our shelf and look at them once a year.</p>
<div class=card><b>Larkpad</b><p>Price: $9</p></div><div class=card><b>Finchnote</b><p>Price: $12</p></div>"""
RECIPE = """[tools]
css = ".card"
[tools.fields]
name = { css = "b" }
"""
PRICES = 'price = { label = "Price" }\n'


@pytest.fixture
def folder(tmp_path):
    folder = DataFolder(tmp_path / "data")
    with open_store(folder.root, command="test") as store:
        keep_pages(store, [("/picks", PAGE)], NIGHT, "https://shelf.example")
    return folder


def recipe(folder: DataFolder, text: str) -> Recipes:
    folder.recipes.mkdir(exist_ok=True)
    (folder.recipes / "shelf.example.toml").write_text(text)
    return read_recipes(folder.recipes)


def read(folder: DataFolder, recipes: Recipes) -> list[tuple[str, str | None]] | None:
    """Name and price of each tool, as the record files have them."""
    with open_store(folder.root, command="test", read_only=True) as store:
        index = store.index()
    told = FailureLog()
    files = bring_records_up_to_date(
        index, folder.raw, folder.records, lambda *_: None, told, declared=Declarations(recipes)
    )
    (record,) = read_records(files)
    assert isinstance(record.extracted, Document)
    compared = record.extracted.side_by_side
    return None if compared is None else [(tool.name, tool.price) for tool in choose_tools(compared)[0]]


def test_a_page_is_read_again_when_a_recipe_says_something_else(folder):
    assert read(folder, NO_RECIPES) is None
    assert read(folder, recipe(folder, RECIPE)) == [("Larkpad", None), ("Finchnote", None)]
    assert read(folder, recipe(folder, RECIPE + PRICES)) == [("Larkpad", "$9"), ("Finchnote", "$12")]
    assert read(folder, NO_RECIPES) is None


def test_a_comment_in_a_recipe_reads_nothing_again(folder):
    read(folder, recipe(folder, RECIPE))
    (file,) = folder.records.glob("*.parquet")
    written = file.stat().st_mtime_ns
    read(folder, recipe(folder, "# Cards of our shelf\n" + RECIPE))
    assert [(path, path.stat().st_mtime_ns) for path in folder.records.glob("*.parquet")] == [(file, written)]


def test_past_one_machine_the_records_are_the_same(folder, tmp_path):
    recipes = recipe(folder, RECIPE + PRICES)
    objects = open_objects(str(tmp_path / "store"))
    with open_store(folder.root, command="test", read_only=True) as store:
        ship(store, folder, objects, lambda *_: None)
    (name,) = extract_at_scale(objects, LocalEngine(1), FailureLog(), lambda *_: None, declared=Declarations(recipes))
    read(folder, recipes)
    (alone,) = folder.records.glob("*.parquet")
    assert (name, objects.read(name)) == (f"records/{alone.name}", alone.read_bytes())


def test_all_that_is_wrong_in_a_folder_of_recipes_is_told_at_once(folder):
    recipe(folder, RECIPE)
    (folder.recipes / "a.example.toml").write_text("[tools]\nfields = {}\n")
    (folder.recipes / "b.example.toml").write_text("alway = true\n" + RECIPE)
    with pytest.raises(ConfigError, match=r"a\.example\.toml: tools: say what .*b\.example\.toml: there is no key"):
        read_recipes(folder.recipes)
