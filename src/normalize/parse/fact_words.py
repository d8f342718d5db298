"""What tables of comparisons call the facts that are read out of them, as data (en, de, fr, es, it, pt, nl)."""

import re
from collections.abc import Mapping

from verdicts.corpus.enumerations import FactKind

_LABELS: Mapping[FactKind, frozenset[str]] = {
    "price": frozenset(
        {"price", "prices", "pricing", "cost", "starting price", "starts at", "starting at", "paid plan", "paid plans"}
        | {"price per month", "monthly price", "preis", "preise", "kosten", "prix", "tarif", "tarifs", "precio"}
        | {"precios", "prezzo", "prezzi", "preço", "preços", "prijs", "prijzen"}
    ),
    "free_plan": frozenset(
        {"free plan", "free version", "free tier", "has free plan", "free forever plan", "kostenlose version"}
        | {"gratis-version", "version gratuite", "plan gratuit", "plan gratuito", "versión gratuita", "piano gratuito"}
    ),
    "rating": frozenset(
        {"rating", "ratings", "our rating", "score", "our score", "user rating", "g2 rating", "overall rating"}
        | {"bewertung", "note", "puntuación", "voto", "nota", "beoordeling"}
    ),
    "platform": frozenset(
        {"platforms", "platform", "supported platforms", "operating system", "operating systems", "works on", "os"}
        | {"available on", "plattformen", "plattform", "betriebssystem", "plateformes", "plataformas", "piattaforme"}
    ),
    "license": frozenset({"license", "licence", "licensing", "lizenz", "licencia", "licenza", "licença", "licentie"}),
    "launched": frozenset(
        {"launched", "launch year", "founded", "year founded", "released", "release year", "first release"}
        | {"gegründet", "fondée", "lanzamiento", "fundada", "fondata", "opgericht"}
    ),
}
KIND_OF: Mapping[str, FactKind] = {label: kind for kind, labels in _LABELS.items() for label in labels}
"""By the label, folded."""

YES = frozenset({"yes", "ja", "oui", "sí", "si", "sì", "sim", "✓", "✔", "✅", "available", "included", "true", "free"})
NO = frozenset({"no", "nein", "non", "não", "nee", "✗", "✘", "❌", "none", "not available", "false", "no free plan"})

_PLATFORMS: Mapping[str, tuple[str, ...]] = {
    "web": ("web", "browser", "web app", "web-based", "webapp", "online", "cloud", "saas"),
    "windows": ("windows", "win", "windows desktop"),
    "macos": ("macos", "mac", "mac os", "os x", "mac desktop", "apple macos"),
    "linux": ("linux", "ubuntu"),
    "ios": ("ios", "iphone", "ipad", "ipados", "iphone/ipad"),
    "android": ("android",),
    "browser_extension": ("chrome", "chrome extension", "browser extension", "firefox", "edge", "safari"),
    "command_line": ("cli", "command line", "terminal"),
    "api": ("api", "rest api"),
    "editor": ("vs code", "vscode", "visual studio code", "jetbrains", "neovim", "vim"),
    "self_hosted": ("self-hosted", "self hosted", "on-premise", "on-premises", "docker"),
}
PLATFORM_OF: Mapping[str, str] = {word: platform for platform, words in _PLATFORMS.items() for word in words}
PLATFORM_ENDS = re.compile(r"\s(?:\d[\d.]*+\+?|app|desktop|only)$")
"""What may follow a platform: `iOS 15+`."""
PLATFORM_PARTS = re.compile(r"\s?[,;•·|&+]\s?|\s(?:and|und|et|y|e|en)\s|\s/\s|/(?!ipad)")

LICENSE_WORDS = frozenset({"proprietary", "closed source", "open source", "source available", "public domain"})

YEAR = re.compile(
    r"(?:[A-Za-zäéûç]{3,10}\.?\s)?(?:\d{1,2}(?:st|nd|rd|th)?,?\s)?(?P<last>(?:19|20)\d\d)|(?P<first>(?:19|20)\d\d)-\d\d(?:-\d\d)?"
)
"""`2021`, `March 2021`, `Nov 30, 2022`, `2021-03-01`."""
