/**
 * The server's log: one JSON object per line on standard error, without secrets and without user
 * data.
 */
import pino from 'pino';

/** The server's structured logger. */
export type Logger = pino.Logger;

const SECRET = ['ticket', 'token', 'password', 'authorization', 'cookie', 'secret'];

/** Characters of a text in an entry; strangers choose some of them. */
const MAX_TEXT = 2_000;
const cut = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;

/** Creates the log. `level` is one of pino's: silent, error, warn, info, debug. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: {
        log: (entry) =>
          Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, cut(value)])),
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Also redacts nested objects, such as the headers of a request.
      redact: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    destination,
  );
}
