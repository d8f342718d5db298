"""Whoever reads a store or adds files to it loads no HTTP client."""

import subprocess
import sys

import pytest

HTTP_STACK = ("aiohttp", "httpx", "httpx_aiohttp", "protego")

LOADED = "import sys, {module}; print(*sorted(set(sys.modules) & set({names})))"


@pytest.mark.parametrize(
    "module",
    [
        "verdicts.fetch.model.snapshot",
        "verdicts.fetch.parse.content",
        "verdicts.fetch.parse.sitemap",
        "verdicts.fetch.store.warc",
        "verdicts.fetch.store.store",
        "verdicts.fetch.run.ingest",
    ],
)
def test_a_module_that_asks_no_host_loads_no_http_client(module):
    code = LOADED.format(module=module, names=HTTP_STACK)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_crawl_does_load_it():
    code = LOADED.format(module="verdicts.fetch.run.crawl", names=HTTP_STACK)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == set(HTTP_STACK)
