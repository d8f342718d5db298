"""Decisions from the page of doubts: only those that it offers, from forms of this process alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe

from verdicts.explore.visit import NotThere, Refused
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.pipeline_errors import ConfigError
from verdicts.reading.doubts import WHY, Doubt
from verdicts.warehouse.storage.warehouse_errors import QuestionFailed

FORM_BYTES = 10_000
"""The most bytes of a form."""


@dataclass(frozen=True, slots=True)
class Editor:
    """Who decides, and the token that only forms of this process have."""

    name: str
    token: str = field(default_factory=token_urlsafe)

    def check(self, form: Mapping[str, str], *, is_ours: bool) -> None:
        """Raises Refused for a form that this process did not make; `is_ours`: the browser says that it did."""
        if not (is_ours and compare_digest(form.get("token", "").encode(), self.token.encode())):
            raise Refused("This form does not come from this process; load the page of doubts again.")


def note(folder: DataFolder, editor: Editor, offered: Iterable[Doubt], form: Mapping[str, str]) -> None:
    """Notes the decision of a form. Raises NotThere if it is not offered, QuestionFailed for an impossible number."""
    for doubt in offered:
        for decision in doubt.decisions:
            if decision.command == form.get("decision"):
                entry = dict(decision.entry)
                if doubt.asks is not None and decision is doubt.accept:
                    entry["value"] = _parse_number(form.get("value", ""))
                try:
                    steps.note_correction(folder, decision.kind, entry, by=editor.name, why=WHY)
                except ConfigError as error:
                    raise QuestionFailed(str(error)) from error
                return
    raise NotThere("This doubt is already settled; the page of doubts lists the open ones.")


def _parse_number(words: str) -> float:
    try:
        return float(words.strip())
    except ValueError:
        raise QuestionFailed(f"{words[:40]!r} is not a number") from None
