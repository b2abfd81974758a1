/** Explains errors of PostgreSQL and of connections to it. */
import type { DatabaseProblem, ProblemContext } from '../driver.ts';
import {
  codeUnits,
  explainConnection,
  loginAdvice,
  serverAdvice,
  withoutTls,
} from '../explain-connection.ts';

/** Message of `pg` for a server without TLS. */
export const NO_TLS = 'The server does not support SSL connections';

/** The server asked for a password, and there is none. */
export class PasswordMissing extends Error {
  override readonly message = 'The server asks for a password, and none is set.';
}

interface ServerError {
  readonly message: string;
  readonly severity: string;
  /** SQLSTATE; see the appendix "PostgreSQL Error Codes" of its manual. */
  readonly code: string;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
  readonly where?: string | undefined;
  /** Number of the character, from 1. */
  readonly position?: string | undefined;
}

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'severity' in error && 'code' in error;

/** Messages of `pg` for a connection that was lost. */
const lost = /^Connection terminated|not queryable|^Client was closed/;

/** Explains an error while connecting, or that of a statement. */
export function explain(error: unknown, context: ProblemContext, statement = ''): DatabaseProblem {
  if (isServerError(error)) return explainServer(error, context, statement);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof PasswordMissing) return { message, advice: loginAdvice(context) };
  if (message === NO_TLS) return withoutTls(context);
  if (lost.test(message) || message === 'timeout expired')
    return explainConnection(
      Object.assign(new Error(message), {
        code: message === 'timeout expired' ? 'ETIMEDOUT' : 'ECONNRESET',
      }),
      context,
    );
  return explainConnection(error, context);
}

function explainServer(
  error: ServerError,
  context: ProblemContext,
  statement: string,
): DatabaseProblem {
  const { code, detail, hint, message, where } = error;
  const details = Object.entries({ DETAIL: detail, HINT: hint, CONTEXT: where })
    .filter(([, text]) => text)
    .map(([name, text]) => `${name}: ${text}`);
  return {
    message: `${message} (${code})`,
    details,
    position: error.position ? codeUnits(statement, Number(error.position) - 1) : undefined,
    advice: adviceOf(error, context),
    cause: code === '57014' ? 'cancelled' : isEnd(error) ? 'lost' : undefined,
  };
}

/** Whether the server has ended the session: at its shutdown, or by an administrator. */
const isEnd = ({ code, severity }: ServerError): boolean =>
  /^57P0[1-5]$/.test(code) || (severity === 'FATAL' && /^(?:57|08|25P03)/.test(code));

const advices = new Map<string, keyof typeof serverAdvice>([
  ['25006', 'onlyReads'],
  ['25P03', 'ended'],
  ['28P01', 'login'],
  ['3D000', 'noDatabase'],
  ['53300', 'full'],
  ['57P01', 'ended'],
  ['57P02', 'ended'],
  ['57P05', 'ended'],
]);

function adviceOf({ code, message }: ServerError, context: ProblemContext): string | undefined {
  if (code === '28000')
    return /no encryption|SSL off/.test(message)
      ? serverAdvice.needsTls(context)
      : `${loginAdvice(context)} The server decides in pg_hba.conf who may connect.`;
  if (code === '57P03') return 'The server is starting or stopping. Try again in a moment.';
  if (code === '42501')
    return `The login ${context.target.user} lacks the right. Ask the owner of the table for it.`;
  const advice = advices.get(code);
  return advice && serverAdvice[advice](context);
}
