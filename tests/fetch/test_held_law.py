"""A law over random sites: after every night, each page that could be had is held, and none that was held is lost.

The model is made of the rules, not of the crawler: an address that answers 200 with words of its own, that is neither
`noindex` nor forbidden, could be had. It is held where its words are in the newest snapshot of the address itself, or
of the address that it leads to.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders.made_sites import Made, crawl_made_site
from builders.nights import HOST

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
PATHS = [f"/{letter}" for letter in "abcdef"]
HOME = Made(links=tuple(PATHS))

targets = st.sampled_from([*PATHS, "/nothing", "/a?x=1"])
pages = st.builds(
    Made,
    text=st.sampled_from(["alpha", "beta", "gamma", "delta"]),
    links=st.just(()),
    canonical=st.none() | targets,
    refresh=st.none() | st.none() | targets,
    is_noindex=st.sampled_from([False] * 7 + [True]),
    has_etag=st.booleans(),
    is_long=st.sampled_from([True, True, True, False]),
    media_type=st.sampled_from(["text/html"] * 7 + ["application/pdf"]),
)
redirects = st.builds(Made, status=st.sampled_from([301, 302, 307, 308]), location=targets)
failures = st.builds(Made, status=st.sampled_from([404, 410, 403, 500, 202, 206, 200]))
sites = st.fixed_dictionaries(dict.fromkeys(PATHS, pages | pages | redirects | failures))
"""What each address answers in a night."""
forbidden = st.sampled_from([(), (), ("^/b",), ("^/[cd]",)])


def could_be_had(path, made, excluded):
    """By the rules, in a night in which everything is due. Of a page of a few words its head is believed."""
    is_page = made.status == 200 and bool(made.text) and made.media_type == "text/html"
    is_allowed = not made.is_noindex and not any(path[1] in pattern for pattern in excluded)
    return is_page and is_allowed and (made.is_long or made.refresh is made.canonical is None)


def not_held(night, site, excluded):
    """The addresses for which the law does not hold after a night."""
    return [
        path
        for path, made in site.items()
        if could_be_had(path, made, excluded) and not night.holds(path, made.text, is_long=made.is_long)
    ]


def select_believed(site, shown, before):
    """Without pages of a few words in place of stored ones: those of tonight, and those with equal words.

    Where nothing was stored, a few words are a page.
    """
    texts = [made.text for made in site.values() if not made.is_long]
    return {
        path: made
        for path, made in site.items()
        if made.is_long
        or f"http://{HOST}{path}" not in before
        or (made == shown.get(path) and texts.count(made.text) == 1)
    }


@pytest.mark.whole
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(sites, forbidden, st.sampled_from([1, 1, 31])), min_size=1, max_size=4))
async def test_each_page_that_could_be_had_is_held_and_none_is_lost(nights):
    """After a month without a change each page was visited again, whatever the nights before it were."""
    moment, before, shown = START, {}, {}
    with TemporaryDirectory() as folder:
        for site, excluded, days in [*nights, (*nights[-1][:2], 31)]:
            moment += timedelta(days=days)
            night = await crawl_made_site(Path(folder), {"/": HOME} | site, moment, exclude=excluded)
            assert days < 31 or not_held(night, select_believed(site, shown, before), excluded) == []
            shown = site
            assert before.keys() <= night.newest.keys()
            assert set(night.moved.values()) <= night.newest.keys()
            before = night.newest
