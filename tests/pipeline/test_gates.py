"""What the gates hold back, what they let pass, and what becomes of what is held."""

import shutil
from dataclasses import replace
from math import isclose
from random import Random

import pytest
from msgspec.structs import replace as with_state

from builders.command import read_tables
from builders.gate_nights import (
    CAPTCHA,
    FIRST,
    HOST,
    Nights,
    captcha,
    change_share,
    find_withheld,
    prices_zero,
    site,
)
from builders.gate_worlds import LOSSES, World, read_seen
from builders.gate_worlds import find_withheld as held_in
from verdicts.corpus.tables import TABLES
from verdicts.extract.model.records import Comparison
from verdicts.extract.page import EXTRACTOR_VERSION
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.store.store import open_store
from verdicts.pipeline.build import record_files
from verdicts.pipeline.build.judge_runs import accept_loss
from verdicts.pipeline.build.record_files import record_file, write_records
from verdicts.pipeline.gates.holds import check_holds, list_holds
from verdicts.pipeline.gates.host_night import compute_chance, limit_rate
from verdicts.pipeline.gates.measures import PAGE_MEASURES, list_places, measure_page
from verdicts.pipeline.gates.thresholds import GateSettings
from verdicts.pipeline.pipeline_errors import ConfigError, HeldBack
from verdicts.pipeline.workers.record_rows import make_record_row

NO_DIGITS = str.maketrans("0123456789", "abcdefghij")

FAULTS = [
    *((measure, LOSSES[measure], 20) for measure in LOSSES),
    ("price", LOSSES["price"], 130),
    ("price", prices_zero, 20),
    ("comparison", captcha, 20),
]


def read(pages, host=HOST):
    return {host: {url: read_seen(extracted) for url, extracted in pages.items()}}


def world(pages, quiet=2, settings=None):
    """A world after some nights on which nothing changed."""
    made = World(settings=settings or GateSettings())
    for _ in range(quiet):
        assert not held_in(made.night(read(pages)))
    return made


@pytest.mark.parametrize(("measure", "fault", "count"), FAULTS)
def test_a_field_that_half_of_the_pages_lost_holds_its_host_that_night(measure, fault, count):
    pages = site(count)
    assert held_in(world(pages).night(read(change_share(pages, fault, 0.5)))) == {(HOST, measure)}


def test_a_page_or_two_may_become_something_else():
    pages = site(20)
    made = world(pages)
    assert not held_in(made.night(read(change_share(pages, captcha, 0.1))))


def change_prices(pages, words, tools):
    """The site after some of its tools have another price, on all of their pages."""

    def change(comparison):
        columns = tuple(
            replace(column, pricing=words) if column.name in tools else column for column in comparison.decisions
        )
        return replace(comparison, decisions=columns)

    return change_share(pages, change)


def count_losses(rows, measure, test="night"):
    return {row.unit: (row.lost, row.had) for row in rows if (row.measure, row.test) == (measure, test)}


def test_a_fact_that_tools_lost_is_counted_by_tool_however_many_pages_show_them():
    pages, three = site(40, tools=12), {"Tool 04", "Tool 05", "Tool 06"}
    rows = world(pages).night(read(change_prices(pages, None, three)))
    assert count_losses(rows, "price") == {"tool": (3, 12), "page": (0, 40)}
    assert {(row.measure, row.state) for row in rows} >= {("price", "watch")}
    assert not held_in(rows)
    rows = world(pages).night(read(change_prices(pages, None, {f"Tool {number:02}" for number in range(6)})))
    assert held_in(rows) == {(HOST, "price")}
    assert "price: 6 of 12 tools lost prices since the last accepted night" in "\n".join(list_holds(rows))


def test_what_pages_lack_while_their_tools_show_it_elsewhere_is_counted_by_page():
    pages = site(40, tools=12)
    some = dict(list(pages.items())[::8])
    rows = world(pages).night(read(pages | change_share(some, LOSSES["price"])))
    assert count_losses(rows, "price") == {"tool": (0, 12), "page": (5, 40)}
    assert held_in(rows) == {(HOST, "price")}


def test_a_price_without_an_amount_is_as_good_a_price_unless_most_tools_have_one_at_once():
    pages = site(30, tools=22)
    few = {f"Tool {number:02}" for number in range(0, 22, 3)}
    rows = world(pages).night(read(change_prices(pages, "Free · Contact sales", few)))
    assert count_losses(rows, "amount")["tool"] == (8, 22)
    assert count_losses(rows, "price") == {"tool": (0, 22), "page": (0, 30)}
    assert not held_in(rows)

    def without_amounts(comparison):
        # Each in words of its own: no placeholder, and no digit that may pass for an amount.
        columns = ((column, f"Free / {column.name.translate(NO_DIGITS)} Pro") for column in comparison.decisions)
        return replace(comparison, decisions=tuple(replace(column, pricing=words) for column, words in columns))

    rows = world(pages).night(read(change_share(pages, without_amounts)))
    assert held_in(rows) == {(HOST, "amount")}


