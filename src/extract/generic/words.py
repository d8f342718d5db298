"""What lists and tables of tools say, as data: labels, names and the evidence for them (en, de, fr, es, it, pt, nl)."""

import re
from collections.abc import Mapping

from verdicts.corpus.enumerations import NameEvidence
from verdicts.extract.generic.stated import key

LIST_WORDS = frozenset(
    {"best", "top", "alternative", "alternatives", "competitor", "competitors", "rivals"}
    | {"beste", "besten", "bester", "alternativen", "konkurrenten", "alternatieven"}
    | {"meilleur", "meilleurs", "meilleure", "meilleures", "concurrents"}
    | {"mejor", "mejores", "alternativa", "alternativas", "competidores"}
    | {"migliore", "migliori", "concorrenti", "melhor", "melhores", "concorrentes"}
)
"""A title with none of these is of no list of tools: `12 Ways to Save Money`."""

STATED_MAX = 150
"""Sections that a title may promise. `Best 365 apps` is a name."""

RANKED = re.compile(r"(?:#|n[ro°º]\.?\s?)?(\d{1,3})(?:[.):]|\s?[-–—])\s++(\S.*+)|#(\d{1,3})\s++(\S.*+)", re.IGNORECASE)
"""A heading with a rank: `1. Alpha`, `#1 Alpha`, `No. 1: Alpha`, `1) Alpha`. `7-Zip` and `1Password` have none."""

NAME_PARTS = re.compile(r"(?<=\s)[-–—|](?=\s)|:(?=\s)|(?<=\s)\(")
"""What parts the name in a heading from what is said of it: `Alpha: best for teams`, `Alpha (best overall)`."""

PRAISE = re.compile(r"(?:the\s)?(?:best|ideal|great|top|am besten|idéal|mejor|ideale|beste)\b", re.IGNORECASE)
"""How what is said of it begins, before the name or behind it: `Best for teams: Alpha`."""

NAME_MAX, WORDS_MAX = 60, 8
"""Characters and words of a name: longer ones are sentences."""

LABEL_MAX = 40
"""Characters of a label before its colon."""

VISIT = ("visit", "try", "get", "go to", "see", "check out", "start with", "website of")
"""Words before a name in a link to the tool."""

BEST_FOR = frozenset(
    {"best for", "ideal for", "great for", "am besten für", "geeignet für", "idéal pour", "ideal para", "ideale per"}
)
PRICE = frozenset(
    {"price", "prices", "pricing", "cost", "starting price", "starts at", "preis", "preise", "kosten", "prix"}
    | {"tarif", "tarifs", "precio", "precios", "prezzo", "prezzi", "preço", "preços", "prijs", "prijzen"}
)
RATING = frozenset({"rating", "our rating", "score", "our score", "bewertung", "note", "puntuación", "voto", "nota"})
PROS = frozenset({"pros", "advantages", "what we like", "vorteile", "avantages", "ventajas", "vantaggi", "vantagens"})
CONS = frozenset(
    {"cons", "disadvantages", "drawbacks", "what we don't like", "nachteile", "inconvénients", "desventajas"}
    | {"svantaggi", "desvantagens", "nadelen"}
)
ASIDES = frozenset(
    {"sponsored", "advertisement", "ad", "ads", "anzeige", "werbung", "publicité", "publicidad", "promoted"}
    | {"related", "read more", "see also", "also read", "read also", "read next", "further reading", "mehr dazu"}
    | {"siehe auch", "lesen sie auch", "lire aussi", "à lire aussi", "voir aussi", "leer también", "photo", "foto"}
    | {"image", "image credit", "bild", "source", "quelle", "disclosure"}
)
"""Labels of what somebody paid for, of other pages and of pictures: nothing that a page says of a tool."""

PRICE_ALONE = re.compile(
    r"(?:from\s|ab\s|dès\s|desde\s)?(?:[$€£¥₹]\s?\d[\d.,]*+|\d[\d.,]*+\s?(?:[$€£¥₹]|USD|EUR|GBP))"
    r"(?:\s?(?:/|per\s|a\s|pro\s|par\s|al\s)\s?(?:mo|month|monat|mois|mes|yr|year|jahr|an|año|user|seat)\w*+\.?)?+",
    re.IGNORECASE,
)
RATING_ALONE = re.compile(
    r"(?:[★☆⭐]++\s?)?(\d{1,3}(?:[.,]\d{1,2})?\s?(?:/|out of|von|sur|de)\s?(?:5|10|100))(?:\s?(?:★|stars?))?",
    re.IGNORECASE,
)
"""Texts that are a price or a rating and nothing else: in a section of one tool they need no label.
Stars beside a rating repeat it."""

DETAILS = frozenset(
    {"features", "key features", "platforms", "license", "licence", "free plan", "free trial", "website", "launched"}
)
LABELS = BEST_FOR | PRICE | RATING | PROS | CONS | DETAILS
"""Labels that are ones wherever they stand; any other is one where two sections have it before a colon."""


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


def unranked(text: str) -> str:
    """`1. Alpha` is Alpha."""
    ranked = RANKED.fullmatch(text)
    return text if ranked is None else ranked[2] or ranked[4]
