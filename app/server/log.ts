/** The server's log: one JSON line an entry, on standard error; never a secret, never a user's data. */
import pino from 'pino';

/** A structured logger. */
export type Logger = pino.Logger;

const SECRET = ['ticket', 'token', 'password', 'authorization', 'cookie', 'secret'];

/** Makes the log. `level` is pino's: silent, error, warn, info, debug. */
export function createLog(
  level: string,
  destination: pino.DestinationStream = pino.destination({ fd: 2, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Also in what a logged object holds, for example the headers of a request.
      redact: SECRET.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    },
    destination,
  );
}
