"""The ways to fold repeated takes that are measured side by side: rows in, a cluster for each out."""

import re
import tempfile
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from pathlib import Path

import duckdb
import polars as pl

from normalize.dedup.deduplicate import TakeClusters

Rows = pl.DataFrame
Clusters = Sequence[Hashable]

PERMUTATIONS = 128
SIMILAR = 0.55
"""Estimated Jaccard similarity of word 3-grams: the least that keeps the precision of the peers at 0.999."""

_WORDS = re.compile(r"\w+")


class ToolIds(dict[int, str]):
    """Any number as an id."""

    def __missing__(self, number: int) -> str:
        return f"{number:032x}"


def ours(rows: Rows) -> Clusters:
    return [member.canonical.text_id for member in TakeClusters(ToolIds()).add_day(rows)]


def limit(rows: Rows) -> Clusters:
    """Every text hashed once: what no folding can be faster than."""
    import xxhash

    digest = xxhash.xxh3_64_intdigest
    return [digest(text.encode()) for text in rows["text"]]


def rensa(rows: Rows) -> Clusters:
    """Joined with everything alike: the best recall."""
    return _rensa(rows, most=len(rows))


def rensa_first(rows: Rows) -> Clusters:
    """Joined with the first that is alike: faster, as what was found before is joined already, mostly."""
    return _rensa(rows, most=1)


def _rensa(rows: Rows, most: int) -> Clusters:
    from rensa import RMinHash, RMinHashLSH

    def sign(words: list[str]) -> RMinHash:
        made = RMinHash(num_perm=PERMUTATIONS, seed=1)
        made.update(words)
        return made

    index = RMinHashLSH(threshold=0.5, num_perm=PERMUTATIONS, num_bands=32)
    signed = [sign(_grams(text)) for text in rows["text"]]
    parents = list(range(len(signed)))
    for at, one in enumerate(signed):
        alike = (other for other in index.query(one) if one.jaccard(signed[other]) >= SIMILAR)
        for other in islice(alike, most):
            _join(parents, at, other)
        index.insert(at, one)
    return [_root(parents, at) for at in range(len(parents))]


def datasketch(rows: Rows) -> Clusters:
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(num_perm=PERMUTATIONS, params=(32, 4))
    grams = [[gram.encode() for gram in _grams(text)] for text in rows["text"]]
    signed = MinHash.bulk(grams, num_perm=PERMUTATIONS, seed=1)
    parents = list(range(len(signed)))
    for at, one in enumerate(signed):
        # The first that is alike: with all of them it was not done after twice the time.
        alike = next((other for other in index.query(one) if one.jaccard(signed[other]) >= SIMILAR), at)
        _join(parents, at, alike)
        index.insert(at, one, check_duplication=False)
    return [_root(parents, at) for at in range(len(parents))]


def duckdb_sql(rows: Rows) -> Clusters:
    """Skeletons by SQL, equal ones joined, the rest by edit distance to the most frequent skeletons of their tool."""
    with duckdb.connect() as connection:
        connection.register("rows", rows.with_row_index("row"))
        return [row[0] for row in connection.execute(_SQL).fetchall()]


_SQL = """
WITH told AS (
    SELECT row, coalesce(label, tool_a) AS tool,
        regexp_replace(lower(nfc_normalize(text)), '[^a-z0-9]+', '', 'g') AS bone
    FROM rows
), bones AS (
    SELECT bone, arg_min(tool, row) AS tool, count(*) AS times, min(row) AS cluster FROM told GROUP BY bone
), leaders AS (
    SELECT * FROM bones QUALIFY row_number() OVER (PARTITION BY tool ORDER BY times DESC, length(bone) DESC) <= 5
), joined AS (
    SELECT bones.bone, bones.cluster,
        arg_min(leaders.cluster, leaders.cluster) FILTER (
            WHERE levenshtein(left(bones.bone, least(length(bones.bone), length(leaders.bone))),
                left(leaders.bone, least(length(bones.bone), length(leaders.bone))))
            < 0.18 * least(length(bones.bone), length(leaders.bone))
        ) AS leader
    FROM bones LEFT JOIN leaders ON leaders.tool = bones.tool AND leaders.times > bones.times
    GROUP BY bones.bone, bones.cluster
)
SELECT coalesce(leader, cluster) FROM told JOIN joined USING (bone) ORDER BY row
"""


def datatrove(rows: Rows) -> Clusters:
    """MinHash as FineWeb has it: 5-grams, 14 buckets of 8 hashes, no check of what collides."""
    from datatrove.data import Document
    from datatrove.executor.local import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster
    from datatrove.utils.hashing import HashConfig

    settings = MinhashConfig(hash_config=HashConfig(precision=64), n_grams=5, num_buckets=14, hashes_per_bucket=8)
    documents = [Document(text=text, id=str(at)) for at, text in enumerate(rows["text"])]
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
        for at, (pipeline, tasks) in enumerate(stages):
            LocalPipelineExecutor(
                pipeline, tasks=tasks, workers=1, logging_dir=f"{places['logs']}/{at}", skip_completed=False
            ).run()
        return _clusters_of(Path(places["clusters"]), len(documents))


def _clusters_of(folder: Path, count: int) -> Clusters:
    found: list[Hashable] = [f"single {at}" for at in range(count)]
    for file in folder.glob("*.clusters"):
        raw = file.read_bytes()
        for at in range(0, len(raw), 8):
            document = int.from_bytes(raw[at : at + 4], "little")
            found[document] = int.from_bytes(raw[at + 4 : at + 8], "little")
    return found


CONTENDERS: dict[str, Callable[[Rows], Clusters]] = {
    "ours": ours,
    "limit": limit,
    "rensa": rensa,
    "rensa_first": rensa_first,
    "datasketch": datasketch,
    "duckdb": duckdb_sql,
    "datatrove": datatrove,
}


def _grams(text: str) -> list[str]:
    words = _WORDS.findall(text.lower())
    return [" ".join(words[at : at + 3]) for at in range(max(len(words) - 2, 1))]


def _root(parents: list[int], at: int) -> int:
    while parents[at] != at:
        parents[at] = parents[parents[at]]
        at = parents[at]
    return at


def _join(parents: list[int], at: int, other: int) -> None:
    one, two = _root(parents, at), _root(parents, other)
    parents[max(one, two)] = min(one, two)
