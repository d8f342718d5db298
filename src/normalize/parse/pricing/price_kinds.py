"""The words for what sort of tier stands without an amount, as data: free, open source, on request; licences."""

import re

from verdicts.corpus.enumerations import PriceKind
from verdicts.normalize.parse.pricing.price_grammar import ASIDE

FREE_KINDS = frozenset({"free", "open_source"})

FREE_TIER = re.compile(r"\bfree[ -](?:tier|plan|version|edition|option)\b", re.IGNORECASE)
"""Beside what is paid for there is something free: `Pay-per-token via X (free tier available)`."""

_OPEN_LICENSES = (
    r"Apache(?: License)?(?:[ ,-]{1,2}(?:v|version )?2(?:\.0)?)?|MIT|BSD(?:-\d-Clause)?"
    r"|[AL]?GPL(?:[ -]?v?\d(?:\.\d)?)?|MPL(?:[ -]2\.0)?|EUPL"
)
LICENSE = re.compile(
    rf"\b(?:{_OPEN_LICENSES}|CC[ -]BY(?:-\w+)*(?:[ -]\d\.\d)?"
    r"|(?:Llama(?: [\d.]+)? )?community licen[sc]e|OpenRAIL(?:-\w+)?)(?!\w)",
    re.IGNORECASE,
)

_USE = (
    r"pay[- ]per|pay[- ]as|\bPAYG\b|per[- ](?:token|request|image|minute|1[KM])|usage|credits|\bmetered\b"
    r"|consumption[- ]based|nutzungsbasiert|按量付费|従量課金"
)
_ON_REQUEST = (
    r"enterprise|(?:contact|talk to|speak (?:to|with)|ask) (?:sales|us\b|our|an expert|the team)|contact for pric"
    r"|\blet['’]s (?:talk|chat)\b|custom (?:pric\w{2,3}|quotes?|plans?|rates?)|(?:^|:\s?)custom\W*$|quote[- ]based"
    r"|\b(?:get|request|ask for) (?:a |an )?(?:custom )?(?:quote|pricing|price)\b|\b(?:up)?on (?:request|application)\b"
    r"|\bby (?:quote|request)\b|\bPOA\b|auf Anfrage|sur (?:devis|demande)|a consultar|sob consulta|op aanvraag"
    r"|su richiesta"
    r"|お問い?合わ?せ|要問い?合わ?せ|联系(?:我们|销售)|문의"
)
_NOT_GIVEN_FREE = (
    r"up(?! to)|your|trials?|demos?|months?|weeks?|days?|credits?|shipping|delivery|consultations?|domains?|migrations?"
    r"|samples?|setup|onboarding|updates?|upgrades?|returns?|gifts?|bonus(?:es)?|cancellations?|calls?|from"
    r"|of (?!charge|cost)"
)
_FREE_OF = "".join(
    rf"(?<!\b{word} free)"
    for word in (
        "risk",
        "hassle",
        "stress",
        "ad",
        "ads",
        "code",
        "tax",
        "royalty",
        "commission",
        "fee",
        "toll",
        "watermark",
    )
)
"""`Risk free` says what is lacking, as `hands-free` does."""

_FREE = (
    rf"(?:(?<![\w-])|\b(?:always|forever|totally|completely|entirely)-)free{_FREE_OF}(?:mium)?(?![\w-])(?!\s(?:{_NOT_GIVEN_FREE})\b)"
    r"|\bfree-(?:forever|to-use|tier|plan)\b"
    r"|(?<![\w-])(?:kostenlos|kostenfrei|gratis|gratuit[aeo]?s?|gratuitamente|grátis|za darmo"
    r"|ücretsiz|бесплатно|zdarma|ilmainen)(?![\w-])"
    r"|(?<!不)免费|(?<!不)免費|無料(?!体験|トライアル)|무료(?!\s?체험)"
)

TRIALS = re.compile(
    r"\b(?:essai|prueba|prova|proef|próba|deneme|test(?:version|phase|zeitraum)|probier\w{0,6})\b|试用|試用|体験|トライアル|체험"
    r"|\b(?:erste[rs]?|1\.|premier|primer|primo) (?:monat|mois|mes|mese)\b|\d\s?(?:天|日|일)"
    r"|\d (?:tage|wochen|monate|jours|mois|semaines|d[ií]as|meses|giorni|mesi|dagen|dni)\b",
    re.IGNORECASE,
)
"""Beside these nothing is free for good: `Essai gratuit`, `30 Tage kostenlos`. English ones are negated."""

_KIND_WORDS: tuple[tuple[PriceKind, str], ...] = (
    ("free", r"^free(?: (?:forever|tier|plan|version))?\s?(?:[:+]|(?:with|up to)\b)|^\d[^,;]{0,40}\sfree$"),
    ("usage", _USE),
    ("enterprise", _ON_REQUEST),
    ("open_source", rf"^open[- ]?(?:source|weights?)\b|(?:^|:\s?)(?:{_OPEN_LICENSES})(?:[- ]licen[sc]ed?)?$"),
    ("free", _FREE),
    ("open_source", r"open[- ]?source|open[- ]weights?|self[- ]host|オープンソース|开源"),
)
KINDS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KIND_WORDS)
"""Kinds of a tier without an amount, tried in this order on what stands outside parentheses and before a dash.

`Pay-per-token via X (free tier available)` is usage though it says free, `Free (open source)` is free, and
`Open source` alone is open_source. `hands-free`, `free shipping` and `7-day free trial` are not free.
"""


_WORD_ASIDE = re.compile(r"\(([^()\s]{1,20}(?: [^()\s]{1,20})?)\)")
"""`Hobby (free)`, `Teams (contact sales)`."""


def kind_of(text: str) -> PriceKind:
    """The kind that a tier's words say, outside its parentheses or by nothing else within them; `other`: none."""
    kind = _kind(ASIDE.sub(" ", text).strip())
    if kind == "other" and (aside := _WORD_ASIDE.search(text)):
        said = _kind(aside[1])
        return said if said in {"free", "enterprise"} else kind
    return kind


def _kind(words: str) -> PriceKind:
    kind: PriceKind = next((kind for kind, pattern in KINDS if pattern.search(words)), "other")
    return "other" if kind == "free" and TRIALS.search(words) else kind
