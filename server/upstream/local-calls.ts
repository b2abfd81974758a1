/**
 * Calls that this server answers itself in front of a Zeppelin: signing in, tokens, clusters,
 * exports and other features that Zeppelin lacks.
 */

import { type EndpointName, endpoints } from '@tiding/client/protocol';
import type { Context } from 'hono';
import { appConfig } from '../areas/account/session.ts';
import { signInLimitOf } from '../areas/account/sign-in-limit.ts';
import type { GatewayContext, RestRequest } from '../areas/context.ts';
import { gatewayRest } from '../areas/index.ts';
import { administers } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import { SERVER_VERSION } from '../base/version.ts';
import type { OriginGate } from '../http/origin.ts';
import { createEmbedToken } from './embed.ts';
import {
  type GatewaySessions,
  type GatewayTicketSession,
  TOKENS_UNAVAILABLE_MESSAGE,
} from './gateway-sessions.ts';
import type { UpstreamNotes } from './notes.ts';
import { exportOf } from './results.ts';
import { revisionCalls } from './revisions.ts';
import type { ZeppelinClient } from './zeppelin.ts';

/** Dependencies of the HTTP application and the live channel. */
export interface GatewayParts {
  readonly context: GatewayContext;
  readonly zeppelin: ZeppelinClient;
  readonly gatewaySessions: GatewaySessions;
  readonly notes: UpstreamNotes;
  readonly gate: OriginGate;
}

/** A call that is answered here. */
export interface LocalCall {
  readonly c: Context;
  readonly session: GatewayTicketSession | undefined;
  /** The request in the form that local handlers take. */
  readonly request: RestRequest<EndpointName>;
}
type LocalHandler = (call: LocalCall) => unknown;

const NEEDS_NOTES =
  'This call is not available: it works only on notes of this server, and its notes are ' +
  'those of the Zeppelin behind it.';
const NO_PASSWORDS =
  'Passwords are set at the Zeppelin behind this server. Ask its administrator for a new one.';
const NO_SSO = 'Single sign-on is not configured: sign in with a password.';

/** Calls that are answered as without a Zeppelin. */
const unchanged = [
  'magpieVersion',
  'listClusters',
  'setCluster',
  'commandLine',
  'getFile',
  'fetchNoteFile',
  'openApi',
  'asyncApi',
] as const;
/**
 * Local calls that work with and without Zeppelin accounts, by their names in the reported feature
 * list.
 */
const always: readonly EndpointName[] = [
  ...unchanged,
  'magpieConfig',
  'createEmbedToken',
  'revokeEmbedToken',
  'revokeEmbedTokens',
  'checkResult',
  'getResult',
  'getTrust',
  'setTrust',
];
/** Calls that need local users, and why they are not available without. */
const withUsers = {
  listTokens: TOKENS_UNAVAILABLE_MESSAGE,
  createToken: TOKENS_UNAVAILABLE_MESSAGE,
  setTokenStatus: TOKENS_UNAVAILABLE_MESSAGE,
  describeToken: TOKENS_UNAVAILABLE_MESSAGE,
  deleteToken: TOKENS_UNAVAILABLE_MESSAGE,
  requestPasswordReset: NO_PASSWORDS,
  checkPasswordReset: NO_PASSWORDS,
  resetPassword: NO_PASSWORDS,
  principals:
    'The Zeppelin behind this server does not list all its users. Search for part of a name.',
} as const;

/**
 * Returns the handlers of the calls answered here; `undefined` for calls to forward. `signedOut`
 * ends a browser's session.
 */
