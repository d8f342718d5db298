"""The first stages: from record objects to pages and addresses."""

from collections.abc import Collection, Iterator

from extract.model.records import Observation
from extract.panel.words.profile_files import SHIPPED
from fetch.model.snapshot import Location
from normalize.bins.outbox import EVERYBODY, Outbox, bin_of
from normalize.bins.pages import Rows, page_bin
from normalize.identity.identity import IDENTITIES, Identity
from normalize.identity.ids import address_page_id
from normalize.identity.sightings import sighting_of
from normalize.isolation import NO_FAULT_OF_A_PAGE, LeftOut, find_sound
from normalize.snapshots import SNAPSHOTS, KnownSnapshot
from pipeline.scale.record_objects import observation_of_dealt, read_dealt
from pipeline.scale.unit import Work, shared
from pipeline.scale.wire import DEALT, SEEN, DealtRecord


def sight(work: Work) -> Rows:
    """A segment: what each snapshot of a comparison shows of its page and tools, for the planner."""
    for dealt in read_dealt(work.objects, work.plan.records[work.number]):
        observation = observation_of_dealt(dealt)
        try:
            seen = sighting_of(observation, SHIPPED)
        except NO_FAULT_OF_A_PAGE:
            raise
        except Exception as error:
            work.left_out.append(LeftOut(observation, error))
            continue
        if seen is not None:
            work.outbox.send_to("planner", EVERYBODY, SEEN, (seen,))
    return {}


def deal(work: Work) -> Rows:
    """A segment: its observations to the bins of their pages and of their addresses, which mostly are one."""
    of_place: dict[Location, Identity] = {
        identity.location: identity for identity in work.sent("deal", "planner", ["identities"])[IDENTITIES.name]
    }
    held = frozenset(work.plan.held)
    outbox = work.outbox
    for dealt in read_dealt(work.objects, work.plan.records[work.number]):
        place = Location(dealt.segment, dealt.segment_offset)
        if place in held:
            continue
        of_address = bin_of(address_page_id(dealt.url), outbox.bins)
        bins = {of_address}
        outbox.send_to("pages", of_address, SNAPSHOTS, (KnownSnapshot(dealt.url, place),))
        if (identity := of_place.get(place)) is not None:
            of_page = bin_of(identity.page_id, outbox.bins)
            outbox.send_to("pages", of_page, IDENTITIES, (identity,))
            bins.add(of_page)
        for number in bins:
            outbox.send_to("pages", number, DEALT, (dealt,))
    return {}


def pages(work: Work) -> Rows:
    """Pages and addresses; an observation that normalization fails on is left out."""
    inbox = work.sent("pages", "deal", range(len(work.plan.records)))
    dealt: dict[Location, DealtRecord] = {
        Location(item.segment, item.segment_offset): item for item in inbox[DEALT.name]
    }

    def read(places: Collection[Location]) -> Iterator[Observation]:
        return (observation_of_dealt(dealt[place]) for place in places)

    def made_of(places: Collection[Location]) -> tuple[Rows, Outbox]:
        outbox = Outbox(work.outbox.bins)
        known = {
            relation.name: [one for one in inbox[relation.name] if one.location in places]
            for relation in (IDENTITIES, SNAPSHOTS)
        }
        return page_bin(work.number, known, read, shared(work), outbox), outbox

    try:
        made, outbox = made_of(dealt)
    except NO_FAULT_OF_A_PAGE:
        raise
    except Exception:
        kept, left_out = find_sound([*read(dealt)], lambda some: made_of({item.location for item in some}))
        if not left_out:
            raise
        work.left_out.extend(left_out)
        made, outbox = made_of({item.location for item in kept})
    work.outbox.sent.update(outbox.sent)
    return made
