"""Runs of paragraphs and notes: their output while they run, and their results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from . import types
from ._live import Message, NoteSocket, raise_refusal
from ._tables import ParagraphResult, RunResult
from .errors import TidingError

Result = TypeVar("Result", ParagraphResult, RunResult)


@dataclass(frozen=True)
class OutputEvent:
    """Output of a run as it arrives."""

    paragraph_id: str
    index: int
    """Number of the output of the paragraph, from 0."""
    type: str
    """`TEXT`, `TABLE`, `HTML`, `IMG`, … as the server names it."""
    text: str
    append: bool
    """Whether `text` continues the output. Otherwise it replaces it."""


class Run(Generic[Result]):
    """A run that was started. Iterate it for its output, and call `result` for its end.

    Leaving the loop early stops the run on the server. If the connection breaks, the loop and
    `result` raise `network`; the run itself continues on the server.
    """

    _operation: str

    def __init__(
        self,
        socket: NoteSocket,
        data: dict[str, Any],
        stop: Callable[[], None],
        *,
        timeout: float | None,
        patience: float,
    ) -> None:
        """`patience` limits the time until the server starts or stops the run."""
        self._socket = socket
        self._stop = stop
        self._timeout = timeout
        self._patience = patience
        self._outputs: dict[str, _Outputs] = {}
        self._result: Result | None = None
        self._error: TidingError | None = None
        self._is_accepted = False
        self._is_left = False
        began = time.monotonic()
        self._end_by = None if timeout is None else began + timeout
        self._start_by = began + patience
        try:
            self._sent = socket.send(self._operation, data)
        except BaseException:
            socket.close()
            raise

    def __iter__(self) -> Iterator[OutputEvent]:
        if self._error:
            raise self._error
        try:
            while not self._is_over:
                yield from self._next()
        finally:
            if not self._is_over:
                self._leave()

    def result(self) -> Result:
        """Waits for the end of the run and returns its result.

        Code that fails raises nothing: the status of the result is `ERROR`. Raises `timeout` if
        the run took too long and was stopped, and `network` if the connection broke.
        """
        for _ in self:
            pass
        assert self._result is not None
        return self._result

    def cancel(self) -> None:
        """Stops the run on the server. Its status is then `ABORT`. May be called in any thread."""
        if not self._is_over:
            self._stop()

    @property
    def _is_over(self) -> bool:
        return self._result is not None or self._error is not None

    def _next(self) -> list[OutputEvent]:
        """Waits for a message and returns what it adds to the output."""
        limits = [self._end_by, None if self._is_accepted else self._start_by]
        deadline = min((each for each in limits if each is not None), default=None)
        try:
            message = self._socket.receive(deadline and deadline - time.monotonic())
            raise_refusal(message, self._sent, self._operation)
            return list(self._handle(message))
        except TimeoutError:
            raise self._late() from None
        except TidingError as error:
            if error.code == "network":
                error = TidingError(
                    "network",
                    f"{error}. The run continues on the server: open the note again for its "
                    "result.",
                    operation=self._operation,
                )
            self._end(error=error)
            raise error from error.__cause__

    def _late(self) -> TidingError:
        if not self._is_accepted:
            text = "The server did not start the run in time."
        elif self._is_left:
            text = "The server did not stop the run in time."
        else:
            text = f"The run took longer than {self._timeout} s and was stopped."
            self._leave()
        error = TidingError("timeout", text, operation=self._operation)
        self._end(error=error)
        return error

    def _leave(self) -> None:
        """Stops the run and waits until it has stopped, so that it can be run again at once."""
        self._is_left = True
        self._end_by = time.monotonic() + self._patience
        # The caller's own error counts, not that of the clean-up.
        with suppress(TidingError):
            self._stop()
            while not self._is_over:
                self._next()
        if not self._is_over:
            self._end(error=TidingError("closed", "The run was left before its end."))

    def _handle(self, message: Message) -> Iterator[OutputEvent]:
        raise NotImplementedError

    def _output(self, message: Message) -> Iterator[OutputEvent]:
        """What a message about output adds."""
        data = message.data
        outputs = self._outputs.get(data.get("paragraphId", ""))
        if outputs is None:
            return
        index, text = data.get("index") or 0, data.get("data") or ""
        if message.op == "PARAGRAPH_UPDATE_OUTPUT":
            yield from outputs.replace(index, data.get("type") or "TEXT", text)
        elif message.op == "PARAGRAPH_APPEND_OUTPUT":
            yield from outputs.append(index, text)

    def _end(self, result: Result | None = None, error: TidingError | None = None) -> None:
        self._result, self._error = result, error
        self._socket.close()


class ParagraphRun(Run[ParagraphResult]):
    """A run of one paragraph."""

    _operation = "RUN_PARAGRAPH"

    def __init__(
        self,
        socket: NoteSocket,
        data: dict[str, Any],
        stop: Callable[[], None],
        finish: Callable[[types.Paragraph], ParagraphResult],
        **limits: Any,
    ) -> None:
        self._id: str = data["id"]
        self._finish = finish
        super().__init__(socket, data, stop, **limits)

    def _handle(self, message: Message) -> Iterator[OutputEvent]:
        if message.op == "PARAGRAPH_REMOVED" and message.data.get("id") == self._id:
            raise TidingError("closed", "The paragraph was removed.", operation=self._operation)
        paragraph = message.data.get("paragraph") if message.op == "PARAGRAPH" else None
        if paragraph is None or paragraph["id"] != self._id:
            yield from self._output(message)
            return
        # What was announced before is about an earlier run.
        self._is_accepted = self._is_accepted or message.id == self._sent
        if not self._is_accepted:
            return
        outputs = self._outputs.setdefault(self._id, _Outputs(self._id))
        if is_running(paragraph):
            return
        if (paragraph.get("config") or {}).get("enabled") is False:
            paragraph["status"] = "READY"
        else:
            yield from outputs.finish(paragraph)
        self._end(self._finish(paragraph))


class NoteRun(Run[RunResult]):
    """A run of a whole note."""

    _operation = "RUN_ALL_PARAGRAPHS"

    def __init__(
        self,
        socket: NoteSocket,
        data: dict[str, Any],
        stop: Callable[[], None],
        finish: Callable[[list[types.Paragraph]], RunResult],
        **limits: Any,
    ) -> None:
        self._finish = finish
        self._ran: dict[str, types.Paragraph] = {}
        super().__init__(socket, data, stop, **limits)

    def _handle(self, message: Message) -> Iterator[OutputEvent]:
        if message.op == "NOTE_RUNNING_STATUS":
            if message.data.get("status"):
                self._is_accepted = True
            elif self._is_accepted:
                self._end(self._finish(list(self._ran.values())))
            return
        paragraph = message.data.get("paragraph") if message.op == "PARAGRAPH" else None
        if paragraph is None or not self._is_accepted:
            yield from self._output(message)
            return
        paragraph_id = paragraph["id"]
        if is_running(paragraph):
            self._outputs.setdefault(paragraph_id, _Outputs(paragraph_id))
        elif paragraph_id in self._outputs:
            yield from self._outputs[paragraph_id].finish(paragraph)
            self._ran[paragraph_id] = paragraph


class _Outputs:
    """The outputs of a paragraph that were passed on so far."""

    def __init__(self, paragraph_id: str) -> None:
        self._paragraph_id = paragraph_id
        self._known: dict[int, tuple[str, list[str]]] = {}

    def replace(self, index: int, type: str, text: str) -> Iterator[OutputEvent]:
        before = self._known.get(index)
        self._known[index] = (type, [text])
        # An output starts with an empty text.
        if text or (before and any(before[1])):
            yield OutputEvent(self._paragraph_id, index, type, text, append=False)

    def append(self, index: int, text: str) -> Iterator[OutputEvent]:
        type, chunks = self._known.setdefault(index, ("TEXT", []))
        if text:
            chunks.append(text)
            yield OutputEvent(self._paragraph_id, index, type, text, append=True)

    def finish(self, paragraph: types.Paragraph) -> Iterator[OutputEvent]:
        """What the final outputs have in addition: short runs send nothing before."""
        for index, output in enumerate((paragraph.get("results") or {}).get("msg") or []):
            type, chunks = self._known.get(index, ("", []))
            seen, text = "".join(chunks), output.get("data", "")
            if type == output["type"] and text.startswith(seen):
                yield from self.append(index, text[len(seen) :])
            else:
                yield from self.replace(index, output["type"], text)


def is_running(paragraph: types.Paragraph) -> bool:
    """Whether a paragraph runs or waits for its turn."""
    return paragraph.get("status") in ("PENDING", "RUNNING")
