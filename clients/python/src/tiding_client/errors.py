"""Errors of the client: one class with a closed set of codes."""

from __future__ import annotations

from typing import Any, Literal

ErrorCode = Literal[
    "not-found",
    "conflict",
    "busy",
    "limit",
    "too-large",
    "http",
    "network",
    "timeout",
    "closed",
    "signed-out",
    "forbidden",
    "server",
    "protocol",
    "too-many-connections",
]
"""What went wrong.

- `not-found`: there is no such note, paragraph or file, or the user may not see it.
- `conflict`: not possible in the current state, for example because a name is taken.
- `busy`: the note or paragraph is running.
- `limit`: a quota is used up, or there were too many requests.
- `too-large`: the message or file exceeds the server's size limit.
- `http`: the server answered a REST call with another error status; see `TidingError.status`.
- `network`: the server could not be reached, or the connection broke.
- `timeout`: no response, or no end of the run, within the time limit.
- `closed`: the client was closed, or the note or paragraph is gone.
- `signed-out`: the token was refused, or the session is over.
- `forbidden`: a right on the note is missing.
- `server`: the server refused the operation for another reason; the message is its text.
- `protocol`: an argument is invalid, or a message violates the protocol.
- `too-many-connections`: the user has as many connections open as the server allows.
"""

RETRYABLE_CODES = frozenset({"network", "timeout", "busy", "too-many-connections"})
RETRYABLE_STATUSES = frozenset({408, 429, 502, 503, 504})

CODES_BY_STATUS: dict[int, ErrorCode] = {
    403: "forbidden",
    404: "not-found",
    409: "conflict",
    410: "not-found",
    413: "too-large",
    423: "busy",
    429: "limit",
    507: "limit",
}
"""Statuses with a code of their own. The client for JavaScript has the same table."""


class TidingError(Exception):
    """Every error of this package. Decide by `code`."""

    code: ErrorCode
    operation: str | None
    """Name of the operation or REST call that failed."""
    status: int | None
    """HTTP status, if a REST call failed."""
    body: Any
    """Parsed body of the response, if a REST call failed."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        operation: str | None = None,
        status: int | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.operation = operation
        self.status = status
        self.body = body

    @property
    def retryable(self) -> bool:
        """Whether the same call may succeed later without a change.

        Read the state first if the call creates something or runs code: after `network` and
        `timeout`, the server may have acted on it.
        """
        return self.code in RETRYABLE_CODES or self.status in RETRYABLE_STATUSES
