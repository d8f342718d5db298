"""The first amount and currency of pricing strings, beside price-parser: right, wrong, refused, and time a string.

    uv run --group peers python -m benchmarks.prices [--rounds 15]

Answers are those of tests/normalize/price_strings.toml whose first part names an amount with its currency, or none.
The right amount without a currency is refused; zero without one is what `Free` means, and no amount.
"""

import re
import statistics
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping

from benchmarks import ROOT
from benchmarks.measuring import in_turns, make_options, markdown_table, ratio, select_installed
from verdicts.normalize.parse.price_terms import CURRENCIES
from verdicts.normalize.parse.prices import parse_price_tiers

First = tuple[float | None, str | None]
"""Amount and currency (ISO 4217)."""

STRINGS = ROOT / "tests" / "normalize" / "price_strings.toml"
MONEY = re.compile(r"(?:free|paid|usage)[ -](\d+(?:\.\d+)?)\S* ([A-Z]{3})")
"""`Pro: paid 20-40+ USD per month`: the lower end, or the upper one where it stands alone."""


def ours(text: str) -> First:
    tiers = parse_price_tiers.__wrapped__(text)
    tier = next((tier for tier in tiers if tier.currency is not None), None)
    if tier is None:
        return None, None
    return tier.amount_max if tier.amount is None else tier.amount, tier.currency


def price_parser(text: str) -> First:
    from price_parser import Price

    # It gives the sign as printed.
    price = Price.fromstring(text)
    return price.amount_float, CURRENCIES.get(price.currency, price.currency)


CONTENDERS: dict[str, Callable[[str], First]] = {"ours": ours, "price-parser": price_parser}
NEEDS = {"price-parser": "price_parser"}
"""The module that each imports."""


def load_answers() -> dict[str, First]:
    """By string. One whose first price a careful reader refuses has no answer."""
    declared = tomllib.loads(STRINGS.read_text(encoding="utf-8"))
    answers = {
        text: _first(answer.split(" + "))
        for held in declared.values()
        for answer, texts in held.items()
        for text in texts
    }
    return {text: first for text, first in answers.items() if first}


def _first(parts: list[str]) -> First | None:
    for part in parts:
        if part == "?":
            return None
        if found := MONEY.search(part):
            return float(found[1]), found[2]
    return None, None


def outcome(answer: First, found: First) -> str:
    """What a reading is."""
    amount, currency = found
    if amount is None or (amount == 0 and currency is None):
        return "right" if answer[0] is None else "refused"
    if amount == answer[0] and currency is None:
        return "refused"
    return "right" if found == answer else "wrong"


def count_outcomes(read: Callable[[str], First], pairs: Mapping[str, First]) -> Counter[str]:
    return Counter(outcome(answer, read(text)) for text, answer in pairs.items())


def seconds(read: Callable[[str], First], texts: list[str]) -> float:
    began = time.process_time()
    for text in texts:
        read(text)
    return time.process_time() - began


def main() -> None:
    options = make_options(__doc__)
    options.add_argument("--rounds", type=int, default=15)
    chosen = options.parse_args()
    pairs = load_answers()
    texts = [*pairs]
    contenders = {name: CONTENDERS[name] for name in select_installed(CONTENDERS, NEEDS)}
    for read in contenders.values():
        seconds(read, texts)
    spent = in_turns(chosen.rounds, [*contenders], lambda name: seconds(contenders[name], texts))
    rows = []
    for name, read in contenders.items():
        found = count_outcomes(read, pairs)
        time_each = f"{statistics.median(spent[name]) / len(texts) * 1e6:.0f}"
        counts = (str(found[kind]) for kind in ("right", "wrong", "refused"))
        rows.append((name, *counts, time_each, ratio(spent[name], spent["ours"])))
    print(f"{len(pairs)} strings:\n")
    print(markdown_table(("", "right", "wrong", "refused", "µs a string", "time, ours = 1"), rows))


if __name__ == "__main__":
    main()
