"""Gone addresses, moved addresses and stated rights, from all fetchers: segments do not contain them.

One hub builds from all of them.

Each fetcher sends an object with what its state knows. For each host the hub uses the object of the newest crawl,
because a host that moved to another fetcher is in two objects.
"""

from typing import Any

import msgspec

from verdicts.fetch.model.addresses import find_host
from verdicts.fetch.model.url_state import Absences
from verdicts.fetch.objects import Objects
from verdicts.fetch.parse.rights import Rights
from verdicts.fetch.store.reader import StoreReader
from verdicts.pipeline.build.build import Changes

FOLDER = "addresses/"

KEPT = 2
"""Objects of a fetcher that stay: a hub may be about to read the one before the newest."""


class SentChanges(msgspec.Struct, frozen=True):
    """The changes that a fetcher knows. `hosts` maps each host to the last crawl that settled an address of it."""

    hosts: dict[str, str]
    gone: dict[str, Absences]
    moved: dict[str, str]
    rights: dict[str, Rights] = {}


def send_changes(store: StoreReader, objects: Objects) -> None:
    """Creates the object of the newest crawl, and removes earlier ones of the same data folder."""
    ended = [crawl for crawl in store.read_crawls() if crawl.kind == "crawl" and crawl.status != "running"]
    if not ended:
        return
    crawls = [crawl.crawl_id for crawl in ended]
    rights = dict(store.read_all_rights(ended[-1].started_at))
    sent = SentChanges(_read_hosts(store), dict(store.read_absences()), dict(store.read_moved_urls()), rights)
    # A resumed crawl has the same id, and more attempts.
    name = f"{FOLDER}{crawls[-1]}.{store.count_fetches(crawls[-1]):09d}.json"
    objects.create(name, msgspec.json.encode(sent, order="deterministic"))
    own_names = [there for there in objects.names(FOLDER) if there.removeprefix(FOLDER).partition(".")[0] in crawls]
    for earlier in own_names[:-KEPT]:
        objects.remove(earlier)


def add_sent_changes(store: StoreReader, own: Changes, objects: Objects) -> Changes:
    """Adds the changes of all fetchers, for each host those of the newest crawl; this machine wins a tie."""
    every = [
        *(msgspec.json.decode(objects.read(name), type=SentChanges) for name in objects.names(FOLDER)),
        SentChanges(_read_hosts(store), dict(own.gone), dict(own.moved), dict(own.rights)),
    ]
    newest: dict[str, tuple[str, int]] = {}
    for number, changes in enumerate(every):
        for host, crawl_id in changes.hosts.items():
            newest[host] = max(newest.get(host, ("", 0)), (crawl_id, number))

    def merge(name: str) -> dict[str, Any]:
        return {
            url: value
            for number, changes in enumerate(every)
            for url, value in getattr(changes, name).items()
            if newest.get(find_host(url), ("", number))[1] == number
        }

    return Changes(merge("gone"), merge("moved"), merge("rights"))


def _read_hosts(store: StoreReader) -> dict[str, str]:
    hosts = "SELECT host, max(handled_in) FROM urls WHERE handled_in IS NOT NULL GROUP BY host"
    return dict(store.state.execute(hosts).fetchall())
