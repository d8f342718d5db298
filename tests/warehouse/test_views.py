"""Views and named questions answer rightly on a corpus small enough to reckon by hand."""

import shutil
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from builders import warehouse_rows as make
from builders.warehouse_files import VIEWS, answer_frame, load_corpus, question_frame
from builders.warehouse_files import ask_named as answer
from builders.warehouse_rows import market, measures
from verdicts.corpus.rows.correction_rows import CorrectionRow
from verdicts.corpus.tables import TABLES, name_relation
from verdicts.fetch.model.outcome import CLASSES, FAILURES
from verdicts.warehouse.schema.declared import examples
from verdicts.warehouse.serving.copy import bring_index_up_to_date
from verdicts.warehouse.serving.named_queries import list_queries
from verdicts.warehouse.serving.query import make_question, open_for_questions
from verdicts.warehouse.storage.connection import open_for_writing


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / "corpus.duckdb"
    load_corpus(path)
    return path


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """A corpus on which every question has an answer."""
    path = tmp_path_factory.mktemp("busy") / "corpus.duckdb"
    rows = market()
    rows["pricing_tiers"].append(make.tier("alpha", 9, kind="open_source", license="MIT", raw="Open source (MIT)"))
    rows["tools"].append(make.tool("late", first_seen_at=make.NEXT_NIGHT, last_seen_at=make.NEXT_NIGHT))
    # Its only page is gone, and states nothing since then.
    gone = "alpha-vs-late"
    rows["pages"].append(make.page(gone, is_gone=True))
    for side, word in (("a", "alpha"), ("b", "late")):
        rows["tool_cards"].append(make.card(gone, side, word))
        rows["verdict_history"].append(make.verdict_state(gone, side, word, valid_to=make.LATER))
    rows["corrections"] = [
        CorrectionRow(
            correction_id=make.an_id("decided"),
            kind="value",
            relation="tools",
            row_key=f"tool_id={make.an_id('alpha')}",
            column_name="vendor",
            subject="Alpha",
            value_before=None,
            value_after="Alpha Labs",
            outcome="applied",
            rows_changed=1,
            detail=None,
            about=(make.an_id("alpha"),),
            made_by="Ada",
            made_at=make.NIGHT,
            reason="the imprint says so",
        )
    ]
    load_corpus(path, rows, gate_measures=measures())
    with open_for_writing(path) as connection:
        bring_index_up_to_date(connection)
    return path


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("empty") / "corpus.duckdb"
    load_corpus(path, {}, crawls=[], fetches=[])
    return path


@pytest.fixture(scope="module")
def opened_files(corpus, busy, empty, tmp_path_factory):
    """Copies of the three, each opened once for all questions: a process opens a file once, and others open these."""
    folder = tmp_path_factory.mktemp("opened")
    with ExitStack() as stack:
        yield {
            name: stack.enter_context(open_for_questions(Path(shutil.copy(path, folder / f"{name}.duckdb"))))
            for name, path in (("corpus", corpus), ("busy", busy), ("empty", empty))
        }


def row(corpus, sql):
    (found,) = answer_frame(corpus, sql).to_dicts()
    return found


@pytest.fixture
def load(tmp_path):
    """Loads rows that take the place of those of the hand-made corpus; returns the path of the file."""

    def load_rows(fetches=None, **rows):
        more = {} if fetches is None else {"fetches": fetches}
        load_corpus(tmp_path / "corpus.duckdb", make.with_states(make.corpus() | rows), **more)
        return tmp_path / "corpus.duckdb"

    return load_rows


NARROWED = {
    "match_winners": {"least": "1"},
    "reviewers_that_disagree": {"least": "1"},
    "find_tool": {"tool": "alpha"},
    "search_tools": {"words": "alpha"},
    "words_found": {"words": "alpha"},
    "find_page": {"page": "/compare/alpha-vs-beta"},
    "find_record": {"words": "/compare/alpha-vs-beta"},
    "search_mentions": {"words": "alpha"},
    "compare_tools": {"one": make.an_id("alpha"), "other": make.an_id("beta")},
}
"""Questions that have no answer unless they are told what is wanted, or are asked of less."""

