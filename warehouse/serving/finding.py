"""Which tool is meant by an id, its beginning, a slug or a name: the named question `find_tool`, for commands."""

from collections.abc import Mapping
from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from verdicts.warehouse.serving.named_queries import Query, query_named
from verdicts.warehouse.serving.query import Question, answer_of, question_of
from verdicts.warehouse.storage.errors import QuestionFailed

FIND_TOOL = "find_tool"

NEAR = "near"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that may be meant. `how`: id, slug, name, beginning of the id; near: not called so, but nearly."""

    how: str
    name: str
    slug: str | None
    tool_id: str


def named_question(connection: DuckDBPyConnection, query: Query, given: Mapping[str, str]) -> Question:
    """A named question with its values. Its parameter `tool` is an id: of what is given here, one is found.

    Raises QuestionFailed, also where `tool` does not mean one tool.
    """
    values = query.bound(given)
    if query.name != FIND_TOOL and (words := values.get("tool")) is not None:
        values["tool"] = the_tool(connection, words)
    return question_of(connection, query.sql, values)


def candidates(connection: DuckDBPyConnection, words: str) -> list[Candidate]:
    """The tools that `words` may mean, the likeliest first, at most ten. Raises QuestionFailed."""
    answer = answer_of(named_question(connection, query_named(FIND_TOOL), {"tool": words}))
    places = [answer.columns.index(name) for name in Candidate.__slots__]
    return [Candidate(*(row[place] for place in places)) for row in answer.rows]


def the_tool(connection: DuckDBPyConnection, words: str) -> str:
    """The id of the tool that `words` mean. Raises QuestionFailed with the candidates where that is not one."""
    found = candidates(connection, words)
    if len(found) != 1 or found[0].how == NEAR:
        raise QuestionFailed(_not_one(words, found))
    return found[0].tool_id


def _not_one(words: str, found: list[Candidate]) -> str:
    """What to say where `words` do not mean one tool: a sentence, and a line a candidate."""
    if not found:
        return f"no tool is called {words!r}; 'verdicts search' looks into taglines and takes, too"
    if found[0].how == NEAR:
        sentence = f"no tool is called {words!r}; called nearly so:"
    else:
        sentence = f"{len(found)} tools are meant by {words!r}; say which by its slug or the beginning of its id:"
    listed = (f"{one.tool_id[:8]}  {one.name}  {one.slug or '(no slug)'}" for one in found)
    return "\n".join([sentence, *listed])
