/** The run of a whole note: one operation, then the events of its paragraphs until the server says it is over. */
import { deferred } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import { isRunning } from '../model/status.ts';
import { resultOf, Run, runEventOf, type RunOptions, type RunResult } from '../paragraph/run.ts';
import { paragraphOf } from '../state.ts';
import type { Note } from './note.ts';

/** A server that tells of the start of a sequential run does so within this time, in ms; A never does. */
const QUIET_MS = 1_500;

/** Runs every enabled paragraph in order; see {@link Note.run}. */
export function runNote(note: Note, options: RunOptions): Run<RunResult[]> {
  const cancel = () => void note.stop().catch(() => {});
  return new Run<RunResult[]>(async (push) => {
    const done = deferred<RunResult[]>('RUN_ALL_PARAGRAPHS', options);
    // It may end while the connection is still waited for, and then nobody listens to it yet.
    done.promise.catch(() => {});
    const ran = new Set<string>();
    let told = false;
    let quiet: ReturnType<typeof setTimeout> | undefined;

    const finish = () => {
      const results = note.paragraphs.filter(({ id }) => ran.has(id)).map(resultOf);
      done.resolve(results);
    };
    const look = (sure: boolean) => {
      clearTimeout(quiet);
      if (told ? note.state.sequential : running(note)) return;
      if (sure) finish();
      // No word of start and end from this server, or not yet after a reconnect: it is over when nothing has run for a while.
      else quiet = setTimeout(() => look(true), QUIET_MS);
    };
    const stop = note.context.on('event', (event) => {
      if (!('noteId' in event) || event.noteId !== note.id) return;
      if (event.type === 'note-closed') done.reject(new TidingError('closed', 'the note was closed', { operation: 'RUN_ALL_PARAGRAPHS' }));
      if ((event.type === 'ERROR_INFO' || event.type === 'AUTH_INFO') && (event.data.op ?? 'RUN_ALL_PARAGRAPHS') === 'RUN_ALL_PARAGRAPHS' && ran.size === 0) {
        const code = event.type === 'AUTH_INFO' ? 'forbidden' : 'server';
        done.reject(new TidingError(code, event.data.info ?? 'the run was refused', { operation: 'RUN_ALL_PARAGRAPHS' }));
      }
      if (event.type === 'NOTE_RUNNING_STATUS') {
        told = true;
        look(true);
      }
      const runEvent = runEventOf(event);
      if (runEvent) {
        push(runEvent);
        if (runEvent.type === 'status') {
          // One that the note does not have has no result either.
          if (!paragraphOf(note.state, runEvent.paragraphId)) ran.delete(runEvent.paragraphId);
          else if (isRunning(runEvent.status)) ran.add(runEvent.paragraphId);
          else if (ran.has(runEvent.paragraphId)) {
            push({ type: 'result', paragraphId: runEvent.paragraphId, result: resultOf(note.paragraph(runEvent.paragraphId)) });
          }
        }
      }
      if (runEvent || event.type === 'NOTE') look(false);
    });
    try {
      await note.channel.ready({ signal: options.signal, timeout: options.timeout ?? note.context.timeout });
      for (const id of note.drafts.unsaved) {
        note.context.emit({ type: 'commit-sent', noteId: note.id, paragraphId: id, text: note.paragraph(id).text });
      }
      note.channel.send('RUN_ALL_PARAGRAPHS', { noteId: note.id, paragraphs: JSON.stringify(note.contents()) }, { queue: false });
      return await done.promise;
    } catch (error) {
      if (options.signal?.aborted) cancel();
      throw error;
    } finally {
      stop();
      clearTimeout(quiet);
    }
  }, cancel);
}

function running(note: Note): boolean {
  return Object.values(note.state.paragraphs).some((paragraph) => isRunning(paragraph.server.status));
}
