/** Sessions, sign-in, access tokens and configuration. */
import type { AccessToken, JsonObject, Ticket } from '@tiding/client/protocol';
import { type ActingUser, administers } from '../../auth/permissions.ts';
import { isExpired } from '../../auth/tokens.ts';
import { FIRST_ADMIN } from '../../auth/users.ts';
import { Refusal } from '../../base/errors.ts';
import { SERVER_VERSION } from '../../base/version.ts';
import { hasDocumentation } from '../../http/documentation.ts';
import type { GatewayContext, LiveHandlers, RestHandlers, RestRequest } from '../context.ts';
import { shortName, signInLimitOf } from './sign-in-limit.ts';

/** Returns what the configuration page lists; it contains no secrets. */
export function configurations({ options }: Pick<GatewayContext, 'options'>): JsonObject {
  return {
    'zeppelin.version': options.zeppelinVersion,
    'tiding.version': SERVER_VERSION,
    'zeppelin.server.addr': options.host,
    'zeppelin.server.port': String(options.port),
    'zeppelin.server.allowed.origins': options.allowOrigins.join(','),
    'zeppelin.websocket.max.text.message.size': String(options.maxMessageBytes),
    'tiding.import.max.size': String(options.maxImportBytes),
    'zeppelin.interpreter.output.limit': String(options.maxOutputBytes),
    ...(options.homeNote === undefined ? {} : { 'zeppelin.notebook.homescreen': options.homeNote }),
    'zeppelin.notebook.homescreen.hide': String(
      options.homeNote !== undefined && options.hideHomeNote,
    ),
    isRevisionSupported: 'true',
  };
}

/**
 * The part of {@link configurations} that every session can read over REST, with `version`,
 * `configurations/client` and `notebook/capabilities`. Clients need it to work.
 */
function publicConfigurations(context: Pick<GatewayContext, 'options'>): JsonObject {
  const all = configurations(context);
  const shown = [
    'zeppelin.version',
    'tiding.version',
    'zeppelin.websocket.max.text.message.size',
    'tiding.import.max.size',
    'isRevisionSupported',
  ];
  return Object.fromEntries(shown.map((key) => [key, all[key]]));
}

/** Path where single sign-on begins. */
export const SSO_PATH = '/api/login/sso';

/** Starts a session for an authenticated user and ends the previous one. */
export async function signIn(
  name: string,
  request: Pick<RestRequest<'login'>, 'session' | 'setSession' | 'address'>,
  context: Pick<GatewayContext, 'sessions' | 'log' | 'users'>,
): Promise<Ticket> {
  // A new session for each sign-in prevents session fixation.
  if (request.session) await context.sessions.end(request.session.key);
  const { session, cookie } = await context.sessions.start(name);
  request.setSession(cookie);
  context.log.info({ event: 'sign-in', principal: name, address: request.address }, 'signed in');
  return {
    principal: name,
    ticket: session.ticket,
    roles: JSON.stringify(context.users.get(name)?.roles ?? []),
  };
}

/** Returns what the app needs to know of the server; `person` is the signed-in user. */
export async function appConfig(
  { users, options }: Pick<GatewayContext, 'users' | 'options'>,
  person: ActingUser | undefined,
) {
  await users.refresh();
  return {
    productName: 'Tiding',
    loginMode: options.loginMode,
    features: {
      accessTokens: true,
      clusters: true,
      connections: true,
      people: !options.anonymous,
      revisionControl: true,
      documentation: hasDocumentation(options),
    },
    firstUse:
      options.loginMode !== 'SsoOnly' && users.count === 1 && !users.get(FIRST_ADMIN)?.password,
    ...(person && options.mapUrl !== undefined ? { mapUrl: options.mapUrl } : {}),
    ...(person && !person.embed ? { allowOrigins: options.allowOrigins } : {}),
  };
}

function refuseOnAnonymous({ options }: Pick<GatewayContext, 'options'>): void {
  if (options.anonymous)
    throw new Refusal(400, 'Nobody signs in on this server: everybody is anonymous.');
}

export const sessionLive = {
  PING: () => {},
  LIST_CONFIGURATIONS: ({ connection, person }, context) =>
    context.hub.send(connection, 'CONFIGURATIONS_INFO', {
      configurations: administers(person) ? configurations(context) : publicConfigurations(context),
    }),
} satisfies Partial<LiveHandlers>;

function own(token: AccessToken | undefined): AccessToken {
  if (!token) throw new Refusal(404, 'No such token.');
  return token;
}

