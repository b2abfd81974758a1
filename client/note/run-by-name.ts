/** Runs a note by its id or path, without an open note of the caller. */
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import type { ArrowTable } from '../model/tables/arrow.ts';
import type { NotesApi } from '../notes/notes.ts';
import type { NoteRunOptions, RunEvent, RunResult } from '../paragraph/run.ts';
import type { Note } from './note.ts';

/** Options of `client.run`. No time limit by default. */
export interface RunByNameOptions extends Omit<NoteRunOptions, 'params'> {
  /** Called with output as it arrives: `append` adds to an output, `output` replaces it. */
  onOutput?: (output: Extract<RunEvent, { type: 'output' | 'append' }>) => void;
}

/** Result of `client.run`. */
export interface NoteRunResult {
  /** Id of the note. */
  readonly noteId: string;
  /** Full path of the note. */
  readonly path: string;
  /** `FINISHED`, or the status of the first paragraph that failed or was aborted. */
  readonly status: 'FINISHED' | 'ERROR' | 'ABORT';
  /** Error message of that paragraph, otherwise `undefined`. */
  readonly error: string | undefined;
  /** Results of the paragraphs that ran, in their order. */
  readonly paragraphs: readonly RunResult[];
  /** Returns the last table of the run as Arrow. Rejects with `server` if there is none. */
  table(options?: CallOptions): Promise<ArrowTable>;
}

/** Runs a note; see `Client.run`. */
export async function runByName(
  client: { notes: NotesApi; open(noteId: string, options: CallOptions): Promise<Note> },
  idOrPath: string,
  params: Record<string, unknown>,
  { onOutput, ...options }: RunByNameOptions,
): Promise<NoteRunResult> {
  const { id, path } = await client.notes.find(idOrPath, { signal: options.signal });
  const note = await client.open(id, { signal: options.signal });
  try {
    const run = note.run({ ...options, params });
    if (onOutput) {
      for await (const event of run)
        if (event.type === 'output' || event.type === 'append') onOutput(event);
    }
    const paragraphs = await run;
    const failed = paragraphs.find(({ status }) => status === 'ERROR' || status === 'ABORT');
    return {
      noteId: id,
      path,
      status: failed ? (failed.status as 'ERROR' | 'ABORT') : 'FINISHED',
      error: failed?.error,
      paragraphs,
      async table(call) {
        const last = paragraphs.findLast(({ outputs }) =>
          outputs.some(({ type }) => type === 'TABLE'),
        );
        if (!last)
          throw new TidingError('server', 'The run has no table.', { operation: 'getResult' });
        return last.table(call);
      },
    };
  } finally {
    note.close();
  }
}
