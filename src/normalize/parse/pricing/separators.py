"""Digits with the separators of any country to a number. Pure."""

import re
from typing import NamedTuple

NUMBER = r"(?:\d{1,15}(?:[.,']\d{2,3}(?!\d)){0,5}(?:[.,]\d{1,20})?|\.\d{1,20})(?!\d)"
GROUPS_APART = r"[1-9]\d{0,2}(?: \d{3}){1,3}(?:[.,]\d{2})?(?=\s?(?:$|[/),]|per\b|p\.))"
"""`$1 299 per year`: behind a sign only where terms follow, as `$5 100 credits` is two numbers."""

SPACED_NUMBER = rf"(?:\d{{1,3}}(?: \d{{3}}){{1,4}}(?!\d)(?:[.,]\d{{1,20}})?(?!\d)|{NUMBER})"


class Reading(NamedTuple):
    """`otherwise`: the number if the one separator parts decimals, where it may as well part thousands: `1.280`."""

    value: float
    otherwise: float | None = None


def reading(raw: str) -> Reading | None:
    """`1,299.00`, `1.299,00`, `1 299`, `1'299`, `9,99`; None where the separators contradict each other (`1,2,3`)."""
    if "'" in raw and not re.fullmatch(r"\d{1,3}(?:'\d{3})+(?:[.,]\d+)?", raw):
        return None
    digits = raw.replace("'", "").replace(" ", "")
    marks = [mark for mark in digits if mark in ".,"]
    if not marks:
        return Reading(float(digits))
    decimal = marks[-1]
    head, _, tail = digits.rpartition(decimal)
    if len(set(marks)) == 2:
        return None if marks.count(decimal) > 1 else _grouped(head, tail)
    if len(marks) > 1:
        return _grouped(digits, "")
    value = float(f"{head or '0'}.{tail}")
    may_group = len(tail) == 3 and 1 <= len(head) <= 3 and head[0] != "0" and raw == digits
    return Reading(float(head + tail), value) if may_group else Reading(value)


def _grouped(whole: str, decimals: str) -> Reading | None:
    """`1,29,999` too: the last group has three digits, those before two or three."""
    first, *groups = re.split(r"[.,]", whole)
    if not first or any(len(group) not in {2, 3} for group in groups):
        return None
    if groups and (len(first) > 3 or len(groups[-1]) != 3):
        return None
    return Reading(float(f"{first}{''.join(groups)}.{decimals or '0'}"))
