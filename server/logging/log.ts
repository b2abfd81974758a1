/**
 * The server's log: one JSON object per line on standard error, without secrets and without user
 * data.
 */
import pino from 'pino';

/** The server's structured logger. */
export type Logger = pino.Logger;

const SECRET = ['ticket', 'token', 'password', 'authorization', 'cookie', 'secret'];

/** Creates the log. `level` is one of pino's: silent, error, warn, info, debug. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Also redacts nested objects, such as the headers of a request.
      redact: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    destination,
  );
}
