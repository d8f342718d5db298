"""Recognizes stand-ins of a page that was read before: a login, an empty shell, a stub that other pages show, too.

A wall without a known marker has no menu and none of the words of the page. A page may become such a stub: it is
believed after `BELIEVED_AFTER`, unless other pages of its host show the same words. On a first visit nothing is known
of a page, so a page of few words is kept back until the others were requested (`verdicts.fetch.run.first_stubs`).
"""

import hashlib
from datetime import timedelta

from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome
from verdicts.fetch.model.snapshot import Response
from verdicts.fetch.parse.content import FEW_WORDS, has_facts, split_words
from verdicts.fetch.parse.page_head import read_head
from verdicts.fetch.parse.page_links import read_refresh
from verdicts.fetch.parse.walls import (
    is_login_form,
    leads_to_login,
    links_within,
    read_text,
    says_little,
    shows_login,
)
from verdicts.fetch.run.context import CrawlContext
from verdicts.fetch.store import stubs

BELIEVED_AFTER = timedelta(days=3)
"""As for a 404: after this time it is no fault of the site."""

KEPT_SHARE = 0.2
"""Below this share of its words a page is another one."""

WORDS_LEAST = 3
"""The fewest words of a wall: `Coming soon` stands on many pages."""

STUB_LETTERS = 60
"""The most letters of a stub in a detail."""


def check_stand_in(context: CrawlContext, key: str, sent_url: str, response: Response) -> None:
    """Raises `AttemptFailed` (`wall`) if a response stands in place of a page that is stored."""
    is_login = leads_to_login(response, sent_url) or shows_login(response)
    if not is_login and (not says_little(response) or _leads_on(context, sent_url, response)):
        return
    stored = context.store.read_newest_body(key)
    if stored is None:
        if not is_login:
            _check_first_stub(context, key, response)
        return
    stub = None
    if not is_login:
        stub = _find_stub(context, key, response, stored)
    elif not is_login_form(stored):
        stub = f"a login, {response.header('location')}" if response.is_redirect else "a login"
    if stub is not None:
        raise AttemptFailed(Outcome.WALL, stub, status=response.status)


def _check_first_stub(context: CrawlContext, key: str, response: Response) -> None:
    """Notes a stub on the first visit of a page; raises `AttemptFailed` if enough pages of its host show its words."""
    text = read_text(response).decode("utf-8", errors="replace")
    words = _split_words(text)
    if len(words.split()) >= WORDS_LEAST and context.first_stubs.add(key, _digest(words)):
        detail = f"it shows only {text[:STUB_LETTERS]!r}, as other pages do"
        raise AttemptFailed(Outcome.WALL, detail, status=response.status)


def _leads_on(context: CrawlContext, sent_url: str, response: Response) -> bool:
    """Whether a page sends its readers on, as one that moved, or has a menu."""
    refresh = read_refresh(response.headers, sent_url, read_head(response.head, context.token))
    return refresh is not None or links_within(response, sent_url, context.site.hosts)


def _find_stub(context: CrawlContext, key: str, response: Response, stored: bytes) -> str | None:
    """What a stub shows in place of the page; None if it is the page, or is believed."""
    before, now = set(split_words(stored)), set(split_words(response.body))
    had_content = len(before) >= FEW_WORDS or has_facts(stored)
    if not had_content or len(before & now) >= KEPT_SHARE * len(before):
        return None
    text = read_text(response).decode("utf-8", errors="replace")
    store, today = context.store, context.clock().date()
    with store.transaction():
        stub = stubs.note_stub(store.state, key, _digest(_split_words(text)), today)
    if not stub.others and today - stub.since >= BELIEVED_AFTER:
        return None
    words = f"it shows only {text[:STUB_LETTERS]!r}" if text else "it shows nothing"
    return f"{words}, as other pages do" if stub.others else words


def _split_words(text: str) -> str:
    """The words of a stub. `Incident 195000720027419271`: numbers differ from page to page."""
    return " ".join(word for word in text.lower().split() if word.isalpha())


def _digest(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()
