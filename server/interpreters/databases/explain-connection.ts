/** Explains why a database can't be reached, and where logins are stored. */
import type { DatabaseProblem, ProblemContext } from './driver.ts';

/** Says where the login comes from. */
export const loginAdvice = ({ isPersonal, setting, target }: ProblemContext): string =>
  isPersonal
    ? `Correct your login for the entity ${setting} in your credentials.`
    : `Correct user and password of the setting ${setting} (now ${target.user}), or leave the ` +
      `password empty and store a login for the entity ${setting} in your credentials.`;

/** What to do about errors that servers have in common. */
export const serverAdvice = {
  login: loginAdvice,
  noDatabase: ({ setting, target }) =>
    `Correct the database of the setting ${setting}, or create ${target.database} there.`,
  full: () => 'Try again later, or ask an administrator of the database for more connections.',
  onlyReads: ({ setting, target }) =>
    target.readOnly
      ? `The setting ${setting} only allows reading (readOnly).`
      : 'The transaction or the server only allows reading.',
  needsTls: ({ setting }) =>
    `The server requires TLS: set ssl of the setting ${setting} to require.`,
  ended: () => 'The server ended the session. Run the paragraph again to reconnect.',
} as const satisfies Readonly<Record<string, (context: ProblemContext) => string>>;

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server accepts connections there',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network',
  ETIMEDOUT: 'the server does not answer',
  ENOENT: 'there is no such socket',
  EACCES: 'the socket is not accessible',
};
const lost = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);

/** Explains that the server has no TLS. */
export const withoutTls = ({ setting }: ProblemContext): DatabaseProblem => ({
  message: 'The server does not support encrypted connections.',
  advice: `Set ssl of the setting ${setting} to disable, or turn on TLS in the server.`,
});

/** Returns the offset in UTF-16 code units of an offset in characters. */
export const codeUnits = (statement: string, characters: number): number =>
  Array.from(statement).slice(0, characters).join('').length;

/** Explains an error of a socket or of TLS. */
export function explainConnection(error: unknown, context: ProblemContext): DatabaseProblem {
  const { setting, target } = context;
  // Node collects the errors of several addresses of a host.
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code = '', message } = first as NodeJS.ErrnoException;
  const place = target.host.startsWith('/') ? target.host : `${target.host}:${target.port}`;
  const reason = unreachable[code];
  if (reason !== undefined)
    return {
      message: `The database at ${place} can't be reached: ${reason} (${code}).`,
      advice: `Check that it runs, and host and port of the setting ${setting}.`,
      cause: 'lost',
    };
  if (lost.has(code))
    return {
      message: `The connection to the database at ${place} was lost.`,
      advice: 'Run the paragraph again to reconnect.',
      cause: 'lost',
    };
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|SSL|TLS/.test(code))
    return {
      message: `The certificate of ${place} is not accepted: ${message} (${code}).`,
      advice:
        `Add the certificate of its authority to the setting ${setting} (sslAuthorities), use ` +
        'the host name of the certificate, or set ssl to require, which does not check it.',
    };
  return { message };
}
