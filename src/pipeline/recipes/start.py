"""The first text of a recipe, with all that may stand in it as comments."""

import json

from verdicts.extract.recipes.page_view import page_view

START = """\
# The recipe of {host}. docs/recipes.md says how it is written; 'verdicts recipe try' shows what it reads.

# path = "/compare/"          # pages below this path alone
# always = true               # also where the other readers make something of a page: theirs does not hold then

[tools]
# What a tool is, by one of these lines:
css = {css}{pad}# a repeated element; 'verdicts recipe try' lists them
# heading = 2                 # all below each heading of this level
# statement = "Product"       # each schema.org item of this type
# table = "Price"             # each column or row of the table with these words at its edge
# names_in = "columns"        # beside table: the names stand on top ("columns") or at the left ("rows")
# count = 3                   # so many there are on a page

[tools.fields]
# A field is said by what stands before it, a heading, a statement, or an element:
name = {{ heading = 3 }}
price = {{ label = "Price" }}
# best_for = {{ label = ["Best for", "Ideal for"] }}
# rating = {{ statement = "aggregateRating.ratingValue" }}
# url = {{ css = "a", attribute = "href" }}
# description, category, rating_best, ratings, rank

# [tools.rows]
# Seats = {{ label = "Seats" }}

# [reviews]
# css = "li.review"
# [reviews.fields]
# text = {{ css = "p" }}
# author, rating, rating_best, published_on, tool
"""


def first_recipe(host: str, html: bytes, url: str) -> str:
    """A recipe to go on from: its records are the repeated elements of the page that hold most of its text."""
    shapes = page_view(html, url, None).shapes
    css = shapes[0][0] if shapes else "div.card"
    quoted = json.dumps(css, ensure_ascii=False)
    return START.format(host=host, css=quoted, pad=" " * max(1, 30 - len(f"css = {quoted}")))
