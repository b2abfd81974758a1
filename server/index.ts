/**
 * The standalone notebook server, for one machine and a small team. `services.ts` shows how its
 * parts fit together.
 *
 * @module tiding/server
 */
import { access, constants, mkdir } from 'node:fs/promises';
import { syncWork } from './areas/notes/revisions.ts';
import { RunCopySweeper } from './areas/notes/run-copies.ts';
import { firstAdministrator } from './auth/first-administrator.ts';
import { Users } from './auth/users.ts';
import { diskFailure } from './base/errors.ts';
import {
  checkAnonymous,
  resolveOptions,
  type ServerOptions,
  type ServerOptionsInput,
  type TidingServer,
} from './base/options.ts';
import { createLive } from './dispatch/live.ts';
import { createServerHttp } from './dispatch/rest.ts';
import { httpServer, listen } from './http/listen.ts';
import { originGate } from './http/origin.ts';
import { createLog } from './logging/log.ts';
import { addSamples } from './samples/index.ts';
import { openServices } from './services.ts';
import { lockFolder } from './storage/lock.ts';
import { startGateway } from './upstream/index.ts';

export type { AssistantOptions } from './base/assistant-options.ts';
export { type LimitName, type Limits, SERVER_LIMITS } from './base/limits.ts';
export type {
  ResetMail,
  SendMail,
  ServerOptions,
  ServerOptionsInput,
  TidingServer,
} from './base/options.ts';
export type { LoginMode, OidcOptions } from './base/sso-options.ts';
export { describeProtocol } from './describe/index.ts';
export type { JsonSchema } from './describe/schemas.ts';

/**
 * Starts a server. Rejects with a user-readable message if it can't start: a port in use, a folder
 * without write access, no password.
 */
export async function createServer(given: ServerOptionsInput = {}): Promise<TidingServer> {
  const options = resolveOptions(given);
  checkAnonymous(options);
  return open(options).catch((error: unknown) => {
    const failure = diskFailure(error);
    if (!failure) throw error;
    throw new Error(
      `The server can't start with the data folder ${options.data}. ${failure.message}`,
    );
  });
}

async function open(options: ServerOptions): Promise<TidingServer> {
  const log = createLog(options.logLevel);
  await writable(options.data);
  const unlock = await lockFolder(options.data, () => {
    log.fatal({ data: options.data }, 'another server uses the data folder now; stopping');
    // Even storing what is open would overwrite the other server's files.
    process.exit(1);
  });
  try {
    if (options.upstream !== undefined) return await startGateway(options, log, unlock);
    return await start(options, log, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(
  options: ServerOptions,
  log: ReturnType<typeof createLog>,
  unlock: () => Promise<void>,
): Promise<TidingServer> {
  const users = new Users(options.data);
  const first = await firstAdministrator(users, options);
  if (options.anonymous) users.admitAnonymous();
  else first.requirePassword();

  let url = '';
  const { context, magpie } = await openServices({ options, log, users, url: () => url });
  const { audit, clusters, metrics, notes, pool, results, revisionControl, revisions } = context;
  const { comments, runs, schedules, search } = context;
  await users.refresh();
  if (options.anonymous) context.sessions.admitAnonymous();
  await addSamples(context, context.files.shared);
  if (options.homeNote !== undefined && !notes.find(options.homeNote))
    log.warn({ note: options.homeNote }, 'the configured home note does not exist');
  const runCopies = new RunCopySweeper(context);
  await runCopies.start();
  await magpie.start();
  await revisionControl.start((principal) => syncWork(principal, context));

  let port = options.port;
  const gate = originGate(options);
  const app = createServerHttp(context, gate, () => port);
  const live = createLive(context, gate);
  const http = httpServer(options, app.fetch, live.upgrade);
  ({ port, url } = await listen(http, options));
  // Alerts about missed runs contain the address of the server.
  await schedules.start();
  log.info({ url, data: options.data }, 'listening');

  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    loginLink: () => `${url}/#/?login=${context.loginLink.renew()}`,
    get hasPassword() {
      return options.anonymous !== false || !first.needsLink();
    },
    notice: options.anonymous
      ? "Nobody signs in: everybody who reaches this server has administrators' rights."
      : undefined,
    close: () =>
      (closing ??= (async () => {
        http.close();
        await schedules.close();
        runCopies.close();
        await context.ruff.close();
        await revisionControl.close();
        await revisions.close();
        await comments.settled();
        await runs.close();
        await pool.close();
        await results.close();
        await magpie.close();
        await clusters.close();
        await live.close();
        await notes.close();
        metrics.close();
        await audit.flush();
        search.close();
        http.closeAllConnections();
        await unlock();
      })()),
  };
}

async function writable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(
      `The data folder ${folder} cannot be written ` +
        `(${(error as NodeJS.ErrnoException).code}). Choose another with --data.`,
    );
  }
}
