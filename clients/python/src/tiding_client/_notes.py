"""Notes and their paragraphs."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import types
from ._params import divide
from ._runs import NoteRun, ParagraphRun, Run, is_running
from ._tables import Output, ParagraphResult, RunResult, outputs_of, result_of
from .errors import TidingError

if TYPE_CHECKING:
    from ._client import Client
    from ._live import NoteSocket


@dataclass(frozen=True)
class NoteEntry:
    """An entry of the list of notes."""

    id: str
    path: str
    """Full path, with folders separated by `/`."""


class NotesApi:
    """The notes of a server: `client.notes`."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self) -> list[NoteEntry]:
        """Returns the notes that the user may read, including those in the trash."""
        return [NoteEntry(each["id"], _path_of(each)) for each in self._client.rest.list_notes()]

    def get(self, path_or_id: str) -> Note:
        """Returns a note by its full path or its id. Raises `not-found` if there is none."""
        entry = self._find(path_or_id)
        return Note(self._client, entry.path, self._client.rest.get_note(entry.id))

    def create(self, path: str, paragraphs: Iterable[str] = (), *, exist_ok: bool = False) -> Note:
        """Creates a note with these texts as its paragraphs.

        If there is a note with this path, returns it unchanged if `exist_ok`, and raises
        `conflict` otherwise.
        """
        try:
            note_id = self._client.rest.create_note(
                name=path, paragraphs=[{"text": text} for text in paragraphs]
            )
        except TidingError as error:
            if not exist_ok or error.code != "conflict":
                raise
            return self.get(path)
        return self.get(note_id)

    def remove(self, path_or_id: str) -> None:
        """Removes a note permanently."""
        self._client.rest.delete_note(self._find(path_or_id).id)

    def export(self, path_or_id: str) -> dict[str, Any]:
        """Returns a note with its results in the format of Zeppelin, for a file `.zpln`."""
        note: dict[str, Any] = json.loads(self._client.rest.export_note(self._find(path_or_id).id))
        return note

    def import_note(
        self, source: str | os.PathLike[str] | Mapping[str, Any], path: str | None = None
    ) -> Note:
        """Imports a note: a file `.zpln`, `.json` or `.ipynb`, or the content of one.

        `path` replaces its name. Raises `protocol` if the file is no JSON object, and `conflict`
        if there is a note with this path.
        """
        note = source if isinstance(source, Mapping) else _read_note(Path(source), path)
        note_id = self._client.rest.import_note(dict(note), note_path=path)
        return self.get(note_id)

    def _find(self, path_or_id: str) -> NoteEntry:
        notes = self.list()
        path = unicodedata.normalize("NFC", path_or_id.strip())
        path = "/".join(part for part in path.split("/") if part)
        found = [each for each in notes if each.id == path_or_id]
        found += [each for each in notes if each.path == path]
        if not found:
            raise TidingError(
                "not-found", f"There is no note {path_or_id!r}.", operation="get_note"
            )
        return found[0]


class Note:
    """A note as it was when it was read. `reload` reads it again."""

    def __init__(self, client: Client, path: str, data: types.Note) -> None:
        self._client = client
        self.id = data["id"]
        self.path = path
        """Full path, with folders separated by `/`."""
        self.paragraphs: list[Paragraph] = []
        self._set(data)

    def __repr__(self) -> str:
        return f"<Note {self.path!r} ({self.id})>"

    def reload(self) -> None:
        """Reads the note again, with the changes and runs of others."""
        self._set(self._client.rest.get_note(self.id))

    def insert(self, text: str, *, title: str | None = None, index: int | None = None) -> Paragraph:
        """Adds a paragraph at a position, by default at the end, and returns it."""
        paragraph_id = self._client.rest.insert_paragraph(
            self.id, text=text, title=title, index=index
        )
        self.reload()
        return next(each for each in self.paragraphs if each.id == paragraph_id)

    def run(
        self,
        params: Mapping[str, Any] | None = None,
        *,
        stored_values: bool = True,
        timeout: float | None = None,
    ) -> Run[RunResult]:
        """Starts all paragraphs in their order, until one fails.

        `params` are values of forms by name; `timeout` limits the run in seconds. Forms without a
        value use the one that the note has stored, or their default if not `stored_values`. Raises
        `protocol` for a value that no form has.
        """
        socket = self._client._open_socket(self.id)
        try:
            self._set(socket.note)
            enabled = [each._data for each in self.paragraphs if each._is_enabled]
            own, of_note = divide(enabled, params or {})
            known = socket.note.get("noteParams") or {}
            wanted = {**known, **of_note} if stored_values else of_note
            if wanted != known:
                self._set_params(socket, wanted)
            # Without paragraphs, the server runs the note as it is.
            chosen = [
                {
                    "id": each["id"],
                    "params": (_params_of(each) if stored_values else {}) | own[each["id"]],
                }
                for each in enabled
                if params or not stored_values
            ]
        except BaseException:
            socket.close()
            raise
        return self._client._started(
            NoteRun(
                socket,
                {"noteId": self.id, "paragraphs": chosen},
                stop=self.stop,
                finish=self._finish,
                timeout=timeout,
                patience=self._client.timeout,
            )
        )

    def stop(self) -> None:
        """Stops everything that runs in the note, and waits until it has stopped."""
        self._client.rest.stop_note(self.id)

    def _set(self, data: types.Note) -> None:
        known = {each.id: each for each in self.paragraphs}
        self.paragraphs = []
        for each in data.get("paragraphs") or []:
            paragraph = known.get(each["id"]) or Paragraph(self, each)
            paragraph._data = each
            self.paragraphs.append(paragraph)

    def _set_params(self, socket: NoteSocket, params: Mapping[str, Any]) -> None:
        """Replaces the values of the forms that belong to the whole note."""
        data = {"noteId": self.id, "noteParams": dict(params)}
        socket.request("SAVE_NOTE_FORMS", data, "SAVE_NOTE_FORMS")

    def _finish(self, ran: list[types.Paragraph]) -> RunResult:
        by_id = {each["id"]: each for each in ran}
        for paragraph in self.paragraphs:
            paragraph._data = by_id.get(paragraph.id, paragraph._data)
        results = tuple(result_of(self._client.rest, self.id, each) for each in ran)
        failed = next((each for each in results if each.status in ("ERROR", "ABORT")), None)
        return RunResult(
            self.id,
            self.path,
            failed.status if failed else "FINISHED",
            failed.error if failed else None,
            results,
        )


