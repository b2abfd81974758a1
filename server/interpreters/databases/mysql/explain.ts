/** Explains errors of MySQL and of connections to it. */
import type { DatabaseProblem, ProblemContext } from '../driver.ts';
import { explainConnection, serverAdvice, withoutTls } from '../explain-connection.ts';

interface ServerError {
  readonly errno: number;
  readonly sqlMessage: string;
}

const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'sqlMessage' in error && 'errno' in error;

/** Whether the server has no TLS. */
export const hasNoTls = (error: unknown): boolean =>
  (error as { code?: string }).code === 'HANDSHAKE_NO_SSL_SUPPORT';

/** Numbers of errors, from the manual. */
const ENDED = new Set([1053, 1927, 4031]);
const NO_RIGHT = new Set([1044, 1142, 1143, 1227, 1370]);
const INTERRUPTED = 1317;
const advices: Readonly<Record<number, keyof typeof serverAdvice>> = {
  1040: 'full',
  1045: 'login',
  1049: 'noDatabase',
  1203: 'full',
  1290: 'onlyReads',
  1698: 'login',
  1792: 'onlyReads',
  3159: 'needsTls',
};

/** Explains an error while connecting, or that of a statement. */
export function explain(error: unknown, context: ProblemContext, statement = ''): DatabaseProblem {
  if (isServerError(error)) {
    const { errno, sqlMessage } = error;
    return {
      message: `${sqlMessage} (${errno})`,
      position: offsetOf(sqlMessage, statement),
      advice: adviceOf(error, context),
      cause: errno === INTERRUPTED ? 'cancelled' : ENDED.has(errno) ? 'lost' : undefined,
    };
  }
  if (hasNoTls(error)) return withoutTls(context);
  return explainConnection(error, context);
}

function adviceOf({ errno }: ServerError, context: ProblemContext): string | undefined {
  const { user } = context.target;
  if (NO_RIGHT.has(errno))
    return `The login ${user} lacks the right. Ask an administrator of the database for it.`;
  const advice = ENDED.has(errno) ? 'ended' : advices[errno];
  return advice && serverAdvice[advice](context);
}

/** Finds the text that a syntax error quotes. */
function offsetOf(message: string, statement: string): number | undefined {
  const [, near, line] = / near '([\s\S]*)' at line (\d+)$/.exec(message) ?? [];
  if (near === undefined) return undefined;
  if (near === '') return statement.length;
  const before = statement
    .split('\n')
    .slice(0, Number(line) - 1)
    .join('\n').length;
  const found = statement.indexOf(near, before);
  return found < 0 ? undefined : found;
}
