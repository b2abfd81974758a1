/** The server's log: one JSON line an entry, on standard error; never a secret, never a user's data. */
import pino from 'pino';

/** A structured logger. */
export type Logger = pino.Logger;

/** Makes the log. `level` is pino's: silent, error, warn, info, debug. */
export function createLog(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: ['ticket', 'token', 'password', 'authorization', 'cookie', 'secret', '*.ticket', '*.token', '*.password', '*.secret'],
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
