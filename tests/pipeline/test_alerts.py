"""People are told once when something begins, again after a week, and when it is over; nothing of it fails a night."""

from base64 import b64decode
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from builders.command import check_refusal, run_here
from builders.receivers import STALLS, mailbox, receiver, stall
from builders.warehouse_rows import make_loss
from verdicts.fetch.model.fetch_errors import StorageFailed, StoreLocked
from verdicts.fetch.store.run_log import note_measures
from verdicts.fetch.store.store import open_store
from verdicts.pipeline import steps
from verdicts.pipeline.data_folder import DataFolder
from verdicts.pipeline.nights.alerts import deliver
from verdicts.pipeline.nights.record import NightCrawl, NightHost, NightRecord, find_latest, read_nights
from verdicts.pipeline.nights.reporting import record_night, report_unbegun, save_record
from verdicts.pipeline.pipeline_errors import ConfigError, HeldBack
from verdicts.pipeline.sources.config import read_config
from verdicts.pipeline.sources.config_sections import AlertsConfig

START = datetime(2026, 11, 1, 2, 30, tzinfo=UTC)
SITE = '[[site]]\nhosts = ["a.example"]\nstart_urls = ["https://a.example/"]\n'
LOST = make_loss("a.example", "held", "price", "http://a.example/1: $5 → -")


@pytest.fixture
def clock(monkeypatch):
    times = [START]
    monkeypatch.setattr(steps, "now", lambda: times[0])
    return times


class Nights:
    """Nights of a data folder that come to what they are told to come to, a day apart."""

    def __init__(self, root, clock, alerts):
        self.folder = DataFolder(root / "data")
        self.folder.root.mkdir()
        self.config = root / "verdicts.toml"
        self.config.write_text(f'user_agent = "me (a@b.example)"\n{SITE}[alerts]\n{alerts}\n')
        self.clock = clock

    def night(self, *, status="done", error=None, held=(), is_built=True, crawl=None):
        self.clock[0] += timedelta(days=1)
        crawl_id = f"{self.clock[0]:%Y%m%dT%H%M%SZ}-aaaa"
        with open_store(self.folder.root, command="test") as store, store.transaction():
            rows = [replace(row, crawl_id=crawl_id) for row in held or [replace(LOST, state="passed", lost=0)]]
            if is_built:
                note_measures(store.state, rows, [(crawl_id, "a.example")])
        raised = nullcontext() if error is None else pytest.raises(type(error))
        with raised, record_night(self.folder, read_config(self.config)) as night:
            save_record(self.folder, night)
            if is_built:
                night.crawl_id, night.load_id, night.published = crawl_id, "load", "corpus.duckdb"
                night.gates, night.crawl = tuple(rows), crawl
            night.status, night.headline = status, f"the night was {status}"
            if error is not None:
                raise error


@pytest.fixture
def hooked(tmp_path, clock):
    """Nights that are told to a web hook, and the hook."""
    with receiver() as hook:
        yield Nights(tmp_path, clock, f'apprise = ["{hook.json}"]'), hook


def titles(hook):
    return [item["title"] for item in hook.posted]


def newest(nights):
    return find_latest(read_nights(nights.folder))


HELD = HeldBack("a.example is held: price: 104 of 130 pages lost prices")


def test_an_incident_is_told_when_it_opens_after_a_week_and_when_it_is_over(hooked):
    nights, hook = hooked
    for _ in range(9):
        nights.night(error=HELD, held=[LOST])
    nights.night()
    nights.night()
    assert titles(hook) == [
        "verdicts: a.example: held",
        "verdicts: still: a.example: held",
        "verdicts: over: a.example: held",
    ]
    first = hook.posted[0]
    assert "price: 104 of 130 pages lost prices since the last accepted night" in first["message"]
    assert "'verdicts check'" in first["message"]
    assert [item["type"] for item in hook.posted] == ["warning", "warning", "success"]
    (page,) = first["attachments"]
    assert b"104 of 130 pages lost prices" in b64decode(page["base64"])
    assert newest(nights).incidents == ()


