/** Runs of the paragraphs that the server's list of dependencies selects. */
import type { ParagraphDependencies } from '../../protocol/index.ts';
import type { NoteConnection } from '../note-connection.ts';
import { type ParagraphRunOptions, Run, type RunResult } from './run.ts';

/** Saves drafts, so that the server knows them, and runs the chosen paragraphs in order. */
export function runChosen(
  note: NoteConnection,
  choose: (all: readonly ParagraphDependencies[]) => readonly string[],
  { params, storedValues, ...call }: ParagraphRunOptions,
): Run<RunResult[]> {
  const abort = new AbortController();
  let run: Run<RunResult[]> | undefined;
  const signal = call.signal ? AbortSignal.any([call.signal, abort.signal]) : abort.signal;
  return new Run(
    async (push) => {
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
