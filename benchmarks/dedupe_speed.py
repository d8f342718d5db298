"""Cost of deduplicating reviews: ours, MinHash libraries, SQL and a lower bound, on one generated corpus.

uv run --group peers python -m benchmarks.dedupe_speed --appearances 1000000 --rounds 3
"""

import re
import statistics
import tempfile
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path

import polars as pl

from benchmarks.measuring import Cost, in_own_process, in_turns, installed, markdown_table, measured, options_of, ratio
from builders import quality
from builders.made_corpora import make_pages
from builders.made_observations import mention, mentions_of, reviews_of
from verdicts.normalize.dedup.mentions import Mention
from verdicts.normalize.work import without_collector

Rows = pl.DataFrame
Clusters = Sequence[Hashable]

PERMUTATIONS = 128
SIMILAR = 0.55
"""Estimated Jaccard similarity of word 3-grams: the lowest that keeps the precision of the peers at 0.999."""

_WORDS = re.compile(r"\w+")


def ours(rows: Rows) -> Clusters:
    with without_collector():
        return reviews_of([mention(text, page, (a, b), label) for text, page, a, b, label in rows.iter_rows()])


def limit(rows: Rows) -> Clusters:
    """Every text hashed once: a lower bound for the time."""
    import xxhash

    digest = xxhash.xxh3_64_intdigest
    return [digest(text.encode()) for text in rows["text"]]


def rensa(rows: Rows) -> Clusters:
    """MinHash in Rust: a text is joined with everything similar."""

    from rensa import RMinHash, RMinHashLSH

    def sign(words: list[str]) -> RMinHash:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update(words)
        return signature

    index = RMinHashLSH(threshold=0.5, num_perm=PERMUTATIONS, num_bands=32)
    signed = [sign(_shingles(text)) for text in rows["text"]]
    parents = list(range(len(signed)))
    for number, signature in enumerate(signed):
        for other in index.query(signature):
            if signature.jaccard(signed[other]) >= SIMILAR:
                _join(parents, number, other)
        index.insert(number, signature)
    return [_root(parents, number) for number in range(len(parents))]


def datatrove(rows: Rows) -> Clusters:
    """MinHash as FineWeb uses it: 5-grams, 14 buckets of 8 hashes, collisions not checked."""
    from datatrove.data import Document
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster
    from datatrove.utils.hashing import HashConfig

    settings = MinhashConfig(hash_config=HashConfig(precision=64), n_grams=5, num_buckets=14, hashes_per_bucket=8)
    documents = [Document(text=text, id=str(number)) for number, text in enumerate(rows["text"])]
    with tempfile.TemporaryDirectory() as folder:
        places = {name: f"{folder}/{name}" for name in ("signatures", "buckets", "clusters", "logs")}
        stages: list[tuple[list[object], int]] = [
            ([documents, MinhashDedupSignature(output_folder=places["signatures"], config=settings)], 1),
            (
                [MinhashDedupBuckets(places["signatures"], output_folder=places["buckets"], config=settings)],
                settings.num_buckets,
            ),
            (
                [
                    MinhashDedupCluster(
                        places["buckets"], output_folder=places["clusters"], config=settings, save_cluster_id=True
                    )
                ],
                1,
            ),
        ]
        for stage, (pipeline, tasks) in enumerate(stages):
            LocalPipelineExecutor(
                pipeline, tasks=tasks, workers=1, logging_dir=f"{places['logs']}/{stage}", skip_completed=False
            ).run()
        return _clusters_of(Path(places["clusters"]), len(documents))


def _clusters_of(folder: Path, count: int) -> Clusters:
    clusters: list[Hashable] = [f"single {number}" for number in range(count)]
    for file in folder.glob("*.clusters"):
        raw = file.read_bytes()
        for start in range(0, len(raw), 8):
            document = int.from_bytes(raw[start : start + 4], "little")
            clusters[document] = int.from_bytes(raw[start + 4 : start + 8], "little")
    return clusters


CONTENDERS: dict[str, Callable[[Rows], Clusters]] = {
    "ours": ours,
    "limit": limit,
    "rensa": rensa,
    "datatrove": datatrove,
}
NEEDS = {"limit": "xxhash", "rensa": "rensa", "datatrove": "datatrove"}
"""The module that each imports."""


def _shingles(text: str) -> list[str]:
    words = _WORDS.findall(text.lower())
    return [" ".join(words[start : start + 3]) for start in range(max(len(words) - 2, 1))]


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _join(parents: list[int], first: int, second: int) -> None:
    roots = _root(parents, first), _root(parents, second)
    parents[max(roots)] = min(roots)


SEED = 1
LABELLED = 0.5


def make(appearances: int, folder: Path) -> Path:
    """The mentions of a corpus with their truth, as a Parquet file; those of one page follow each other."""
    pages = list(make_pages(appearances, seed=SEED, labelled=LABELLED))
    truth = [f"{(page.b if take.is_b else page.a).number}/{take.reviewer}" for page in pages for take in page.takes]
    return _written(mentions_of(pages), truth, folder)


def _written(mentions: Sequence[Mention], truth: Sequence[str], folder: Path) -> Path:
    columns = ("text", "page", "tool_a", "tool_b", "label")
    rows = [(one.take.text, one.version.location.offset, *one.version.tool_ids, one.label) for one in mentions]
    path = folder / "rows.parquet"
    frame = pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
    frame.with_columns(truth=pl.Series(truth)).write_parquet(path)
    return path


def measure(name: str, path: Path) -> tuple[Cost, quality.Pairs]:
    """What one contender costs, and how right its clusters are."""
    rows = pl.read_parquet(path)
    mentions = rows.drop("truth")
    with measured() as cost:
        clusters = CONTENDERS[name](mentions)
    return cost, quality.pairs(clusters, rows["truth"].to_list())


def compare(make_rows: Callable[[Path], Path], title: str, names: list[str], rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = make_rows(Path(folder))
        figures = in_turns(rounds, names, lambda name: in_own_process(measure, name, path))
    print(f"\n{title}:\n")
    head = ["", "wall s", "CPU s", "peak MB", "precision", "recall", "CPU, ours = 1"]
    cpu = {name: [cost.cpu_s for cost, _ in found] for name, found in figures.items()}
    lines = [
        [
            name,
            f"{statistics.median(cost.wall_s for cost, _ in found):.2f}",
            f"{statistics.median(cpu[name]):.2f}",
            f"{max(cost.peak_mb for cost, _ in found):,.0f}",
            f"{found[0][1].precision:.6f}",
            f"{found[0][1].recall:.6f}",
            ratio(cpu[name], cpu["ours"]),
        ]
        for name, found in figures.items()
    ]
    print(markdown_table(head, lines))


def main() -> None:
    options = options_of(__doc__)
    options.add_argument("--appearances", type=int, default=100_000)
    options.add_argument("--contenders", nargs="+", choices=CONTENDERS, default=["ours", "limit", "rensa"])
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    contenders = installed(chosen.contenders, NEEDS)
    title = f"{chosen.appearances:,} appearances"
    compare(lambda folder: make(chosen.appearances, folder), title, contenders, chosen.rounds)


if __name__ == "__main__":
    main()
