/** A run by a spell of a package: it happens in the page, and the others on the note are told how it ended. */
import type { CallOptions } from '../core/abort.ts';
import { isTidingError, TidingError } from '../errors.ts';
import { isRunning } from '../model/status.ts';
import type { Paragraph as WireParagraph, Results } from '../protocol/index.ts';
import { paragraphOf } from '../state.ts';
import type { Paragraph } from './paragraph.ts';
import { resultOf, type RunResult } from './run.ts';

/** Reads the text of a paragraph, and answers what it prints. Rejects with why it cannot. */
export type Spell = (text: string, signal: AbortSignal) => Promise<NonNullable<Results['msg']>>;

/** How a spell is run. */
export interface SpellOptions extends Omit<CallOptions, 'timeout'> {
  /** Tells the others and the server (default). A run that was told by another is not told again. */
  readonly tell?: boolean;
}

/** Runs that go on here, by paragraph: what stops them. */
const running = new WeakMap<object, Map<string, AbortController>>();

function runsOf(paragraph: Paragraph): Map<string, AbortController> {
  let runs = running.get(paragraph.note.context);
  if (!runs) running.set(paragraph.note.context, (runs = new Map()));
  return runs;
}
const keyOf = ({ note, id }: Paragraph): string => JSON.stringify([note.id, id]);

/** Stops a spell that runs here. Says whether there was one. */
export function stopSpell(paragraph: Paragraph): boolean {
  const control = runsOf(paragraph).get(keyOf(paragraph));
  control?.abort(
    new TidingError('aborted', 'the run was cancelled', {
      operation: 'PARAGRAPH_EXECUTED_BY_SPELL',
    }),
  );
  return control !== undefined;
}

/** See `Paragraph.runSpell`. */
export async function runSpell(
  paragraph: Paragraph,
  spell: Spell,
  { tell = true, signal }: SpellOptions = {},
): Promise<RunResult> {
  const { note, id } = paragraph;
  const runs = runsOf(paragraph);
  const key = keyOf(paragraph);
  if (isRunning(paragraph.state.server.status) || runs.has(key))
    throw new TidingError('server', 'the paragraph is already running', {
      operation: 'PARAGRAPH_EXECUTED_BY_SPELL',
    });
  const control = new AbortController();
  runs.set(key, control);
  const show = (change: Partial<WireParagraph> & { executor?: 'SPELL' }): void =>
    note.context.emit({ type: 'spell-told', noteId: note.id, paragraphId: id, change });
  let msg: NonNullable<Results['msg']> = [];
  let status: 'FINISHED' | 'ERROR' | 'ABORT' = 'FINISHED';
  let errorMessage = '';
  let began = 0;
  try {
    if (tell && paragraph.state.draft !== undefined)
      await paragraph.commit({ signal: control.signal });
    began = Date.now();
    show({
      status: 'RUNNING',
      executor: 'SPELL',
      results: undefined,
      errorMessage: undefined,
      dateStarted: new Date().toISOString(),
      dateFinished: undefined,
    });
    const stop = () => control.abort(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    msg = await Promise.race([
      spell(paragraph.text, control.signal),
      new Promise<never>((_, reject) =>
        control.signal.addEventListener('abort', () => reject(control.signal.reason as Error), {
          once: true,
        }),
      ),
    ]);
  } catch (error) {
    // What was typed could not be saved: nothing has run.
    if (paragraph.state.server.status !== 'RUNNING') throw error;
    status = control.signal.aborted ? 'ABORT' : 'ERROR';
    if (status === 'ERROR')
      errorMessage =
        error instanceof Error
          ? error.stack?.includes(error.message)
            ? error.stack
            : error.message
          : String(error);
  } finally {
    runs.delete(key);
  }
  if (!paragraphOf(note.state, id))
    throw new TidingError('closed', 'the paragraph was removed', {
      operation: 'PARAGRAPH_EXECUTED_BY_SPELL',
    });
  const results: Results = { code: status, msg: status === 'FINISHED' ? msg : [] };
  show({
    status,
    executor: 'SPELL',
    results,
    ...(errorMessage === '' ? {} : { errorMessage }),
    dateFinished: new Date().toISOString(),
    tookMs: Math.max(0, Date.now() - began),
  });
  if (tell) {
    await paragraph.propagate(results, status, errorMessage).catch((error: unknown) => {
      // 0.10 has no such operation: its text is saved, which is all that it can be told.
      if (!isTidingError(error, 'unsupported')) throw error;
    });
  }
  return resultOf(paragraph);
}