MAIN = [name for name, table in TABLES.items() if table.schema == "main"]

OF_THE_FILE = {"relations"}
"""Questions on the file itself, which has tables though they are empty."""


def test_the_keys_and_references_hold_and_say_truly_where_a_join_repeats_rows(corpus):
    declared = answer_frame(corpus, "SELECT * FROM ops.keys").rows()
    assert {relation for relation, _, parent, *_ in declared if parent is None} == {*map(name_relation, TABLES)}
    for relation, columns, parent, keys, condition, has_many in declared:
        held = f"(SELECT * FROM {relation} WHERE {condition or 'true'})"
        repeated = (
            f"SELECT {', '.join(columns)} FROM {held} WHERE {columns[0]} IS NOT NULL GROUP BY ALL HAVING count(*) > 1"
        )
        assert has_many or answer_frame(corpus, repeated).is_empty(), relation
        if parent is not None:
            pairs = " AND ".join(f"a.{column} = b.{key}" for column, key in zip(columns, keys, strict=True))
            lost = f"FROM {held} AS a ANTI JOIN {parent} AS b ON {pairs} WHERE a.{columns[0]} IS NOT NULL"
            assert answer_frame(corpus, lost).is_empty(), (relation, parent)
    many = {(relation, parent) for relation, _, parent, _, _, has_many in declared if has_many}
    assert ("pricing_tiers", "tools") in many
    assert ("outside.documents", "pages") not in many


@pytest.mark.parametrize("view", [view for view in VIEWS.values() if view != "ops.keys"])
@pytest.mark.share(3)
def test_a_view_is_empty_on_an_empty_corpus(opened_files, view):
    assert question_frame(make_question(opened_files["empty"], f"FROM {view}")).is_empty()


@pytest.mark.parametrize("question", list_queries(), ids=lambda question: question.name)
@pytest.mark.share(4)
def test_a_named_question_has_an_answer_and_a_picture_of_it(opened_files, question):
    assert question.question.endswith("?")
    narrowed = question.bind(NARROWED.get(question.name, {}))

    def answer(name):
        return question_frame(make_question(opened_files[name], question.sql, narrowed))

    found = max(answer("busy"), answer("corpus"), key=len)
    assert not found.is_empty()
    drawn = {*question.picture.labels, question.picture.value} - {None}
    assert drawn <= set(found.columns)
    if question.picture.kind in {"bars", "strip", "lines"}:
        assert found.schema[question.picture.value or ""].is_numeric()
    if question.picture.kind == "lines":
        assert found.schema[question.picture.labels[0]].is_temporal()
    of_nothing = answer("empty")
    if question.name in OF_THE_FILE:
        return
    assert of_nothing.is_empty() or {*of_nothing.row(0)} <= {0, None}, "counts of nothing are 0"


@pytest.mark.parametrize("relation", [name for name, known in VIEWS.items() if name == known] + MAIN)
def test_the_example_of_a_relation_of_main_has_an_answer(opened_files, relation):
    assert not question_frame(make_question(opened_files["busy"], examples()[relation])).is_empty()


