/** What the probes of operations and calls work with. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import {
  isHttpError,
  isTidingError,
  outputText,
  type Client,
  type ClientOptions,
  type ErrorCode,
  type Note,
} from 'tiding/client';
import type { Target } from '../suite.ts';

/** What a probe works with: a client of its own kind of wire tap, and notes that are removed at the end. */
export interface Lab {
  client: Client;
  target: Target;
  /** Whether people sign in there. */
  accounts: boolean;
  /** Our own server: it has all there is. */
  ours: boolean;
  newNote(path?: string): Promise<string>;
  open(text?: string): Promise<Note>;
  fresh(options?: Partial<ClientOptions>): Client;
}
export type Probe = (lab: Lab) => Promise<unknown>;

/** Resolves to the refusal it must end in; another end is a failure. */
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
    isTidingError(outcome, code) &&
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
/** Waits for an event of a kind on a client; the promise is made before what causes it. */
export function heard(
  client: Client,
  type: Parameters<Client['on']>[0],
  limit = 5_000,
): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${type} did not come`)), limit);
    const off = client.on(type, (event: unknown) => {
      clearTimeout(timer);
      off();
      resolve(event);
    });
  });
  // A probe that fails before it waits leaves nothing behind.
  promise.catch(() => {});
  return promise;
}
export const unique = (name: string) => `coverage/${name}-${randomUUID().slice(0, 8)}`;

/** A run that is stopped. */
export async function stops(
  { open, ours }: Lab,
  stop: (note: Note) => Promise<unknown>,
): Promise<void> {
  const note = await open('%sh\necho started; sleep 30');
  const running = note.paragraphs[0]!.run();
  // Upstream loses a run that is stopped before its process has begun, and its interpreter with it.
  await expect
    .poll(() => note.paragraphs[0]!.outputs.map(outputText).join(''), { timeout: 20_000 })
    .toContain('started');
  await stop(note);
  const { status } = await running;
  // Upstream tells an interrupt as a failure now and then.
  must(status === 'ABORT' || (status === 'ERROR' && !ours), `it was not stopped: ${status}`);
}
/** A note with one paragraph that prints a table, as ids. */
export async function tableNote({ open }: Lab): Promise<{ note: Note; id: string }> {
  const note = await open();
  await run(note, "%sh\nprintf '%%table a\\tb\\n1\\t2\\n'");
  return { note, id: note.paragraphs[0]!.id };
}
export const paragraphOf = async ({ newNote, client }: Lab) => {
  const noteId = await newNote();
  return { noteId, paragraphId: (await client.notes.get(noteId)).paragraphs![0]!.id };
};
/** A setting of our own making, gone afterwards. */
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