/** What an answer about the session depends on. */
type Caller = Pick<RestRequest<'ticket'>, 'session' | 'person'>;

/** REST handlers for sessions, tokens and configuration. */
export const sessionRest = {
  version: (_: unknown, { options }) => ({
    version: options.zeppelinVersion,
    'git-commit-id': '',
    'git-timestamp': '',
    tiding: {
      version: SERVER_VERSION,
      namesReplies: true,
      presence: true,
      restores: true,
      ...(options.assistant ? { assistant: true } : {}),
    },
  }),
  ticket: ({ session, person }: Caller, context) => {
    if (!session) throw new Refusal(401, 'Not signed in.');
    return {
      principal: session.alias,
      ticket: session.ticket,
      // Zeppelin's clients expect an anonymous user without roles.
      roles: JSON.stringify(session === context.sessions.anonymous ? [] : person.roles),
      ...(person.embed && { scope: person.embed.scope }),
    };
  },
  login: async (request, context) => {
    refuseOnAnonymous(context);
    const { userName, password } = request.body;
    if (context.options.loginMode === 'SsoOnly')
      throw new Refusal(403, 'This server has no passwords. Use single sign-on.');
    const user = await signInLimitOf(context).run(
      { account: userName, address: request.address },
      (isKnown) => context.users.verify(userName, password, { isFirst: isKnown }),
    );
    if (!user) {
      context.log.warn(
        { event: 'sign-in-failed', principal: shortName(userName), address: request.address },
        'sign-in failed',
      );
      throw new Refusal(403, "The username and password that you entered don't match.");
    }
    return signIn(user.name, request, context);
  },
  loginOnce: async (request, context) => {
    refuseOnAnonymous(context);
    await context.users.refresh();
    const user = await signInLimitOf(context).run(
      { account: '\0link', address: request.address },
      async () =>
        context.loginLink.use(request.body.token) ? context.users.get(FIRST_ADMIN) : undefined,
    );
    if (!user)
      throw new Refusal(
        403,
        'This sign-in link has been used or has expired. Restart the server to get a new one.',
      );
    return signIn(user.name, request, context);
  },
  logout: async ({ session, person, setSession }, context) => {
    if (session) await context.sessions.end(session.key);
    setSession(undefined);
    const redirectURL =
      session && (await context.sso?.signOut(session.key, context.users.get(person.principal)));
    // Not an error: Zeppelin clients take a 401 here as success. The browser navigates to the
    // provider's sign-out page itself, because the server can't send the provider's cookies.
    throw new Refusal(
      401,
      '',
      'error',
      redirectURL === undefined ? {} : { body: { redirectURL, isLogoutAPI: 'false' } },
    );
  },
  magpieConfig: ({ session, person }: Caller, context) => appConfig(context, session && person),
  magpieVersion: () => ({ version: SERVER_VERSION }),
  listTokens: ({ person }, { tokens }) => tokens.list(person.principal),
  createToken: async ({ person, session, body, setStatus }, { tokens }) => {
    if (session?.tokenId)
      throw new Refusal(
        403,
        'An access token cannot create tokens. Sign in with your password instead.',
      );
    setStatus(201);
    try {
      return await tokens.create(person.principal, body);
    } catch (error) {
      throw new Refusal(400, (error as Error).message);
    }
  },
  setTokenStatus: async ({ person, params }, { tokens, sessions }) => {
    const { tokenId = '', status = '' } = params;
    const wanted = status.toLowerCase();
    if (wanted !== 'enabled' && wanted !== 'disabled')
      throw new Refusal(400, "status must be 'enabled' or 'disabled'.");
    if (isExpired(own(await tokens.find(person.principal, tokenId))))
      throw new Refusal(409, 'The token has expired.');
    const token = own(
      await tokens.change(person.principal, tokenId, { disabled: wanted === 'disabled' }),
    );
    if (wanted === 'disabled') await sessions.endToken(tokenId);
    return token;
  },
  describeToken: async ({ person, params, body }, { tokens }) => {
    if (body.length > 255) throw new Refusal(400, 'A description may have at most 255 characters.');
    return own(
      await tokens.change(person.principal, params['tokenId'] ?? '', { description: body }),
    );
  },
  deleteToken: async ({ person, params }, { tokens, sessions }) => {
    if (!(await tokens.remove(person.principal, params['tokenId'] ?? '')))
      throw new Refusal(404, 'No such token.');
    await sessions.endToken(params['tokenId'] ?? '');
  },
  configurations: (_, context) => configurations(context),
} satisfies Partial<RestHandlers<GatewayContext>>;
