"""Revisits, night by night: what is due, with which conditions it is requested, what counts as a change."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from builders.fault_server import answer, says
from builders.nights import DAY, HOST, START, URL, night, page
from verdicts.fetch.model.url_state import Revisit, UrlState
from verdicts.fetch.store.store import open_store

HOUR = timedelta(hours=1)


class Page:
    """A page whose ETag follows its text if `is_honest`; counts unconditional and conditional requests."""

    def __init__(self, text="words", *, is_honest=True):
        self.text = text
        self.is_honest = is_honest
        self.whole = self.conditional = 0

    async def __call__(self, request, writer):
        etag = f'"{hash(self.text)}"' if self.is_honest else '"always"'
        is_conditional = "if-none-match" in request.headers
        self.conditional += is_conditional
        self.whole += not is_conditional
        if request.headers.get("if-none-match") == etag:
            writer.write(answer(b"", "304 Not Modified", etag=etag))
        else:
            writer.write(answer(self.text.encode(), etag=etag))


async def nights(data, plays, days, change=lambda _: None, **changes):
    """One crawl per day; returns the days on which /page was requested."""
    asked = []
    for day in range(days):
        change(day)
        result = await night(data, plays, at=START + day * DAY, **changes)
        if result.outcomes():
            asked.append(day)
    return asked


def read(data, content):
    """As a build does, records the content digest of each new snapshot."""
    with open_store(data, command="test") as store:
        unread = store.list_unread()
        bodies = {entry.location: store.read(entry.location).body for entry in store.index()}
        store.record_content_digests({location: content(bodies[location]) for location in unread})


async def test_an_unchanged_page_is_asked_for_with_its_validators_and_not_stored_again(tmp_path):
    validators = []

    async def answer_tagged(request, writer):
        validators.append((request.headers.get("if-none-match"), request.headers.get("if-modified-since")))
        stamp = {"etag": '"one"', "last_modified": "sun, 01 nov 2026 00:00:00 gmt"}
        writer.write(answer(b"", "304 Not Modified") if len(validators) > 1 else answer(b"words", **stamp))

    await night(tmp_path, {"/page": answer_tagged})
    result = await night(tmp_path, {"/page": answer_tagged}, at=START + DAY)
    assert validators == [(None, None), ('"one"', "sun, 01 nov 2026 00:00:00 gmt")]
    assert (result.outcomes(), len(result.snapshots)) == (["unchanged"], 1)


async def test_the_same_bytes_under_a_new_etag_are_unchanged(tmp_path):
    await night(tmp_path, {"/page": page(etag='"one"')})
    result = await night(tmp_path, {"/page": page(etag='"two"')}, at=START + DAY)
    assert (result.outcomes(), len(result.snapshots)) == (["unchanged"], 1)


async def test_a_second_run_on_the_same_night_asks_for_nothing(tmp_path):
    await night(tmp_path, {"/page": page("/x"), "/x": page()})
    result = await night(tmp_path, {"/page": page("/x"), "/x": page()}, at=START + HOUR)
    assert (result.asked["/page"], result.skips) == (0, {"not_due": 2})


async def test_everything_is_asked_for_without_conditions_when_told_to(tmp_path):
    shown = Page()
    await night(tmp_path, {"/page": shown})
    result = await night(tmp_path, {"/page": shown}, at=START + HOUR, everything=True)
    assert (result.outcomes(), shown.whole, shown.conditional) == (["unchanged"], 2, 0)


async def test_a_page_that_never_changes_is_asked_for_less_and_less(tmp_path):
    asked = await nights(tmp_path, {"/page": page(etag='"one"')}, 45)
    gaps = [later - earlier for earlier, later in pairwise(asked)]
    assert gaps == sorted(gaps)
    assert (gaps[0], max(gaps)) == (1, 14)
    assert len(asked) < 10


@pytest.mark.parametrize(
    ("text", "days", "is_kept"),
    [
        (lambda day: f"words of day {day}", 10, lambda asked: asked == [*range(10)]),
        (lambda day: f"words <!-- nonce {day} -->", 24, lambda asked: len(asked) < 10),
        (lambda day: f"words of day {max(day, 14)}", 45, lambda asked: asked[-5:] == [40, 41, 42, 43, 44]),
    ],
)
@pytest.mark.share(3)
async def test_a_page_is_asked_for_as_often_as_its_content_changes(tmp_path, text, days, is_kept):
    shown = Page()

    def change(day):
        shown.text = text(day)
        if day:
            read(tmp_path, lambda body: body.decode().partition("<!--")[0])

    asked = await nights(tmp_path, {"/page": shown}, days, change)
    assert is_kept(asked), asked


@pytest.mark.whole
async def test_a_host_that_keeps_its_etag_over_a_change_is_found_out(tmp_path):
    shown = Page(is_honest=False)

    def change(day):
        if day:
            read(tmp_path, lambda body: body.decode())
        if day == 2:
            shown.text = "other words"

    await nights(tmp_path, {"/page": shown}, 30, change)
    with open_store(tmp_path, command="test", read_only=True) as store:
        assert [store.read(entry.location).body for entry in store.index()] == [b"words", b"other words"]
    before = shown.conditional
    await nights(tmp_path, {"/page": shown}, 45)
    assert shown.conditional == before


def sitemap(day):
    text = f"<urlset><url><loc>{URL}</loc><lastmod>{day:%Y-%m-%dT%H:%M:%SZ}</lastmod></url></urlset>"
    return says(answer(text.encode(), content_type="application/xml"))


async def test_a_page_that_its_sitemap_says_has_changed_is_asked_for_before_its_time(tmp_path):
    plays = {"/page": page(etag='"one"'), "/sitemap.xml": sitemap(START - DAY)}
    await nights(tmp_path, plays, 10)
    quiet = await night(tmp_path, plays, at=START + 10 * DAY)
    claimed = await night(tmp_path, plays | {"/sitemap.xml": sitemap(START + 10 * DAY)}, at=START + 11 * DAY)
    assert (quiet.outcomes(), claimed.outcomes()) == ([], ["unchanged"])


@pytest.mark.parametrize("moment", [START + 400 * DAY, START - 400 * DAY])
async def test_a_date_ahead_or_long_past_brings_no_visit(tmp_path, moment):
    await night(tmp_path, {"/page": page(), "/sitemap.xml": sitemap(moment)})
    result = await night(tmp_path, {"/page": page(), "/sitemap.xml": sitemap(moment)}, at=START + HOUR)
    assert result.outcomes() == []


@pytest.mark.whole
async def test_a_sitemap_that_cries_wolf_is_not_heard_for_ever(tmp_path):
    asked = []
    for day in range(80):
        moment = START + day * DAY
        result = await night(tmp_path, {"/page": page(etag='"one"'), "/sitemap.xml": sitemap(moment - HOUR)}, at=moment)
        asked += [day] * len(result.outcomes())
    assert asked[:20] == list(range(20))
    assert len([day for day in asked if day >= 40]) < 10


async def test_a_sitemap_that_proved_right_saves_visits(tmp_path):
    names = [f"/p{number}" for number in range(60)]
    listed = "".join(
        f"<url><loc>http://{HOST}{name}</loc><lastmod>2026-10-01T00:00:00Z</lastmod></url>" for name in names
    )
    plays = {name: page(etag='"one"') for name in names} | {
        "/page": page(),
        "/sitemap.xml": says(answer(f"<urlset>{listed}</urlset>".encode(), content_type="application/xml")),
    }
    await night(tmp_path, plays)
    second = await night(tmp_path, plays, at=START + DAY)
    third = await night(tmp_path, plays, at=START + 4 * DAY)
    assert sum(second.asked[name] for name in names) == 60
    assert sum(third.asked[name] for name in names) < 60
    ripe = await night(tmp_path, plays, at=START + 20 * DAY)
    assert sum(ripe.asked[name] for name in names) == 60


NOW = datetime(2026, 11, 20, tzinfo=UTC)
YESTERDAY = NOW - timedelta(days=1)
SHA256 = "0" * 64


@pytest.mark.parametrize(
    ("state", "conditions"),
    [
        (UrlState(URL), {}),
        (UrlState(URL, etag='"one"', unconditional_at=YESTERDAY), {}),
        (UrlState(URL, SHA256, '"one"', unconditional_at=YESTERDAY), {"if-none-match": '"one"'}),
        (UrlState(URL, SHA256, None, "then", unconditional_at=YESTERDAY), {"if-modified-since": "then"}),
        (UrlState(URL, SHA256, unconditional_at=YESTERDAY), {}),
        (UrlState(URL, SHA256, '"one"', is_etag_wrong=True, unconditional_at=YESTERDAY), {}),
        (UrlState(URL, SHA256, '"one"', unconditional_at=None), {}),
        (UrlState(URL, SHA256, '"one"', unconditional_at=NOW - timedelta(days=14)), {}),
    ],
)
def test_a_page_is_requested_with_conditions_only_where_a_304_can_be_trusted(state, conditions):
    assert state.conditions(Revisit(), NOW) == conditions