SHOWN = [
    (
        "FROM tools WHERE slug = 'alpha'",
        {"panel_ship_pct": 75, "panel_verdict": "ship", "ship_votes": 3, "skip_votes": 1, "pages": 2, "reviews": 2}
        | {"mean_score": 70.0, "builder_score": 80.0, "skeptic_score": 60.0, "pm_score": None, "scored_reviews": 2}
        | {"lowest_score": 60, "lowest_reviewer": "Skeptic", "highest_score": 80, "highest_reviewer": "Builder"}
        | {"is_shared_name": False},
    ),
    (
        "FROM tools WHERE slug = 'gamma'",
        {"reviews": 1, "scored_reviews": 0, "is_shared_name": True, "lowest_score": None, "lowest_reviewer": None},
    ),
    (
        "FROM matches WHERE address LIKE '%gamma' AND side = 'a'",
        {"name": "Alpha", "panel_result": "won", "score_result": None, "panel_verdict": None},
    ),
    ("FROM price_ladder WHERE period = 'year'", {"amount": 120.0, "monthly_amount": 10.0, "rung": 1}),
    (
        "FROM verdict_changes",
        {"is_flip": True, "panel_verdict_before": "ship", "panel_verdict_after": "mixed", "changed_at": make.NEXT_NIGHT}
        | {"panel_before_pct": 75, "panel_after_pct": 50},
    ),
    (
        "FROM price_changes",
        {"pricing_before": "Free / $10/mo Pro", "pricing_after": "Free / $20/mo Pro", "name": "Alpha"}
        | {"changed_at": make.NEXT_NIGHT},
    ),
    (
        "FROM evidence.product_families",
        {"product": "Twin", "tools": 2, "distinct_names": 1, "lowest_panel_pct": 25, "highest_panel_pct": 50}
        | {"reviews": 2},
    ),
    (
        "FROM evidence.duplicate_reviews",
        {"review_id": make.an_id("alpha builder"), "pages": 2, "exact_sightings": 1, "near_sightings": 1}
        | {"least_similarity": 0.97},
    ),
    (
        "FROM ops.coverage",
        {"pages": 2, "documents": 1, "reviews": 4, "observed_reviews": 3, "ordered_reviews": 1, "reviewer_pct": 75.0}
        | {"discrepancies": 1, "rejects": 1},
    ),
    (
        "SELECT *, outcomes['stored'] AS stored FROM ops.crawl_health",
        {"seconds": 90.0, "attempts": 4, "failed_pct": 25.0, "stored": 2},
    ),
]
"""A row of a view on the hand-made corpus, and what stands in it."""


@pytest.mark.parametrize(("sql", "values"), SHOWN, ids=[sql for sql, _ in SHOWN])
def test_a_view_shows_what_is_reckoned_by_hand(corpus, sql, values):
    shown = row(corpus, sql)
    assert {name: shown[name] for name in values} == values


LATER = make.NEXT_NIGHT + timedelta(days=1)
BETA, GAMMA = (f"http://{make.HOST}/compare/alpha-vs-{word}" for word in ("beta", "gamma"))
MATCHES = """SELECT name, other_name, side, panel_margin_pct, panel_result, score_margin, score_result
    FROM matches WHERE address LIKE '%beta' ORDER BY name"""
OUTCOMES = (
    "SELECT host, outcome, outcome_class, addresses, attempts, median_ms FROM ops.crawl_outcomes ORDER BY outcome"
)
HELD, FETCHED = make.corpus(), make.fetches()


def states(*of, **later):
    """A verdict as it was until the later night, and as it is since."""
    return [make.verdict_state(*of, valid_to=LATER), make.verdict_state(*of, valid_from=LATER, **later)]


def again(fetch, **changes):
    return replace(fetch, fetch_id=f"again {changes}", **changes)


