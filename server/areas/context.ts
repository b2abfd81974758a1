/** The services and requests that handlers receive. */
import type {
  EndpointAnswer,
  EndpointBody,
  EndpointName,
  Sends,
  SentOp,
} from '@tiding/client/protocol';
import type { CredentialStore } from '../auth/credentials.ts';
import type { EmbedTokenStore } from '../auth/embed-tokens.ts';
import type { LoginLink } from '../auth/login-link.ts';
import type { NoteTrustStore } from '../auth/note-trust.ts';
import type { PasswordResets } from '../auth/password-resets.ts';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import type { Secrets } from '../auth/secrets.ts';
import type { Sessions, TicketSession } from '../auth/sessions.ts';
import type { SingleSignOn } from '../auth/single-sign-on.ts';
import type { AccessTokenStore } from '../auth/tokens.ts';
import type { Users } from '../auth/users.ts';
import type { ServerOptions } from '../base/options.ts';
import type { ClusterService } from '../clusters/clusters.ts';
import type { DataFiles } from '../files/data-files.ts';
import type { TableFiles } from '../files/table-files.ts';
import type { Packages } from '../helium/packages.ts';
import type { Hub, LiveConnection } from '../hub/hub.ts';
import type { Ruff } from '../interpreters/python/ruff/ruff.ts';
import type { Audit } from '../logging/audit.ts';
import type { Logger } from '../logging/log.ts';
import type { Metrics } from '../logging/metrics.ts';
import type { MagpieService } from '../magpie/index.ts';
import type { CommentStore } from '../notes/comment-store.ts';
import type { NoteEditor } from '../notes/editor.ts';
import type { MentionMails } from '../notes/mention-mails.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { ResultStore } from '../results/store.ts';
import type { RemoteSynchronizer } from '../revisions/control.ts';
import type { RevisionService } from '../revisions/revisions.ts';
import type { AlertService } from '../run/alerts/alerts.ts';
import type { NoteDependencies } from '../run/note-dependencies/note-dependencies.ts';
import type { InterpreterPool } from '../run/pool.ts';
import type { RunService } from '../run/runs.ts';
import type { ScheduleService } from '../run/schedules.ts';
import type { SharedValues } from '../run/shared-values.ts';
import type { NoteSearch } from '../search/index.ts';
import type { Repositories } from '../settings/repositories.ts';
import type { InterpreterSettings } from '../settings/settings.ts';

/**
 * The services that also exist in front of a Zeppelin: none that concern notes or interpreters.
 * Handlers declared with this context can be used there as well.
 */
export interface GatewayContext {
  readonly options: ServerOptions;
  /** Base URL of the server's pages, without a trailing slash. */
  url(): string;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly tokens: AccessTokenStore;
  readonly embeds: EmbedTokenStore;
  readonly loginLink: LoginLink;
  readonly passwordResets: PasswordResets;
  readonly sso: SingleSignOn | undefined;
  readonly trust: NoteTrustStore;
  /** Files of notes and users, and shared ones. */
  readonly files: DataFiles;
  readonly clusters: ClusterService;
}

/** The services of a running server, passed to every handler. */
export interface ServerContext extends GatewayContext {
  readonly dependencies: NoteDependencies;
  readonly permissions: NotePermissions;
  readonly notes: NoteRepository;
  readonly editor: NoteEditor;
  readonly comments: CommentStore;
  readonly mentionMails: MentionMails;
  readonly search: NoteSearch;
  readonly packages: Packages;
  readonly hub: Hub;
  readonly pool: InterpreterPool;
  /** Full tables of outputs that are shown truncated. */
  readonly results: ResultStore;
  readonly runs: RunService;
  /** Values that pages and code of a note share. */
  readonly values: SharedValues;
  /** Reads workbooks and databases among the files. */
  readonly tableFiles: TableFiles;
  readonly credentials: CredentialStore;
  /** The platform behind `%magpie`. */
  readonly magpie: MagpieService;
  readonly settings: InterpreterSettings;
  readonly repositories: Repositories;
  readonly schedules: ScheduleService;
  readonly alerts: AlertService;
  readonly ruff: Ruff;
  readonly secrets: Secrets;
  readonly revisions: RevisionService;
  readonly revisionControl: RemoteSynchronizer;
}

/** A validated and authorized live message. */
export interface LiveRequest<Op extends SentOp> {
  readonly data: Sends[Op];
  readonly connection: LiveConnection;
  readonly person: ActingUser;
  /** Id of the message; repeated on the PARAGRAPH message that it causes. */
  readonly msgId: string | undefined;
  /**
   * The note concerned: the message's, else the note open on the socket; '' for operations without
   * a note.
   */
  readonly noteId: string;
}

/** Handles a live operation. Errors it throws are sent to the caller as ERROR_INFO or AUTH_INFO. */
export type LiveHandler<Op extends SentOp> = (
  request: LiveRequest<Op>,
  context: ServerContext,
) => void | Promise<void>;

/** A validated and authorized REST call. */
export interface RestRequest<Name extends EndpointName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: EndpointBody<Name>;
  /** The caller; anonymous for public endpoints without a session. */
  readonly person: ActingUser;
  readonly session: TicketSession | undefined;
  /** IP address of the caller, for rate limits and the log. */
  readonly address: string;
  /** Aborted when the caller has disconnected. */
  readonly signal: AbortSignal;
  header(field: string): string | undefined;
  /** Sets the session cookie of the response, or removes it if `undefined`. */
  setSession(cookie: string | undefined): void;
  /** Sets the response status if it is not 200. */
  setStatus(status: 201 | 202): void;
}

/**
 * Handles a REST call. The returned value is wrapped in the envelope if the endpoint uses one; a
 * `Response` is complete.
 */
type RestHandler<Name extends EndpointName, Context = ServerContext> = (
  request: RestRequest<Name>,
  context: Context,
) => EndpointAnswer<Name> | Promise<EndpointAnswer<Name> | Response>;

/** Handlers of all live operations, each typed by the protocol. */
export type LiveHandlers = { [Op in SentOp]: LiveHandler<Op> };
/** Handlers of all REST endpoints; `Context` is what they need. */
export type RestHandlers<Context = ServerContext> = {
  [Name in EndpointName]: RestHandler<Name, Context>;
};
