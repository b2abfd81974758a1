"""REST calls: credentials, paths, answers and errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import httpx

from .errors import CODES_BY_STATUS, TidingError

# Why a server refuses a token, in the body of the answer.
TOKEN_FAILURES = frozenset({"expired", "revoked", "invalid", "origin"})


class Http:
    """Sends the REST calls of one client."""

    def __init__(self, server: str, token: str | None, timeout: float) -> None:
        if not re.match(r"https?://[^/]", server):
            raise TidingError(
                "protocol", f"The server has to be an address with http:// or https://: {server!r}."
            )
        self._has_token = token is not None
        self._client = httpx.Client(
            base_url=f"{server.rstrip('/')}/api",
            headers={"Authorization": f"Bearer {token}"} if token is not None else {},
            timeout=timeout,
        )

    def close(self) -> None:
        self._client.close()

    def call(
        self,
        method: str,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        raw: bool = False,
    ) -> Any:
        """Sends a call and returns its answer: bytes if `raw`, else the parsed body."""
        with self.stream(method, path, params, query=query, body=body, raw=raw) as response:
            content = response.read()
        return content if raw else _unwrapped(_parsed(content))

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        raw: bool = True,
    ) -> Iterator[httpx.Response]:
        """Sends a call and yields its response before the body is read."""
        operation = f"{method} {path}"
        if self._client.is_closed:
            raise TidingError("closed", "The client is closed.", operation=operation)
        request = self._client.build_request(
            method,
            path.format(**{key: _segment(key, each) for key, each in (params or {}).items()}),
            params=_given(query or {}),
            json=_given(body) if isinstance(body, dict) else body,
            # Without it, a server may answer with a page or redirect to one.
            headers={} if raw else {"Accept": "application/json"},
        )
        try:
            response = self._client.send(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise self._failure(operation, response)
                yield response
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise TidingError(
                "timeout", f"{operation}: no response within the time limit.", operation=operation
            ) from error
        except httpx.TransportError as error:
            raise TidingError(
                "network", f"{operation}: the server can't be reached: {error}", operation=operation
            ) from error

    def _failure(self, operation: str, response: httpx.Response) -> TidingError:
        body = _parsed(response.content)
        status = response.status_code
        message = _message(body) or f"{operation} failed with status {status}."
        reason = body.get("body") if isinstance(body, dict) else None
        is_token_refused = (
            status in (401, 403)
            and isinstance(reason, dict)
            and reason.get("reason") in TOKEN_FAILURES
        )
        # With a valid token, 401 means that a role is missing.
        is_unknown = status == 401 and (not self._has_token or operation.endswith("/ticket"))
        if is_token_refused or is_unknown:
            return TidingError("signed-out", message, operation=operation)
        exception = str(body.get("exception")) if isinstance(body, dict) else ""
        is_taken = exception.endswith("NotePathAlreadyExistsException")
        code = "conflict" if is_taken else CODES_BY_STATUS.get(status, "http")
        return TidingError(code, message, operation=operation, status=status, body=body)


def _segment(name: str, value: str) -> str:
    # A client would resolve dots, and so call another path.
    if value in ("", ".", ".."):
        raise TidingError("protocol", f"The parameter {name!r} can't be {value!r}.")
    return quote(value, safe="")


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _parsed(content: bytes) -> Any:
    """Detects JSON by content: some answers have another type, and error pages are HTML."""
    text = content.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text or None


def _unwrapped(answer: Any) -> Any:
    """The value in `{"status", "message", "body"}`."""
    if not isinstance(answer, dict) or not isinstance(answer.get("status"), str):
        return answer
    if "body" in answer:
        return answer["body"]
    # Some calls answer their value, such as an id, as the message.
    return (answer.get("message") or None) if answer.keys() <= {"status", "message"} else answer


def _message(body: Any) -> str | None:
    message = body.get("message") if isinstance(body, dict) else None
    if not isinstance(message, str) or not message.strip():
        return None
    # Without the names of Java classes that Zeppelin puts before it.
    return re.sub(r"^(?:(?:[\w$]+\.)+\w*(?:Exception|Error): )+", "", message)
