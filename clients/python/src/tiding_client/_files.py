"""Data files."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from ._http import Http
from .rest import RestCalls

# In base64, a piece has to fit the server's limit for imports.
PIECE_BYTES = 2**20


@dataclass(frozen=True)
class FileInfo:
    """A data file on the server."""

    path: str
    """Begins with the owner: `notes/ID/…`, `users/NAME/…` or `shared/…`."""
    size: int
    """In bytes."""
    modified: datetime


class FilesApi:
    """Data files of notes and users, and shared ones: `client.files`."""

    def __init__(self, http: Http, rest: RestCalls) -> None:
        self._http = http
        self._rest = rest

    def list(self, *, note_id: str | None = None, shared: bool = False) -> list[FileInfo]:
        """Returns the files of a note, the shared files, or else your own."""
        return [
            FileInfo(
                each["path"],
                int(each["size"]),
                # Python before 3.11 doesn't read the Z of UTC.
                datetime.fromisoformat(each["modified"].replace("Z", "+00:00")),
            )
            for each in self._rest.list_files(note_id=note_id, shared=shared or None)
        ]

    def upload(
        self,
        source: str | os.PathLike[str] | bytes | BinaryIO,
        name: str | None = None,
        *,
        note_id: str | None = None,
        shared: bool = False,
    ) -> str:
        """Uploads a file (csv, tsv, json, ndjson, parquet, arrow) and returns its path.

        `source` is the path of a file, its content, or an open binary file; content needs a
        `name`. If the name is taken, the new file gets a number. The file appears when all of it
        has arrived.
        """
        if isinstance(source, (str, os.PathLike)):
            with open(source, "rb") as file:
                return self.upload(file, name or Path(source).name, note_id=note_id, shared=shared)
        if name is None:
            raise TypeError("upload() needs a name for content that is no path of a file.")
        pieces = _pieces(BytesIO(source) if isinstance(source, bytes) else source)
        upload: str | None = None
        at = 0
        for piece, is_last in pieces:
            answer = self._rest.put_file(
                name,
                data=b64encode(piece).decode(),
                note_id=note_id,
                shared=shared or None,
                more=None if is_last else True,
                upload=upload,
                at=None if upload is None else at,
            )
            upload = answer.get("upload")
            at += len(piece)
        return answer["path"]

    def read(self, path: str) -> bytes:
        """Returns the content of a file. Without an owner, your own and shared files count."""
        return self._rest.get_file(file={"path": path})

    def download(self, path: str, to: str | os.PathLike[str] = ".") -> Path:
        """Stores a file in a folder or under another name, and returns where it is."""
        target = Path(to)
        if target.is_dir():
            target /= path.rsplit("/", 1)[-1]
        with self._http.stream("POST", "/magpie/file", body={"file": {"path": path}}) as response:
            # Renamed at the end, so that a failure leaves the file that was there before.
            part = target.with_name(f".{target.name}.part")
            try:
                with part.open("wb") as file:
                    for chunk in response.iter_bytes():
                        file.write(chunk)
                part.replace(target)
            finally:
                part.unlink(missing_ok=True)
        return target

    def remove(self, path: str) -> None:
        """Removes a file permanently. The path has to begin with the owner."""
        self._rest.remove_file(path=path)


def _pieces(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The pieces of a file, each with whether it is the last. At least one."""
    piece = file.read(PIECE_BYTES)
    while following := file.read(PIECE_BYTES):
        yield piece, False
        piece = following
    yield piece, True
