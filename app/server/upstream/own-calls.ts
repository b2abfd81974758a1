/** The calls that this server answers itself in front of another: signing in, tokens, clusters, exports, and what else that one lacks. */
import type { Context } from 'hono';
import { endpoints, type EndpointName } from 'tiding/protocol';
import { rest } from '../areas/index.ts';
import { limited } from '../areas/session.ts';
import { administers } from '../auth/permissions.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import type { RestRequest, ServerContext } from '../context.ts';
import { Refusal } from '../errors.ts';
import { SERVER_VERSION } from '../version.ts';
import { createEmbedToken } from './embed.ts';
import type { UpstreamNotes } from './notes.ts';
import { exportOf } from './results.ts';
import { revisionCalls } from './revisions.ts';
import { NO_TOKENS, type Seats, type TicketSeat } from './seats.ts';
import type { Zeppelin } from './zeppelin.ts';

/** What the handlers of ours that serve here work with: nothing of notes and interpreters. */
export type LeanContext = Pick<
  ServerContext,
  | 'options'
  | 'log'
  | 'audit'
  | 'metrics'
  | 'users'
  | 'sessions'
  | 'tokens'
  | 'embeds'
  | 'loginLink'
  | 'passwordResets'
  | 'sso'
  | 'clusters'
  | 'url'
  | 'trust'
>;

/** What the HTTP side is made of. */
export interface GatewayParts {
  readonly context: LeanContext;
  readonly zeppelin: Zeppelin;
  readonly seats: Seats;
  readonly notes: UpstreamNotes;
}

/** A call of ours. */
export interface OwnCall {
  readonly c: Context;
  readonly seat: TicketSeat | undefined;
  /** For handlers of ours. */
  readonly request: RestRequest<EndpointName>;
}
/** Answers one. */
export type Own = (call: OwnCall) => unknown;

const NEEDS_NOTES =
  'There is no such call here: it needs the notes of this server, and they are those of the Zeppelin behind it.';
const NO_PASSWORDS =
  'Passwords are set at the Zeppelin behind this server: ask who keeps it for a new one.';
const NO_SSO = 'Single sign-on is not configured: sign in with a password.';

/** Calls of ours that work whoever signs in, as a version names them to clients. */
const always: readonly EndpointName[] = [
  'magpieConfig',
  'magpieVersion',
  'listClusters',
  'setCluster',
  'commandLine',
  'createEmbedToken',
  'revokeEmbedToken',
  'revokeEmbedTokens',
  'checkResult',
  'getResult',
  'getFile',
  'getTrust',
  'setTrust',
  'openApi',
  'asyncApi',
];
/** Those that need our users. */
const withUsers: readonly EndpointName[] = [
  'loginOnce',
  'listTokens',
  'createToken',
  'setTokenStatus',
  'describeToken',
  'deleteToken',
  'requestPasswordReset',
  'checkPasswordReset',
  'resetPassword',
  'principals',
];

