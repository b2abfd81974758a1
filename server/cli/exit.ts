/** Exit codes and error messages of commands. */
import { isHttpError, isTidingError } from '@tiding/client';

/** Exit codes, as listed by `tiding help`. */
export const EXIT = {
  done: 0,
  /** A paragraph failed or was aborted, or an error without a code of its own. */
  failed: 1,
  usage: 2,
  unreachable: 3,
  denied: 4,
  unknown: 5,
  /** A time limit was reached. */
  timeout: 6,
  /** 128 plus the signal number, as in shells. */
  interrupted: 130,
  terminated: 143,
} as const;

/** A failed command. `hint` is printed on a second line. */
export class CommandError extends Error {
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(exitCode: number, message: string, hint?: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** Converts any error to the message and exit code that the user sees. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(codeOf(error), message);
}

function codeOf(error: unknown): number {
  if (isHttpError(error))
    return error.status === 401 || error.status === 403 || error.status === 405
      ? EXIT.denied
      : error.status === 404
        ? EXIT.unknown
        : EXIT.failed;
  if (!isTidingError(error)) return EXIT.failed;
  return codes[error.code] ?? EXIT.failed;
}

const codes: Partial<Record<string, number>> = {
  timeout: EXIT.timeout,
  network: EXIT.unreachable,
  'unknown-outcome': EXIT.unreachable,
  'signed-out': EXIT.denied,
  forbidden: EXIT.denied,
  'not-found': EXIT.unknown,
};