STATED_LAST = {
    "verdict_history": [
        *HELD["verdict_history"][:3],
        make.verdict_state("alpha-vs-gamma", "a", "alpha", panel_ship_pct=100, valid_from=make.NEXT_NIGHT),
        make.verdict_state("alpha-vs-gamma", "b", "gamma", panel_ship_pct=0, valid_from=make.NEXT_NIGHT),
    ]
}
GONE = {"pages": [make.page("alpha-vs-beta", is_gone=True), *HELD["pages"][1:]]}
WITHOUT_ADDRESS = {"pages": [HELD["pages"][0], make.page("alpha-vs-gamma", url=None, host=None), HELD["pages"][2]]}
REJECT = HELD["rejects"][0]
BEFORE = make.NIGHT - timedelta(days=3)
# The page that timed out was stored at the second attempt; the two others answered.
RETRIED = [
    again(FETCHED[0], outcome="read_timeout", status_code=None, elapsed_ms=0),
    again(FETCHED[0], started_at=make.NIGHT + timedelta(seconds=9), elapsed_ms=10),
    again(FETCHED[1], elapsed_ms=30),
    again(FETCHED[1], url=f"http://{make.HOST}/robots.txt", outcome="support"),
    again(FETCHED[1], url="urn:sha256:00", outcome="unreadable", status_code=None),
]

AGAIN = [f"again {number}" for number in range(9)]

ANSWERED = [
    # What is loaded in place of the hand-made rows, the fetches where they are others; a question and its answer.
    ({}, None, "SELECT keenest_reviewer, harshest_reviewer, score_spread FROM contested_tools WHERE name = 'Alpha'",
     [("Builder", "Skeptic", 20)]),
    # A leaning is the distance from the other reviewers on the same tools; fewer than ten have none.
    ({}, None, "SELECT reviewer, leaning, reviews FROM reviewer_leanings ORDER BY reviewer",
     [("Builder", None, 2), ("Skeptic", None, 1)]),
    # Of a reviewer with several reviews on a tool, none is compared with the others: 80 and nine times 90 against 60.
    ({"reviews": [*HELD["reviews"], *(make.review(word, "alpha", score=90) for word in AGAIN)],
      "appearances": [*HELD["appearances"], *(make.appearance("alpha-vs-beta", word, 9) for word in AGAIN)]}, None,
     "SELECT leaning, compared_reviews, scored_reviews FROM reviewer_leanings WHERE reviewer = 'Builder'",
     [(29.0, 10, 11)]),
    # Votes alone: no verdict of a review is known.
    ({}, None, f"SELECT split, ship_reviews, skip_reviews FROM contested_tools WHERE tool_id = '{make.an_id('gamma')}'",
     [(0.25, None, None)]),
    # On the page of alpha and beta 75 of 100 voted for alpha; its reviews score 80 and 60, beta's 90.
    ({}, None, MATCHES, [("Alpha", "Twin", "a", 25, "won", -20.0, "lost"),
                         ("Twin", "Alpha", "b", -25, "lost", 20.0, "won")]),
    ({}, None, "SELECT kind, rule, host, url, first_seen_at FROM evidence.doubts ORDER BY kind",
     [("discrepancy", "chip_follows_panel", make.HOST, GAMMA, make.NIGHT),
      ("reject", "empty", make.HOST, REJECT.url, make.NIGHT)]),
    # A reject is known since its snapshot was fetched.
    ({}, [*FETCHED, again(FETCHED[0], url=REJECT.url, started_at=BEFORE, segment=REJECT.segment,
                          segment_offset=REJECT.segment_offset)],
     "SELECT first_seen_at FROM evidence.doubts WHERE kind = 'reject'", [(BEFORE,)]),
    # A tool shows what a page stated last of the panel; a unanimous panel is not contested.
    (STATED_LAST, None, "SELECT panel_ship_pct FROM tools WHERE slug = 'alpha'", [(100,)]),
    (STATED_LAST, None, "SELECT slug FROM contested_tools JOIN tools USING (tool_id) WHERE slug <> 'alpha'",
     [("beta",)]),
    # What a page stated until it was gone is no longer so, and was so then.
    ({"verdict_history": [*HELD["verdict_history"][:3],
                          make.verdict_state("alpha-vs-gamma", "b", "gamma", panel_ship_pct=25, valid_to=LATER)],
      "tool_history": [*HELD["tool_history"], make.tool_state("gamma", name="Twin")]}, None,
     ("SELECT now.panel_ship_pct, now.panel_verdict, past.panel_ship_pct AS pct_then,"
      " past.panel_verdict AS verdict_then FROM tools AS now"
      " INNER JOIN tools_asof('2026-11-20 12:00+00') AS past USING (tool_id) WHERE now.slug = 'gamma'"),
     [(None, None, 25, "ship")]),
    # A change of the price alone is no flip; a change says what moved.
    ({"verdict_history": states("alpha-vs-beta", "a", "alpha", pricing="Pro $30/mo")}, None,
     "SELECT is_flip, pricing_after FROM verdict_changes", [(False, "Pro $30/mo")]),
    ({"verdict_history": [*HELD["verdict_history"][:3],
                          *states("alpha-vs-gamma", "a", "alpha", community_pct=60, pricing="Pro $30/mo")]}, None,
     "SELECT moved FROM verdict_changes ORDER BY changed_at",
     [(["verdict", "votes", "panel"],), (["community", "pricing"],)]),
    # A tool has vanished when its last page has: beta's page is gone, alpha has another one.
    (GONE, [*FETCHED, *(again(FETCHED[0], outcome="gone", status_code=410, started_at=at)
                        for at in (make.NEXT_NIGHT, LATER))],
     "SELECT slug, pages, vanished_at FROM history.vanished_tools", [("beta", 1, make.NEXT_NIGHT)]),
    (WITHOUT_ADDRESS, None, "SELECT reviews FROM ops.coverage WHERE host IS NULL", [(2,)]),
    # Outcomes of a crawl count each address once.
    ({}, RETRIED, OUTCOMES, [(make.HOST, "read_timeout", "failed", 0, 1, None),
                             (make.HOST, "stored", "answered", 2, 2, 20.0),
                             (make.HOST, "support", "other", 1, 1, 60.0),
                             (None, "unreadable", "failed", 1, 1, None)]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "fetches", "sql", "answers"), ANSWERED)
