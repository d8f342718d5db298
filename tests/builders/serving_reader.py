"""A reader in a process of its own: opens what is published, over and over, and says what it saw.

    python serving_reader.py SERVE

Holds the first copy open. Prints each load as it sees it. Told anything, it ends with one line of JSON: the loads it
saw, in order, and whatever went wrong.
"""

import json
import select
import sys
from pathlib import Path

import duckdb

from verdicts.warehouse.serving.published import find_published

PAUSE_S = 0.05
"""Between two questions: two readers that never rest take the whole machine from the night they disturb."""

QUESTION = """
SELECT (SELECT max(load_id) FROM ops.loads), (SELECT count(*) FROM ops.loads), list(DISTINCT said)
FROM (
    SELECT text AS said FROM reviews
    UNION ALL SELECT tagline FROM tools
    UNION ALL SELECT title FROM pages
    UNION ALL SELECT detail FROM attribution_evidence
)
"""


def main() -> None:
    serve = Path(sys.argv[1])
    held = find_published(serve)
    kept = duckdb.connect(held, read_only=True)
    seen, errors = [], []
    while not select.select([sys.stdin], [], [], PAUSE_S)[0]:
        try:
            with duckdb.connect(find_published(serve), read_only=True) as connection:
                ((load_id, loads, said),) = connection.execute(QUESTION).fetchall()
            if said != [load_id] or load_id != f"load-{loads:02}":
                errors.append(f"half a night: {load_id}, {loads} loads, {said}")
            if not seen or seen[-1] != load_id:
                seen.append(load_id)
                print(load_id, flush=True)
            kept.execute(QUESTION).fetchall()
            duckdb.connect(held, read_only=True).close()
        except Exception as error:
            errors.append(f"{type(error).__name__}: {error}")
    print(json.dumps({"seen": seen, "errors": errors}), flush=True)


if __name__ == "__main__":
    main()
