"""Two fetchers of half the hosts each and a hub leave the rows of one machine, also those of gone and moved pages."""

from datetime import timedelta

import duckdb

from builders.fault_server import answer, faults, redirect, says
from builders.nights import AGENT, DAY, START
from verdicts.corpus.tables import CORPUS_TABLES, name_relation
from verdicts.demo_site.responses import build_site
from verdicts.fetch.model.share import WHOLE, Share
from verdicts.fetch.model.site import Limits, Site
from verdicts.fetch.model.url_state import Revisit
from verdicts.fetch.objects import open_objects
from verdicts.fetch.parse.rights import PageRights, Rights, Statement
from verdicts.fetch.run.crawl import crawl
from verdicts.fetch.store import page_rights
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build.build import HERE, Changes, build
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.engine.engine import LocalEngine
from verdicts.pipeline.scale.address_changes import add_sent_changes
from verdicts.pipeline.scale.executor import PastOneMachine
from verdicts.pipeline.scale.shipping import ship
from verdicts.pipeline.sources.config_sections import ScaleConfig

HOSTS = ("a.example", "b.example", "c.example", "d.example")
BODIES = [item.body for path, item in build_site().items() if path.startswith("/compare/")][:12]
PAGES = {f"{HOSTS[number % 4]}/compare/{number}": body for number, body in enumerate(BODIES)}
GONE, BACK = says(answer(b"gone", "410 Gone")), says(answer(BODIES[0]))


def make_plays(night):
    """From the second night on, the first page of each host is gone and the second is under another address."""
    plays = {name: says(answer(body)) for name, body in PAGES.items()}
    for place, host in enumerate(HOSTS):
        links = [name.removeprefix(host) for name in PAGES if name.startswith(host)]
        if night:
            plays[f"{host}/compare/{place}"] = GONE
            plays[f"{host}/new"] = plays[f"{host}/compare/{place + 4}"]
            plays[f"{host}/compare/{place + 4}"] = redirect("/new")
        plays[f"{host}/"] = says(answer("".join(f'<a href="{link}">x</a>' for link in links).encode()))
    return plays


async def crawl_night(folder, share, night, changed=None):
    async with faults(make_plays(night) | (changed or {})) as server:
        sites = [
            Site(
                (host,),
                (f"http://{host}/",),
                resolve={host: ("127.0.0.1", server.port)},
                allow_private=True,
                delay_s=0,
                limits=Limits(backoff_s=0),
                revisit=Revisit(least=timedelta(), most=timedelta()),
            )
            for host in HOSTS
        ]
        at = START + night * DAY
        with open_store(folder.root, command="test") as store:
            run = await crawl(store, sites, user_agent=AGENT, clock=lambda: at, share=share)
    assert run.status == "done"
    return {item.url.split("/")[2] for item in read_fetches(folder) if item.crawl_id == run.crawl_id}


def read_fetches(folder):
    with open_store(folder.root, command="test") as store:
        return store.read_fetches()


def send(folder, url):
    with open_store(folder.root, command="test") as store:
        ship(store, folder, open_objects(url), lambda *_: None)


def rows(folder, executor=HERE):
    with open_store(folder.root, command="test") as store:
        assert build(store, folder, now=START + 5 * DAY, executor=executor).failed == ()
    made = {}
    with duckdb.connect(folder.warehouse, read_only=True) as connection:
        for table in CORPUS_TABLES:
            relation = connection.sql(f"SELECT * FROM {name_relation(table)}")
            # Where in which segment a page is, and which load brought it, is of the machine that has it.
            of_shares = {"load_id", "content_hash", "segment", "segment_offset"}
            own = [name for name in relation.columns if name not in of_shares]
            made[table] = sorted(relation.project(", ".join(own)).fetchall(), key=repr)
    return made


async def test_two_fetchers_and_a_hub_leave_the_rows_of_one_machine(tmp_path):
    url = str(tmp_path / "store")
    one, hub, other = (DataFolder(tmp_path / name) for name in ("one", "hub", "other"))
    for night in range(3):
        assert await crawl_night(one, WHOLE, night) == set(HOSTS)
        asked = [await crawl_night(hub, Share(1, 2), night), await crawl_night(other, Share(2, 2), night)]
        assert all(asked)
        assert sorted([*asked[0], *asked[1]]) == sorted(HOSTS)
    send(other, url)
    there = rows(hub, PastOneMachine(ScaleConfig(store=url, bins=3), hub, LocalEngine(1)))
    here = rows(one)
    assert there == here
    assert len(here["pages"]) >= len(BODIES) - len(HOSTS)


async def test_of_a_host_that_passed_to_another_fetcher_the_newest_crawl_counts(tmp_path):
    first, second = DataFolder(tmp_path / "first"), DataFolder(tmp_path / "second")
    objects = open_objects(str(tmp_path / "store"))
    for night in range(2):
        await crawl_night(first, WHOLE, night)
    send(first, objects.url)
    back = f"{HOSTS[0]}/compare/0"
    assert f"http://{back}" in changes_known(first, objects).gone
    # One fetcher becomes two, and a.example, which has its page again, is of the second.
    await crawl_night(first, Share(1, 2), 2)
    await crawl_night(second, Share(2, 2), 2, {back: BACK})
    with open_store(second.root, command="test") as store, store.transaction():
        page_rights.note_page(store.state, f"http://{back}", PageRights((Statement("noai", "meta robots"),)))
    for folder in (first, second):
        send(folder, objects.url)
    gone = {f"http://{host}/compare/{place}" for place, host in enumerate(HOSTS)}
    assert changes_known(first, objects).gone.keys() & gone == gone - {f"http://{back}"}
    assert changes_known(first, objects).rights == {f"http://{back}": Rights("noai (meta robots)", is_reserved=True)}
    for night in range(3, 6):
        await crawl_night(second, Share(2, 2), night)
        send(second, objects.url)
    assert len([*objects.names("addresses/")]) == 4


def changes_known(folder, objects):
    with open_store(folder.root, command="test") as store:
        own = Changes(store.read_absences(), store.read_moved_urls(), {})
        return add_sent_changes(store, own, objects)
