/** Binds the server's port and derives the URL to print. */
import type { Server } from 'node:http';
import type { ServerOptions } from '../base/options.ts';

/** The port and URL that a server listens on. */
interface Listening {
  /** The port; with `port: 0` the free port that was chosen. */
  readonly port: number;
  /** Base URL of the server's pages as seen from this machine, without a trailing slash. */
  readonly url: string;
}

/**
 * Starts listening. Rejects with a user-readable message if the port is in use or needs more
 * privileges.
 */
export async function listen(
  http: Server,
  { port: wanted, host }: Pick<ServerOptions, 'port' | 'host'>,
): Promise<Listening> {
  const problems: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${wanted} is in use. Choose another with --port, or --port 0 for a free one.`,
    EACCES: `Port ${wanted} needs administrator rights. Choose one above 1023 with --port.`,
  };
  await new Promise<void>((resolve, reject) => {
    http.once('error', ({ code = '', message }: NodeJS.ErrnoException) =>
      reject(new Error(problems[code] ?? `Cannot listen on ${host}:${wanted}: ${message}`)),
    );
    http.listen(wanted, host, resolve);
  });
  const { port } = http.address() as { port: number };
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { port, url: `http://${name}:${port}` };
}
