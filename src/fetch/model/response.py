"""A whole HTTP response, whatever client received it."""

from dataclasses import dataclass

from fetch.model.headers import Headers, charset_of, header_value, media_type_of


@dataclass(frozen=True, slots=True)
class Response:
    """`body` is decoded and never partial; `wire_bytes` counts its bytes as received."""

    status: int
    headers: Headers
    body: bytes
    elapsed_ms: int
    wire_bytes: int

    def header(self, name: str) -> str | None:
        """The first value of a header, `name` in lower case; None where it is absent."""
        return header_value(self.headers, name)

    @property
    def media_type(self) -> str:
        """In lower case, without parameters; empty where none is given."""
        return media_type_of(self.header("content-type"))

    @property
    def charset(self) -> str | None:
        """The charset of its content type; None where none is given."""
        return charset_of(self.header("content-type"))

    @property
    def is_redirect(self) -> bool:
        """Whether the host answers with another address. A 304 is no redirect."""
        return 300 <= self.status < 400 and self.status != 304
