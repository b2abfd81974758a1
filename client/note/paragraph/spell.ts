import type { CallOptions } from '../../core/abort.ts';
import { isTidingError, TidingError } from '../../core/errors.ts';
import { paragraphOf } from '../../core/state.ts';
import { isRunning } from '../../model/notes/paragraph-status.ts';
import type { Results, Paragraph as WireParagraph } from '../../protocol/index.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';
import type { RunResult } from './run.ts';
import { resultOf } from './run-paragraph.ts';

/**
 * Runs in the page instead of an interpreter: gets the text of a paragraph and returns its outputs.
 * Rejects to report an error.
 */
export type Spell = (text: string, signal: AbortSignal) => Promise<NonNullable<Results['msg']>>;

/** Options of running a spell. */
export interface SpellOptions extends Omit<CallOptions, 'timeout'> {
  /**
   * Sends the result to the server and the other clients. Default: true. Pass false for a run that
   * another client started.
   */
  readonly publish?: boolean;
}

/** What running a spell needs of its paragraph. */
interface SpellParagraph extends ParagraphHandle {
  propagate(
    results: Results,
    status: 'FINISHED' | 'ERROR' | 'ABORT',
    errorMessage: string,
  ): Promise<void>;
}

/** Spells running in this client, by paragraph. */
const running = new WeakMap<object, Map<string, AbortController>>();

function runsOf(paragraph: ParagraphHandle): Map<string, AbortController> {
  let runs = running.get(paragraph.note.context);
  if (!runs) running.set(paragraph.note.context, (runs = new Map()));
  return runs;
}
const keyOf = ({ note, id }: ParagraphHandle): string => JSON.stringify([note.id, id]);

/** Stops a spell that runs in this client. Returns whether there was one. */
export function stopSpell(paragraph: ParagraphHandle): boolean {
  const control = runsOf(paragraph).get(keyOf(paragraph));
  control?.abort(
    new TidingError('aborted', 'The run was canceled.', {
      operation: 'PARAGRAPH_EXECUTED_BY_SPELL',
    }),
  );
  return control !== undefined;
}

/** Runs a spell on a paragraph; see `Paragraph.runSpell`. */
export async function runSpell(
  paragraph: SpellParagraph,
  spell: Spell,
  { publish: tell = true, signal }: SpellOptions = {},
): Promise<RunResult> {
  const { note, id } = paragraph;
  const runs = runsOf(paragraph);
  const key = keyOf(paragraph);
  if (isRunning(paragraph.state.server.status) || runs.has(key))
    throw new TidingError('busy', 'The paragraph is already running.', {
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
    // The draft could not be saved, so nothing was run.
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
    throw new TidingError('closed', 'The paragraph was removed.', {
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
      // Version 0.10 lacks this operation. The text is saved, which is all that can be done.
      if (!isTidingError(error, 'unsupported')) throw error;
    });
  }
  return resultOf(paragraph);
}
