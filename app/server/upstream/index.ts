/** The server in front of a Zeppelin (`--upstream`): its notes, interpreters and users; pages, gate and what it lacks are ours. */
import { createServer as createHttpServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Audit } from '../audit.ts';
import { LoginLink } from '../auth/login-link.ts';
import { smtpMailer } from '../auth/mail.ts';
import { PasswordResets } from '../auth/password-resets.ts';
import { EmbedTokens } from '../auth/embed-tokens.ts';
import { NoteTrust } from '../auth/note-trust.ts';
import { Secrets } from '../auth/secrets.ts';
import { Sessions } from '../auth/sessions.ts';
import { SingleSignOn } from '../auth/single-sign-on.ts';
import { Tokens } from '../auth/tokens.ts';
import { Users } from '../auth/users.ts';
import { Clusters } from '../clusters/clusters.ts';
import { firstAdministrator } from '../first-administrator.ts';
import type { TidingServer } from '../index.ts';
import { listen } from '../listen.ts';
import type { Logger } from '../log.ts';
import { Metrics } from '../metrics.ts';
import type { ServerOptions } from '../options.ts';
import { originGate } from '../origin.ts';
import { parseUpstream } from './address.ts';
import { createGatewayHttp } from './http.ts';
import { createGatewayLive } from './live.ts';
import { UpstreamNotes } from './notes.ts';
import type { LeanContext } from './own-calls.ts';
import { Seats } from './seats.ts';
import { Zeppelin } from './zeppelin.ts';

/** Calls that upstream still answers have so long at the end, in ms. */
const LAST_CALLS_MS = 5_000;

/**
 * Starts it on a data folder that is locked already. A Zeppelin that cannot be reached is no reason not to start: pages are
 * served, calls answer 502, and it is tried again. `unlock` is the server's own.
 */
export async function startInFront(
  options: ServerOptions,
  log: Logger,
  unlock: () => Promise<void>,
): Promise<TidingServer> {
  // Settings that will not do are said before anything is begun.
  const sendMail = options.sendMail ?? smtpMailer(options);
  const zeppelin = new Zeppelin(
    parseUpstream(options.upstream ?? ''),
    log,
    options.upstreamTimeoutMs,
  );
  const users = new Users(options.data);
  const first = await firstAdministrator(users, options);
  await zeppelin.look();
  // Where people sign in there, ours are not asked for.
  try {
    if (zeppelin.kind !== 'accounts')
      first.requirePassword(
        `, in front of a Zeppelin that ${zeppelin.kind ? 'asks for none' : 'cannot be reached'}`,
      );
  } catch (error) {
    zeppelin.close();
    throw error;
  }
  if (zeppelin.kind === 'accounts' && options.oidc)
    log.warn(
      { upstream: zeppelin.address },
      'single sign-on is not used: people sign in at the Zeppelin behind this server',
    );
  const sessions = await Sessions.open(options.data);
  const tokens = new Tokens(options.data);
  const audit = new Audit(options.data, log);
  sessions.onBegin = ({ principal, tokenId, embed }) =>
    audit.record(embed ? 'embed-token-used' : 'token-used', {
      principal,
      target: tokenId,
      note: embed?.note,
    });
  const embeds = new EmbedTokens(options.data, await Secrets.open(options.data));
  const seats = new Seats(zeppelin, { users, tokens, sessions, embeds });
  const notes = new UpstreamNotes(zeppelin);
  const trust = new NoteTrust(options.data);
  await trust.load();
  const clusters = await Clusters.open({
    data: options.data,
    log,
    localHealth: () => (zeppelin.trouble === undefined ? 'Healthy' : 'Degraded'),
  });
  let url = '';
  const passwordResets = new PasswordResets({
    folder: options.data,
    users,
    sessions,
    log,
    url: () => options.publicUrl ?? url,
    sendMail,
  });
  const metrics = new Metrics({
    sockets: () => live.count(),
    upstream: () => zeppelin.trouble === undefined,
  });
  const sso = options.oidc && new SingleSignOn(options.oidc, users, log);
  const context: LeanContext = {
    options,
    log,
    audit,
    metrics,
    users,
    sessions,
    tokens,
    embeds,
    loginLink: new LoginLink(),
    passwordResets,
    sso,
    clusters,
    trust,
    url: () => url,
  };

  let port = options.port;
  const gate = originGate(options);
  const live = createGatewayLive({ zeppelin, seats, notes, gate, options, log, audit, metrics });
  zeppelin.onIdentity = (identity) =>
    void zeppelin.messageLimit(identity).then((bytes) => bytes && live.limit(bytes));
  if (zeppelin.trouble === undefined && zeppelin.kind === 'anonymous')
    zeppelin.onIdentity(zeppelin.anonymous);
  const http = createHttpServer(
    getRequestListener(
      createGatewayHttp({ context, zeppelin, seats, notes }, gate, () => port).fetch,
    ),
  );
  http.on('upgrade', live.upgrade);
  const end = async () => {
    await live.close();
    seats.close();
    zeppelin.close();
    metrics.close();
    await audit.flush();
  };
  try {
    ({ port, url } = await listen(http, options));
  } catch (error) {
    await end();
    throw error;
  }
  log.info({ url, data: options.data, upstream: zeppelin.address }, 'listening');

  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    loginLink: () => `${url}/#/?login=${context.loginLink.renew()}`,
    get hasPassword() {
      return zeppelin.kind === 'accounts' || !first.needsLink();
    },
    get notice() {
      return zeppelin.trouble === undefined
        ? undefined
        : `${zeppelin.address} cannot be used yet (${zeppelin.trouble}); it is tried again and again.`;
    },
    close: () =>
      (closing ??= (async () => {
        const answered = new Promise((resolve) => http.close(resolve));
        await live.close();
        // What was asked before is answered, if that does not take too long: upstream may have done it already.
        const late = new AbortController();
        const idle = setInterval(() => http.closeIdleConnections(), 50);
        await Promise.race([
          answered,
          wait(LAST_CALLS_MS, undefined, { signal: late.signal }).catch(() => {}),
        ]);
        late.abort();
        clearInterval(idle);
        await end();
        http.closeAllConnections();
        await unlock();
      })()),
  };
}
