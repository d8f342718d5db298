"""`/pages/PAGE`: two tools side by side, seat by seat."""

from verdicts.explore.figures.dumbbell import dumbbell_of
from verdicts.explore.pages.finding import full_id
from verdicts.explore.pages.visit import Elsewhere, View, Visit


def page(visit: Visit) -> View | Elsewhere:
    wanted = visit.path["page"]
    card = visit.ask("page_card", page=wanted)
    if card.first is None:
        return Elsewhere(f"/pages/{full_id(visit, 'page', wanted)}")
    seats = visit.ask("page_seats", page=wanted)
    return View(
        "comparison",
        {
            "card": card,
            "seats": seats,
            "dumbbell": dumbbell_of(seats.rows),
            "takes": visit.ask("page_takes", page=wanted),
            "discrepancies": visit.ask("page_discrepancies", page=wanted),
        },
    )
