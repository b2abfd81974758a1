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
from .errors import ErrorCode, TidingError

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
        *,
        stop: Callable[[], None],
        finish: Callable[[list[types.Paragraph]], Result],
        timeout: float | None,
        patience: float,
    ) -> None:
        """`patience` limits the time until the server starts or stops the run.

        `finish` makes the result from the final state of the paragraphs that ran.
        """
        self._socket = socket
        self._data = data
        self._finish: Callable[[list[types.Paragraph]], Result] = finish
        self._stop = stop
        self._timeout = timeout
        self._patience = patience
        self._outputs: dict[str, _Outputs] = {}
        self._result: Result | None = None
        self._error: TidingError | None = None
        self._is_accepted = False
        self._is_stopped = False
        self._is_late = False
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
        try:
            try:
                message = self._socket.receive(self._time_left())
            except TimeoutError:
                self._stop_late()
                return []
            raise_refusal(message, self._sent, self._operation)
            return list(self._handle(message))
        except TidingError as error:
            if error.code == "network":
                error = self._failure(
                    "network",
                    f"{error}. The run continues on the server: open the note again for its "
                    "result.",
                )
            self._end(error=error)
            raise error from error.__cause__

    def _time_left(self) -> float | None:
        limits = [self._end_by, None if self._is_accepted else self._start_by]
        deadline = min((each for each in limits if each is not None), default=None)
        if deadline is None:
            return None
        left = deadline - time.monotonic()
        # Output that keeps arriving must not put off the limit.
        if left < 0 and not self._is_stopped:
            raise TimeoutError
        return left

    def _stop_late(self) -> None:
        if self._is_stopped:
            raise self._failure("timeout", "The server did not stop the run in time.")
        self._is_late = True
        self._stop_now()
        if not self._is_accepted:
            raise self._failure("timeout", "The server did not start the run in time.")

    def _stop_now(self) -> None:
        self._is_stopped = True
        self._end_by = time.monotonic() + self._patience
        self._stop()

    def _leave(self) -> None:
        """Stops the run and waits until it has stopped, so that it can be run again at once."""
        # The caller's own error counts, not that of the clean-up.
        with suppress(TidingError):
            self._stop_now()
            while not self._is_over:
                self._next()
        if not self._is_over:
            self._end(error=self._failure("closed", "The run was left before its end."))

    def _complete(self, ran: list[types.Paragraph]) -> None:
        result = self._finish(ran)
        # A run that ended by itself before the stop reached it has its result.
        if self._is_late and result.status == "ABORT":
            raise self._failure(
                "timeout", f"The run took longer than {self._timeout} s and was stopped."
            )
        self._end(result)

    def _failure(self, code: ErrorCode, text: str) -> TidingError:
        return TidingError(code, text, operation=self._operation)

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

    def _handle(self, message: Message) -> Iterator[OutputEvent]:
        own_id = self._data["id"]
        if message.op == "PARAGRAPH_REMOVED" and message.data.get("id") == own_id:
            raise self._failure("closed", "The paragraph was removed.")
        paragraph = message.data.get("paragraph") if message.op == "PARAGRAPH" else None
        if paragraph is None or paragraph["id"] != own_id:
            yield from self._output(message)
            return
        # What was announced before is about an earlier run.
        self._is_accepted = self._is_accepted or message.id == self._sent
        if not self._is_accepted:
            return
        outputs = self._outputs.setdefault(own_id, _Outputs(own_id))
        if is_running(paragraph):
            return
        if (paragraph.get("config") or {}).get("enabled") is False:
            paragraph["status"] = "READY"
        else:
            yield from outputs.finish(paragraph)
        self._complete([paragraph])


class NoteRun(Run[RunResult]):
    """A run of a whole note."""

    _operation = "RUN_ALL_PARAGRAPHS"

    def _handle(self, message: Message) -> Iterator[OutputEvent]:
        if message.op == "NOTE_RUNNING_STATUS":
            if message.data.get("status"):
                self._is_accepted = True
            elif self._is_accepted:
                ran = [each.final for each in self._outputs.values() if each.final]
                self._complete(ran)
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


class _Outputs:
    """The outputs of a paragraph that were passed on so far, and its final state."""

    def __init__(self, paragraph_id: str) -> None:
        self.final: types.Paragraph | None = None
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
        self.final = paragraph
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
