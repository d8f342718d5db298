"""Rows of a large table brought into its order through the disk, so that memory holds a part of them at a time."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import polars as pl
import pyarrow as pa

from verdicts.corpus.tables import TABLES

MOST_FILES = 64
"""Files that are open at once; a process may have 1,024."""


def in_order(
    table: str, parts: Iterable[pl.DataFrame], order: pl.DataFrame, folder: Path, at_a_time: int
) -> Iterator[pl.DataFrame]:
    """The rows of `parts` in the order of their table, about `at_a_time` at a time.

    `order` has the columns that say the order, of all rows as they come. What is written to `folder` has no name
    there: nothing of it outlives the process.
    """
    size = max(at_a_time, -(-order.height // MOST_FILES))
    places = order.with_row_index("row").sort(TABLES[table].order)["row"].arg_sort().alias("place")
    with ExitStack() as stack:
        files: dict[int, IO[bytes]] = {}
        writers: dict[int, pa.RecordBatchStreamWriter] = {}
        begun = 0
        for part in parts:
            placed = part.with_columns(places.slice(begun, part.height))
            begun += part.height
            for (number,), rows in placed.group_by(pl.col("place") // size):
                # Of the newest level, texts would bring the buffers of all of `part` with them.
                arrow = rows.to_arrow(compat_level=pl.CompatLevel.oldest())
                if number not in writers:
                    files[number] = stack.enter_context(TemporaryFile(dir=folder))
                    writers[number] = pa.ipc.new_stream(files[number], arrow.schema)
                writers[number].write_table(arrow)
        for number in sorted(writers):
            writers[number].close()
            files[number].seek(0)
            with pa.ipc.open_stream(files[number]) as reader:
                held = pl.DataFrame(reader.read_all())
            files[number].close()
            yield held.sort("place").drop("place")
