"""Pages whose bytes are anything, through the whole build: what becomes of them, and how many raise anything at all.

uv run python -m benchmarks.page_mutations [--seeds 3000] [--first 0]
"""

import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measuring import markdown_table, options_of
from builders.byte_mutations import bystanders, hostile
from builders.snapshots import observe
from builders.warehouse_files import load_corpus
from verdicts.extract.model.records import Observation, Reject
from verdicts.normalize.corpus import normalize
from verdicts.normalize.isolation import find_sound, with_rejects
from verdicts.pipeline.workers.pool import PAGE_S
from verdicts.pipeline.workers.record_rows import record_row
from verdicts.warehouse.loading.rows import check_contracts


def read(seed: int) -> tuple[str, Observation | None]:
    """What becomes of one page in extraction, and its observation."""
    began = time.process_time()
    try:
        (observation,) = observe(hostile(seed))
        observation = record_row(observation).observation
    except Exception as error:
        print(f"seed {seed}: {type(error).__name__}: {error}")
        return f"raised {type(error).__name__}", None
    if time.process_time() - began > PAGE_S:
        return "too_slow", None
    extracted = observation.extracted
    return extracted.reason if isinstance(extracted, Reject) else type(extracted).__name__.lower(), observation


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--seeds", type=int, default=3_000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    pages = [read(seed) for seed in range(options.first, options.first + options.seeds)]
    kinds = Counter(kind for kind, _ in pages)
    observations = [*observe(*bystanders()), *(item for _, item in pages if item is not None)]
    kept, left_out = find_sound(observations, lambda part: check_contracts(normalize(part)))
    for item in left_out:
        print(f"{item.observation.url}: {type(item.error).__name__}: {item.error}")
    kinds["left out of normalization"] = len(left_out)
    with TemporaryDirectory() as folder:
        load_corpus(Path(folder) / "corpus.duckdb", with_rejects(normalize(kept), left_out))
    print(markdown_table(("a page is", "pages"), [(kind, f"{count:,}") for kind, count in kinds.most_common()]))


if __name__ == "__main__":
    main()
