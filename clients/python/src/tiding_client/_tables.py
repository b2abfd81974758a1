"""Results of runs, and their tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, cast

from . import types
from .errors import TidingError

if TYPE_CHECKING:
    import pyarrow

    from .rest import RestCalls

RunStatus = Literal["FINISHED", "ERROR", "ABORT", "READY"]
"""How a run ended. `READY`: the paragraph was not run, for example because it is disabled."""


@dataclass(frozen=True)
class Output:
    """One output of a paragraph."""

    type: str
    """`TEXT`, `TABLE`, `HTML`, `IMG`, … as the server names it."""
    text: str
    """The content. Of a table only the first rows, if `rows` is set."""
    rows: int | None = None
    """Number of rows of a table that the server stores completely."""


class _Tables:
    """What results with a table have in common."""

    def _place(self) -> ParagraphResult:
        raise NotImplementedError

    def table(self) -> Any:
        """Returns all rows of the last table.

        As a pandas `DataFrame`, as a `pyarrow.Table` if pandas is not installed, and as a list of
        dictionaries if pyarrow is not installed either. In a `DataFrame`, integers and booleans
        have nullable types such as `Int64`, so a missing value makes no floats of them. Decimals
        are `decimal.Decimal`, dates `datetime.date`; a column with a date or time that Python doesn't
        have, such as one before year 1, has texts. Raises `server` if there is no table.
        """
        has_pandas = bool(find_spec("pandas"))
        if find_spec("pyarrow"):
            table = self.arrow()
            return _typed(table, self.rows) if has_pandas else table
        return _frame_of(self.rows()) if has_pandas else self.rows()

    def arrow(self) -> pyarrow.Table:
        """Returns all rows of the last table with their types. Needs pyarrow."""
        import pyarrow

        # The table refers to the bytes; it copies nothing.
        return pyarrow.ipc.open_stream(self._place()._download("arrow")).read_all()

    def rows(self) -> list[dict[str, Any]]:
        """Returns all rows of the last table as dictionaries.

        Values are those of JSON: numbers, texts, booleans and `None`. Dates are texts. A number
        with more digits than a float has is a `decimal.Decimal`.
        """
        data = self._place()._download("json")
        return cast("list[dict[str, Any]]", json.loads(data, parse_float=_number))


def _number(text: str) -> float | Decimal:
    """A number of JSON. Decimals with more digits than a float has keep them."""
    value = float(text)
    if len(text) < 17 or Decimal(repr(value)) == Decimal(text):
        return value
    return Decimal(text)


def _typed(table: pyarrow.Table, rows: Callable[[], list[dict[str, Any]]]) -> Any:
    """A data frame whose integers and booleans may be missing; `rows` has the texts of dates."""
    import pandas
    import pyarrow

    def nullable(kind: pyarrow.DataType) -> Any:
        if not pyarrow.types.is_integer(kind):
            return None
        return pandas.api.types.pandas_dtype(str(kind).replace("u", "U").replace("int", "Int"))

    def column(values: pyarrow.ChunkedArray, name: str) -> Any:
        kind = values.type
        try:
            # pandas makes floats of the integers in a list or structure with missing values.
            if pyarrow.types.is_nested(kind):
                return pandas.Series(values.to_pylist(), dtype=object)
            found = values.to_pandas(types_mapper=nullable)
        except (ValueError, OverflowError):
            # Python has no time 24:00 and no date before year 1: they are texts.
            return pandas.Series([row[name] for row in rows()], dtype=object)
        return found.astype("boolean") if pyarrow.types.is_boolean(kind) else found

    if table.num_columns == 0:
        return table.to_pandas()
    columns = map(column, table.columns, table.column_names)
    return pandas.concat(columns, axis=1, keys=table.column_names)


def _frame_of(rows: list[dict[str, Any]]) -> Any:
    """A data frame with the nullable types that an Arrow table would give."""
    import pandas

    frame = pandas.DataFrame(rows, dtype=object)
    for name in frame:
        values = frame[name].tolist()
        kinds = {type(value) for value in values} - {type(None)}
        if kinds == {bool}:
            frame[name] = pandas.array(values, dtype="boolean")
        elif kinds == {int} and all(value is None or abs(value) < 2**63 for value in values):
            frame[name] = pandas.array(values, dtype="Int64")
        elif int not in kinds:
            frame[name] = frame[name].infer_objects()
    return frame


@dataclass(frozen=True)
class ParagraphResult(_Tables):
    """Result of running one paragraph."""

    paragraph_id: str
    status: RunStatus
    outputs: tuple[Output, ...]
    error: str | None
    """Message of the failure, if the status is `ERROR`."""
    _data: types.Paragraph = field(repr=False)
    _note_id: str = field(repr=False)
    _rest: RestCalls = field(repr=False)

    def _place(self) -> ParagraphResult:
        return self

    def _download(self, format: str) -> bytes:
        index = _last_table(self.outputs)
        if index is None:
            raise TidingError("not-found", "The paragraph has no table.", operation="get_result")
        now = self._rest.get_paragraph(self._note_id, self.paragraph_id)
        if _run_of(now) != _run_of(self._data):
            raise TidingError(
                "conflict", "The paragraph has a newer result by now.", operation="get_result"
            )
        result_id = f"{self._note_id}.{self.paragraph_id}.{index}"
        return self._rest.get_result(result_id, format=format)


@dataclass(frozen=True)
class RunResult(_Tables):
    """Result of running a note."""

    note_id: str
    path: str
    status: RunStatus
    """`FINISHED`, or the status of the first paragraph that failed or was stopped."""
    error: str | None
    """Message of the failure, if the status is `ERROR`."""
    paragraphs: tuple[ParagraphResult, ...]
    """Results of the paragraphs that ran, in their order."""

    @property
    def outputs(self) -> tuple[Output, ...]:
        """All outputs of the run, in their order."""
        return tuple(output for each in self.paragraphs for output in each.outputs)

    def _place(self) -> ParagraphResult:
        for paragraph in reversed(self.paragraphs):
            if _last_table(paragraph.outputs) is not None:
                return paragraph
        raise TidingError("not-found", "The run has no table.", operation="get_result")


def _last_table(outputs: tuple[Output, ...]) -> int | None:
    tables = [index for index, output in enumerate(outputs) if output.type == "TABLE"]
    return tables[-1] if tables else None


def _run_of(data: types.Paragraph) -> tuple[object, ...]:
    """What tells two runs of a paragraph apart; dates have a resolution of one second."""
    return (data.get("dateStarted"), data.get("tookMs"), data.get("results"))


def outputs_of(data: types.Paragraph) -> tuple[Output, ...]:
    """The outputs of a paragraph as the server describes them."""
    return tuple(
        Output(each["type"], each.get("data", ""), _whole(each.get("rows")))
        for each in (data.get("results") or {}).get("msg") or []
    )


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def result_of(rest: RestCalls, note_id: str, data: types.Paragraph) -> ParagraphResult:
    """The result of a paragraph that is not running."""
    outputs = outputs_of(data)
    status = data.get("status", "READY")
    error = None
    if status == "ERROR":
        error = data.get("errorMessage") or (outputs[-1].text if outputs else "")
    return ParagraphResult(
        data["id"], cast("RunStatus", status), outputs, error, data, note_id, rest
    )
