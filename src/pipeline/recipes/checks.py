"""Whether a recipe still reads its pages as expected, field by field. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from verdicts.extract.recipes.recipe import Recipe
from verdicts.pipeline.recipes.pages import RecipePage, Values, read_with, values_of


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """A field on a page: its values as expected and as found."""

    page: str
    field: str
    expected: Sequence[str | None]
    found: Sequence[str | None]

    @property
    def is_as_expected(self) -> bool:
        return self.expected == self.found


def check_page(page: RecipePage, recipe: Recipe) -> tuple[list[FieldCheck], Values]:
    """Every field that is expected or found on a page, in this order; and all that is found."""
    expected = page.expected.fields or {}
    found = values_of(read_with(page.html, page.expected.url, recipe))
    name = f"{recipe.host}/{page.folder.name}"
    return [FieldCheck(name, one, expected.get(one, []), found.get(one, [])) for one in {**expected, **found}], found


def stale_fields(recipe: Recipe, newest: Values) -> list[str]:
    """Fields of the recipe that nothing fills on the newest of its pages."""
    declared = [
        f"{place}.{name}"
        for kind, records in (("tools", recipe.tools), ("reviews", recipe.reviews))
        if records is not None
        for place, names in ((kind, records.fields), ("rows", records.rows))
        for name in names
    ]
    return [name for name in declared if not any(newest.get(name, ()))]
