"""The REST calls of a server, one method each.

Generated from the OpenAPI document of the server: run `npm run python-client`.
"""

from __future__ import annotations

from typing import Any, Protocol

from . import types


class Call(Protocol):
    """Sends a call and returns its answer."""

    def __call__(
        self,
        method: str,
        path: str,
        params: dict[str, str] = ...,
        *,
        query: dict[str, Any] = ...,
        body: Any = ...,
        raw: bool = ...,
    ) -> Any: ...


class RestCalls:
    """The REST calls of a server. Arguments that are `None` are not sent."""

    def __init__(self, call: Call) -> None:
        self._call = call

    def capabilities(self) -> types.CapabilitiesAnswer:
        """`GET /api/notebook/capabilities`"""
        return self._call("GET", "/notebook/capabilities")

    def check_code(self, note_id: str, paragraph_id: str, *, text: str) -> types.CheckCodeAnswer:
        """Tiding: checks Python code with ruff, without storing it. `ready`: false while ruff is
        not installed or turned off.

        `POST /api/notebook/{noteId}/paragraph/{paragraphId}/check`
        """
        return self._call(
            "POST",
            "/notebook/{note_id}/paragraph/{paragraph_id}/check",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body={"text": text},
        )

    def checkpoint_note(self, note_id: str, *, commit_message: str) -> types.Revision | str:
        """Zeppelin answers only the id, and nothing if nothing changed.

        `POST /api/notebook/{noteId}/revision`
        """
        return self._call(
            "POST",
            "/notebook/{note_id}/revision",
            {"note_id": note_id},
            body={"commitMessage": commit_message},
        )

    def clear_note(self, note_id: str) -> None:
        """`PUT /api/notebook/{noteId}/clear`"""
        self._call("PUT", "/notebook/{note_id}/clear", {"note_id": note_id})

    def clone_note(
        self,
        note_id: str,
        *,
        name: str | None = None,
        note_path: str | None = None,
    ) -> str:
        """Clones the note. On Zeppelin this is the only way to clone a note that is not open.

        `POST /api/notebook/{noteId}`
        """
        return self._call(
            "POST",
            "/notebook/{note_id}",
            {"note_id": note_id},
            body={"name": name, "notePath": note_path},
        )

    def configure_paragraph(
        self,
        note_id: str,
        paragraph_id: str,
        body: types.ParagraphConfig,
    ) -> types.Paragraph:
        """`PUT /api/notebook/{noteId}/paragraph/{paragraphId}/config`"""
        return self._call(
            "PUT",
            "/notebook/{note_id}/paragraph/{paragraph_id}/config",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body=body,
        )

    def connection_preview(
        self,
        name: str,
        *,
        schema: str | None = None,
        table: str | None = None,
        limit: float | None = None,
    ) -> types.ConnectionPreviewAnswer:
        """Returns the first rows of a table, at most 100. 502 with the error of the database.

        `GET /api/magpie/connections/{name}/preview`
        """
        return self._call(
            "GET",
            "/magpie/connections/{name}/preview",
            {"name": name},
            query={"schema": schema, "table": table, "limit": limit},
        )

    def connection_schema(
        self,
        name: str,
        *,
        search: str | None = None,
    ) -> types.ConnectionSchemaAnswer:
        """Returns tables and views that the login may read; with `search`, those whose schema,
        name or columns contain it. 502 with the error of the database.

        `GET /api/magpie/connections/{name}/schema`
        """
        return self._call(
            "GET",
            "/magpie/connections/{name}/schema",
            {"name": name},
            query={"search": search},
        )

    def create_embed_token(
        self,
        *,
        note_id: str,
        scope: Literal["results", "view", "run", "edit"],
        paragraph_id: str | None = None,
        params: dict[str, Any] | None = None,
        interpreters: list[str] | None = None,
        expires_in_seconds: float | None = None,
        subject: str | None = None,
        origin: str | None = None,
    ) -> types.CreateEmbedTokenAnswer:
        """Tiding: creates a token for pages of another host, for one note or paragraph, valid
        for at most 300 s. `params` are values of forms of the note or paragraph that the page
        cannot change. With the scope `edit`, the page runs code in the `interpreters` only, by
        default in none. Pages of another `origin` are refused.

        `POST /api/magpie/embed-token`
        """
        return self._call(
            "POST",
            "/magpie/embed-token",
            body={
                "noteId": note_id,
                "paragraphId": paragraph_id,
                "scope": scope,
                "params": params,
                "interpreters": interpreters,
                "expiresInSeconds": expires_in_seconds,
                "subject": subject,
                "origin": origin,
            },
        )

    def create_note(
        self,
        *,
        name: str | None = None,
        note_path: str | None = None,
        paragraphs: list[dict[str, Any]] | None = None,
        default_interpreter_group: str | None = None,
        adding_empty_paragraph: bool | None = None,
    ) -> str:
        """`POST /api/notebook`"""
        return self._call(
            "POST",
            "/notebook",
            body={
                "name": name,
                "notePath": note_path,
                "paragraphs": paragraphs,
                "defaultInterpreterGroup": default_interpreter_group,
                "addingEmptyParagraph": adding_empty_paragraph,
            },
        )

    def create_password_link(self, user_name: str) -> types.CreatePasswordLinkAnswer:
        """Creates a link that sets a new password, and replaces earlier ones. It is valid for
        half an hour, or for seven days if the user has no password. 409 for users who have none
        because they sign in elsewhere, or because they are disabled.

        `POST /api/magpie/users/{userName}/password-link`
        """
        return self._call(
            "POST",
            "/magpie/users/{user_name}/password-link",
            {"user_name": user_name},
        )

    def create_run_copy(self, note_id: str) -> types.CreateRunCopyAnswer:
        """Tiding: copies the note without its results for one isolated run. The copy belongs to
        the caller and is in no list. `delete_note` removes it; the server does so when nobody
        has had it open for ten minutes, and when it starts. Answers 429 if the caller has 100 of
        them.

        `POST /api/magpie/run-copy/{noteId}`
        """
        return self._call("POST", "/magpie/run-copy/{note_id}", {"note_id": note_id})

    def delete_cron(self, note_id: str) -> None:
        """`DELETE /api/notebook/cron/{noteId}`"""
        self._call("DELETE", "/notebook/cron/{note_id}", {"note_id": note_id})

    def delete_note(self, note_id: str) -> None:
        """`DELETE /api/notebook/{noteId}`"""
        self._call("DELETE", "/notebook/{note_id}", {"note_id": note_id})

    def delete_paragraph(self, note_id: str, paragraph_id: str) -> None:
        """`DELETE /api/notebook/{noteId}/paragraph/{paragraphId}`"""
        self._call(
            "DELETE",
            "/notebook/{note_id}/paragraph/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
        )

    def end_user_sessions(self, user_name: str) -> None:
        """Ends the sessions of a user, except that of the caller. Access tokens stay valid.

        `DELETE /api/magpie/users/{userName}/sessions`
        """
        self._call("DELETE", "/magpie/users/{user_name}/sessions", {"user_name": user_name})

    def export_note(self, note_id: str) -> str:
        """The note as JSON text in a string: parse it twice.

        `GET /api/notebook/export/{noteId}`
        """
        return self._call("GET", "/notebook/export/{note_id}", {"note_id": note_id})

    def find_principals(self, term: str) -> types.Principals:
        """Finds users and roles by a part of their names; at most five users.

        `GET /api/security/userlist/{term}`
        """
        return self._call("GET", "/security/userlist/{term}", {"term": term})

    def format_code(self, note_id: str, paragraph_id: str, *, text: str) -> types.FormatCodeAnswer:
        """Tiding: formats Python code with ruff, without storing it. 400 for a syntax error, 409
        while ruff is being installed, 404 if the code is not Python or ruff is turned off.

        `POST /api/notebook/{noteId}/paragraph/{paragraphId}/format`
        """
        return self._call(
            "POST",
            "/notebook/{note_id}/paragraph/{paragraph_id}/format",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body={"text": text},
        )

    def get_cron(self, note_id: str) -> types.GetCronAnswer:
        """`{}` means no schedule.

        `GET /api/notebook/cron/{noteId}`
        """
        return self._call("GET", "/notebook/cron/{note_id}", {"note_id": note_id})

    def get_file(self, *, file: dict[str, Any]) -> bytes:
        """`POST /api/magpie/file`"""
        return self._call("POST", "/magpie/file", body={"file": file}, raw=True)

    def get_note(self, note_id: str) -> types.Note:
        """`GET /api/notebook/{noteId}`"""
        return self._call("GET", "/notebook/{note_id}", {"note_id": note_id})

    def get_note_by_path(self, *, note_path: str) -> types.Note:
        """`POST /api/notebook/getByPath`"""
        return self._call("POST", "/notebook/getByPath", body={"notePath": note_path})

    def get_note_image(self, note_id: str, name: str) -> bytes:
        """Tiding: an image of a note (PNG, JPEG, GIF, WebP, or SVG without scripts). Embed
        tokens get those that the results they show contain.

        `GET /api/magpie/image/{noteId}/{name}`
        """
        return self._call(
            "GET",
            "/magpie/image/{note_id}/{name}",
            {"note_id": note_id, "name": name},
            raw=True,
        )

    def get_object(self, widget: str, name: str) -> types.GetObjectAnswer:
        """Tiding: an object of the catalogue as the payload of its widget. `name` is dotted, as
        in `core.trips`.

        `GET /api/magpie/object/{widget}/{name}`
        """
        return self._call("GET", "/magpie/object/{widget}/{name}", {"widget": widget, "name": name})

    def get_paragraph(self, note_id: str, paragraph_id: str) -> types.Paragraph:
        """`GET /api/notebook/{noteId}/paragraph/{paragraphId}`"""
        return self._call(
            "GET",
            "/notebook/{note_id}/paragraph/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
        )

    def get_permissions(self, note_id: str) -> types.Permissions:
        """`GET /api/notebook/{noteId}/permissions`"""
        return self._call("GET", "/notebook/{note_id}/permissions", {"note_id": note_id})

    def get_result(
        self,
        result_id: str,
        *,
        format: str | None = None,
        offset: float | None = None,
        limit: float | None = None,
    ) -> bytes:
        """`GET /api/magpie/result/{resultId}`"""
        return self._call(
            "GET",
            "/magpie/result/{result_id}",
            {"result_id": result_id},
            query={"format": format, "offset": offset, "limit": limit},
            raw=True,
        )

    def get_revision(self, note_id: str, revision_id: str) -> types.Note:
        """`GET /api/notebook/{noteId}/revision/{revisionId}`"""
        return self._call(
            "GET",
            "/notebook/{note_id}/revision/{revision_id}",
            {"note_id": note_id, "revision_id": revision_id},
        )

    def import_note(self, body: dict[str, Any], *, note_path: str | None = None) -> str:
        """Also accepts a Jupyter notebook. `note_path` names the new note (since Zeppelin 0.9).

        `POST /api/notebook/import`
        """
        return self._call("POST", "/notebook/import", query={"notePath": note_path}, body=body)

    def insert_paragraph(
        self,
        note_id: str,
        *,
        title: str | None = None,
        text: str | None = None,
        index: float | None = None,
        config: types.ParagraphConfig | None = None,
    ) -> str:
        """`POST /api/notebook/{noteId}/paragraph`"""
        return self._call(
            "POST",
            "/notebook/{note_id}/paragraph",
            {"note_id": note_id},
            body={"title": title, "text": text, "index": index, "config": config},
        )

    def invite_user(self, *, name: str, roles: list[str] | None = None) -> types.InviteUserAnswer:
        """Creates a user without a password, and a link that sets it within seven days. 409 if
        there is such a user, 400 for an invalid name or role.

        `POST /api/magpie/users`
        """
        return self._call("POST", "/magpie/users", body={"name": name, "roles": roles})

    def job_history(self, note_id: str) -> list[types.NoteRun]:
        """Tiding: the last fifty runs of the whole note, oldest first.

        `GET /api/magpie/jobs/{noteId}/history`
        """
        return self._call("GET", "/magpie/jobs/{note_id}/history", {"note_id": note_id})

    def list_connections(self) -> list[types.ListConnectionsAnswer]:
        """`GET /api/magpie/connections`"""
        return self._call("GET", "/magpie/connections")

    def list_files(
        self,
        *,
        note_id: str | None = None,
        shared: bool | None = None,
    ) -> list[types.ListFilesAnswer]:
        """Tiding: the files of the note `note_id`, of everybody (`shared`), or else of the
        caller.

        `GET /api/magpie/file`
        """
        return self._call("GET", "/magpie/file", query={"noteId": note_id, "shared": shared})

    def list_jobs(self) -> types.ListJobsAnswer:
        """`GET /api/notebook/jobmanager/`"""
        return self._call("GET", "/notebook/jobmanager/")

    def list_jobs_since(self, since: str) -> types.ListJobsSinceAnswer:
        """Answers what changed since this time, in ms.

        `GET /api/notebook/jobmanager/{since}/`
        """
        return self._call("GET", "/notebook/jobmanager/{since}/", {"since": since})

    def list_notes(self) -> list[types.NoteInfo]:
        """`GET /api/notebook`"""
        return self._call("GET", "/notebook")

    def list_revisions(self, note_id: str) -> list[types.Revision]:
        """`GET /api/notebook/{noteId}/revision`"""
        return self._call("GET", "/notebook/{note_id}/revision", {"note_id": note_id})

    def list_user_sessions(self, user_name: str) -> list[types.ListUserSessionsAnswer]:
        """`GET /api/magpie/users/{userName}/sessions`"""
        return self._call("GET", "/magpie/users/{user_name}/sessions", {"user_name": user_name})

    def list_users(self) -> list[types.ListUsersAnswer]:
        """`GET /api/magpie/users`"""
        return self._call("GET", "/magpie/users")

    def magpie_version(self) -> types.MagpieVersionAnswer:
        """`GET /api/magpie/version`"""
        return self._call("GET", "/magpie/version")

    def move_paragraph(self, note_id: str, paragraph_id: str, index: str) -> None:
        """`POST /api/notebook/{noteId}/paragraph/{paragraphId}/move/{index}`"""
        self._call(
            "POST",
            "/notebook/{note_id}/paragraph/{paragraph_id}/move/{index}",
            {"note_id": note_id, "paragraph_id": paragraph_id, "index": index},
        )

    def next_paragraph(self, note_id: str, *, max_paragraph: float | None = None) -> str:
        """Appends a paragraph. Above `max_paragraph` paragraphs the oldest is removed. Zeppelin
        answers its id in `message`.

        `POST /api/notebook/{noteId}/paragraph/next`
        """
        return self._call(
            "POST",
            "/notebook/{note_id}/paragraph/next",
            {"note_id": note_id},
            query={"maxParagraph": max_paragraph},
        )

    def note_job(self, note_id: str) -> list[dict[str, Any]] | dict[str, Any]:
        """`GET /api/notebook/job/{noteId}`"""
        return self._call("GET", "/notebook/job/{note_id}", {"note_id": note_id})

    def paragraph_job(self, note_id: str, paragraph_id: str) -> types.ParagraphJobAnswer:
        """`GET /api/notebook/job/{noteId}/{paragraphId}`"""
        return self._call(
            "GET",
            "/notebook/job/{note_id}/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
        )

    def principals(self) -> types.Principals:
        """`GET /api/magpie/principals`"""
        return self._call("GET", "/magpie/principals")

    def put_file(
        self,
        name: str,
        *,
        data: str,
        note_id: str | None = None,
        shared: bool | None = None,
        more: bool | None = None,
        upload: str | None = None,
        at: int | None = None,
    ) -> types.PutFileAnswer:
        """Tiding: stores a data file (base64) of the note `note_id`, of everybody (`shared`), or
        else of the caller. The name in the answer's `path` differs if it was taken. A large file
        is sent in pieces: all but the last have `more`, and all but the first the `upload` of
        the answer before, with the bytes sent so far as `at`. The file appears with the last
        piece.

        `PUT /api/magpie/file/{name}`
        """
        return self._call(
            "PUT",
            "/magpie/file/{name}",
            {"name": name},
            body={
                "data": data,
                "noteId": note_id,
                "shared": shared,
                "more": more,
                "upload": upload,
                "at": at,
            },
        )

    def query_result(
        self,
        result_id: str,
        *,
        question: dict[str, Any],
        filters: list[dict[str, Any]] | None = None,
        sorts: list[dict[str, Any]] | None = None,
    ) -> bytes:
        """Tiding: rows, matches, summaries and aggregates of a stored table, as an Arrow stream.
        Answers 409 if the table is small: the client has all of its rows.

        `POST /api/magpie/result/{resultId}/query`
        """
        return self._call(
            "POST",
            "/magpie/result/{result_id}/query",
            {"result_id": result_id},
            body={"filters": filters, "sorts": sorts, "question": question},
            raw=True,
        )

    def read_tables(
        self,
        *,
        path: str,
        choices: dict[str, str] | None = None,
        preview: bool | None = None,
    ) -> types.ReadTablesAnswer:
        """Tiding: finds out how to read a CSV, TSV, JSON or Parquet file, Excel workbook or
        SQLite database. Sheets and tables become Parquet files beside it, and a text in another
        encoding gets a copy in UTF-8. A file that an earlier call made is replaced, others
        never. `path` begins with the owner, as in the answer of `list_files`; so do those in the
        answer. The engine reads a table with `reader`, its `options`, and SQL of the columns
        that must be `converted`. `skipped` lists what was left out, and why; `remarks` says what
        was found. `guesses` has each guess for the first table with the values that `choices` of
        another call can set instead, by name; no values mean any text. `preview` in the body
        makes no file and reads one table only. In the answer it has the first rows. 400 if the
        file can't be read.

        `POST /api/magpie/file/tables`
        """
        return self._call(
            "POST",
            "/magpie/file/tables",
            body={"path": path, "choices": choices, "preview": preview},
        )

    def remove_file(self, *, path: str) -> None:
        """Tiding: removes a data file. `path` begins with the owner, as in the answer of
        `list_files`.

        `DELETE /api/magpie/file`
        """
        self._call("DELETE", "/magpie/file", query={"path": path})

    def remove_user(self, user_name: str) -> None:
        """Removes a user with their sessions, access tokens and permissions. Their notes stay.

        `DELETE /api/magpie/users/{userName}`
        """
        self._call("DELETE", "/magpie/users/{user_name}", {"user_name": user_name})

    def rename_file(
        self,
        *,
        path: str,
        name: str,
        shared: bool | None = None,
    ) -> types.RenameFileAnswer:
        """Tiding: gives a data file another name in its folder, or with `shared` moves it to the
        files that everybody who is signed in reads and writes. `path` begins with the owner, as
        in the answer of `list_files`. 409 if the name is taken.

        `PUT /api/magpie/file`
        """
        return self._call(
            "PUT",
            "/magpie/file",
            body={"path": path, "name": name, "shared": shared},
        )

    def rename_note(self, note_id: str, *, name: str) -> None:
        """`PUT /api/notebook/{noteId}/rename`"""
        self._call("PUT", "/notebook/{note_id}/rename", {"note_id": note_id}, body={"name": name})

    def revoke_embed_token(self, jti: str) -> None:
        """`DELETE /api/magpie/embed-token/{jti}`"""
        self._call("DELETE", "/magpie/embed-token/{jti}", {"jti": jti})

    def revoke_embed_tokens(self, *, issuer: str | None = None) -> None:
        """Revokes all tokens the caller created; with `issuer`, those of another user
        (administrators only).

        `DELETE /api/magpie/embed-token`
        """
        self._call("DELETE", "/magpie/embed-token", query={"issuer": issuer})

    def run_note(
        self,
        note_id: str,
        *,
        blocking: bool | None = None,
        isolated: bool | None = None,
        params: dict[str, Any] | None = None,
    ) -> None:
        """The fork answers when the run ends, Zeppelin immediately unless `blocking`. `isolated`
        runs in processes of its own.

        `POST /api/notebook/job/{noteId}`
        """
        self._call(
            "POST",
            "/notebook/job/{note_id}",
            {"note_id": note_id},
            query={"blocking": blocking, "isolated": isolated},
            body={"params": params},
        )

    def run_paragraph(
        self,
        note_id: str,
        paragraph_id: str,
        *,
        params: dict[str, Any] | None = None,
    ) -> types.Results:
        """Waits for the end of the run. A failure of the interpreter answers 200 with the code
        ERROR; Zeppelin 0.8 answers 500 with the same body.

        `POST /api/notebook/run/{noteId}/{paragraphId}`
        """
        return self._call(
            "POST",
            "/notebook/run/{note_id}/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body={"params": params},
        )

    def search_notes(self, *, q: str) -> list[types.SearchResult]:
        """Answers at most 20 hits.

        `GET /api/notebook/search`
        """
        return self._call("GET", "/notebook/search", query={"q": q})

    def set_cron(self, note_id: str, *, cron: str, release_resource: bool | None = None) -> None:
        """`POST /api/notebook/cron/{noteId}`"""
        self._call(
            "POST",
            "/notebook/cron/{note_id}",
            {"note_id": note_id},
            body={"cron": cron, "releaseResource": release_resource},
        )

    def set_permissions(
        self,
        note_id: str,
        *,
        owners: list[str],
        writers: list[str],
        runners: list[str],
        readers: list[str],
    ) -> None:
        """`PUT /api/notebook/{noteId}/permissions`"""
        self._call(
            "PUT",
            "/notebook/{note_id}/permissions",
            {"note_id": note_id},
            body={"owners": owners, "writers": writers, "runners": runners, "readers": readers},
        )

    def set_revision(self, note_id: str, revision_id: str) -> None:
        """`PUT /api/notebook/{noteId}/revision/{revisionId}`"""
        self._call(
            "PUT",
            "/notebook/{note_id}/revision/{revision_id}",
            {"note_id": note_id, "revision_id": revision_id},
        )

    def set_user_roles(self, user_name: str, *, roles: list[str]) -> types.SetUserRolesAnswer:
        """`PUT /api/magpie/users/{userName}/roles`"""
        return self._call(
            "PUT",
            "/magpie/users/{user_name}/roles",
            {"user_name": user_name},
            body={"roles": roles},
        )

    def set_user_status(self, user_name: str, status: str) -> types.SetUserStatusAnswer:
        """`status` is `enabled` or `disabled`. The sessions of a disabled user end at once;
        their access tokens and schedules stop until they are enabled.

        `PUT /api/magpie/users/{userName}/status/{status}`
        """
        return self._call(
            "PUT",
            "/magpie/users/{user_name}/status/{status}",
            {"user_name": user_name, "status": status},
        )

    def start_paragraph(
        self,
        note_id: str,
        paragraph_id: str,
        *,
        params: dict[str, Any] | None = None,
    ) -> None:
        """`POST /api/notebook/job/{noteId}/{paragraphId}`"""
        self._call(
            "POST",
            "/notebook/job/{note_id}/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body={"params": params},
        )

    def stop_note(self, note_id: str) -> None:
        """`DELETE /api/notebook/job/{noteId}`"""
        self._call("DELETE", "/notebook/job/{note_id}", {"note_id": note_id})

    def stop_paragraph(self, note_id: str, paragraph_id: str) -> None:
        """`DELETE /api/notebook/job/{noteId}/{paragraphId}`"""
        self._call(
            "DELETE",
            "/notebook/job/{note_id}/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
        )

    def test_connection(
        self,
        name: str,
        *,
        kind: str | None = None,
        properties: dict[str, Any] | None = None,
    ) -> types.TestConnectionAnswer:
        """Connects with the caller's login. A database that can't be reached is an answer with
        `ok: false`. With `properties`, tests them instead of the stored ones, for
        administrators; `kind` is needed if there is no such setting yet. 404 for an unknown
        name.

        `POST /api/magpie/connections/{name}/test`
        """
        return self._call(
            "POST",
            "/magpie/connections/{name}/test",
            {"name": name},
            body={"kind": kind, "properties": properties},
        )

    def ticket(self) -> types.Ticket:
        """`GET /api/security/ticket`"""
        return self._call("GET", "/security/ticket")

    def update_paragraph(
        self,
        note_id: str,
        paragraph_id: str,
        *,
        text: str,
        title: str | None = None,
    ) -> None:
        """`PUT /api/notebook/{noteId}/paragraph/{paragraphId}`"""
        self._call(
            "PUT",
            "/notebook/{note_id}/paragraph/{paragraph_id}",
            {"note_id": note_id, "paragraph_id": paragraph_id},
            body={"text": text, "title": title},
        )

    def version(self) -> types.VersionAnswer:
        """`answer`: `tiding` is present on a Tiding server. `namesReplies`: replies carry the
        `msgId` of their message. `presence` and `restores`: the server supports TIDING_PRESENCE
        and TIDING_RESTORE_PARAGRAPH. `gateway`: a Tiding server in front of the server with this
        `version`; `also` lists the calls it adds, as `METHOD /path`.

        `GET /api/version`
        """
        return self._call("GET", "/version")
