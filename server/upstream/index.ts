/**
 * Starts the server in front of a Zeppelin (`--upstream`). Notes, interpreters and users are
 * Zeppelin's; pages, access checks and missing features are provided by this server.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayContext } from '../areas/context.ts';
import { EmbedTokenStore } from '../auth/embed-tokens.ts';
import { firstAdministrator } from '../auth/first-administrator.ts';
import { LoginLink } from '../auth/login-link.ts';
import { smtpMailer } from '../auth/mail.ts';
import { NoteTrustStore } from '../auth/note-trust.ts';
import { PasswordResets } from '../auth/password-resets.ts';
import { Secrets } from '../auth/secrets.ts';
import { Sessions } from '../auth/sessions.ts';
import { SingleSignOn } from '../auth/single-sign-on.ts';
import { AccessTokenStore } from '../auth/tokens.ts';
import { Users } from '../auth/users.ts';
import type { ServerOptions, TidingServer } from '../base/options.ts';
import { ClusterService } from '../clusters/clusters.ts';
import { DataFiles } from '../files/data-files.ts';
import { httpServer, listen } from '../http/listen.ts';
import { originGate } from '../http/origin.ts';
import { Audit } from '../logging/audit.ts';
import type { Logger } from '../logging/log.ts';
import { Metrics } from '../logging/metrics.ts';
import { parseUpstream } from './address.ts';
import { GatewaySessions } from './gateway-sessions.ts';
import { createGatewayHttp } from './http.ts';
import { createGatewayLive } from './live.ts';
import { UpstreamNotes } from './notes.ts';
import { ZeppelinClient } from './zeppelin.ts';

/** How long pending calls may take at shutdown, in ms. */
const SHUTDOWN_GRACE_MS = 5_000;

/**
 * Starts in front of a Zeppelin, with an already locked data folder. It also starts if Zeppelin
 * can't be reached: pages are served, calls return 502, and the connection is retried. `unlock`
 * releases the data folder.
 */
export async function startGateway(
  options: ServerOptions,
  log: Logger,
  unlock: () => Promise<void>,
): Promise<TidingServer> {
  // Report invalid settings before starting anything.
  const sendMail = options.sendMail ?? smtpMailer(options);
  const zeppelin = new ZeppelinClient(
    parseUpstream(options.upstream ?? ''),
    log,
    options.upstreamTimeoutMs,
  );
  const users = new Users(options.data);
  const first = await firstAdministrator(users, options);
  await zeppelin.checkReachable();
  // If users sign in at Zeppelin, no local users are needed.
  try {
    if (zeppelin.kind !== 'accounts')
      first.requirePassword(
        `, in front of a Zeppelin that ${zeppelin.kind ? 'requires none' : 'cannot be reached'}`,
      );
  } catch (error) {
    zeppelin.close();
    throw error;
  }
  if (zeppelin.kind === 'accounts' && options.oidc)
    log.warn(
      { upstream: zeppelin.address },
      'single sign-on is disabled: users sign in at the Zeppelin behind this server',
    );
  const sessions = await Sessions.open(options.data);
  const tokens = new AccessTokenStore(options.data);
  const audit = new Audit(options.data, log);
  sessions.onBegin = ({ principal, tokenId, embed }) =>
    audit.record(embed ? 'embed-token-used' : 'token-used', {
      principal,
      target: tokenId,
      note: embed?.note,
    });
  const embeds = new EmbedTokenStore(options.data, await Secrets.open(options.data));
  const gatewaySessions = new GatewaySessions(zeppelin, { users, tokens, sessions, embeds });
  const notes = new UpstreamNotes(zeppelin);
  const trust = new NoteTrustStore(options.data);
  await trust.load();
  const clusters = await ClusterService.open({
    data: options.data,
    log,
    localHealth: () => (zeppelin.unreachableReason === undefined ? 'Healthy' : 'Degraded'),
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
    upstream: () => zeppelin.unreachableReason === undefined,
  });
  const sso = options.oidc && new SingleSignOn(options.oidc, users, log);
  const context: GatewayContext = {
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
    files: new DataFiles(options.data),
    url: () => url,
  };

  let port = options.port;
  const parts = { context, zeppelin, gatewaySessions, notes, gate: originGate(options) };
  const live = createGatewayLive(parts);
  zeppelin.onIdentity = (identity) =>
    void zeppelin.messageLimit(identity).then((bytes) => bytes && live.limit(bytes));
  if (zeppelin.unreachableReason === undefined && zeppelin.kind === 'anonymous')
    zeppelin.onIdentity(zeppelin.anonymous);
  const app = createGatewayHttp(parts, () => port);
  const http = httpServer(options, app.fetch, live.upgrade);
  const end = async () => {
    await live.close();
    gatewaySessions.close();
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
      return zeppelin.unreachableReason === undefined
        ? undefined
        : `${zeppelin.address} cannot be used yet (${zeppelin.unreachableReason}). ` +
            'The server keeps trying to connect.';
    },
    close: () =>
      (closing ??= (async () => {
        const answered = new Promise((resolve) => http.close(resolve));
        await live.close();
        // Let pending calls finish if they don't take too long: Zeppelin may already have executed
        // them.
        const idle = setInterval(() => http.closeIdleConnections(), 50);
        await Promise.race([answered, wait(SHUTDOWN_GRACE_MS, undefined, { ref: false })]);
        clearInterval(idle);
        await end();
        http.closeAllConnections();
        await unlock();
      })()),
  };
}