def test_all_that_a_night_found_is_one_message(hooked):
    nights, hook = hooked
    crawl = NightCrawl(5, 0, 5, 0, (NightHost("b.example", {"stored": 5, "read_timeout": 5}),))
    nights.night(error=HELD, held=[LOST, replace(LOST, host="c.example")], crawl=crawl)
    (message,) = hook.posted
    assert message["title"] == "verdicts: a.example: held, and 2 more"
    assert all(host in message["message"] for host in ("a.example: held", "b.example: answered", "c.example: held"))


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        ('["failed"]', ["failed"]),
        ('["partial"]', ["partial"]),
        ('["held", "failed", "partial"]', ["partial", "failed"]),
    ],
)
@pytest.mark.share(3)
def test_only_what_the_config_asks_for_is_told(tmp_path, clock, on, expected):
    with receiver() as hook:
        nights = Nights(tmp_path, clock, f'apprise = ["{hook.json}"]\non = {on}')
        nights.night(status="partial")
        nights.night(error=StorageFailed("the disk is full"), is_built=False)
    assert [item["title"].rpartition(": ")[2] for item in hook.posted if "over" not in item["title"]] == expected


def test_a_failed_night_says_nothing_of_hosts_and_closes_nothing(hooked):
    nights, hook = hooked
    nights.night(error=HELD, held=[LOST])
    nights.night(error=StorageFailed("the disk is full"), is_built=False)
    assert {(item.host, item.cause) for item in newest(nights).incidents} == {
        ("a.example", "held"),
        ("", "failed"),
    }
    assert "the disk is full" in hook.posted[1]["message"]


def test_mail_comes_with_the_headline(tmp_path, clock):
    with mailbox() as (port, mails):
        address = f"mailto://127.0.0.1:{port}?from=verdicts@b.example&to=me@b.example&mode=insecure"
        nights = Nights(tmp_path, clock, f'apprise = ["{address}"]')
        nights.night(error=HELD, held=[LOST])
    (mail,) = mails
    assert mail["subject"] == "verdicts: a.example: held"
    text = mail.get_body(("plain",)).get_content()
    assert text.splitlines()[0] == "The night of 2026-11-02 02:30 UTC is held: readers have the rest"
    assert "104 of 130 pages lost prices" in text
    assert [part.get_content_type() for part in mail.iter_attachments()] == ["text/html"]


def test_who_could_not_be_told_is_told_again_and_the_night_is_whole(tmp_path, clock, capsys):
    with receiver() as hook:
        nights = Nights(tmp_path, clock, f'apprise = ["{hook.json}/secret"]\nheartbeat = "{hook.address}/beat"')
        hook.answer = 503
        nights.night(status="partial")
        assert "apprise address 1 could not be reached: JSON: " in capsys.readouterr().err
        (lost, _) = newest(nights).undelivered
        assert ("503" in lost.why, "secret" in lost.why) == (True, False)
        hook.answer = 200
        nights.night(status="partial")
        nights.night(status="partial")
        assert newest(nights).undelivered == ()
    assert titles(hook) == ["verdicts: the night: partial"]
    assert [night.status for night in read_nights(nights.folder)] == ["partial"] * 3


@pytest.mark.whole
def test_addresses_that_never_end_hold_the_night_for_seconds_and_keep_nobody_else_from_being_told(
    tmp_path, clock, capsys
):
    with stall(*STALLS) as hosts, receiver() as hook:
        slow = hosts["greets for mail by the byte"].port
        web = [f"json://:s3cret@127.0.0.1:{host.port}/t0ken" for way, host in hosts.items() if "ends" not in way]
        others = [f"mailto://me:s3cret@127.0.0.1:{slow}?from=a@b.example&to=me@b.example&mode=insecure"]
        others += [f"jsons://127.0.0.1:{hosts['says nothing'].port}/t0ken", f"{hook.json}/"]
        heartbeat = f"http://127.0.0.1:{hosts['drips its head'].port}/t0ken"
        alerts = f'heartbeat = "{heartbeat}"\napprise = {[*web, *others]}'
        nights = Nights(tmp_path, clock, alerts)
        nights.night(status="partial")
    lost = newest(nights).undelivered
    assert len(lost) == len(web) + len(others)
    assert len(hook.posted) == 1
    said = capsys.readouterr().err + repr(lost)
    assert "heartbeat 127.0.0.1 could not be reached: it did not end within 8 s" in said
    assert "s3cret" not in said
    assert "t0ken" not in said


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("leads in a circle", "Exceeded maximum allowed redirects."),
        ("never ends its body", "it answered 500"),
    ],
)
@pytest.mark.share(2)
def test_no_more_of_an_answer_is_read_than_it_takes(tmp_path, clock, way, said):
    with stall(way) as hosts:
        nights = Nights(tmp_path, clock, f'heartbeat = "http://127.0.0.1:{hosts[way].port}/"')
        nights.night()
    (lost,) = newest(nights).undelivered
    assert (lost.address, lost.why) == ("heartbeat 127.0.0.1", said)


