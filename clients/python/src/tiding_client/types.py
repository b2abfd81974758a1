"""Objects that the REST calls carry, as typed dictionaries.

A server may add fields.

Generated from the OpenAPI document of the server: run `npm run python-client`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # In `typing` since Python 3.11. Annotations are not evaluated.
    from typing_extensions import NotRequired


class CapabilitiesAnswer(TypedDict):
    isRevisionSupported: NotRequired[Any]


class CheckCodeAnswer(TypedDict):
    ready: bool
    diagnostics: list[CodeDiagnostic]


class CodeDiagnostic(TypedDict):
    """A mistake in code. Lines and columns start at 1; the end is exclusive."""

    line: float
    column: float
    endLine: float
    endColumn: float
    message: str
    code: NotRequired[str]


class ConnectionPreviewAnswer(TypedDict):
    columns: list[dict[str, Any]]
    rows: list[list[str | None]]
    more: bool


class ConnectionSchemaAnswer(TypedDict):
    relations: list[dict[str, Any]]
    more: bool


class CreateEmbedTokenAnswer(TypedDict):
    token: str
    expiresAt: str
    jti: str


class CreatePasswordLinkAnswer(TypedDict):
    name: str
    link: NotRequired[str]
    expiresAt: str
    mailed: bool


class CreateRunCopyAnswer(TypedDict):
    id: str
    path: str


class EditorSetting(TypedDict):
    """How the editor treats the language of a paragraph."""

    language: NotRequired[str]
    editOnDblClick: NotRequired[bool]
    completionKey: NotRequired[str]
    completionSupport: NotRequired[bool]


class Form(TypedDict):
    """A dynamic form. Zeppelin omits `type` in REST answers."""

    name: NotRequired[str]
    type: NotRequired[str]
    displayName: NotRequired[str]
    defaultValue: NotRequired[Any]
    hidden: NotRequired[bool]
    options: NotRequired[list[FormOption]]
    argument: NotRequired[str]


class FormOption(TypedDict):
    """One option of a select or checkbox form."""

    value: Any
    displayName: NotRequired[str]


class FormSettings(TypedDict):
    """Values and definitions of the forms of a paragraph or a note."""

    params: NotRequired[dict[str, Any]]
    forms: NotRequired[dict[str, Form]]


class FormatCodeAnswer(TypedDict):
    text: str


class GetCronAnswer(TypedDict):
    cron: NotRequired[str]
    releaseResource: NotRequired[bool]


class GetObjectAnswer(TypedDict):
    widget: str
    version: NotRequired[float]
    data: dict[str, Any]


class InviteUserAnswer(TypedDict):
    name: str
    link: NotRequired[str]
    expiresAt: str
    mailed: bool


class JobEntry(TypedDict):
    """A note in the job list. Times are in ms."""

    noteId: str
    noteName: NotRequired[str]
    noteType: NotRequired[str]
    interpreter: NotRequired[str]
    isRunningJob: NotRequired[bool]
    unixTimeLastRun: NotRequired[float]
    isRemoved: NotRequired[bool]
    paragraphs: NotRequired[list[dict[str, Any]]]


class ListConnectionsAnswer(TypedDict):
    name: str
    kind: str
    title: str
    host: str
    port: float
    database: str
    user: str
    login: Literal["shared", "personal", "missing"]
    readOnly: bool
    problem: NotRequired[str]


class ListFilesAnswer(TypedDict):
    path: str
    size: float
    modified: str


class ListJobsAnswer(TypedDict):
    lastResponseUnixTime: NotRequired[float]
    jobs: list[JobEntry]


class ListJobsSinceAnswer(TypedDict):
    lastResponseUnixTime: NotRequired[float]
    jobs: list[JobEntry]


class ListUserSessionsAnswer(TypedDict):
    startedAt: str
    lastUsedAt: str
    open: bool
    current: bool


class ListUsersAnswer(TypedDict):
    name: str
    displayName: NotRequired[str]
    roles: list[str]
    disabled: bool
    invited: bool
    hasPassword: bool
    linkExpiresAt: NotRequired[str]
    sso: bool
    service: bool
    lastSignIn: NotRequired[str]
    sessions: float


class MagpieVersionAnswer(TypedDict):
    version: str


class Note(TypedDict):
    """A note. On the organisation's fork, `name` is the full path. On Zeppelin, `path` is the
    full path with a leading slash, and `name` is its last segment.
    """

    id: str
    name: NotRequired[str]
    path: NotRequired[str]
    paragraphs: NotRequired[list[Paragraph]]
    config: NotRequired[NoteConfig]
    info: NotRequired[dict[str, Any]]
    noteParams: NotRequired[dict[str, Any]]
    noteForms: NotRequired[dict[str, Form]]
    angularObjects: NotRequired[dict[str, Any]]
    defaultInterpreterGroup: NotRequired[str]


class NoteConfig(TypedDict):
    """Settings of a note. `personalizedMode` is the text "true" or "false". Tiding extension:
    `cronTimeZone` is the time zone (IANA name) in which `cron` is read, by default the server's;
    `jupyter` is the metadata of an imported notebook.
    """

    looknfeel: NotRequired[str]
    cron: NotRequired[str]
    cronExecutingUser: NotRequired[str]
    cronExecutingRoles: NotRequired[str]
    cronTimeZone: NotRequired[str]
    releaseresource: NotRequired[bool]
    personalizedMode: NotRequired[str]
    noteFormTitle: NotRequired[str]
    isZeppelinNotebookCronEnable: NotRequired[bool]
    jupyter: NotRequired[dict[str, Any]]


class NoteInfo(TypedDict):
    """An entry of the note list. The organisation's fork sends `name`, Zeppelin sends `path`."""

    id: str
    name: NotRequired[str]
    path: NotRequired[str]


