/** Taking a port, and the address that is printed for it. */
import type { Server } from 'node:http';
import type { ServerOptions } from './options.ts';

/** Where a server listens. */
export interface Listening {
  /** With `port: 0` the one that was free. */
  readonly port: number;
  /** Address of its pages as this machine reaches them, without a trailing slash. */
  readonly url: string;
}

/** Listens. Rejects with a sentence for people: a port that is taken, or needs more rights. */
export async function listen(
  http: Server,
  { port: wanted, host }: Pick<ServerOptions, 'port' | 'host'>,
): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(
          new Error(
            `Port ${wanted} is in use. Choose another with --port, or --port 0 for a free one.`,
          ),
        );
      else if (error.code === 'EACCES')
        reject(new Error(`Port ${wanted} needs more rights. Choose one above 1023 with --port.`));
      else reject(new Error(`Cannot listen on ${host}:${wanted}: ${error.message}`));
    });
    http.listen(wanted, host, resolve);
  });
  const { port } = http.address() as { port: number };
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return { port, url: `http://${name}:${port}` };
}
