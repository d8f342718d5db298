"""A share of the cases that `python -m benchmarks.faults` tries in full: what pages say. And configs of any kind."""

import random

import pytest

from builders.faults import page_case
from builders.faults.cases import cases_of
from verdicts.pipeline.errors import ConfigError
from verdicts.pipeline.sources.config import read_config

pytestmark = pytest.mark.once

SEED, READ = 20261122, 12
KINDS = ("page encodings", "values out of range", "schema.org and tables")


def test_a_page_costs_itself(tmp_path):
    chosen = random.Random(SEED).sample(cases_of(*KINDS), READ)
    seen = page_case.fell(chosen, tmp_path)
    assert {f"{case.kind}: {case.name}": lines for case, lines in zip(chosen, seen, strict=True) if lines} == {}


REFUSED = (
    'user_agent = "a\\r\\nx: y"', 'user_agent = "a\\u0000"', 'user_agent = ""', "user_agent = 7", "delay_s = nan",
    "delay_s = -1", "delay_s = -inf", "max_pages = 0", "max_pages = -1", "max_mb = 0", "connections = 0",
    "connections = 1000000", "revisit_hours = [20]", "revisit_hours = [nan, 5]", "revisit_hours = [5, 2]",
    "revisit_hours = [1, inf]", "revisit_hours = [1, 1e300]", "include = ['(']", "include = ['*']",
    'start_urls = ["http://xn--a/"]', 'start_urls = ["http://127.0.0.1:99999/"]', 'start_urls = ["file:///etc/passwd"]',
    'start_urls = ["http://["]', "start_urls = []", "hosts = []", 'hosts = ["a b"]', 'hosts = ["http://127.0.0.1/"]',
    'hosts = [""]', 'sitemaps = ["http://c.example/x"]', "max_depth = -1",
    'user_agent = "vérité (a@b.example)"',
)  # fmt: skip
TAKEN = (
    "delay_s = 0.0", "include = ['(a+)+$']", "include = ['(?s).*']",
    "revisit_hours = [0, 1e3]",
)  # fmt: skip


def with_line(folder, line):
    """A config in which this line stands for that of its key."""
    whole = 'user_agent = "me (a@b.example)"\n[[site]]\nhosts = ["127.0.0.1"]\nallow_private = true\ndelay_s = 0\n'
    lines = [*whole.splitlines(), 'start_urls = ["http://127.0.0.1:9/"]']
    key = f"{line.partition(' = ')[0]} = "
    kept = [line if of.startswith(key) else of for of in lines]
    path = folder / "verdicts.toml"
    path.write_text("\n".join(kept if line in kept else [*kept, line]), encoding="utf-8")
    return path


def test_a_config_is_taken_or_refused(tmp_path):
    for line in REFUSED:
        with pytest.raises(ConfigError):
            print(line, read_config(with_line(tmp_path, line)))
    for line in TAKEN:
        read_config(with_line(tmp_path, line))
