"""Wordings: every distinct text of a take, with the tools it may be about as far as labels and pages alone tell."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from normalize.sightings import Sighting


@dataclass(slots=True)
class Wording:
    """One wording. `text` is its raw string in the crawl that founded it, `views` are the views it stands on."""

    text_id: str
    skeleton: str
    text: str
    era: str
    views: set[int]
    tools: set[str]
    """Tools on all its pages."""
    shown_with: dict[str, str] = field(default_factory=dict)
    """Tool to the era since which the wording is known to stand on one of its pages."""
    labelled: dict[str, str] = field(default_factory=dict)
    """Tool to the era that first labelled the wording with it."""
    known_since: str | None = None
    """Era since which its tool is known, by a label or because one tool alone is on all its pages."""

    @property
    def homes(self) -> set[str]:
        """The tools it may be about."""
        return set(self.labelled) or self.tools

    @property
    def is_known(self) -> bool:
        return len(self.homes) == 1 and self.known_since is not None

    def home_since(self, tool_id: str) -> str:
        """The era since which a tool is one it may be about. A first label strikes out the others."""
        shown = self.shown_with.get(tool_id, self.era)
        is_first = not self.labelled or self.labelled[tool_id] == min(self.labelled.values())
        return shown if is_first else self.labelled[tool_id]


def read_wordings(sightings: Iterable[Sighting]) -> Iterable[Wording]:
    """All wordings. Sightings come oldest first."""
    wordings: dict[str, Wording] = {}
    for sighting in sightings:
        view = sighting.view
        tools = set(view.tools)
        wording = wordings.get(sighting.text_id)
        if wording is None:
            wording = Wording(sighting.text_id, sighting.skeleton, sighting.take.text, view.era, set(), tools)
            wordings[sighting.text_id] = wording
        if view.era == wording.era:
            # Several raw strings have one skeleton; of one crawl the smallest is as good as any.
            wording.text = min(wording.text, sighting.take.text)
        wording.views.add(sighting.view_number)
        wording.tools = wording.tools & tools or wording.tools
        for tool, known_since in zip(view.tools, view.tools_since, strict=True):
            since = max(view.era, known_since)
            wording.shown_with[tool] = min(wording.shown_with.get(tool, since), since)
            if tool == sighting.tool_id:
                wording.labelled.setdefault(tool, since)
        if wording.known_since is None and len(wording.homes) == 1:
            wording.known_since = view.era
    return wordings.values()
