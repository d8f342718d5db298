"""Spans of time as a config has them: `12h`, `30d`, `1w`."""

import re
from datetime import timedelta
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

_DURATION = re.compile(r"(\d+)\s*([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def _duration(value: object) -> timedelta:
    if isinstance(value, timedelta):
        return value
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f"{value!r} is no time; write a number and h, d or w: '12h', '30d'")
    return int(match[1]) * _UNITS[match[2]]


Duration: TypeAlias = Annotated[timedelta, BeforeValidator(_duration)]
