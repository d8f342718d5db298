"""The stages of normalization: what the work on a bin reads, what it makes, and where it leaves it."""

from collections import defaultdict
from collections.abc import Callable

from normalize.bins.folds import fold_bin
from normalize.bins.messages import HOMED_REVIEWS, MOMENTS, MOVES, STORED_MENTIONS
from normalize.bins.open import comparing_bin, open_bin, visiting_bin
from normalize.bins.outbox import Inbox
from normalize.bins.pages import Rows, candidate_bin, tool_bin
from normalize.bins.seats import row_bin, seat_bin
from normalize.bins.texts import home_bin, moving_bin, text_bin
from normalize.dedup.mention_records import TEXTS
from normalize.identity.version_head import VERSIONS
from normalize.judged_reviews import DOUBTS
from pipeline.scale.parcels import fetch
from pipeline.scale.reading import deal, pages, sight
from pipeline.scale.unit import Work, shared


def tools(work: Work) -> Rows:
    return tool_bin(work.sent("tools", "pages", work.bins), work.outbox)


def candidates(work: Work) -> Rows:
    return candidate_bin(work.sent("candidates", "pages", [work.number]), shared(work))


def texts(work: Work) -> Rows:
    text_bin(work.sent("texts", "pages", work.bins), shared(work), work.outbox)
    return {}


def homes(work: Work) -> Rows:
    home_bin(work.sent("homes", "texts", work.bins), work.outbox)
    return {}


def moving(work: Work) -> Rows:
    moving_bin(work.sent("texts", "pages", work.bins), shared(work), work.outbox)
    return {}


def folds(work: Work) -> Rows:
    staying = work.sent("texts", "pages", work.bins)
    arrived = work.sent("folds", "moving", work.bins)
    return fold_bin(work.number, staying, arrived, shared(work), work.outbox)


def comparing(work: Work) -> Rows:
    wanted = work.sent("comparing", "planner", ["moments"])[MOMENTS.name]
    comparing_bin(work.sent("comparing", "pages", work.bins), wanted, work.outbox)
    return {}


def visiting(work: Work) -> Rows:
    moves: dict[str, list[int]] = defaultdict(list)
    for move in work.sent("visiting", "planner", ["visits"])[MOVES.name]:
        moves[move.key].append(move.bin)
    visiting_bin(_on_pages(work), moves, work.outbox)
    return {}


def decide(work: Work) -> Rows:
    inbox = work.sent("open", "visiting", work.bins)
    asked = work.sent("open", "planner", ["visits"])
    return open_bin(work.number, inbox, asked, shared(work), work.outbox)


def seats(work: Work) -> Rows:
    decided = fetch(work.sender, work.names("open", work.bins), "pages", work.number, [HOMED_REVIEWS])
    by = [name for stage in ("pages", "tools", "folds", "open") for name in work.names(stage, work.bins)]
    doubts = fetch(work.sender, by, "pages", work.number, [DOUBTS])
    return seat_bin(_on_pages(work), decided, doubts, shared(work), work.outbox)


def rows(work: Work) -> Rows:
    by, unit = ("folds", work.number) if work.number < work.plan.bins else ("open", work.number - work.plan.bins)
    names = [*work.names(by, [unit]), *work.names("seats", work.bins)]
    return row_bin(fetch(work.sender, names, "rows", work.number), shared(work))


def _on_pages(work: Work) -> Inbox:
    """The takes of a bin of pages, and what folding made of them."""
    own = fetch(work.sender, work.names("pages", [work.number]), "pages", work.number, [VERSIONS, STORED_MENTIONS])
    folded = fetch(work.sender, work.names("folds", work.bins), "pages", work.number, [TEXTS, HOMED_REVIEWS])
    return defaultdict(list, {**own, **folded})


STAGES: dict[str, Callable[[Work], Rows]] = {
    "sight": sight,
    "deal": deal,
    "pages": pages,
    "tools": tools,
    "candidates": candidates,
    "texts": texts,
    "homes": homes,
    "moving": moving,
    "folds": folds,
    "comparing": comparing,
    "visiting": visiting,
    "open": decide,
    "seats": seats,
    "rows": rows,
}
"""By name, in order; the first two work on segments, all others on bins."""
