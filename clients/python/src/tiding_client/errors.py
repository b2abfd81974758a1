"""Errors of the client: one class with a closed set of codes."""

from __future__ import annotations

from typing import Any, Literal

ErrorCode = Literal[
    "http",
    "network",
    "timeout",
    "closed",
    "signed-out",
    "forbidden",
    "server",
    "protocol",
    "conflict",
    "too-many-connections",
]
"""What went wrong.

- `http`: the server answered a REST call with an error status; see `TidingError.status`.
- `network`: the server could not be reached, or the connection broke.
- `timeout`: no response, or no end of the run, within the time limit.
- `closed`: the client was closed, or the note or paragraph is gone.
- `signed-out`: the token was refused, or the session is over.
- `forbidden`: a right on the note is missing.
- `server`: the server refused the operation; the message is its text.
- `protocol`: an argument is invalid, or a message violates the protocol.
- `conflict`: there is already a note with this path.
- `too-many-connections`: the user has as many connections open as the server allows.
"""

RETRYABLE_CODES = frozenset({"network", "timeout", "too-many-connections"})
RETRYABLE_STATUSES = frozenset({408, 429, 502, 503, 504})


class TidingError(Exception):
    """Every error of this package. Decide by `code`."""

    code: ErrorCode
    operation: str | None
    """Name of the operation or REST call that failed."""
    status: int | None
    """HTTP status, if the code is `http`."""
    body: Any
    """Parsed body of the response, if the code is `http`."""

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
