/** How a command ends: one number a reason, and one sentence. */
import { isHttpError, isTidingError } from 'tiding/client';

/** Exit codes, as `tiding help` tells them. */
export const EXIT = {
  done: 0,
  /** A paragraph failed or was aborted; or what no other code stands for. */
  failed: 1,
  usage: 2,
  unreachable: 3,
  denied: 4,
  unknown: 5,
  /** 128 and the number of the signal, as shells count. */
  interrupted: 130,
  terminated: 143,
} as const;

/** The end of a command that did not do what it was to do. `hint` is a second line. */
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

/** What an error of any kind means to the person at the shell. */
export function endOf(error: unknown): CommandError {
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
  switch (error.code) {
    case 'network':
    case 'timeout':
    case 'unknown-outcome':
      return EXIT.unreachable;
    case 'signed-out':
    case 'forbidden':
      return EXIT.denied;
    default:
      return EXIT.failed;
  }
}
