"""The first amount and currency of pricing strings, beside price-parser: right, wrong, refused, and time a string.

    uv run --group peers python -m benchmarks.prices [--rounds 15] [--classes]

Answers are in price_strings.toml. Whoever gives no currency with the right amount has refused; zero without a currency
is what `Free` means, and no amount. `amount right` and `amount wrong` leave currencies out.
"""

import statistics
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.measuring import in_turns, installed, markdown_table, options_of, ratio
from verdicts.normalize.parse.price_words import CURRENCIES
from verdicts.normalize.parse.prices import price_tiers

First = tuple[float | None, str | None]
"""Amount and currency (ISO 4217)."""

STRINGS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("price_strings.toml").read_text(encoding="utf-8")
)


def ours(text: str) -> First:
    tiers = price_tiers.__wrapped__(text)
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


def outcomes(answer: str, found: First) -> tuple[str, str]:
    """What a reading is: of amount and currency together, and of the amount alone."""
    amount, currency = found
    known = float(answer.split(maxsplit=1)[0]) if answer else None
    if amount is None or (amount == 0 and currency is None):
        return ("refused", "amount refused") if answer else ("right", "amount right")
    if known is None or amount != known:
        return "wrong", "amount wrong"
    if currency is None:
        return "refused", "amount right"
    return ("right" if currency == answer.split()[1] else "wrong"), "amount right"


def counted(read: Callable[[str], First], pairs: dict[str, str]) -> Counter[str]:
    return Counter(outcome for text, answer in pairs.items() for outcome in outcomes(answer, read(text)))


def seconds(read: Callable[[str], First], texts: list[str]) -> float:
    began = time.process_time()
    for text in texts:
        read(text)
    return time.process_time() - began


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--rounds", type=int, default=15)
    options.add_argument("--classes", action="store_true", help="right and wrong by class of string")
    chosen = options.parse_args()
    pairs = {text: answer for group in STRINGS.values() for text, answer in group.items()}
    texts = list(pairs) * 5
    contenders = {name: CONTENDERS[name] for name in installed(CONTENDERS, NEEDS)}
    for read in contenders.values():
        seconds(read, texts)
    spent = in_turns(chosen.rounds, [*contenders], lambda name: seconds(contenders[name], texts))
    rows = []
    for name, read in contenders.items():
        found = counted(read, pairs)
        kinds = ("right", "wrong", "refused", "amount right", "amount wrong")
        time_each = statistics.median(spent[name]) / len(texts) * 1e6
        counts = (str(found[kind]) for kind in kinds)
        rows.append((name, *counts, f"{time_each:.0f}", ratio(spent[name], spent["ours"])))
    print(f"{len(pairs)} strings:\n")
    head = ("", "right", "wrong", "refused", "amount right", "amount wrong", "µs a string", "time, ours = 1")
    print(markdown_table(head, rows))
    if chosen.classes:
        print()
        by_class = [
            (group, str(len(held)), *(f"{found['right']} / {found['wrong']}" for found in found_by))
            for group, held in STRINGS.items()
            if (found_by := [counted(read, held) for read in contenders.values()])
        ]
        print(markdown_table(("class, right / wrong", "strings", *contenders), by_class))


if __name__ == "__main__":
    main()