export function localCalls(
  { context, zeppelin, gatewaySessions, notes }: GatewayParts,
  signedOut: (c: Context, message?: string) => Refusal,
): (name: EndpointName) => LocalHandler | undefined {
  const { log } = context;
  const isAnonymous = () => zeppelin.kind === 'anonymous';
  const withLocalHandler =
    (name: keyof typeof gatewayRest): LocalHandler =>
    ({ request }) =>
      (gatewayRest[name] as (request: unknown, context: GatewayContext) => unknown)(
        request,
        context,
      );
  const needsUsers =
    (name: keyof typeof gatewayRest, why: string): LocalHandler =>
    (call) => {
      if (!isAnonymous()) throw new Refusal(404, why);
      return withLocalHandler(name)(call);
    };
  /** Single sign-on, unless users sign in at Zeppelin. */
  const unlessAtZeppelin =
    (name: 'ssoLogin' | 'ssoCallback'): LocalHandler =>
    (call) =>
      isAnonymous()
        ? withLocalHandler(name)(call)
        : new Response(null, { status: 302, headers: { Location: '/#/sso/error' } });
  /** Signs in a local user; to clients, everybody has the identity that Zeppelin reports. */
  const locally =
    (name: 'login' | 'loginOnce'): LocalHandler =>
    async (call) => ({
      ...((await withLocalHandler(name)(call)) as object),
      principal: zeppelin.anonymous.principal,
    });
  const result: LocalHandler = ({ request, session }) =>
    exportOf(request as RestRequest<'getResult'>, session!.upstream, notes);
  const lacking = (): never => {
    throw new Refusal(404, NEEDS_NOTES);
  };

  const revisions = revisionCalls(zeppelin, notes);

  const own: Partial<Record<EndpointName, LocalHandler>> = {
    version: async () => {
      const { tiding: _, ...version } = await zeppelin.version();
      const also = [
        ...always,
        ...(zeppelin.hasRevisions ? [] : (Object.keys(revisions) as EndpointName[])),
        ...(isAnonymous() ? (['loginOnce', ...Object.keys(withUsers)] as EndpointName[]) : []),
      ].map((name) => `${endpoints[name].method} ${endpoints[name].path}`);
      return { ...version, gateway: { version: SERVER_VERSION, also } };
    },
    ticket: async ({ c, session }) => {
      if (!session) throw new Refusal(401, 'Not signed in.');
      const { principal, ticket } = session;
      if (session.local) return { principal, ticket, roles: JSON.stringify(session.person.roles) };
      if (!(await gatewaySessions.confirm(session.key))) throw signedOut(c);
      return {
        principal,
        ticket,
        roles: (await gatewaySessions.byKey(session.key))?.upstream.roles ?? '[]',
      };
    },
    login: async (call) => {
      await zeppelin.checkReachable();
      requireReachable(zeppelin);
      if (isAnonymous()) return locally('login')(call);
      const { userName, password } = call.request.body as { userName: string; password: string };
      const upstream = await signInLimitOf(context).run(
        { account: userName, address: call.request.address },
        () => zeppelin.login(userName, password),
      );
      if (!upstream) {
        log.warn({ event: 'sign-in-failed', address: call.request.address }, 'sign-in failed');
        throw new Refusal(403, "The username and password that you entered don't match.");
      }
      const { session, cookie } = gatewaySessions.start(upstream);
      // The previous session ends after the new one exists: ending it requests a new ticket if both
      // belong to the same user.
      if (call.session) await gatewaySessions.end(call.session);
      call.request.setSession(cookie);
      log.info(
        { event: 'sign-in', principal: session.principal, address: call.request.address },
        'signed in',
      );
      return { principal: session.principal, ticket: session.ticket, roles: upstream.roles };
    },
    loginOnce: async (call) => {
      requireReachable(zeppelin);
      if (!isAnonymous())
        throw new Refusal(
          403,
          'Sign in with your name and password for the Zeppelin behind this server.',
        );
      return locally('loginOnce')(call);
    },
    logout: async (call) => {
      if (isAnonymous()) return withLocalHandler('logout')(call);
      if (call.session) await gatewaySessions.end(call.session);
      throw signedOut(call.c, '');
    },
    // Not 405: Zeppelin clients take that to mean that the session has ended.
    loginAddress: needsUsers('loginAddress', NO_SSO),
    ssoLogin: unlessAtZeppelin('ssoLogin'),
    ssoCallback: unlessAtZeppelin('ssoCallback'),
    magpieConfig: async ({ session }) => {
      const { features, loginMode, firstUse, ...config } = await appConfig(
        context,
        session?.person,
      );
      return {
        ...config,
        loginMode: isAnonymous() ? loginMode : 'Password',
        features: {
          ...features,
          accessTokens: isAnonymous(),
          connections: false,
          people: false,
          revisionControl: false,
        },
        firstUse: isAnonymous() && firstUse,
      };
    },
    createEmbedToken: ({ request, session }) =>
      createEmbedToken(
        request as RestRequest<'createEmbedToken'>,
        session!,
        notes,
        gatewaySessions,
        context,
      ),
    revokeEmbedToken: async (call) => {
      if (isAnonymous()) return withLocalHandler('revokeEmbedToken')(call);
      const { params, person } = call.request;
      if (
        (await gatewaySessions.revokeLent(
          administers(person) ? undefined : person.principal,
          params['jti'] ?? '',
        )) === 0
      )
        throw new Refusal(404, 'The token does not exist or has expired.');
      return undefined;
    },
    revokeEmbedTokens: async (call) => {
      if (isAnonymous()) return withLocalHandler('revokeEmbedTokens')(call);
      const { query, person } = call.request;
      const issuer = query.get('issuer') ?? person.principal;
      if (issuer !== person.principal && !administers(person))
        throw new Refusal(403, 'Only administrators can revoke tokens of other users.');
      await gatewaySessions.revokeLent(issuer);
      return undefined;
    },
    checkResult: result,
    getResult: result,
    getTrust: async ({ request: { params, person }, session }) => {
      const noteId = params['noteId'] ?? '';
      await notes.permissions(session!.upstream, noteId);
      return { trusted: context.trust.of(noteId, person.principal).trusted };
    },
    setTrust: async ({ request, session }) => {
      const { params, person, body } = request as RestRequest<'setTrust'>;
      const noteId = params['noteId'] ?? '';
      // Only for notes that exist and that the user may read.
      await notes.note(session!.upstream, noteId);
      await context.trust.set(noteId, person.principal, body.trusted);
      return { trusted: body.trusted };
    },
    getRevisionControl: lacking,
    jobHistory: lacking,
    getAlerts: lacking,
    setAlerts: lacking,
    createRunCopy: lacking,
    noteVariables: lacking,
    noteDependencies: lacking,
    setRevisionControl: lacking,
  };
  for (const name of unchanged) own[name] = withLocalHandler(name);
  for (const [name, why] of Object.entries(withUsers) as [keyof typeof withUsers, string][])
    own[name] = needsUsers(name, why);
  return (name) =>
    own[name] ??
    (zeppelin.hasRevisions
      ? undefined
      : (revisions as Partial<Record<EndpointName, LocalHandler>>)[name]);
}

/** Throws while it is unknown whether users sign in at Zeppelin. */
export function requireReachable(zeppelin: ZeppelinClient): void {
  if (zeppelin.kind === undefined)
    throw new Refusal(
      502,
      'The Zeppelin behind this server cannot be reached ' +
        `(${zeppelin.unreachableReason ?? 'no answer'}).`,
    );
}
