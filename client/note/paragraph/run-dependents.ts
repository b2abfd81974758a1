/** Runs of the paragraphs that the server's list of dependencies selects. */
import { requireKnown } from '../../core/known-options.ts';
import type { ParagraphDependencies } from '../../protocol/index.ts';
import type { NoteConnection } from '../note-connection.ts';
import { PARAGRAPH_RUN_OPTIONS, type ParagraphRunOptions, Run, type RunResult } from './run.ts';

/** Saves drafts, so that the server knows them, and runs the chosen paragraphs in order. */
export function runChosen(
  note: NoteConnection,
  choose: (all: readonly ParagraphDependencies[]) => readonly string[],
  options: ParagraphRunOptions,
): Run<RunResult[]> {
  const { params, storedValues, ...call } = options;
  const abort = new AbortController();
  let run: Run<RunResult[]> | undefined;
  const signal = call.signal ? AbortSignal.any([call.signal, abort.signal]) : abort.signal;
  return new Run(
    async (push) => {
      requireKnown(options, PARAGRAPH_RUN_OPTIONS, 'RUN_PARAGRAPH');
      await note.commit({ ...call, signal });
      const all = await note.dependencies({ ...call, signal });
      run = note.run({ ...call, signal, params, storedValues, paragraphs: choose(all) });
      for await (const event of run) push(event);
      return run;
    },
    () => (run ? run.cancel() : abort.abort()),
    note.channel,
  );
}
