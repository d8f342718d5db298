"""The ways to deduplicate takes that are measured side by side: mentions in, a cluster for each out."""

import re
import tempfile
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from pathlib import Path

import duckdb
import polars as pl

from verdicts.normalize.dedup.deduplicate import Day, fold

Rows = pl.DataFrame
Clusters = Sequence[Hashable]

PERMUTATIONS = 128
SIMILAR = 0.55
"""Estimated Jaccard similarity of word 3-grams: the lowest that keeps the precision of the peers at 0.999."""

_WORDS = re.compile(r"\w+")


class ToolIds(dict[int, str]):
    """An id for any tool number."""

    def __missing__(self, number: int) -> str:
        return f"{number:032x}"


def ours(rows: Rows) -> Clusters:
    (members,) = fold([Day(rows)], ToolIds()).mentions
    return [member.canonical.text_id for member in members]


def limit(rows: Rows) -> Clusters:
    """Every text hashed once: a lower bound for the time."""
    import xxhash

    digest = xxhash.xxh3_64_intdigest
    return [digest(text.encode()) for text in rows["text"]]


def rensa(rows: Rows) -> Clusters:
    """Joined with everything similar: the best recall."""
    return _rensa(rows, most=len(rows))


def rensa_first(rows: Rows) -> Clusters:
    """Joined with the first similar text: faster, and most of the others are joined already."""
    return _rensa(rows, most=1)


def _rensa(rows: Rows, most: int) -> Clusters:
    from rensa import RMinHash, RMinHashLSH

    def sign(words: list[str]) -> RMinHash:
        signature = RMinHash(num_perm=PERMUTATIONS, seed=1)
        signature.update(words)
        return signature

    index = RMinHashLSH(threshold=0.5, num_perm=PERMUTATIONS, num_bands=32)
    signed = [sign(_shingles(text)) for text in rows["text"]]
    parents = list(range(len(signed)))
    for number, signature in enumerate(signed):
        similar = (other for other in index.query(signature) if signature.jaccard(signed[other]) >= SIMILAR)
        for other in islice(similar, most):
            _join(parents, number, other)
        index.insert(number, signature)
    return [_root(parents, number) for number in range(len(parents))]


def datasketch(rows: Rows) -> Clusters:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(num_perm=PERMUTATIONS, params=(32, 4))
    shingles = [[shingle.encode() for shingle in _shingles(text)] for text in rows["text"]]
    signed = MinHash.bulk(shingles, num_perm=PERMUTATIONS, seed=1)
    parents = list(range(len(signed)))
    for number, signature in enumerate(signed):
        # Only the first similar text: with all of them it had not finished after twice the time.
        matches = (other for other in index.query(signature) if signature.jaccard(signed[other]) >= SIMILAR)
        _join(parents, number, next(matches, number))
        index.insert(number, signature, check_duplication=False)
    return [_root(parents, number) for number in range(len(parents))]


def duckdb_sql(rows: Rows) -> Clusters:
    """Equal match keys joined by SQL, the rest by edit distance to the most frequent match keys of their tool."""
    with duckdb.connect() as connection:
        connection.register("rows", rows.with_row_index("row"))
        return [row[0] for row in connection.execute(_SQL).fetchall()]


_SQL = """
WITH keyed AS (
    SELECT row, coalesce(label, tool_a) AS tool,
        regexp_replace(lower(nfc_normalize(text)), '[^a-z0-9]+', '', 'g') AS match_key
    FROM rows
), texts AS (
    SELECT match_key, arg_min(tool, row) AS tool, count(*) AS mentions, min(row) AS cluster
    FROM keyed GROUP BY match_key
), canonical AS (
    SELECT * FROM texts
    QUALIFY row_number() OVER (PARTITION BY tool ORDER BY mentions DESC, length(match_key) DESC) <= 5
), joined AS (
    SELECT texts.match_key, texts.cluster, arg_min(canonical.cluster, canonical.cluster) FILTER (
        WHERE levenshtein(
            left(texts.match_key, least(length(texts.match_key), length(canonical.match_key))),
            left(canonical.match_key, least(length(texts.match_key), length(canonical.match_key)))
        ) < 0.18 * least(length(texts.match_key), length(canonical.match_key))
    ) AS canonical_cluster
    FROM texts LEFT JOIN canonical ON canonical.tool = texts.tool AND canonical.mentions > texts.mentions
    GROUP BY texts.match_key, texts.cluster
)
SELECT coalesce(canonical_cluster, cluster) FROM keyed JOIN joined USING (match_key) ORDER BY row
"""


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
    "rensa_first": rensa_first,
    "datasketch": datasketch,
    "duckdb": duckdb_sql,
    "datatrove": datatrove,
}
NEEDS = {"rensa_first": "rensa", "limit": "xxhash"} | {name: name for name in ("rensa", "datasketch", "datatrove")}
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