def test_a_tool_that_has_a_price_now_takes_no_amount_from_the_tool_beside_it():
    pages, some = site(30, tools=12), {"Tool 02", "Tool 05", "Tool 08", "Tool 11"}
    rows = world(change_prices(pages, None, some)).night(read(change_prices(pages, "Open source (MIT)", some)))
    assert count_losses(rows, "amount") == {"tool": (0, 8)}


def test_pages_that_were_not_read_since_a_tool_changed_say_nothing_against_it():
    pages = site(30, tools=12)
    later = change_prices(pages, None, {"Tool 02", "Tool 05", "Tool 08"})
    made = world(pages, quiet=8)
    for night in range(3):
        read_tonight = {url: later[url] for url in list(pages)[night::4]}
        rows = made.night(read(read_tonight))
        assert not held_in(rows)
        assert {count_losses(rows, "price", test)["page"][0] for test in ("night", "week")} == {0}


def test_pages_that_do_not_answer_are_never_lost_but_none_answering_is_never_well():
    pages = site(20)
    failing = dict.fromkeys(pages, "read_timeout")
    few = dict(list(pages.items())[:4])
    made = world(pages)
    rows = made.night(read(few), failing={HOST: dict(list(failing.items())[4:])})
    assert not held_in(rows)
    rows = made.night({HOST: {}}, failing={HOST: failing})
    assert held_in(rows) == {(HOST, "answered")}
    assert "answered before → (read_timeout)" in next(row for row in rows if row.state == "held").examples[0]
    assert not held_in(made.night(read(pages)))


@pytest.mark.parametrize(("gone", "unasked", "is_held"), [(20, 0, True), (3, 0, False), (0, 20, True), (0, 0, False)])
def test_silence_of_any_kind_is_told_from_a_night_on_which_little_was_due(gone, unasked, is_held):
    pages = site(20)
    rows = world(pages).night({HOST: {}}, gone=list(pages)[:gone], unasked=unasked)
    assert bool(held_in(rows)) is is_held


def test_all_takes_of_a_small_host_gone_needs_no_statistics():
    pages = site(1)
    assert held_in(world(pages).night(read(change_share(pages, LOSSES["reviews"])))) == {(HOST, "reviews")}


def test_a_new_host_is_not_judged_yet():
    rows = World().night(read(site(20)))
    assert [(row.measure, row.state, row.had) for row in rows] == [("comparison", "unjudged", 20)]


def test_a_trickle_is_held_though_no_night_is():
    pages = site(130)
    made = world(pages, quiet=8)
    for night in range(1, 6):
        pages = site(130) | dict(list(change_share(site(130), LOSSES["price"]).items())[: 3 * night])
        rows = made.night(read(pages))
        if held_in(rows):
            break
    assert night == 3
    assert {row.test for row in rows if row.state == "held"} == {"week"}


@pytest.mark.parametrize("words", ["$0", "Loading…", "N/A"])
def test_one_word_in_the_place_of_all_values_is_no_value(words):
    pages = site(20)

    def placeholder(comparison):
        return replace(
            comparison,
            cards=tuple(replace(card, tagline=words) for card in comparison.cards),  # type: ignore[arg-type]
            decisions=tuple(replace(column, pricing=words) for column in comparison.decisions),
        )

    assert {"tagline", "price"} <= {
        name for _, name in held_in(world(pages).night(read(change_share(pages, placeholder))))
    }


def test_a_measure_says_nothing_where_what_it_rests_on_is_missing():
    comparison = next(iter(site(1).values()))
    assert isinstance(comparison, Comparison)
    shown = dict(zip(PAGE_MEASURES, measure_page(list_places(LOSSES["reviews"](comparison))), strict=True))
    assert (shown["reviews"], shown["score"], shown["review_text"], shown["price"]) == (0, None, None, 1)
    assert set(measure_page(list_places(CAPTCHA))) == {0.0, None}
    starred = replace(comparison, takes=tuple(replace(take, score="★★★★") for take in comparison.takes))
    assert dict(zip(PAGE_MEASURES, measure_page(list_places(starred)), strict=True))["score"] == 0


def test_shadow_notes_and_holds_nothing():
    pages = site(20)
    made = world(pages, settings=GateSettings("shadow"))
    rows = made.night(read(change_share(pages, LOSSES["reviews"])))
    assert not held_in(rows)
    assert ("reviews", "shadow") in {(row.measure, row.state) for row in rows}


