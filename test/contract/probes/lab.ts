/** Shared tools of the probes for operations and calls. */
import { randomUUID } from 'node:crypto';
import {
  type Client,
  type ClientOptions,
  type ErrorCode,
  isHttpError,
  isTidingError,
  type Note,
  outputText,
} from '@tiding/client';
import type { EndpointName, SentOp } from '@tiding/client/protocol';
import { expect } from 'vitest';
import type { Target } from '../suite.ts';

/**
 * The tools of a probe: a client whose messages are recorded, and notes that are removed at the
 * end.
 */
export interface Lab {
  client: Client;
  target: Target;
  /** Whether the server has accounts. */
  accounts: boolean;
  /** Whether the server is Tiding, which supports everything. */
  isTiding: boolean;
  newNote(path?: string): Promise<string>;
  open(text?: string): Promise<Note>;
  fresh(options?: Partial<ClientOptions>): Client;
}
export type Probe = (lab: Lab) => Promise<unknown>;
/** Probes of an area; an operation and its REST twin are in the same file. */
export type Probes = { [Name in SentOp | EndpointName]?: Probe };

/** Checks that a call is refused with this code and status. */
export async function refused(
  code: ErrorCode,
  act: Promise<unknown>,
  status?: number | readonly number[],
): Promise<void> {
  const outcome = await act.then(
    () => ({ resolved: true }),
    (error: unknown) => error,
  );
  if (isTidingError(outcome, 'unsupported')) throw outcome as Error;
  const statuses = status === undefined ? undefined : [status].flat();
  if (
    (code === 'http' ? isHttpError(outcome) : isTidingError(outcome, code)) &&
    (statuses === undefined || statuses.some((each) => isHttpError(outcome, each)))
  )
    return;
  throw outcome instanceof Error
    ? outcome
    : new Error(`not refused with ${code} ${statuses?.join(', ') ?? ''}`);
}
export const must = (condition: unknown, what: string) => {
  if (!condition) throw new Error(what);
};
export const run = (note: Note, text: string) => {
  note.paragraphs[0]!.edit(text);
  return note.paragraphs[0]!.run();
};
/** Waits for an event of a client. Call it before the action that causes the event. */
export function nextEvent(
  client: Client,
  type: Parameters<Client['on']>[0],
  limit = 5_000,
): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${type} was not received`)), limit);
    const off = client.on(type, (event: unknown) => {
      clearTimeout(timer);
      off();
      resolve(event);
    });
  });
  // A probe that fails before it waits leaves no unhandled rejection.
  promise.catch(() => {});
  return promise;
}
export const unique = (name: string) => `coverage/${name}-${randomUUID().slice(0, 8)}`;

/** Checks that a run can be stopped. */
export async function stops(
  { open, isTiding }: Lab,
  stop: (note: Note) => Promise<unknown>,
): Promise<void> {
  const note = await open('%sh\necho started; sleep 30');
  const running = note.paragraphs[0]!.run();
  // Upstream loses a run that is stopped before its process has started, and its interpreter with
  // it.
  await expect
    .poll(() => note.paragraphs[0]!.outputs.map(outputText).join(''))
    .toContain('started');
  await stop(note);
  const { status } = await running;
  // Upstream occasionally reports an interrupt as a failure.
  must(status === 'ABORT' || (status === 'ERROR' && !isTiding), `it was not stopped: ${status}`);
}
/** A note with one paragraph that prints a table, with the paragraph's id. */
export async function tableNote({ open }: Lab): Promise<{ note: Note; id: string }> {
  const note = await open();
  await run(note, "%sh\nprintf '%%table a\\tb\\n1\\t2\\n'");
  return { note, id: note.paragraphs[0]!.id };
}
export const paragraphOf = async ({ newNote, client }: Lab) => {
  const noteId = await newNote();
  return { noteId, paragraphId: (await client.notes.get(noteId)).paragraphs![0]!.id };
};
/** Creates a setting and removes it afterwards. */
export async function withSetting(
  { client }: Lab,
  act: (id: string) => Promise<unknown>,
): Promise<void> {
  const group = Object.values(await client.interpreters.templates())
    .map((template) => template.group ?? '')
    .find((name) => ['sh', 'md'].includes(name))!;
  const made = await client.interpreters.create({
    name: `made${randomUUID().slice(0, 6)}`,
    group,
    properties: {},
    dependencies: [],
    option: { remote: true },
  });
  try {
    await act(made.id);
  } finally {
    await client.interpreters.remove(made.id).catch(() => {});
  }
}
export const gone = randomUUID();
