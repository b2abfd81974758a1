"""Python client for Tiding.

with Client("http://127.0.0.1:8080", token=token) as client:
    result = client.run("Reports/Daily sales", {"region": "EU"})
    print(result.table())
"""

from ._client import Client
from ._files import FileInfo, FilesApi
from ._notes import Note, NoteEntry, NotesApi, Paragraph
from ._runs import OutputEvent, Run
from ._tables import Output, ParagraphResult, RunResult, RunStatus
from .errors import ErrorCode, TidingError
from .rest import RestCalls

__all__ = [
    "Client",
    "ErrorCode",
    "FileInfo",
    "FilesApi",
    "Note",
    "NoteEntry",
    "NotesApi",
    "Output",
    "OutputEvent",
    "Paragraph",
    "ParagraphResult",
    "RestCalls",
    "Run",
    "RunResult",
    "RunStatus",
    "TidingError",
]