@pytest.mark.share(2)
def test_a_view_answers_what_is_reckoned_by_hand(corpus, load, rows, fetches, sql, answers):
    path = load(fetches, **rows) if rows or fetches else corpus
    assert answer_frame(path, sql).rows() == answers


def test_named_questions_on_the_hand_made_corpus(corpus):
    assert answer(corpus, "contested")["minority_pct"].to_list() == [50, 25, 25]
    assert answer(corpus, "weakly_attributed")["review_id"].to_list() == [make.an_id("gamma")]


FREE_TO_START = {
    "free with a free tier": ("Free", [True, False], True, "tiers and entry"),
    "No free plan / $20/mo Pro": ("Free", [False], False, None),
    "Open source (MIT)": ("Paid", [True], True, "tiers against entry"),
    "paid tiers": ("Paid", [False], False, None),
    "free without tiers": ("Free", [], True, "entry"),
    "paid without tiers": ("Paid", [], False, None),
    "a free tier alone": (None, [True], True, "tiers"),
    "nothing": (None, [], None, None),
}
"""Name of a tool: its entry, which of its tiers are free, whether it is free to start, and by what evidence."""


def test_what_is_free_follows_the_tiers_and_else_the_entry(load):
    tools = [make.tool(name, name=name, entry=entry) for name, (entry, *_) in FREE_TO_START.items()]
    tiers = [
        make.tier(name, number, is_free=free)
        for name, (_, of_tool, *_) in FREE_TO_START.items()
        for number, free in enumerate(of_tool)
    ]
    path = load(tools=make.corpus()["tools"] + tools, pricing_tiers=tiers)
    told = dict(answer_frame(path, "SELECT name, is_free FROM tools").rows())
    assert {name: told[name] for name in FREE_TO_START} == {
        name: is_free for name, (_, _, is_free, _) in FREE_TO_START.items()
    }
    told = dict(answer(path, "free_tools").select("name", "evidence").rows())
    assert {name: told.get(name) for name in FREE_TO_START} == {
        name: evidence for name, (*_, evidence) in FREE_TO_START.items()
    }


