/** Runs a note by its id or path, without an open note of the caller. */
import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import type { ArrowTable } from '../model/tables/arrow.ts';
import type { Note } from './note.ts';
import type { NoteName, NoteParams, NoteRow } from './note-types.ts';
import type { NoteRunOptions, RunEvent, RunResult } from './paragraph/run.ts';

/** Options of `client.run`. No time limit by default. */
export interface RunByNameOptions extends Omit<NoteRunOptions, 'params'> {
  /** Called with output as it arrives: `append` adds to an output, `output` replaces it. */
  onOutput?: (output: Extract<RunEvent, { type: 'output' | 'append' }>) => void;
}

/** Result of `client.run`. */
export interface NoteRunResult<Row = Record<string, unknown>> {
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
  /** Returns the last table of the run as Arrow. Rejects with `not-found` if there is none. */
  table(options?: CallOptions): Promise<ArrowTable>;
  /** Returns the rows of that table as objects. Long integers are of type `bigint`. */
  rows(options?: CallOptions): Promise<readonly Row[]>;
}

/** Runs a note; see `Client.run`. */
export async function runByName<Name extends NoteName>(
  client: {
    notes: { find(idOrPath: string, options: CallOptions): Promise<{ id: string; path: string }> };
    open(noteId: string, options: CallOptions): Promise<Note>;
  },
  idOrPath: Name,
  params: NoteParams<Name> | undefined,
  { onOutput, ...options }: RunByNameOptions,
): Promise<NoteRunResult<NoteRow<Name>>> {
  const { id, path } = await client.notes.find(idOrPath, { signal: options.signal });
  const note = await client.open(id, { signal: options.signal });
  try {
    const run = note.run({ ...options, params: { ...params } });
    if (onOutput) {
      for await (const event of run)
        if (event.type === 'output' || event.type === 'append') onOutput(event);
    }
    const paragraphs = await run;
    const failed = paragraphs.find(({ status }) => status === 'ERROR' || status === 'ABORT');
    const result: NoteRunResult<NoteRow<Name>> = {
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
          throw new TidingError('not-found', 'The run has no table.', { operation: 'getResult' });
        return last.table(call);
      },
      async rows(call) {
        const table = await result.table(call);
        return table.toArray().map((row) => row.toJSON() as NoteRow<Name>);
      },
    };
    return result;
  } finally {
    note.close();
  }
}
