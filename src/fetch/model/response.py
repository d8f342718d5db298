"""A whole HTTP response, whatever client received it."""

from dataclasses import dataclass

from verdicts.fetch.model.headers import Headers, charset_of, header_value, is_sendable, media_type_of

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The statuses whose Location is to be followed, https://fetch.spec.whatwg.org/#redirect-status. 300 is a choice, 305 a
proxy."""


@dataclass(frozen=True, slots=True)
class Response:
    """`body` is decoded and never partial; `wire_bytes` counts its bytes as received."""

    status: int
    headers: Headers
    body: bytes
    elapsed_ms: int
    wire_bytes: int

    def header(self, name: str) -> str | None:
        """The first value of a header as text in one line, `name` in lower case; None where it is absent."""
        return header_value(self.headers, name)

    def validator(self, name: str) -> str | None:
        """An ETag or a Last-Modified that can be sent back; None for one that cannot."""
        value = self.header(name)
        return value if value and is_sendable(value) else None

    @property
    def media_type(self) -> str:
        """In lower case, without parameters; empty where none is given."""
        return media_type_of(self.header("content-type"))

    @property
    def charset(self) -> str | None:
        """The charset of its content type; None where none is given."""
        return charset_of(self.header("content-type"))

    @property
    def is_success(self) -> bool:
        """Whether the status is a 2xx. Only 200 brings a whole page; for robots.txt and sitemaps any is good."""
        return 200 <= self.status < 300

    @property
    def is_redirect(self) -> bool:
        """Whether the host answers with another address."""
        return self.status in REDIRECTS
