"""What tells which cells of a table name tools, as data: points of the evidence, and words (en, de, fr, es)."""

from collections.abc import Mapping

from verdicts.corpus.enumerations import NameEvidence
from verdicts.extract.generic.list_words import BEST_FOR, CONS, DETAILS, PRICE, PROS, RATING
from verdicts.extract.generic.stated import key

POINTS: Mapping[NameEvidence, int] = {
    "headings": 4,
    "stated": 4,
    "links": 2,
    "corner": 2,
    "attributes": 2,
    "types": 2,
}

ACCEPTED_POINTS, AHEAD_POINTS, KINDS_MIN = 5, 3, 2
"""Points that names need, how far they are ahead of those of the other direction, and from how many kinds."""

PARTS_POINTS = 6
"""Points that names need in what is no table by its markup: much of a page is elements side by side."""

SHARE = 0.5
EMPTY_SHARE_MAX = 0.49

TOOL_WORDS = frozenset(
    {"tool", "tools", "product", "products", "software", "app", "apps", "platform", "service", "provider", "solution"}
    | {"name", "company", "brand", "vendor", "model", "alternative", "plugin", "extension", "framework", "library"}
    | {"produkt", "anbieter", "programm", "werkzeug", "modell", "outil", "produit", "logiciel", "fournisseur"}
    | {"herramienta", "producto", "proveedor", "programa"}
)
"""Corners over names that stand below each other."""

FEATURE_WORDS = frozenset(
    {"feature", "features", "criteria", "criterion", "attribute", "aspect", "category", "specification", "specs"}
    | {"merkmal", "funktion", "funktionen", "kriterium", "critère", "critères", "fonctionnalité", "característica"}
)
"""Corners over attributes, whose names stand beside each other."""

PLAN_WORDS = frozenset(
    {"free", "pro", "basic", "starter", "team", "teams", "business", "enterprise", "premium", "plus", "standard"}
    | {"individual", "personal", "professional", "advanced", "growth", "essential", "monthly", "yearly", "annual"}
)
"""What plans of one product are called: a table of them compares no tools."""

BESIDE_NAMES = frozenset(
    {"from", "starting", "starts", "at", "visit", "try", "get", "read", "our", "best", "winner", "top", "rating", "by"}
    | {"plan", "review", "website", "ab", "beste", "testen", "à", "desde", "da"}
)
"""Words behind a name in a head, of which no name of another tool begins: `Alpha from $9`."""

PRODUCT_ATTRIBUTES = frozenset(
    key(label)
    for label in BEST_FOR
    | PRICE
    | RATING
    | PROS
    | CONS
    | DETAILS
    | frozenset(
        {"best", "free version", "paid plans", "paid plan", "price per month", "monthly price", "standout feature"}
        | {
            "key feature",
            "main features",
            "our verdict",
            "verdict",
            "ease of use",
            "support",
            "integrations",
            "platform",
        }
        | {"licence", "open source", "self hosted", "mobile app", "users", "storage", "trial", "free tier", "developer"}
        | {"g2 rating", "reviews", "user rating", "ratings", "link", "operating system", "supported platforms", "api"}
    )
)
"""What is said of products and hardly of anything else; compared by key."""