class Paragraph:
    """A paragraph of a note as it was when it was read."""

    def __init__(self, note: Note, data: types.Paragraph) -> None:
        self._note = note
        self._data = data
        self.id = data["id"]

    def __repr__(self) -> str:
        return f"<Paragraph {self.id} {self.status}: {self.text[:40]!r}>"

    @property
    def title(self) -> str:
        """The title; empty if there is none."""
        return self._data.get("title") or ""

    @property
    def text(self) -> str:
        """The code, with its first line such as `%sql`."""
        return self._data.get("text") or ""

    @property
    def status(self) -> str:
        """`READY`, `PENDING`, `RUNNING`, `FINISHED`, `ERROR` or `ABORT`."""
        return self._data.get("status") or "READY"

    @property
    def outputs(self) -> tuple[Output, ...]:
        """Outputs of the last run."""
        return outputs_of(self._data)

    def result(self) -> ParagraphResult:
        """Returns the result of the last run, without running the paragraph."""
        if is_running(self._data):
            raise TidingError("busy", "The paragraph is running.", operation="result")
        return self._finish(self._data)

    def run(
        self, params: Mapping[str, Any] | None = None, *, timeout: float | None = None
    ) -> Run[ParagraphResult]:
        """Starts the paragraph. Iterate the run for its output; `result` waits for its end.

        `params` are values of forms by name; `timeout` limits the run in seconds. Raises
        `protocol` for a value that no form has, and `closed` if the paragraph is gone.
        """
        note, client = self._note, self._note._client
        socket = client._open_socket(note.id)
        try:
            now = [each for each in socket.note.get("paragraphs") or [] if each["id"] == self.id]
            if not now:
                raise TidingError("closed", "The paragraph was removed.", operation="run")
            self._data = now[0]
            own, of_note = divide(now, params or {})
            if of_note:
                note._set_params(socket, {**(socket.note.get("noteParams") or {}), **of_note})
        except BaseException:
            socket.close()
            raise
        return client._started(
            ParagraphRun(
                socket,
                {
                    "id": self.id,
                    "noteId": note.id,
                    "params": _params_of(self._data) | own[self.id],
                },
                stop=self.cancel,
                finish=lambda ran: self._finish(ran[0]),
                timeout=timeout,
                patience=client.timeout,
            )
        )

    def cancel(self) -> None:
        """Stops the paragraph, and waits until it has stopped. Does nothing if it isn't running."""
        self._note._client.rest.stop_paragraph(self._note.id, self.id)

    def update(self, text: str) -> None:
        """Replaces the code."""
        self._note._client.rest.update_paragraph(self._note.id, self.id, text=text)
        self._data["text"] = text

    def remove(self) -> None:
        """Removes the paragraph from its note."""
        self._note._client.rest.delete_paragraph(self._note.id, self.id)
        self._note.paragraphs = [each for each in self._note.paragraphs if each is not self]

    @property
    def _is_enabled(self) -> bool:
        """Whether a run of the whole note includes it."""
        enabled = (self._data.get("config") or {}).get("enabled", True)
        return enabled and bool(self.text.strip())

    def _finish(self, data: types.Paragraph) -> ParagraphResult:
        self._data = data
        return result_of(self._note._client.rest, self._note.id, data)


def _params_of(paragraph: types.Paragraph) -> dict[str, Any]:
    return dict((paragraph.get("settings") or {}).get("params") or {})


def _path_of(note: types.NoteInfo) -> str:
    return (note.get("path") or note.get("name") or "").lstrip("/")


def _read_note(file: Path, path: str | None) -> dict[str, Any]:
    try:
        note = json.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise TidingError("protocol", f"{file} can't be imported: it is no JSON file.") from error
    if not isinstance(note, dict):
        raise TidingError("protocol", f"{file} can't be imported: it is no JSON object.")
    # A Jupyter notebook has no name of its own.
    return note if path or "name" in note else {**note, "name": file.stem}
