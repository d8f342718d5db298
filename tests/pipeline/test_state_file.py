"""The state on disk answers as the one in memory does, whatever was replaced and asked for before."""

from collections.abc import Sequence

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from normalize.state.memory import MemoryState
from normalize.state.relation import Apart, Relation, State
from pipeline.state.state_file import StateFile


class Head(msgspec.Struct, frozen=True, array_like=True):
    page: str
    number: int


class Said(msgspec.Struct, frozen=True, array_like=True):
    text: str
    head: Head
    review: str | None

    @property
    def page(self) -> str:
        return self.head.page


class StoredSaid(msgspec.Struct, frozen=True, array_like=True):
    text: str
    page: str
    number: int
    review: str | None


HEADS = Relation("heads", Head, ("page",))
SAID = Relation(
    "said",
    Said,
    ("text", "page", "review"),
    Apart(
        shared=HEADS,
        by="page",
        stored=StoredSaid,
        split=lambda item: StoredSaid(item.text, item.head.page, item.head.number, item.review),
        place=lambda item: (item.page, item.number),
        joined=lambda stored, head: Said(stored.text, head, stored.review),
    ),
)

WORDS = st.sampled_from(["", "a", "b", "é"])
PAGES = st.sampled_from(["p", "q", "r"])
LINES = st.lists(st.tuples(WORDS, st.integers(0, 1), WORDS | st.none()), max_size=4)
CHANGES = st.tuples(st.just("page"), PAGES, LINES)
QUESTIONS = st.tuples(st.sampled_from(["text", "page", "review"]), st.sets(WORDS | PAGES), st.none())


def answers(state: State, steps: Sequence[tuple[str, object, object]]) -> list[object]:
    """What is found on the way: a page is made anew with its heads and what it says, or records are asked for."""
    found: list[object] = []
    for key, value, lines in steps:
        if lines is None:
            found.append(sorted(map(repr, state.find(SAID, key, value))))
            continue
        heads = [Head(value, number) for number in (0, 1)]
        state.replace(HEADS, "page", {value}, heads)
        state.replace(SAID, "page", {value}, [Said(text, heads[number], review) for text, number, review in lines])
        found.append(state.is_empty(SAID))
    return [*found, sorted(map(repr, state.all(SAID)))]


@given(st.lists(CHANGES | QUESTIONS, max_size=12))
def test_the_file_says_what_memory_says(tmp_path_factory, steps):
    on_disk = StateFile(tmp_path_factory.mktemp("state") / "rounds.sqlite")
    try:
        assert answers(on_disk, steps) == answers(MemoryState(), steps)
        on_disk.roll_back()
        assert answers(on_disk, steps) == answers(MemoryState(), steps)
    finally:
        on_disk.close()
