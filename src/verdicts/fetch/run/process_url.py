"""One URL from the frontier: requested, judged, stored, settled; and when another address replaces it.

A page names a canonical address, a refresh sends its reader on, a host redirects. Each is followed; the old address is
kept, or requested every night, until the new one holds its content (`verdicts.fetch.model.url_state`).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from verdicts.fetch.http.pace import Throttle
from verdicts.fetch.model.addresses import BadUrl, resolve_address
from verdicts.fetch.model.fetch_errors import AttemptFailed
from verdicts.fetch.model.outcome import Outcome, SkipReason
from verdicts.fetch.model.snapshot import Location, Response, Snapshot, clamp_to_run
from verdicts.fetch.model.url_state import UrlState, UrlStatus, VisitResult
from verdicts.fetch.parse.content import classify, contains_words, is_stub
from verdicts.fetch.parse.page_head import NO_DIRECTIVES, read_header_directives
from verdicts.fetch.parse.page_links import PageLinks, read_header_links, read_page_links
from verdicts.fetch.parse.rights import SILENT, PageRights, read_rights
from verdicts.fetch.parse.robots import Robots
from verdicts.fetch.parse.sitemap import read_feed
from verdicts.fetch.parse.walls import is_shell, leads_to_login, shows_login
from verdicts.fetch.run.context import Attempt, CrawlContext
from verdicts.fetch.run.decision import Decision
from verdicts.fetch.run.discovery import discover
from verdicts.fetch.run.request import Reply, find_next_hop, request_page
from verdicts.fetch.store import frontier, page_rights, stubs


def leave_page(context: CrawlContext, url: str, before: UrlState, decision: Decision) -> None:
    """Settles a page that is not asked for."""
    context.tally.settled += 1
    if isinstance(decision.reason, SkipReason):
        context.skips.add(decision.reason, before.address)
    with context.store.transaction():
        if isinstance(decision.reason, Outcome):
            context.log(Attempt(url, 1, context.clock()), decision.reason, detail=decision.detail)
        context.settle_absent(url)


async def process_url(
    context: CrawlContext, url: str, before: UrlState, spellings: Sequence[str], throttle: Throttle, robots: Robots
) -> int | None:
    """Asks for a page by its spellings, settles it, and returns its bytes on the wire.

    None if the host has no time now: the page stays due. Never raises because of a host.
    """
    try:
        reply = await request_page(context, url, spellings, before, throttle, robots)
    except AttemptFailed as error:
        if error.may_ask_again:
            return None
        context.tally.settled += 1
        with context.store.transaction():
            context.settle_absent(url)
        return 0
    context.tally.settled += 1
    visit = _Visit(context, url, reply, before, context.clock())
    if not context.first_stubs.keep_back(url, visit.end):
        visit.end()
    return reply.response.wire_bytes


class _Successor(NamedTuple):
    """The page that a page names in its place, by key and address, and how many redirects led there."""

    url: str
    address: str
    hops: int
    is_refresh: bool


class _Visit(NamedTuple):
    """A reply for `url`, and what was known of it before. All but `end` is part of the caller's transaction."""

    context: CrawlContext
    url: str
    reply: Reply
    before: UrlState
    now: datetime

    @property
    def _response(self) -> Response:
        return self.reply.response

    def _log(
        self, outcome: Outcome, detail: str | None = None, sha256: str | None = None, location: Location | None = None
    ) -> None:
        attempt, response = self.reply.attempt, self._response
        self.context.log(attempt, outcome, response=response, sha256=sha256, location=location, detail=detail)

    def _settle_absent(self, outcome: Outcome, detail: str | None = None) -> None:
        self._log(outcome, detail)
        self.context.settle_absent(self.url)

    def end(self, wall: str | None = None) -> None:
        """Settles the page in a transaction, as a `wall` for that reason, if there is one."""
        context, attempt, response = self.context, self.reply.attempt, self._response
        with context.isolate(self.url, attempt=attempt, response=response, is_page=True), context.store.transaction():
            if wall is None:
                self.settle()
            else:
                self._settle_absent(Outcome.WALL, wall)

    def settle(self) -> None:
        response = self._response
        if response.is_redirect:
            self._settle_redirect()
            return
        if response.status == 304 and self.before.sha256 is not None:
            rights = self._read_rights()
            page_rights.note_page(self.context.store.state, self.url, rights)
            if rights.is_noindex(self.now):
                self._settle_absent(Outcome.NOINDEX)
            else:
                self._keep_unchanged(self.before.sha256, rights, names=self.before.alias_of)
            return
        outcome, detail = classify(response)
        if outcome is Outcome.STORED:
            outcome = Outcome.LOGIN if shows_login(response) else Outcome.SHELL if is_shell(response) else outcome
        if outcome is Outcome.STORED:
            self._settle_page()
            return
        if outcome is Outcome.EMPTY and (redirect := self.reply.redirect()) is not self.reply:
            # Browsers follow its refresh: an empty page has nothing else to say.
            self._replace(reply=redirect)._settle_redirect()
        elif outcome is Outcome.NOT_A_PAGE and (pages := read_feed(response.body, response.media_type)):
            self._settle_absent(Outcome.SUPPORT)
            links = [link for page in pages if (link := self._resolve(page)) is not None]
            discover(self.context, links, source=self.url, depth=self.before.depth + 1)
        elif outcome in {Outcome.GONE, Outcome.NOT_FOUND, Outcome.SOFT_404}:
            self._log(outcome, detail)
            state, revisit = self.context.store.state, self.context.site.revisit
            is_final = outcome is Outcome.GONE
            frontier.settle_missing(state, self.url, self.context.crawl_id, self.now, revisit, is_final=is_final)
        else:
            self._settle_absent(outcome, detail)

    def _read_rights(self) -> PageRights:
        """What the page states. A 304 confirms what was stored, and its headers are newer (RFC 9111, 4.3.4)."""
        response, token, store = self._response, self.reply.token, self.context.store
        if response.status != 304:
            head = None if response.media_type == "text/plain" else self.reply.head
            return read_rights(response.headers, head, token)
        newer = read_rights(response.headers, None, token)
        if self.before.url_status is not UrlStatus.ABSENT:
            return newer | page_rights.read_page(store.state, self.url)
        # The last answer may have been another page, with `noindex`.
        stored = store.read_newest_snapshot(self.url)
        return newer if stored is None else newer | page_rights.read_snapshot_rights(stored, token)

    def _resolve(self, link: str) -> str | None:
        try:
            return resolve_address(link, self.reply.requested_url)
        except BadUrl:
            return None

    def _settle_redirect(self) -> None:
        """Adds the target to the frontier; its robots.txt and IP address are checked later.

        Snapshots of `url` stay in the store. `url` is requested every night until the target has the same content.
        """
        if leads_to_login(self._response, self.reply.requested_url):
            self._settle_absent(Outcome.LOGIN, f"leads to {self._response.header('location')}")
            return
        try:
            target, address, hops = find_next_hop(self.context, self.reply, self.before)
        except AttemptFailed as error:
            self._settle_absent(error.outcome, error.detail)
            return
        replaced_by = self._find_replacement(target, self.context.store.read_newest_body(self.url))
        self._point_to(_Successor(target, address, hops, is_refresh=True), replaced_by)

    def _settle_page(self) -> None:
        context, url, links, rights = self.context, self.url, self._read_links(), self._read_rights()
        if self.before.is_recorded or rights != SILENT:
            page_rights.note_page(context.store.state, url, rights)
        self._keep_or_give_up(links, rights)
        if links.is_cut:
            context.skips.add(SkipReason.TOO_MANY, url)
        is_nofollow = links.directives.is_nofollow
        if nofollow := links.nofollow + is_nofollow * len(links.links):
            context.skips.add(SkipReason.NOFOLLOW, url, nofollow)
        if not is_nofollow:
            discover(context, links.links, source=url, depth=self.before.depth + 1)

    def _read_links(self) -> PageLinks:
        response, url = self._response, self.reply.requested_url
        if response.media_type == "text/plain":
            links = read_header_links(url, response.headers)
        else:
            links = read_page_links(response, url, self.reply.head, self.context.site.link_patterns)
        in_headers = read_header_directives(response.headers, self.reply.token)
        return links if in_headers is NO_DIRECTIVES else links._replace(directives=links.directives | in_headers)

    def _keep_or_give_up(self, links: PageLinks, rights: PageRights) -> None:
        """Keeps the page, unless its content is held, or is to be held, under the other address that it names."""
        may_keep = not rights.is_noindex(self.now)
        try:
            successor = self._find_successor(links)
        except AttemptFailed as error:
            self._settle_absent(error.outcome, error.detail)
            return
        is_given_up = successor is not None and self._give_up(successor, may_keep=may_keep)
        if not is_given_up and may_keep:
            self._keep(rights, names=None if successor is None else successor.url)
        elif not is_given_up:
            self._settle_absent(Outcome.NOINDEX)

    def _find_successor(self, links: PageLinks) -> _Successor | None:
        """The address that the page redirects its readers to, or else names as canonical; None for its own.

        Raises `AttemptFailed`: `redirect_limit` for a short page that redirects in a circle or too far, `out_of_scope`
        for another address of a forgotten page. A refresh out of the site does not count: the page is there to be read.
        """
        if links.refresh is not None and links.refresh.is_redirect:
            try:
                target, address, hops = find_next_hop(self.context, self.reply.to(links.refresh.target), self.before)
            except AttemptFailed as error:
                if error.outcome is Outcome.REDIRECT_LIMIT and is_stub(self._response.body):
                    raise
            else:
                return None if target == self.url else _Successor(target, address, hops, is_refresh=True)
        if links.canonical is None:
            return None
        key, address, reason = self.context.rules.judge(links.canonical)
        if reason is SkipReason.FORGOTTEN:
            raise AttemptFailed(Outcome.OUT_OF_SCOPE, "it names a forgotten page as its own address")
        # Templates name the front page on every page by mistake; its key alone ends with a slash.
        is_credible = key != self.url and not key.endswith("/") and reason is None
        return _Successor(key, address, 0, is_refresh=False) if is_credible else None

    def _give_up(self, successor: _Successor, *, may_keep: bool) -> bool:
        """Settles a page under another address, and adds that one to the frontier.

        False if that is not possible yet, or if the page has content of its own: it must be kept, if it may. A short
        page that sends its reader on, or one that may not be kept, is a redirect: then the content held before must not
        be lost.
        """
        if not (successor.is_refresh or may_keep):
            return False
        body = self._response.body
        is_redirect = successor.is_refresh and (is_stub(body) or not may_keep)
        replaced_by = self._find_replacement(
            successor.url, self.context.store.read_newest_body(self.url) if is_redirect else body
        )
        is_given_up = is_redirect or replaced_by is not None
        if is_given_up:
            self._point_to(successor, replaced_by)
        else:
            self._announce(successor)
        return is_given_up

    def _find_replacement(self, target: str, text: bytes | None) -> str | None:
        """The address that holds the page of `target`, if it has all the words of `says`; else None."""
        store = self.context.store
        holder = frontier.find_page_holder(store.state, target)
        if holder is None or holder == self.url or text is None:
            return None
        stored = store.read_newest_body(holder)
        return holder if stored is not None and contains_words(stored, text) else None

    def _point_to(self, successor: _Successor, replaced_by: str | None) -> None:
        """Settles the URL under another one: rarely requested if that one replaces it, else every night."""
        context, revisit = self.context, self.context.site.revisit
        self._log(Outcome.REDIRECTED if successor.is_refresh else Outcome.ALIAS, successor.address)
        if successor.is_refresh:
            context.redirects[self.url] = successor.address
        status = UrlStatus.MOVED if successor.is_refresh else UrlStatus.ALIAS
        due_at = self.now + (revisit.least if replaced_by is None else revisit.most)
        alias_of = replaced_by or successor.url
        frontier.settle(context.store.state, self.url, context.crawl_id, self.now, due_at, status, alias_of)
        self._announce(successor)

    def _announce(self, successor: _Successor) -> None:
        """Adds the other address to the frontier; one without a page is due again if this link is new."""
        discover(self.context, [successor.address], source=self.url, hops=successor.hops, depth=self.before.depth)
        if self.before.alias_of != successor.url:
            frontier.wake_absent(self.context.store.state, successor.url)

    def _keep(self, rights: PageRights, *, names: str | None) -> None:
        store, response, before, snapshot = self.context.store, self._response, self.before, self._make_snapshot()
        sha256 = snapshot.sha256
        # The frontier does not know pages from ingested files.
        stored_sha256 = before.sha256
        if stored_sha256 is None and before.is_recorded:
            stored = store.find_newest_until(self.url, snapshot.header("content-type"), snapshot.fetched_at)
            stored_sha256 = None if stored is None else stored.sha256
        if sha256 == stored_sha256:
            self._keep_unchanged(sha256, rights, names=names)
            return
        if stored_sha256 is not None:
            self._wake_aliases()
        location = store.keep(snapshot)
        etag = response.validator("etag")
        is_first = before.sha256 is None
        is_etag_wrong = etag is not None and etag == before.etag and not is_first
        detail = "the ETag is that of other bytes; it is not sent again" if is_etag_wrong else None
        self._log(Outcome.STORED, detail, sha256=sha256, location=location)
        last_modified, is_changed = response.validator("last-modified"), None if is_first else True
        address = self.reply.requested_url
        not_after = rights.not_after
        visit = VisitResult(
            address, sha256, etag, last_modified, is_changed, names, is_etag_wrong=is_etag_wrong, not_after=not_after
        )
        self._settle_fetched(visit)

    def _wake_aliases(self) -> None:
        """Makes aliases of a page due this night if its new bytes lack old content.

        Addresses that only redirect to it have no content to lose.
        """
        store = self.context.store
        aliases = frontier.list_aliases(store.state, self.url)
        stored = store.read_newest_body(self.url) if aliases else None
        if stored is not None and not contains_words(self._response.body, stored):
            frontier.wake(store.state, aliases)

    def _keep_unchanged(self, sha256: str, rights: PageRights, *, names: str | None) -> None:
        response, before = self._response, self.before
        location = self.context.store.keep_revisit(self._make_snapshot(), sha256)
        self._log(Outcome.UNCHANGED, sha256=sha256, location=location)
        etag = response.validator("etag") or before.etag
        last_modified, is_whole = response.validator("last-modified") or before.last_modified, response.status != 304
        address = self.reply.requested_url
        not_after = rights.not_after
        visit = VisitResult(
            address, sha256, etag, last_modified, False, names, is_unconditional=is_whole, not_after=not_after
        )
        self._settle_fetched(visit)

    def _settle_fetched(self, visit: VisitResult) -> None:
        context = self.context
        state, crawl_id, revisit = context.store.state, context.crawl_id, context.site.revisit
        frontier.settle_fetched(state, self.url, crawl_id, self.now, self.before, visit, revisit)
        if self.before.is_recorded:
            stubs.forget_stub(state, self.url)

    def _make_snapshot(self) -> Snapshot:
        context, response = self.context, self._response
        at, crawl_id = clamp_to_run(context.crawl_id, self.now), context.crawl_id
        final_url, headers = self.reply.requested_url, response.headers
        return Snapshot(self.url, final_url, at, response.status, headers, response.body, crawl_id)
