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

from builders.made_sites import Made, made_night

START = datetime(2026, 11, 1, 1, 30, tzinfo=UTC)
ALL_DUE = timedelta(days=31)
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


def could_be_had(path: str, answer: Made, excluded: tuple[str, ...]) -> bool:
    """By the rules, in a night in which everything is due. Of a page of a few words its head is believed."""
    is_page = answer.status == 200 and bool(answer.text) and answer.media_type == "text/html"
    is_allowed = not answer.is_noindex and not any(path[1] in pattern for pattern in excluded)
    return is_page and is_allowed and (answer.is_long or answer.refresh is answer.canonical is None)


async def check(data, nights):
    before = {}
    for number, (site, excluded) in enumerate(nights):
        night = await made_night(data, {"/": HOME} | site, START + number * ALL_DUE, exclude=excluded)
        for path, answer in site.items():
            if could_be_had(path, answer, excluded):
                assert night.holds(path, answer.text, is_long=answer.is_long), (number, path)
        assert before.keys() <= night.newest.keys()
        assert set(night.moved.values()) <= night.newest.keys()
        before = night.newest


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(sites, forbidden), min_size=1, max_size=4))
@pytest.mark.matrix
async def test_each_page_that_could_be_had_is_held_after_every_night(nights):
    with TemporaryDirectory() as folder:
        await check(Path(folder), nights)
