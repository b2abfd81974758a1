/** The server in front of a Zeppelin (`--upstream`): its notes, interpreters and users; pages, gate and what it lacks are ours. */
import { createServer as createHttpServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { LoginLink } from '../auth/login-link.ts';
import { PasswordResets } from '../auth/password-resets.ts';
import { EmbedTokens } from '../auth/embed-tokens.ts';
import { Secrets } from '../auth/secrets.ts';
import { Sessions } from '../auth/sessions.ts';
import { Tokens } from '../auth/tokens.ts';
import { ADMIN_ROLES, FIRST_ADMIN, Users } from '../auth/users.ts';
import { Clusters } from '../clusters/clusters.ts';
import type { TidingServer } from '../index.ts';
import type { Logger } from '../log.ts';
import { isLoopback, type ServerOptions } from '../options.ts';
import { originGate } from '../origin.ts';
import { parseUpstream } from './address.ts';
import { createGatewayHttp } from './http.ts';
import { createGatewayLive } from './live.ts';
import { Seats } from './seats.ts';
import { Zeppelin } from './zeppelin.ts';

/**
 * Starts it on a data folder that is locked already. A Zeppelin that cannot be reached is no reason not to start: pages are
 * served, calls answer 502, and it is tried again. `listen` and `unlock` are the server's own.
 */
export async function startInFront(
  options: ServerOptions, log: Logger, unlock: () => Promise<void>, listen: (http: Server, options: ServerOptions) => Promise<void>,
): Promise<TidingServer> {
  const zeppelin = new Zeppelin(parseUpstream(options.upstream ?? ''), log, options.upstreamTimeoutMs);
  const users = new Users(options.data);
  await users.refresh();
  if (!users.hasAdmin) await users.set(FIRST_ADMIN, { roles: ADMIN_ROLES });
  const needsLink = () => {
    const first = users.get(FIRST_ADMIN);
    return first !== undefined && first.password === undefined;
  };
  if (needsLink() && options.adminPassword) await users.set(FIRST_ADMIN, { password: options.adminPassword });
  await zeppelin.look();
  // Where people sign in there, ours are not asked for.
  if (!isLoopback(options.host) && needsLink() && zeppelin.kind !== 'accounts') {
    zeppelin.close();
    throw new Error(
      `Refusing to listen on ${options.host} without a password, in front of a Zeppelin that ${zeppelin.kind ? 'asks for none' : 'cannot be reached'}: ` +
      `set TIDING_ADMIN_PASSWORD, or run 'tiding user add ${FIRST_ADMIN}'.`,
    );
  }
  const sessions = await Sessions.open(options.data);
  const tokens = new Tokens(options.data);
  const seats = new Seats(zeppelin, { users, tokens, sessions, embeds: new EmbedTokens(options.data, await Secrets.open(options.data)) });
  const clusters = await Clusters.open({ data: options.data, log, localHealth: () => (zeppelin.trouble === undefined ? 'Healthy' : 'Degraded') });
  let url = '';
  const passwordResets = new PasswordResets({ folder: options.data, users, sessions, log, url: () => url, sendMail: options.sendMail });
  const loginLink = new LoginLink();
  const context = { options, log, users, sessions, tokens, loginLink, passwordResets, clusters, url: () => url };

  let port = options.port;
  const gate = originGate(options);
  const live = createGatewayLive(zeppelin, seats, gate, options, log);
  zeppelin.onIdentity = (identity) => void zeppelin.messageLimit(identity).then((bytes) => bytes && live.limit(bytes));
  if (zeppelin.trouble === undefined && zeppelin.kind === 'anonymous') zeppelin.onIdentity(zeppelin.anonymous);
  const http = createHttpServer(getRequestListener(createGatewayHttp({ context, zeppelin, seats }, gate, () => port).fetch));
  http.on('upgrade', live.upgrade);
  try {
    await listen(http, options);
  } catch (error) {
    await live.close();
    seats.close();
    zeppelin.close();
    throw error;
  }
  port = (http.address() as { port: number }).port;
  const host = options.host === '0.0.0.0' || options.host === '::' ? 'localhost' : options.host.includes(':') ? `[${options.host}]` : options.host;
  url = `http://${host}:${port}`;
  log.info({ url, data: options.data, upstream: zeppelin.address }, 'listening');

  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    loginLink: () => `${url}/#/?login=${loginLink.renew()}`,
    get hasPassword() {
      return zeppelin.kind === 'accounts' || !needsLink();
    },
    get notice() {
      return zeppelin.trouble === undefined ? undefined : `${zeppelin.address} cannot be used yet (${zeppelin.trouble}); it is tried again and again.`;
    },
    close: () => (closing ??= (async () => {
      http.close();
      await live.close();
      seats.close();
      zeppelin.close();
      http.closeAllConnections();
      await unlock();
    })()),
  };
}