def test_a_tool_of_then_shows_what_stood_then(load):
    """In the second night beta went from ship to mixed, alpha from paid to free and from 10 to 20 dollars."""
    path = load(tool_history=[*make.corpus()["tool_history"], make.tool_state("beta", name="Twin")])
    for moment, rows in (
        ("2020-01-01", []),
        (make.NIGHT, [("Alpha", "Paid", "ship", "Free / $10/mo Pro"), ("Twin", "Free", "ship", None)]),
        (make.NEXT_NIGHT, [("Alpha", "Free", "ship", "Free / $20/mo Pro"), ("Twin", "Free", "mixed", None)]),
    ):
        told = f"SELECT name, entry, panel_verdict, pricing FROM tools_asof('{moment}') ORDER BY name"
        assert answer_frame(path, told).rows() == rows


A, B = ("a.example",), ("b.example",)
BOTH = A + B
MIRRORS = [
    # Of four reviews of the copy three stand on the host too, which has five.
    ([BOTH, BOTH, BOTH, A, B, B], "b.example", [("a.example", "b.example", 4, 3, 0.75)]),
    # Though the copy was crawled first.
    ([BOTH, B, B, B], "a.example", [("a.example", "b.example", 1, 1, 1.0)]),
    # Of two that repeat each other the later one.
    ([BOTH, BOTH], "b.example", [("a.example", "b.example", 2, 2, 1.0)]),
    # A copied page makes no mirror.
    ([BOTH, A, A, B, B], "a.example", []),
]


@pytest.mark.parametrize(("shown_on", "home", "mirrors"), MIRRORS)
@pytest.mark.share(2)
def test_a_host_that_repeats_another_is_its_mirror(load, shown_on, home, mirrors):
    """Each review is shown on these hosts, about a tool of the home host."""
    rows = make.corpus()
    path = load(
        tools=[make.tool("alpha", host=home), *rows["tools"][1:]],
        reviews=rows["reviews"] + [make.review(str(n), "alpha", hosts=hosts) for n, hosts in enumerate(shown_on)],
        pages=rows["pages"] + [make.page(str(n), host=hosts[0]) for n, hosts in enumerate(shown_on)],
        appearances=rows["appearances"] + [make.appearance(str(n), str(n)) for n in range(len(shown_on))],
    )
    told = answer_frame(path, "SELECT host, mirror_of, reviews, shared_reviews, share FROM evidence.mirrors")
    assert told.rows() == mirrors


def test_every_outcome_has_one_class():
    assert {outcome for outcome, class_ in CLASSES.items() if class_ == "answered"} == {"stored", "unchanged"}
    assert {outcome for outcome, class_ in CLASSES.items() if class_ == "failed"} == set(FAILURES)


def test_a_load_tells_how_many_values_its_rows_had(tmp_path):
    """The second load brings two reviews, one of them without a score; four stood already, three with one."""
    path = tmp_path / "corpus.duckdb"
    load_corpus(path)
    rows = make.corpus()
    rows["reviews"] += [make.review("new", "alpha"), make.review("newer", "alpha", score=None)]
    rows["appearances"] += [make.appearance("alpha-vs-beta", "new", 3), make.appearance("alpha-vs-beta", "newer", 4)]
    load_corpus(path, rows, load_id="load-2")
    told = "SELECT load_id, filled, held, brought_filled, brought FROM ops.fill_rates WHERE {} ORDER BY load_id"
    assert answer_frame(path, told.format("relation = 'reviews' AND column_name = 'score'")).rows() == [
        ("load-1", 3, 4, 3, 4),
        ("load-2", 4, 6, 1, 2),
    ]
    assert answer_frame(path, told.format("relation = 'pages' AND load_id = 'load-2'")).is_empty()
