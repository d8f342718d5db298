"""Whoever reads a store or adds files to it loads no HTTP client."""

import subprocess
import sys

HTTP_STACK = ("aiohttp", "httpx", "protego")


def test_a_module_that_asks_no_host_loads_no_http_client():
    read = "model.snapshot, verdicts.fetch.parse.content, verdicts.fetch.parse.sitemap, verdicts.fetch.run.ingest"
    for module, loaded in ((read, set()), ("run.crawl", set(HTTP_STACK))):
        code = f"import sys, verdicts.fetch.{module}; print(*sorted(set(sys.modules) & set({HTTP_STACK})))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert set(done.stdout.split()) == loaded
