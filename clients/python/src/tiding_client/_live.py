"""A socket of the live channel with one open note. A run has a socket of its own."""

from __future__ import annotations

import json
import secrets
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, cast

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from . import types
from .errors import CODES_BY_STATUS, TidingError

# Codes with which a server refuses a connection: a policy, or a limit that is reached.
REFUSAL_CODES = frozenset({1008, 1013})
TOO_MANY_CONNECTIONS = 4029


@dataclass(frozen=True)
class Message:
    """A message of the server. `id` is that of the message which it answers."""

    op: str
    data: dict[str, Any]
    id: str | None


class NoteSocket:
    """A connection to the live channel. It receives what happens in one note."""

    def __init__(self, url: str, ticket: types.Ticket, note_id: str, timeout: float) -> None:
        self._identity = {
            "principal": ticket["principal"],
            "ticket": ticket["ticket"],
            "roles": ticket.get("roles", "[]"),
        }
        self._prefix = secrets.token_hex(3)
        self._count = 0
        self._is_closed = False
        self._timeout = timeout
        self._exit = ExitStack()
        try:
            # No limits of its own: the server limits the output of a run, and a reader that is
            # slow must not hold up the answers to keep-alive messages.
            self._socket = self._exit.enter_context(
                connect(url, open_timeout=timeout, close_timeout=1, max_size=None, max_queue=None)
            )
        except (OSError, WebSocketException) as error:
            raise TidingError(
                "network", f"The live channel can't be reached: {error}", operation="connect"
            ) from error
        try:
            reply = self.request("GET_NOTE", {"id": note_id}, "NOTE")
            self.note = cast("types.Note", reply.data["note"])
        except BaseException:
            self.close()
            raise

    def request(self, op: str, data: dict[str, Any], reply: str) -> Message:
        """Sends an operation and waits for its reply."""
        sent = self.send(op, data)
        deadline = time.monotonic() + self._timeout
        try:
            while True:
                message = self.receive(deadline - time.monotonic())
                raise_refusal(message, sent, op)
                if message.op == reply and message.id == sent:
                    return message
        except TimeoutError as error:
            raise TidingError("timeout", f"{op}: no reply in time.", operation=op) from error

    def send(self, op: str, data: dict[str, Any]) -> str:
        """Sends an operation and returns the id of the message."""
        self._count += 1
        message_id = f"{self._prefix}-{self._count}"
        frame = {"op": op, "data": data, **self._identity, "msgId": message_id}
        try:
            self._socket.send(json.dumps(frame))
        except ConnectionClosed as error:
            raise self._broken(error) from error
        return message_id

    def receive(self, timeout: float | None) -> Message:
        """Returns the next message. Raises `TimeoutError` if there is none in time."""
        try:
            text = self._socket.recv(timeout if timeout is None else max(timeout, 0))
        except ConnectionClosed as error:
            raise self._broken(error) from error
        try:
            frame = json.loads(text)
            return Message(frame["op"], frame.get("data") or {}, frame.get("msgId"))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise TidingError("protocol", "A message of the server can't be read.") from error

    def close(self) -> None:
        self._is_closed = True
        self._exit.close()

    def _broken(self, error: ConnectionClosed) -> TidingError:
        if self._is_closed:
            return TidingError("closed", "The client is closed.")
        code = error.rcvd.code if error.rcvd else None
        if error.rcvd and (code in REFUSAL_CODES or code == TOO_MANY_CONNECTIONS):
            return TidingError(
                "too-many-connections" if code == TOO_MANY_CONNECTIONS else "server",
                f"The server closed the connection: {error.rcvd.reason}",
            )
        return TidingError("network", f"The connection to the server broke: {error}")


def raise_refusal(message: Message, sent: str, operation: str) -> None:
    """Raises the error if a message refuses what was sent, or ends the access to the note."""
    data = message.data
    text = data.get("message") or data.get("info") or f"The server refused {operation}."
    if message.op == "SESSION_LOGOUT":
        raise TidingError("signed-out", text, operation=operation)
    if message.op == "AUTH_INFO":
        raise TidingError("forbidden", text, operation=operation)
    # A run of a whole note that can't continue is announced to everybody who has it open.
    if message.op == "ERROR_INFO" and (message.id == sent or data.get("op") == operation):
        code = CODES_BY_STATUS.get(data.get("code") or 0, "server")
        raise TidingError(code, text, operation=operation)
    # A note that was removed is announced as no note.
    if message.op == "NOTE" and not message.data.get("note"):
        raise TidingError("closed", "The note was removed.", operation=operation)
