/** Session, sign-in, access tokens, configuration. */
import type { AccessToken, Bag, Ticket } from 'tiding/protocol';
import type { LiveHandlers, RestHandlers, RestRequest, ServerContext } from '../context.ts';
import { isExpired } from '../auth/tokens.ts';
import { FIRST_ADMIN } from '../auth/users.ts';
import { Refusal } from '../errors.ts';
import { SERVER_VERSION, PROTOCOL_VERSION } from '../version.ts';

/** What the configuration page lists; no secret is in it. */
export function configurations({ options }: ServerContext): Bag {
  return {
    'zeppelin.version': PROTOCOL_VERSION,
    'tiding.version': SERVER_VERSION,
    'zeppelin.server.addr': options.host,
    'zeppelin.server.port': String(options.port),
    'zeppelin.server.allowed.origins': options.allowOrigins.join(','),
    'zeppelin.websocket.max.text.message.size': String(options.maxMessageBytes),
    'zeppelin.interpreter.output.limit': String(options.maxOutputBytes),
    ...(options.homeNote === undefined ? {} : { 'zeppelin.notebook.homescreen': options.homeNote }),
    'zeppelin.notebook.homescreen.hide': String(
      options.homeNote !== undefined && options.hideHomeNote,
    ),
    isRevisionSupported: 'true',
  };
}

/** Where single sign-on begins. */
export const SSO_PATH = '/api/login/sso';
const FAILURES = 10;
const WINDOW_MS = 600_000;
const attempts = new WeakMap<
  ServerContext,
  Map<string, { failures: number; since: number; waiting: number; last: Promise<void> }>
>();

/**
 * Lets sign-ins of an account from an address through one after another, so that ten failures within ten minutes are ten
 * however many come at once; the next is refused unread. `attempt` answers `undefined` where it failed.
 */
async function limited<T>(
  context: ServerContext,
  key: string,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let all = attempts.get(context);
  if (!all) attempts.set(context, (all = new Map()));
  const now = Date.now();
  for (const [name, { since, waiting }] of all)
    if (waiting === 0 && now - since > WINDOW_MS) all.delete(name);
  const entry = all.get(key) ?? { failures: 0, since: now, waiting: 0, last: Promise.resolve() };
  all.set(key, entry);
  entry.waiting += 1;
  const turn = entry.last
    .then(async () => {
      if (entry.failures >= FAILURES)
        throw new Refusal(429, 'Too many failed sign-ins. Try again in ten minutes.');
      const result = await attempt();
      if (result === undefined && entry.failures === 0) entry.since = Date.now();
      entry.failures = result === undefined ? entry.failures + 1 : 0;
      return result;
    })
    .finally(() => (entry.waiting -= 1));
  entry.last = turn.then(
    () => {},
    () => {},
  );
  return turn;
}

/** Starts a session for who has shown who they are; the one before ends. */
export async function signIn(
  name: string,
  request: Pick<RestRequest<'login'>, 'session' | 'setSession' | 'address'>,
  context: ServerContext,
): Promise<Ticket> {
  // A new session at each sign-in: one fixed beforehand is worth nothing.
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

/** Live operations. */
export const sessionLive = {
  PING: () => {},
  LIST_CONFIGURATIONS: ({ connection }, context) =>
    context.hub.tell(connection, 'CONFIGURATIONS_INFO', {
      configurations: configurations(context),
    }),
} satisfies Partial<LiveHandlers>;

function own(token: AccessToken | undefined): AccessToken {
  if (!token) throw new Refusal(404, 'No such token.');
  return token;
}

/** REST calls. */
export const sessionRest = {
  version: () => ({
    version: PROTOCOL_VERSION,
    'git-commit-id': '',
    'git-timestamp': '',
    tiding: { version: SERVER_VERSION, namesReplies: true, presence: true, restores: true },
  }),
  ticket: ({ session, person }) => {
    if (!session) throw new Refusal(401, 'Not signed in.');
    return {
      principal: person.principal,
      ticket: session.ticket,
      roles: JSON.stringify(person.roles),
    };
  },
  login: async (request, context) => {
    const { userName, password } = request.body;
    if (context.options.loginMode === 'SsoOnly')
      throw new Refusal(403, 'There are no passwords here: sign in by single sign-on.');
    const user = await limited(context, `${userName}\n${request.address}`, () =>
      context.users.verify(userName, password),
    );
    if (!user) {
      context.log.warn(
        { event: 'sign-in-failed', principal: userName, address: request.address },
        'sign-in failed',
      );
      throw new Refusal(403, "The username and password that you entered don't match.");
    }
    return signIn(user.name, request, context);
  },
  loginOnce: async (request, context) => {
    await context.users.refresh();
    const user = await limited(context, `link\n${request.address}`, async () =>
      context.loginLink.use(request.body.token) ? context.users.get(FIRST_ADMIN) : undefined,
    );
    if (!user)
      throw new Refusal(
        403,
        'This sign-in link has been used or has expired. Start the server again for a new one.',
      );
    return signIn(user.name, request, context);
  },
  logout: async ({ session, person, setSession }, context) => {
    if (session) await context.sessions.end(session.key);
    setSession(undefined);
    const redirectURL =
      session && (await context.sso?.signOut(session.key, context.users.get(person.principal)));
    // Not an error: clients of this family read 401 here as done. The provider's page is gone to, not called: its cookies are not ours to send.
    throw new Refusal(
      401,
      '',
      'error',
      redirectURL === undefined ? {} : { body: { redirectURL, isLogoutAPI: 'false' } },
    );
  },
  magpieConfig: async ({ session, person }, { users, options }) => {
    await users.refresh();
    return {
      productName: 'Tiding',
      loginMode: options.loginMode,
      features: { accessTokens: true, clusters: true, revisionControl: true },
      firstUse:
        options.loginMode !== 'SsoOnly' && users.count === 1 && !users.get(FIRST_ADMIN)?.password,
      ...(session && !person.embed ? { allowOrigins: options.allowOrigins } : {}),
    };
  },
  magpieVersion: () => ({ version: SERVER_VERSION }),
  listTokens: ({ person }, { tokens }) => tokens.list(person.principal),
  createToken: async ({ person, session, body, setStatus }, { tokens }) => {
    if (session?.tokenId) throw new Refusal(403, 'A token cannot make tokens.');
    setStatus(201);
    try {
      return await tokens.create(person.principal, {
        ...(body?.description === undefined ? {} : { description: body.description }),
        ...(body?.expiresInDays === undefined ? {} : { expiresInDays: body.expiresInDays }),
      });
    } catch (error) {
      throw new Refusal(400, (error as Error).message);
    }
  },
  setTokenStatus: async ({ person, params }, { tokens, sessions }) => {
    const { tokenId = '', status = '' } = params;
    const wanted = status.toLowerCase();
    if (wanted !== 'enabled' && wanted !== 'disabled')
      throw new Refusal(400, "status is 'enabled' or 'disabled'");
    if (isExpired(own(await tokens.find(person.principal, tokenId))))
      throw new Refusal(409, 'The token has expired.');
    const token = own(
      await tokens.change(person.principal, tokenId, { disabled: wanted === 'disabled' }),
    );
    if (wanted === 'disabled') await sessions.endToken(tokenId);
    return token;
  },
  describeToken: async ({ person, params, body }, { tokens }) => {
    if (body.length > 255) throw new Refusal(400, 'a description has at most 255 characters');
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
} satisfies Partial<RestHandlers>;
export { limited };