class NoteRun(TypedDict):
    """One run of a whole note: its start and end (epoch ms), how it ended (FINISHED, ERROR,
    ABORT), and the user it ran as.
    """

    start: float
    end: float
    status: str
    who: str


class Paragraph(TypedDict):
    """A paragraph. Dates are text in one of four formats; `parseDate` of `@tiding/client/model`
    reads them all. Tiding extensions: `rev` grows with each accepted change of the text, and a
    commit names the revision it is based on. `author` is the random id of the draft the text
    came from. `tookMs` is the duration of the last run, because dates in messages have a
    resolution of one second.
    """

    id: str
    title: NotRequired[str]
    text: NotRequired[str]
    user: NotRequired[str]
    config: NotRequired[ParagraphConfig]
    settings: NotRequired[FormSettings]
    results: NotRequired[Results]
    apps: NotRequired[list[Any]]
    status: NotRequired[ParagraphStatus]
    progress: NotRequired[float]
    errorMessage: NotRequired[str]
    jobName: NotRequired[str]
    dateCreated: NotRequired[str]
    dateUpdated: NotRequired[str]
    dateStarted: NotRequired[str]
    dateFinished: NotRequired[str]
    runtimeInfos: NotRequired[dict[str, Any]]
    progressUpdateIntervalMs: NotRequired[float]
    rev: NotRequired[float]
    tookMs: NotRequired[float]
    author: NotRequired[str]
    authorSeq: NotRequired[float]


class ParagraphConfig(TypedDict):
    """Presentation of a paragraph. The client's defaults are colWidth 12 (1 to 12), fontSize 9
    (9 to 20 pt) and enabled true. `results` is an object or an array by output number; the
    client reads both and writes an object. Tiding: `resultOf` is the run and the source of the
    result; a Zeppelin takes each saved display setting for a change of the text. `jupyter` is
    what an imported cell has besides its text and results: id, metadata, attachments.
    """

    colWidth: NotRequired[float]
    fontSize: NotRequired[float]
    enabled: NotRequired[bool]
    runOnSelectionChange: NotRequired[bool]
    editorHide: NotRequired[bool]
    tableHide: NotRequired[bool]
    title: NotRequired[bool]
    lineNumbers: NotRequired[bool]
    results: NotRequired[dict[str, Any] | list[Any]]
    editorSetting: NotRequired[EditorSetting]
    editorMode: NotRequired[str]
    resultOf: NotRequired[dict[str, Any]]
    jupyter: NotRequired[dict[str, Any]]