def test_ordinary_nights_of_a_small_site_hold_nothing():
    """Every night two tools have another price and a third of the pages is read; once a tool loses its price."""
    pages, made, random = site(30, tools=22), World(), Random(1)
    for night in range(15):
        for words in random.sample(["Free", "Contact sales", "Pro $9/mo", "Open source (MIT)"], 2):
            pages = change_prices(pages, words, {f"Tool {random.randrange(22):02}"})
        if night == 7:
            pages = change_prices(pages, None, {"Tool 04"})
        assert not held_in(made.night(read(dict(random.sample([*pages.items()], 10)))))


CORPUS = ("pages", "tools", "reviews", "appearances", "verdicts", "tool_cards", "rejects", "price_history")


def corpus(made):
    others = tuple(TABLES.keys() - {*CORPUS})
    tables = read_tables(made.folder.warehouse, without=others, without_columns=frozenset({"load_id"}))
    return {name: [repr(row) for row in tables[name]] for name in CORPUS}


@pytest.fixture(scope="module")
def good_nights(tmp_path_factory):
    """A data folder after two good nights of two hosts."""
    made = Nights(tmp_path_factory.mktemp("gates") / "data")
    for _ in range(2):
        assert not find_withheld(made.night(site(20) | site(8, "other.example")))
    return made


def copy_nights(nights, root):
    shutil.copytree(nights.root, root)
    return replace(nights, root=root, said=dict(nights.said))


@pytest.fixture
def made(good_nights, tmp_path):
    """A copy of it, to go on from."""
    return copy_nights(good_nights, tmp_path / "data")


OTHERS = change_share(site(8, "other.example"), lambda page: replace(page, title=f"{page.title}, reviewed"), 0.3)


@pytest.fixture(scope="module")
def held_night(good_nights, tmp_path_factory):
    """The same after a third night, on which all prices of a host are zero; and its report."""
    made = copy_nights(good_nights, tmp_path_factory.mktemp("held") / "data")
    return made, made.night(change_share(site(20), prices_zero) | OTHERS)


@pytest.fixture
def made_held(held_night, tmp_path):
    return copy_nights(held_night[0], tmp_path / "data")


def test_a_held_host_keeps_its_rows_and_the_others_go_on(good_nights, held_night, made_held):
    before, made, report = corpus(good_nights), made_held, held_night[1]
    assert {host for host, _ in find_withheld(report)} == {HOST}
    after = corpus(made)
    assert not any("$0/mo" in row for row in after["verdicts"])
    assert len(set(after["pages"]) - set(before["pages"])) == 2
    lines = "\n".join(list_holds(report.gates))
    assert "amount: 21 of 21 tools lost the amounts of their prices" in lines
    assert "Free tier / $20/mo Pro / Free tier / $20/mo Pro → $0/mo / $0/mo" in lines
    assert f"verdicts check --accept {HOST} --why TEXT" in lines
    with pytest.raises(HeldBack, match=f"{HOST} is held"):
        check_holds(report.gates)
    row = next(row for row in report.gates if row.state == "held")
    down = with_state(row, host="a.example", measure="answered", test="fixed", unit="page")
    with pytest.raises(HeldBack, match=f"{HOST} is held, and 1 more"):
        check_holds([down, *report.gates])
    with pytest.raises(HeldBack, match=r"a\.example is down, and 1 more.*nothing to accept"):
        check_holds([down, with_state(down, host="b.example")])
    assert rebuild(made) == after
    assert not find_withheld(made.night(site(20) | OTHERS))
    assert corpus(made)["verdicts"] == before["verdicts"]


def test_a_page_that_was_read_behind_a_wall_and_is_gone_keeps_its_last_good_reading(made):
    before, pages, others = corpus(made), site(20), site(8, "other.example")
    for _ in range(2):
        assert find_withheld(made.night(change_share(pages, captcha) | others)), (
            "the same wall on a second night is no answer"
        )
    lost, *_ = pages
    rest = {url: extracted for url, extracted in pages.items() if url != lost}
    assert not find_withheld(made.night(rest | others, failing={lost: Outcome.NOT_FOUND}))
    assert corpus(made)["verdicts"] == before["verdicts"]
    assert corpus(made)["rejects"] == before["rejects"]


@pytest.mark.whole
def test_a_page_that_changed_on_a_held_night_is_read_once_it_answers_the_same_again(made_held):
    made, free, others = made_held, change_share(site(20), prices_zero), OTHERS
    late, *_ = free
    rest = {url: extracted for url, extracted in site(20).items() if url != late}
    assert not find_withheld(made.night(rest | others, failing={late: Outcome.READ_TIMEOUT}))
    shown = [count_free(made)]
    for answers in ({late: free[late]}, {}, {late: site(20)[late]}):
        report = made.night(rest | others | answers, failing={} if answers else {late: Outcome.READ_TIMEOUT})
        shown.append(count_free(made))
        assert not find_withheld(report)
    assert shown == [0, 2, 2, 0]


