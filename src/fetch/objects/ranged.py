"""An object as a file that is read from front to back, with a look back now and then."""

import io
from collections import OrderedDict

from verdicts.fetch.objects.objects import ObjectMissing, Objects, Range

BLOCK_BYTES = 4 << 20
"""Read at once. A store takes longer to begin an answer than to send this much."""

BLOCKS_KEPT = 4


class RangedObject:
    """An object that may be opened as a file any number of times; all of these share its newest blocks in memory.

    Its size is that at the beginning: what somebody writes under its name meanwhile is read as it comes.
    """

    def __init__(self, objects: Objects, name: str) -> None:
        """Raises `ObjectMissing`, `StorageFailed`."""
        size = objects.size(name)
        if size is None:
            raise ObjectMissing(f"{name} is not in the store")
        self.size = size
        self.name = name
        self._objects = objects
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def open(self) -> io.BufferedReader:
        """The object as a file. Reading raises `StorageFailed`."""
        return io.BufferedReader(_File(self), 1 << 16)

    def read_at(self, begin: int, length: int) -> bytes:
        """Bytes of the object, fewer at its end. Raises `StorageFailed`."""
        end = min(begin + length, self.size)
        numbers = range(begin // BLOCK_BYTES, -(-end // BLOCK_BYTES)) if begin < end else ()
        first = begin // BLOCK_BYTES * BLOCK_BYTES
        return b"".join(map(self._block, numbers))[begin - first : end - first]

    def _block(self, number: int) -> bytes:
        if number not in self._blocks:
            begin = number * BLOCK_BYTES
            (read,) = self._objects.read_ranges(self.name, [Range(begin, min(BLOCK_BYTES, self.size - begin))])
            self._blocks[number] = read
            if len(self._blocks) > BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(number)
        return self._blocks[number]


class _File(io.RawIOBase):
    def __init__(self, ranged: RangedObject) -> None:
        self._ranged = ranged
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._ranged.size}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # a buffer of any kind
        read = self._ranged.read_at(self._place, len(buffer))
        buffer[: len(read)] = read
        self._place += len(read)
        return len(read)