class ParagraphJobAnswer(TypedDict):
    id: str
    status: str
    progress: NotRequired[str]
    started: NotRequired[str]
    finished: NotRequired[str]
    errorMessage: NotRequired[str]


class Permissions(TypedDict):
    """Users and roles with rights on a note. An empty list means everybody."""

    owners: list[str]
    writers: list[str]
    runners: list[str]
    readers: list[str]


class Principals(TypedDict):
    """Names that can be entered in lists of permissions."""

    users: list[str]
    roles: list[str]


class PutFileAnswer(TypedDict):
    path: str
    size: float
    upload: NotRequired[str]


class ReadTablesAnswer(TypedDict):
    tables: list[dict[str, Any]]
    skipped: list[dict[str, Any]]
    remarks: list[str]
    guesses: list[dict[str, Any]]
    preview: dict[str, Any]


class RenameFileAnswer(TypedDict):
    path: str


class ResultMessage(TypedDict):
    """One output of a paragraph. `type` is TEXT, HTML, ANGULAR, TABLE, IMG, SVG, NETWORK, NULL
    or the magic of a spell; on Tiding servers also TERMINAL and, while code asks for input,
    INPUT. Tiding extensions, which other servers omit and ignore: `rows` is the number of rows
    of a TABLE that the server stores completely. `data` then has only the first rows, and
    `getResult` returns all of them. `columnTypes` is the type of each column of such a table;
    without it, types are guessed from `data`. `jupyter` is what an output of an imported
    notebook has besides `data`.
    """

    type: str
    data: NotRequired[str]
    rows: NotRequired[float]
    columnTypes: NotRequired[list[Literal["number", "string", "date"]]]
    jupyter: NotRequired[dict[str, Any]]


class Results(TypedDict):
    """Result of a run. `code` is SUCCESS, INCOMPLETE, ERROR, KEEP_PREVIOUS_RESULT, or a status
    text after a spell. Tiding: `executionCount` is the number that Jupyter gave to an imported
    cell.
    """

    code: NotRequired[str]
    msg: NotRequired[list[ResultMessage]]
    executionCount: NotRequired[float]


class Revision(TypedDict):
    """A checkpoint of a note; `time` is in Unix seconds. A checkpoint whose id is `''` is listed
    but cannot be read.
    """

    id: NotRequired[str]
    message: NotRequired[str]
    time: NotRequired[float]


class SearchResult(TypedDict):
    """A search hit. `id` is `<noteId>` or `<noteId>/paragraph/<paragraphId>`. `snippet` and
    `header` mark matches with `<B>…</B>`; the rest is not escaped.
    """

    id: str
    name: NotRequired[str]
    snippet: NotRequired[str]
    text: NotRequired[str]
    header: NotRequired[str]


class SetUserRolesAnswer(TypedDict):
    name: str
    displayName: NotRequired[str]
    roles: list[str]
    disabled: bool
    invited: bool
    hasPassword: bool
    linkExpiresAt: NotRequired[str]
    sso: bool
    service: bool
    lastSignIn: NotRequired[str]
    sessions: float


class SetUserStatusAnswer(TypedDict):
    name: str
    displayName: NotRequired[str]
    roles: list[str]
    disabled: bool
    invited: bool
    hasPassword: bool
    linkExpiresAt: NotRequired[str]
    sso: bool
    service: bool
    lastSignIn: NotRequired[str]
    sessions: float


class TestConnectionAnswer(TypedDict):
    ok: bool
    version: NotRequired[str]
    latencyMs: NotRequired[float]
    message: NotRequired[str]
    advice: NotRequired[str]
    pending: NotRequired[bool]


class Ticket(TypedDict):
    """The security ticket. `roles` is the JSON text of a list. `scope`: what the embed token of
    a page allows.
    """

    principal: str
    ticket: str
    roles: NotRequired[str]
    redirectURL: NotRequired[str]
    scope: NotRequired[Literal["results", "view", "run", "edit"]]


class VersionAnswer(TypedDict):
    version: str
    tiding: NotRequired[dict[str, Any]]
    gateway: NotRequired[dict[str, Any]]


ParagraphStatus = Literal["READY", "PENDING", "RUNNING", "FINISHED", "ABORT", "ERROR", "UNKNOWN"]
