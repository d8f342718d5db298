"""Readers in other processes open what is published at any time while nights are loaded and published beside them."""

import json
import subprocess
import sys
from contextlib import ExitStack

import pytest
from msgspec.structs import replace

from builders import warehouse_rows as make
from builders.paths import BUILDERS
from builders.warehouse_files import load_corpus, publish
from verdicts.warehouse.serving.published import LATEST_KEPT, find_published

READER = BUILDERS / "serving_reader.py"
READERS = 2
NIGHTS = LATEST_KEPT + 1
TOLD = {"reviews": "text", "tools": "tagline", "pages": "title", "attribution_evidence": "detail"}


def night(path, number):
    """A load after which every text says which load it is of."""
    load_id = f"load-{number:02}"
    rows = make.corpus()
    for table, column in TOLD.items():
        changed = [replace(row, **{column: load_id}) for row in rows[table]]
        rows[table] = changed
    load_corpus(path, rows, load_id=load_id, loaded_at=make.NIGHT)


@pytest.mark.whole
def test_readers_see_whole_nights_while_others_are_published(tmp_path):
    path, serve = tmp_path / "corpus.duckdb", tmp_path / "serve"
    night(path, 1)
    first = publish(path, serve, at=make.NIGHT)
    with ExitStack() as stack:
        readers = [stack.enter_context(reader(serve)) for _ in range(READERS)]
        for number in range(1, NIGHTS + 1):
            if number > 1:
                night(path, number)
                publish(path, serve, at=make.NIGHT)
            wait_for(readers[number % READERS], number)
        assert first.exists(), "they have it open"
        reports = [json.loads(each.communicate("enough\n", timeout=60)[0].splitlines()[-1]) for each in readers]
    for report in reports:
        assert report["errors"] == []
        assert report["seen"] == sorted(report["seen"])
        assert report["seen"][0] == "load-01"
    night(path, NIGHTS + 1)
    publish(path, serve, at=make.NIGHT)
    names = sorted(copy.name for copy in serve.glob("corpus-*"))
    assert len(names) == LATEST_KEPT, "with the readers gone, what they held is removed"
    assert find_published(serve).name == names[-1] == f"corpus-load-{NIGHTS + 1:02}.duckdb"


def wait_for(reader, number):
    """Until the reader has seen a night."""
    assert reader.stdout
    while (line := reader.stdout.readline()) != f"load-{number:02}\n":
        assert line.startswith("load-"), "it ended"


def reader(serve):
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, str(READER), str(serve)], stdin=pipe, stdout=pipe, text=True)