def count_free(made):
    return sum("$0/mo" in row for row in corpus(made)["verdicts"])


def rebuild(made):
    """The rows of a build from nothing, with what is held in force."""
    made.folder.build_manifest.unlink()
    made.folder.warehouse.unlink()
    made.build()
    return corpus(made)


@pytest.mark.whole
def test_what_is_accepted_comes_in_with_the_next_build_and_is_compared_with_from_then(made_held):
    made, free = made_held, change_share(site(20), prices_zero) | OTHERS
    assert find_withheld(made.night(free)), "it stays held"
    with open_store(made.root, command="test") as store:
        with pytest.raises(ConfigError, match=r"held: amount of tools\.example, price of tools\.example"):
            accept_loss(store, HOST, "reviews", by="me", why="so", at=FIRST)
        accepted = accept_loss(store, HOST, "price", by="me", why="they are free now", at=FIRST)
    assert [(row.measure, row.accepted_by) for row in accepted] == [("price", "me")]
    assert set(find_withheld(made.build())) == {(HOST, "amount")}, "the other measure is not accepted with it"
    with open_store(made.root, command="test") as store:
        accept_loss(store, HOST, None, by="me", why="they are free now", at=FIRST)
    assert not find_withheld(made.build())
    assert count_free(made) == 2 * 20
    assert not find_withheld(made.night(free))


def test_a_host_that_is_silent_for_days_has_no_page_called_gone(made):
    report = made.night(site(8, "other.example"), failing=dict.fromkeys(site(20), Outcome.CONNECT_TIMEOUT))
    assert set(find_withheld(report)) == {(HOST, "answered")}


def as_version(made, version, change, monkeypatch):
    """Another extractor: the same snapshots, read otherwise."""
    monkeypatch.setattr(record_files, "VERSIONS", f"v{version}-1-1")
    for file in list(made.folder.records.glob("*.parquet")):
        anew = [replace(item, extracted=change(item)) for item in record_files.read_records([file])]
        path = record_file(made.folder.records, anew[0].location.segment, len(anew))
        write_records(path, [make_record_row(item) for item in anew])


def test_what_a_new_extractor_loses_of_the_same_bytes_is_told_from_what_the_site_does(made, monkeypatch):
    before = corpus(made)
    as_version(made, "98", lambda item: LOSSES["price"](item.extracted), monkeypatch)
    with pytest.raises(HeldBack, match=r"lost prices with the present extractor, from the same bytes"):
        made.build()
    assert corpus(made) == before
    as_version(made, "99", lambda item: item.extracted, monkeypatch)
    files = {file.name for file in made.folder.records.glob(f"*.v{EXTRACTOR_VERSION}-*.parquet")}
    assert files
    with open_store(made.root, command="test") as store:
        for host in (HOST, "other.example"):
            accept_loss(store, host, None, by="me", why="prices are left to another table", at=FIRST)
    made.build()
    assert not [file for file in made.folder.records.glob("*.parquet") if ".v99-" not in file.name]


def test_a_site_that_changed_is_mended_by_an_extractor_that_reads_its_new_pages(made, monkeypatch):
    assert find_withheld(made.night(change_share(site(20), LOSSES["reviews"]) | site(8, "other.example")))
    good = site(20) | site(8, "other.example")
    as_version(made, "99", lambda item: good[item.url], monkeypatch)
    assert not find_withheld(made.build())


TAILS = [
    # scipy.stats.binom.sf(k - 1, n, p), for more pages than the terms are summed of below.
    (500, 100_000, 0.005, 0.5059919),
    (600, 100_000, 0.005, 7.3905838e-06),
]


@pytest.mark.parametrize(("k", "n", "rate", "expected"), TAILS)
def test_the_tail_is_that_of_the_tables(k, n, rate, expected):
    assert isclose(compute_chance(k, n, rate), expected, rel_tol=1e-4)


LIMITS = [
    # scipy.stats.binomtest(lost, had).proportion_ci(0.9, "wilson").high
    (0, 130, 0.0203876),
    (1, 20, 0.1960072),
    (5, 100, 0.0991611),
    (50, 100, 0.5811522),
]


@pytest.mark.parametrize(("lost", "had", "expected"), LIMITS)
def test_the_limit_is_wilsons(lost, had, expected):
    assert isclose(limit_rate(lost, had), expected, rel_tol=1e-5)
