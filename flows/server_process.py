"""`python -m flows.server_process server start ...`: Prefect's command, in a process that ends with its parent.

A server that outlived a killed `verdicts serve` would hold its port, and the database beside the next one.
"""

import runpy
import sys

from pipeline.workers.with_parent import end_with_parent

if __name__ == "__main__":
    end_with_parent()
    sys.argv[0] = "prefect"
    runpy.run_module("prefect", run_name="__main__")