/** What answers a call here; `undefined`: it goes on. `signedOut`: what ends the session of a browser. */
export function ownCalls(
  { context, zeppelin, seats, notes }: GatewayParts,
  signedOut: (c: Context, message?: string) => Refusal,
): (name: EndpointName) => Own | undefined {
  const { options, log } = context;
  const isAnonymous = () => zeppelin.kind === 'anonymous';
  /** A handler of ours; it finds of its context what it needs. */
  const ours =
    (name: EndpointName): Own =>
    ({ request }) =>
      (rest[name] as (request: unknown, context: ServerContext) => unknown)(
        request,
        context as ServerContext,
      );
  const needsUsers =
    (name: EndpointName, why: string): Own =>
    (call) => {
      if (!isAnonymous()) throw new Refusal(404, why);
      return ours(name)(call);
    };
  /** Our own sign-in; to clients everybody is who he is to upstream. */
  const locally =
    (name: 'login' | 'loginOnce'): Own =>
    async (call) => ({
      ...((await ours(name)(call)) as object),
      principal: zeppelin.anonymous.principal,
    });
  const lacking = (): never => {
    throw new Refusal(404, NEEDS_NOTES);
  };

  const revisions = revisionCalls(zeppelin, notes);

  const own: Partial<Record<EndpointName, Own>> = {
    version: async () => {
      const { tiding: _, ...version } = await zeppelin.version();
      const also = [
        ...always,
        ...(zeppelin.hasRevisions ? [] : (Object.keys(revisions) as EndpointName[])),
        ...(isAnonymous() ? withUsers : []),
      ].map((name) => `${endpoints[name].method} ${endpoints[name].path}`);
      return { ...version, gateway: { version: SERVER_VERSION, also } };
    },
    ticket: async ({ c, seat }) => {
      if (!seat) throw new Refusal(401, 'Not signed in.');
      const { principal, ticket } = seat;
      if (seat.local) return { principal, ticket, roles: JSON.stringify(seat.person.roles) };
      if (!(await seats.confirm(seat.key))) throw signedOut(c);
      return { principal, ticket, roles: (await seats.byKey(seat.key))?.upstream.roles ?? '[]' };
    },
    login: async (call) => {
      await zeppelin.look();
      reachable(zeppelin);
      if (isAnonymous()) return locally('login')(call);
      const { userName, password } = call.request.body as { userName: string; password: string };
      const upstream = await limited(
        context as ServerContext,
        `${userName}\n${call.request.address}`,
        () => zeppelin.login(userName, password),
      );
      if (!upstream) {
        log.warn({ event: 'sign-in-failed', address: call.request.address }, 'sign-in failed');
        throw new Refusal(403, "The username and password that you entered don't match.");
      }
      const { seat, cookie } = seats.start(upstream);
      // The one before ends after the new one is there: its end asks for a new ticket where it is the same person's.
      if (call.seat) await seats.end(call.seat);
      call.request.setSession(cookie);
      log.info(
        { event: 'sign-in', principal: seat.principal, address: call.request.address },
        'signed in',
      );
      return { principal: seat.principal, ticket: seat.ticket, roles: upstream.roles };
    },
    loginOnce: async (call) => {
      reachable(zeppelin);
      if (!isAnonymous())
        throw new Refusal(
          403,
          'People sign in here as at the Zeppelin behind this server, with name and password.',
        );
      return locally('loginOnce')(call);
    },
    logout: async (call) => {
      if (isAnonymous()) return ours('logout')(call);
      if (call.seat) await seats.end(call.seat);
      throw signedOut(call.c, '');
    },
    // Not 405: to clients of this family that means that the session is over.
    loginAddress: needsUsers('loginAddress', NO_SSO),
    ssoLogin: (call) =>
      isAnonymous()
        ? ours('ssoLogin')(call)
        : new Response(null, { status: 302, headers: { Location: '/#/sso/error' } }),
    ssoCallback: (call) =>
      isAnonymous()
        ? ours('ssoCallback')(call)
        : new Response(null, { status: 302, headers: { Location: '/#/sso/error' } }),
    magpieConfig: async ({ seat }) => {
      await context.users.refresh();
      return {
        productName: 'Tiding',
        loginMode: isAnonymous() ? options.loginMode : 'Password',
        features: { accessTokens: isAnonymous(), clusters: true, revisionControl: false },
        firstUse:
          isAnonymous() &&
          options.loginMode !== 'SsoOnly' &&
          context.users.count === 1 &&
          !context.users.get(FIRST_ADMIN)?.password,
        ...(seat && !seat.person.embed ? { allowOrigins: options.allowOrigins } : {}),
      };
    },
    createEmbedToken: ({ request, seat }) =>
      createEmbedToken(request as RestRequest<'createEmbedToken'>, seat!, notes, seats, context),
    revokeEmbedToken: async (call) => {
      if (isAnonymous()) return ours('revokeEmbedToken')(call);
      const { params, person } = call.request;
      if (
        (await seats.takeBack(
          administers(person) ? undefined : person.principal,
          params['jti'] ?? '',
        )) === 0
      )
        throw new Refusal(404, 'No such token, or its time is over.');
      return undefined;
    },
    revokeEmbedTokens: async (call) => {
      if (isAnonymous()) return ours('revokeEmbedTokens')(call);
      const { query, person } = call.request;
      const issuer = query.get('issuer') ?? person.principal;
      if (issuer !== person.principal && !administers(person))
        throw new Refusal(403, 'An administrator ends the tokens of others.');
      await seats.takeBack(issuer);
      return undefined;
    },
    checkResult: ({ request, seat }) =>
      exportOf(request as RestRequest<'getResult'>, seat!.upstream, notes),
    getResult: ({ request, seat }) =>
      exportOf(request as RestRequest<'getResult'>, seat!.upstream, notes),
    getTrust: async ({ request: { params, person }, seat }) => {
      const noteId = params['noteId'] ?? '';
      await notes.permissions(seat!.upstream, noteId);
      return { trusted: context.trust.of(noteId, person.principal).trusted };
    },
    setTrust: async ({ request, seat }) => {
      const { params, person, body } = request as RestRequest<'setTrust'>;
      const noteId = params['noteId'] ?? '';
      // Only of notes that there are, and that he may see.
      await notes.note(seat!.upstream, noteId);
      await context.trust.set(noteId, person.principal, body.trusted);
      return { trusted: body.trusted };
    },
    getRevisionControl: lacking,
    jobHistory: lacking,
    setRevisionControl: lacking,
    principals: needsUsers(
      'principals',
      'The Zeppelin behind this server does not list all its people: look for a part of a name.',
    ),
  };
  for (const name of [
    'magpieVersion',
    'listClusters',
    'setCluster',
    'commandLine',
    'getFile',
    'openApi',
    'asyncApi',
  ] as const)
    own[name] = ours(name);
  for (const name of [
    'listTokens',
    'createToken',
    'setTokenStatus',
    'describeToken',
    'deleteToken',
  ] as const)
    own[name] = needsUsers(name, NO_TOKENS);
  for (const name of ['requestPasswordReset', 'checkPasswordReset', 'resetPassword'] as const)
    own[name] = needsUsers(name, NO_PASSWORDS);
  return (name) =>
    own[name] ??
    (zeppelin.hasRevisions ? undefined : (revisions as Partial<Record<EndpointName, Own>>)[name]);
}

/** Refuses while it is not known who signs in. */
export function reachable(zeppelin: Zeppelin): void {
  if (zeppelin.kind === undefined)
    throw new Refusal(
      502,
      `The Zeppelin behind this server cannot be reached (${zeppelin.trouble ?? 'no answer'}).`,
    );
}
