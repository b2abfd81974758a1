/** What a handler may use. */
import type { Sends, SentOp, EndpointAnswer, EndpointBody, EndpointName } from 'tiding/protocol';
import type { NoteTrust } from './auth/note-trust.ts';
import type { NotePermissions, Person } from './auth/permissions.ts';
import type { Sessions, TicketSession } from './auth/sessions.ts';
import type { Audit } from './audit.ts';
import type { Tokens } from './auth/tokens.ts';
import type { EmbedTokens } from './auth/embed-tokens.ts';
import type { Users } from './auth/users.ts';
import type { Packages } from './helium/packages.ts';
import type { Connection, Hub } from './hub.ts';
import type { InterpreterPool } from './run/pool.ts';
import type { ResultStore } from './results/store.ts';
import type { Runs } from './run/runs.ts';
import type { Schedules } from './run/schedules.ts';
import type { SharedValues } from './run/shared-values.ts';
import type { Logger } from './log.ts';
import type { Magpie } from './magpie/index.ts';
import type { Metrics } from './metrics.ts';
import type { NoteRepository } from './notes/repository.ts';
import type { Editor } from './notes/editor.ts';
import type { ServerOptions } from './options.ts';
import type { Repositories } from './settings/repositories.ts';
import type { InterpreterSettings } from './settings/settings.ts';
import type { LoginLink } from './auth/login-link.ts';
import type { Credentials } from './auth/credentials.ts';
import type { Clusters } from './clusters/clusters.ts';
import type { Secrets } from './auth/secrets.ts';
import type { RevisionControl } from './revisions/control.ts';
import type { Revisions } from './revisions/revisions.ts';
import type { NoteSearch } from './search/index.ts';
import type { SingleSignOn } from './auth/single-sign-on.ts';
import type { PasswordResets } from './auth/password-resets.ts';

/** The parts of a running server. */
export interface ServerContext {
  readonly options: ServerOptions;
  /** Address of the server's pages, without a trailing slash. */
  url(): string;
  readonly log: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly embeds: EmbedTokens;
  readonly loginLink: LoginLink;
  readonly passwordResets: PasswordResets;
  readonly sso: SingleSignOn | undefined;
  readonly permissions: NotePermissions;
  readonly trust: NoteTrust;
  readonly notes: NoteRepository;
  readonly editor: Editor;
  readonly search: NoteSearch;
  readonly packages: Packages;
  readonly hub: Hub;
  readonly pool: InterpreterPool;
  /** Whole tables of outputs. */
  readonly results: ResultStore;
  readonly runs: Runs;
  /** What pages and code of notes share. */
  readonly values: SharedValues;
  readonly credentials: Credentials;
  readonly clusters: Clusters;
  /** The platform behind `%magpie`. */
  readonly magpie: Magpie;
  readonly settings: InterpreterSettings;
  readonly repositories: Repositories;
  readonly schedules: Schedules;
  readonly secrets: Secrets;
  readonly revisions: Revisions;
  readonly revisionControl: RevisionControl;
}

/** A live message that passed the gate: schema, ticket, right. */
export interface LiveRequest<Op extends SentOp> {
  readonly data: Sends[Op];
  readonly connection: Connection;
  readonly person: Person;
  /** Id of the message; echoed on the PARAGRAPH it causes. */
  readonly msgId: string | undefined;
  /** The note concerned: the message's, else the socket's open note; '' for operations without one. */
  readonly noteId: string;
}

/** Handles an operation. What it throws goes to the caller as ERROR_INFO or AUTH_INFO. */
export type LiveHandler<Op extends SentOp> = (
  request: LiveRequest<Op>,
  context: ServerContext,
) => void | Promise<void>;

/** A REST call that passed the gate. */
export interface RestRequest<Name extends EndpointName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: EndpointBody<Name>;
  /** Who calls; anonymous on public calls without a session. */
  readonly person: Person;
  readonly session: TicketSession | undefined;
  /** Address of the caller, for limits and the log. */
  readonly address: string;
  /** A header of the request. */
  header(field: string): string | undefined;
  /** Sets or removes the session cookie of the answer. */
  setSession(cookie: string | undefined): void;
  /** Status of the answer where it is not 200. */
  setStatus(status: 201 | 202 | 500): void;
}

/** Handles a REST call; the answer is put in the envelope where the endpoint has one. */
export type RestHandler<Name extends EndpointName> = (
  request: RestRequest<Name>,
  context: ServerContext,
) => EndpointAnswer<Name> | Promise<EndpointAnswer<Name>>;

/** Handlers of an area: some of the operations and calls, each typed by the protocol. */
export type LiveHandlers = { [Op in SentOp]: LiveHandler<Op> };
/** All REST calls. */
export type RestHandlers = { [Name in EndpointName]: RestHandler<Name> };