def test_the_heartbeat_is_pinged_by_nights_that_readers_have_alone(tmp_path, clock):
    with receiver() as pulse:
        nights = Nights(tmp_path, clock, f'heartbeat = "{pulse.address}/beat"')
        nights.night()
        nights.night(error=StorageFailed("the disk is full"), is_built=False)
        nights.night(error=HELD, held=[LOST])
    assert pulse.got == ["/beat", "/beat"]


def test_a_night_that_was_killed_is_told_by_the_next_one(hooked, clock):
    nights, hook = hooked
    nights.night()
    clock[0] += timedelta(days=1)
    context = record_night(nights.folder, read_config(nights.config))
    save_record(nights.folder, context.__enter__())  # its process is gone before it ends
    nights.night()
    nights.night()
    assert titles(hook) == ["verdicts: the night: killed", "verdicts: over: the night: killed"]
    assert [night.ended_at is None for night in read_nights(nights.folder)] == [False, False, True, False]


@pytest.mark.parametrize(
    ("error", "status"),
    [(StoreLocked("data is held by another run"), "refused"), (ConfigError("verdicts.toml: a mistake"), "failed")],
)
def test_a_night_that_could_not_begin_is_over_with_the_one_that_runs(hooked, error, status):
    nights, hook = hooked
    config = read_config(nights.config)
    with record_night(nights.folder, config) as night, open_store(nights.folder.root, command="run"):
        save_record(nights.folder, night)
        report_unbegun(nights.folder, config, error)
    assert titles(hook) == [f"verdicts: the night: {status}", f"verdicts: over: the night: {status}"]
    assert {night.status for night in read_nights(nights.folder)} == {status, "done"}
    assert find_latest(read_nights(nights.folder)).incidents == ()


def test_incidents_go_on_after_a_clock_that_went_back(hooked, clock):
    nights, hook = hooked
    nights.night(error=HELD, held=[LOST])
    clock[0] -= timedelta(days=5)
    nights.night(error=StorageFailed("the disk is full"), is_built=False)
    nights.night()
    assert find_latest(read_nights(nights.folder)).incidents == ()
    assert titles(hook)[1:] == ["verdicts: the night: failed", "verdicts: over: the night: failed, and 1 more"]


def test_a_full_disk_keeps_nobody_from_being_told(hooked, capsys):
    nights, hook = hooked
    nights.folder.reports.write_text("no folder can be made here")
    nights.night(error=StorageFailed("the disk is full"), is_built=False)
    assert titles(hook) == ["verdicts: the night: failed"]
    lines = capsys.readouterr().err.splitlines()
    assert lines
    assert all("reports" in line for line in lines)


def test_the_addresses_can_be_tried(tmp_path, clock):
    with receiver() as hook:
        nights = Nights(tmp_path, clock, f'apprise = ["{hook.json}"]\nheartbeat = "{hook.address}/beat"')
        done = run_here("alerts", "--test", "--config", nights.config, cwd=tmp_path)
        assert (done.returncode, done.stdout, len(hook.posted), hook.got) == (0, "1 sent\n", 1, ["/beat"])
        hook.answer = 404
        done = run_here("alerts", "--test", "--config", nights.config, cwd=tmp_path)
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first.startswith("apprise address 1 could not be reached: JSON: ")
    assert second == "heartbeat 127.0.0.1 could not be reached: it answered 404"


@pytest.mark.parametrize("found", ["http://[::1", "http://xn--a/", "http://a..b/", "http://a.example:99999/"])
@pytest.mark.share(4)
def test_an_address_of_the_environment_that_is_none_is_not_asked(monkeypatch, found):
    monkeypatch.setenv("HEARTBEAT", found)
    night = NightRecord("night", START, START, "done")
    _, (missed,) = deliver(AlertsConfig(heartbeat="env:HEARTBEAT"), None, night, beats=True)
    assert missed.why.startswith("[alerts] env:HEARTBEAT: this is not a web address")


@pytest.mark.parametrize(
    ("alerts", "said"),
    [
        ('heartbeat = "http://xn--a/"', "alerts.heartbeat: this is not a web address"),
        ('apprise = ["no such thing://x:secret@y"]', "Apprise does not know the service of address 1"),
        ('heartbeat = "env:NO_SUCH_NAME"', "the environment has no NO_SUCH_NAME"),
        ('on = ["everything"]', "alerts.on.0"),
    ],
)
def test_an_address_that_cannot_be_one_is_told_before_the_night(tmp_path, clock, alerts, said):
    nights = Nights(tmp_path, clock, alerts)
    done = run_here("run", "--config", nights.config, "--data", "new", cwd=tmp_path)
    check_refusal(done, said)
    assert "secret" not in done.stderr
    assert not (tmp_path / "new").exists()
