"""The client of a server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar
from weakref import WeakSet

from ._files import FilesApi
from ._http import Http
from ._live import NoteSocket
from ._notes import Note, NotesApi
from ._runs import OutputEvent, Run
from ._tables import RunResult
from .errors import TidingError
from .rest import RestCalls

AnyRun = TypeVar("AnyRun", bound=Run[Any])


class Client:
    """A client of one server with one identity.

    It sends nothing before the first call. Use it in a `with` block, or call `close` at the end.

        with Client("http://127.0.0.1:8080", token=token) as client:
            print(client.run("Reports/Daily sales").table())
    """

    notes: NotesApi
    """Lists, creates, imports, exports and removes notes."""
    files: FilesApi
    """Lists, uploads, downloads and removes data files."""
    rest: RestCalls
    """The REST calls of the server, for what has no method of its own."""

    def __init__(self, server: str, token: str | None = None, *, timeout: float = 15.0) -> None:
        """`server` is the address with its context path. `token` is an access token.

        `timeout` limits each call in seconds, but not runs. Raises `protocol` for an address
        without `http://` or `https://`.
        """
        self.timeout = timeout
        self._http = Http(server, token, timeout)
        self._live_url = re.sub(r"^http", "ws", server.rstrip("/")) + "/ws"
        self._runs: WeakSet[Run[Any]] = WeakSet()
        self.rest = RestCalls(self._http.call)
        self.notes = NotesApi(self)
        self.files = FilesApi(self._http, self.rest)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def open(self, path_or_id: str) -> Note:
        """Returns a note by its full path or its id, as `notes.get` does."""
        return self.notes.get(path_or_id)

    def run(
        self,
        path_or_id: str,
        params: Mapping[str, Any] | None = None,
        *,
        on_output: Callable[[OutputEvent], object] | None = None,
        stored_values: bool = False,
        timeout: float | None = None,
    ) -> RunResult:
        """Runs a note and waits for its end.

        `params` are values of forms by name. Other forms have their default, whatever an earlier
        run used, unless `stored_values`. `on_output` is called with output as it arrives.
        After `timeout` seconds, the run is stopped and raises `timeout`. Code that fails raises
        nothing: the status of the result is `ERROR`.
        """
        run = self.open(path_or_id).run(params, stored_values=stored_values, timeout=timeout)
        for event in run:
            if on_output:
                on_output(event)
        return run.result()

    @contextmanager
    def isolated(self, path_or_id: str) -> Iterator[Note]:
        """Copies a note for runs that leave it as it is, and removes the copy at the end.

        The copy has values and results of its own, is in no list, and belongs to you. Any number
        of threads can run copies of one note at the same time.

            with client.isolated("Reports/Daily sales") as note:
                result = note.run({"day": "2026-11-21"}, stored_values=False).result()
                print(result.table())
        """
        copy = self.rest.create_run_copy(self.notes._find(path_or_id).id)
        try:
            yield Note(self, copy["path"], self.rest.get_note(copy["id"]))
        finally:
            try:
                self.rest.delete_note(copy["id"])
            except TidingError as error:
                if error.code != "not-found":
                    raise

    def close(self) -> None:
        """Closes all connections. What runs on the server continues."""
        for run in list(self._runs):
            run._socket.close()
        self._http.close()

    def _open_socket(self, note_id: str) -> NoteSocket:
        ticket = self.rest.ticket()
        if ticket.get("redirectURL"):
            raise TidingError("signed-out", "Sign-in continues at another address.")
        return NoteSocket(self._live_url, ticket, note_id, self.timeout)

    def _started(self, run: AnyRun) -> AnyRun:
        self._runs.add(run)
        return run
