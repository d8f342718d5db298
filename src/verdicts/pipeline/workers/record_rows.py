"""The rows of record files: observations with what the gates measure, as a worker makes them."""

from typing import NamedTuple

from verdicts.extract.model.records import Extracted, Observation
from verdicts.extract.model.stored import StoredObservation, encode_record, make_stored
from verdicts.extract.panel.profile import SHIPPED, Profiles
from verdicts.fetch.model.snapshot import IndexEntry, has_address
from verdicts.normalize.identity.sightings import make_tool_keys
from verdicts.pipeline.gates.measures import list_places, measure_page, measure_tools


class RecordRow(NamedTuple):
    """An observation, its tools (`make_tool_keys`), and how much it shows of each measure of the gates.

    `tool_amounts` are the same for each tool, one after the other.
    """

    stored: StoredObservation
    tools: tuple[int, ...]
    amounts: tuple[float | None, ...]
    tool_amounts: tuple[float | None, ...]

    @property
    def kind(self) -> str:
        return self.stored.kind

    @property
    def observation(self) -> Observation:
        return self.stored.observation


def make_record_row(observation: Observation, profiles: Profiles = SHIPPED) -> RecordRow:
    """The row of an observation, with valid Unicode. `profiles`: those it was read with."""
    observation, record = encode_record(observation)
    places = list_places(observation.extracted, profiles)
    shown = measure_page(places), measure_tools(observation.extracted, places)
    return RecordRow(make_stored(observation, record), make_tool_keys(observation, profiles), *shown)


def observe(entry: IndexEntry, extracted: Extracted, profiles: Profiles = SHIPPED) -> RecordRow:
    """The row of a snapshot and of what was read from it."""
    place = entry.crawl_id, entry.location, entry.sha256
    address = entry.final_url if has_address(entry.url) else None
    return make_record_row(Observation(entry.url, entry.fetched_at, *place, extracted, address=address), profiles)
