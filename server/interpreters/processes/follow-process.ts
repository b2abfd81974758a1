/** Follows a process until it ends. */
import { setTimeout as wait } from 'node:timers/promises';
import { onAbort } from '../../base/aborted.ts';
import type { RunEnd } from '../contract.ts';
import type { ProcessGroup } from './process-group.ts';

/** Time between SIGTERM and SIGKILL, in ms. */
const TERMINATION_GRACE_MS = 1_000;
/** Time to read remaining output after the process has ended, in ms. */
const DRAIN_MS = 250;

/** Passes on the output of a process until it ends; ends its whole group then, or on abort. */
export async function followProcess(
  group: ProcessGroup,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<RunEnd> {
  const streams = [group.child.stdout, group.child.stderr];
  // setEncoding keeps characters intact that arrive in two pieces.
  for (const stream of streams) stream?.setEncoding('utf8').on('data', write);
  const closed = new Promise<void>((resolve) => group.child.once('close', () => resolve()));
  const forget = onAbort(signal, () => void group.end(TERMINATION_GRACE_MS));
  const exit = await group.exited;
  await Promise.race([closed, wait(DRAIN_MS, undefined, { ref: false })]);
  await group.end(0);
  await Promise.race([closed, wait(DRAIN_MS, undefined, { ref: false })]);
  for (const stream of streams) stream?.destroy();
  forget();
  if (signal.aborted) return { code: 'ABORT' };
  if (exit.code === 0) return { code: 'SUCCESS' };
  return {
    code: 'ERROR',
    message: exit.signal
      ? `Process ended by signal ${exit.signal}`
      : `Process exited with code ${exit.code}`,
  };
}
