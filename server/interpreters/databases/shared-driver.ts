/** What the drivers have in common. */
import type { Completion } from '@tiding/client/protocol';
import { MAX_COMPLETIONS } from '../sql/complete.ts';
import type { ConnectionTarget } from './driver.ts';

/** Reads rows of a name and what it names. */
export type ReadNames = (sql: string) => Promise<readonly (readonly [string, string])[]>;

/**
 * Returns a function that reads the names of a query with two columns.
 * @param quoted returns a name as SQL needs it
 */
export const nameReader =
  (read: ReadNames, quoted: (name: string) => string) =>
  async (sql: string, quote = false): Promise<Completion[]> =>
    (await read(`${sql} ORDER BY 2 DESC, 1 LIMIT ${MAX_COMPLETIONS}`)).map(([name, meta]) => ({
      name,
      value: quote ? quoted(name) : name,
      meta,
    }));

/** Connects with TLS, or without if the setting prefers it and the server has none. */
export async function connectPreferred<Connection>(
  { tls }: ConnectionTarget,
  signal: AbortSignal,
  open: (isEncrypted: boolean) => Promise<Connection>,
  isUnsupported: (error: unknown) => boolean,
): Promise<Connection> {
  signal.throwIfAborted();
  try {
    return await open(tls !== 'disable');
  } catch (error) {
    if (tls !== 'prefer' || !isUnsupported(error) || signal.aborted) throw error;
    return open(false);
  }
}

/** Options of Node for the certificate of the server. */
export const certificateOptions = ({ authorities, tls }: ConnectionTarget) => ({
  rejectUnauthorized: tls === 'verify-full',
  ...(authorities === '' ? {} : { ca: authorities }),
});
