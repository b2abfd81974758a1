/**
 * Copies of notes for one run each, so that runs of a note can't affect each other. They belong to
 * the user who runs them, are in no list, and are removed when nobody uses them.
 */

import { isRunning } from '@tiding/client/model';
import { copiedNote, type StoredNote } from '@tiding/client/notebook';
import type { ActingUser } from '../../auth/permissions.ts';
import { Refusal } from '../../base/errors.ts';
import { isRunCopy, RUN_COPY_PREFIX } from '../../notes/note.ts';
import type { RestHandlers, ServerContext } from '../context.ts';
import { requireRoom, sizeOf } from '../quotas.ts';
import { removeNote } from './notes.ts';

/** Copies that a user may have at the same time. */
const MAX_COPIES = 100;
/** Interval of the search for copies that nobody uses, in ms. */
const SWEEP_MS = 15_000;
/** A run that nobody has had open for this long is cancelled, in ms. Clients reconnect sooner. */
const ABANDONED_MS = 60_000;
/** A copy that nobody has had open for this long is removed, in ms. */
const UNUSED_MS = 600_000;

/** REST handlers for isolated runs. */
export const runCopiesRest = {
  createRunCopy: async ({ params, person }, context) => {
    const source = context.notes.get(params['noteId'] ?? '');
    const copy = await addRunCopy(source, person, context);
    return { id: copy.id, path: source.name };
  },
} satisfies Partial<RestHandlers>;

async function addRunCopy(
  source: StoredNote,
  person: ActingUser,
  context: ServerContext,
): Promise<StoredNote> {
  const { editor, files, notes, permissions, trust } = context;
  const { principal } = person;
  const own = notes.runCopies().filter(({ id }) => permissions.get(id).owners.includes(principal));
  if (own.length >= MAX_COPIES)
    throw new Refusal(
      429,
      `You have ${MAX_COPIES} isolated runs, the maximum. Close their results, then try again.`,
    );
  const { rules } = editor;
  const copy = copiedNote(source, source.name, {
    ...rules,
    ids: {
      note: () => `${RUN_COPY_PREFIX}${rules.ids.note()}`,
      paragraph: (now) => rules.ids.paragraph(now),
    },
  });
  for (const [at, paragraph] of copy.paragraphs.entries()) {
    // The ids are those of the note, so that callers can choose paragraphs and find their results.
    paragraph.id = source.paragraphs[at]!.id;
    paragraph.status = 'READY';
    for (const field of ['results', 'errorMessage', 'dateStarted', 'dateFinished'] as const)
      delete paragraph[field];
  }
  copy.angularObjects = structuredClone(source.angularObjects);
  Object.assign(copy.config, { runCopyOf: source.id });
  await requireRoom(context, {}, principal, await sizeOf(files.ofNote(source.id)));
  const alone = [principal];
  await permissions.set(
    copy.id,
    { owners: alone, writers: alone, runners: alone, readers: alone },
    principal,
  );
  try {
    await files.copyNote(source.id, copy.id);
    await trust.begin(copy.id, 'copied', principal, trust.of(source.id, principal).trusted);
    return await notes.add(copy);
  } catch (error) {
    await files.forgetNote(copy.id).catch(() => {});
    await permissions.remove(copy.id).catch(() => {});
    await trust.remove(copy.id).catch(() => {});
    throw error;
  }
}

/** Removes the copies that nobody uses: their client has ended without removing them. */
export class RunCopySweeper {
  readonly #context: ServerContext;
  readonly #lastUse = new Map<string, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  /** Removes the copies of an earlier process, and those that are abandoned from now on. */
  async start(): Promise<void> {
    for (const copy of this.#context.notes.runCopies()) await this.#remove(copy);
    this.#timer = setInterval(() => void this.sweep(Date.now()), SWEEP_MS).unref();
  }

  /** Cancels and removes what nobody has used for some time before `now`, in ms. */
  async sweep(now: number): Promise<void> {
    const { hub, notes, runs } = this.#context;
    const copies = notes.runCopies();
    for (const id of this.#lastUse.keys()) if (!notes.find(id)) this.#lastUse.delete(id);
    for (const copy of copies) {
      const isUsed = hub.viewerCount(copy.id) > 0;
      if (isUsed || !this.#lastUse.has(copy.id)) this.#lastUse.set(copy.id, now);
      const unused = now - this.#lastUse.get(copy.id)!;
      if (unused >= UNUSED_MS) await this.#remove(copy);
      else if (unused >= ABANDONED_MS && copy.paragraphs.some(({ status }) => isRunning(status)))
        await runs.cancelNote(copy).catch(() => {});
    }
  }

  async #remove(copy: StoredNote): Promise<void> {
    if (!isRunCopy(copy)) return;
    await removeNote(copy, this.#context).catch((error: Error) =>
      this.#context.log.warn(
        { note: copy.id, error: error.message },
        'the copy of an isolated run could not be removed',
      ),
    );
  }

  /** Stops the search. */
  close(): void {
    clearInterval(this.#timer);
  }
}
