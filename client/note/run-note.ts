/**
 * Runs a whole note: one operation, then the events of its paragraphs until the server reports the
 * end.
 */
import { deferred } from '../core/abort.ts';
import { requireKnown } from '../core/known-options.ts';
import { type ParagraphState, paragraphOf, paragraphText } from '../core/state.ts';
import { paramsFor } from '../model/notes/form-params.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { NoteConnection } from './note-connection.ts';
import { setNoteParams } from './note-settings.ts';
import { changeFields, unsentChange } from './paragraph/draft-changes.ts';
import { configForText } from './paragraph/editor-config.ts';
import {
  type NoteRunOptions,
  PARAGRAPH_RUN_OPTIONS,
  Run,
  type RunResult,
} from './paragraph/run.ts';
import { RunFeed } from './paragraph/run-feed.ts';
import {
  isGivenUp,
  type RunnableParagraph,
  resultOf,
  runFailure,
  runParagraph,
  waitUntilReadyToRun,
} from './paragraph/run-paragraph.ts';
import { convertedParams, currentFormSource, dividedParams } from './run-params.ts';

/**
 * If the server does not report the end of a run, the run counts as ended after nothing was running
 * for this long, in ms.
 */
const QUIET_MS = 1_500;

const NOTE_RUN_OPTIONS = [...PARAGRAPH_RUN_OPTIONS, 'paragraphs', 'parallel'] as const;

/** What a run needs of its note. */
interface RunnableNote extends NoteConnection {
  readonly paragraphs: readonly RunnableParagraph[];
  paragraph(id: string): RunnableParagraph;
  stop(): Promise<void>;
}

/** Runs every enabled paragraph in order; see {@link Note.run}. */
export function runNote(note: RunnableNote, options: NoteRunOptions): Run<RunResult[]> {
  const cancel = () => void note.stop().catch(() => {});
  const only = options.paragraphs && new Set(options.paragraphs);
  const wanted = (id: string): boolean => only?.has(id) ?? true;
  return new Run<RunResult[]>(
    async (push) => {
      requireKnown(options, NOTE_RUN_OPTIONS, 'RUN_ALL_PARAGRAPHS');
      const chosen = note.paragraphs.filter(({ id }) => wanted(id));
      const { own, ofNote } = dividedParams(
        chosen.map(({ state }) => state),
        options.params,
        options.storedValues === false ? note.state.params : {},
      );
      // Servers treat an empty list as the whole note.
      if (!note.state.order.some(wanted)) return [];
      const done = deferred<RunResult[]>('RUN_ALL_PARAGRAPHS', options);
      // It may reject before anyone awaits it, while the client still waits for the connection.
      done.promise.catch(() => {});
      const feed = new RunFeed(note, push);
      const ran = new Set<string>();
      const ended = new Set<string>();
      let sent = '';
      let told = false;
      let quiet: ReturnType<typeof setTimeout> | undefined;

      /**
       * Whether the run is over, for servers that don't report it: the last paragraph has ended, or
       * one has failed.
       */
      const isThrough = () => {
        const last = note.paragraphs.findLast(({ id, state }) => wanted(id) && runsWithNote(state));
        return (
          (last !== undefined && ended.has(last.id)) ||
          [...ended].some((id) =>
            ['ERROR', 'ABORT'].includes(paragraphOf(note.state, id)?.server.status ?? ''),
          )
        );
      };
      let onEnd = () => {};
      const finish = () => {
        onEnd();
        done.resolve(note.paragraphs.filter(({ id }) => ran.has(id)).map(resultOf));
      };
      const look = (sure: boolean) => {
        clearTimeout(quiet);
        if (told ? note.state.sequential : running(note)) return;
        if (sure || (!told && isThrough())) finish();
        // The server has not reported start and end (yet, after a reconnect): the run is over when
        // nothing has been running for a while.
        else quiet = setTimeout(() => look(true), QUIET_MS);
      };
      const over = (paragraphId: string) => {
        if (!ran.has(paragraphId) || ended.has(paragraphId)) return;
        ended.add(paragraphId);
        // The paragraph may have been removed while it ran and the connection was down.
        if (paragraphOf(note.state, paragraphId))
          push({ type: 'result', paragraphId, result: resultOf(note.paragraph(paragraphId)) });
      };
      const stop = note.context.on('event', (event) => {
        const failure = runFailure(event, note, 'RUN_ALL_PARAGRAPHS', sent);
        if (failure) done.reject(failure);
        if (!('noteId' in event) || event.noteId !== note.id) return;
        if (event.type === 'NOTE_RUNNING_STATUS' && sent !== '') {
          note.channel.settle(sent);
          told = true;
          look(true);
        }
        const runEvent = feed.take(event, () => sent !== '');
        if (runEvent?.type === 'status') {
          if (isRunning(runEvent.status)) {
            ran.add(runEvent.paragraphId);
            ended.delete(runEvent.paragraphId);
          } else over(runEvent.paragraphId);
        }
        if (event.type === 'NOTE') {
          for (const id of ran)
            if (!isRunning(paragraphOf(note.state, id)?.server.status)) over(id);
        }
        if (sent !== '' && (runEvent || event.type === 'NOTE')) look(false);
      });
      try {
        await waitUntilReadyToRun(note, note.drafts.unsaved.filter(wanted), done.promise, options);
        if (ofNote) await setNoteParams(note, ofNote, { signal: options.signal });
        const contents = contentsOf(note, own, options.storedValues).filter(({ id }) =>
          wanted(id as string),
        );
        sent = note.channel.send(
          'RUN_ALL_PARAGRAPHS',
          { noteId: note.id, paragraphs: JSON.stringify(contents) },
          { queue: false, expect: true },
        );
        for (const id of note.drafts.unsaved.filter(wanted)) {
          const seq = contents.find((content) => content['id'] === id)?.['authorSeq'] as
            | number
            | undefined;
          note.context.emit({
            type: 'commit-sent',
            noteId: note.id,
            paragraphId: id,
            text: note.paragraph(id).text,
            seq,
          });
        }
        return await done.promise;
      } catch (error) {
        if (sent !== '' && isGivenUp(error)) {
          const ended = deferred<void>('stop', { timeout: note.context.timeout });
          onEnd = ended.resolve;
          await note
            .stop()
            .then(() => ended.promise)
            .catch(() => {});
        }
        throw error;
      } finally {
        stop();
        note.channel.settle(sent);
        clearTimeout(quiet);
      }
    },
    cancel,
    note.channel,
  );
}

/** Runs paragraphs at the same time; a failure does not stop the others. See {@link Note.run}. */
export function runParallel(note: RunnableNote, given: NoteRunOptions): Run<RunResult[]> {
  const { paragraphs, params, parallel: _parallel, ...options } = given;
  const chosen = note.paragraphs.filter(
    ({ id, state }) =>
      (paragraphs?.includes(id) ?? true) && runsWithNote(state) && !isRunning(state.server.status),
  );
  const runs: Run<RunResult>[] = [];
  return new Run<RunResult[]>(
    async (push) => {
      requireKnown(given, NOTE_RUN_OPTIONS, 'RUN_ALL_PARAGRAPHS');
      const { own, ofNote } = dividedParams(
        chosen.map(({ state }) => state),
        params,
        options.storedValues === false ? note.state.params : {},
      );
      if (ofNote) await setNoteParams(note, ofNote, { signal: options.signal });
      runs.push(
        ...chosen.map((paragraph) =>
          runParagraph(paragraph, {
            ...options,
            params: paramsFor(currentFormSource(paragraph.state), own),
          }),
        ),
      );
      // A run that is refused does not end the others.
      await Promise.allSettled(
        runs.map(async (run) => {
          for await (const event of run) push(event);
        }),
      );
      return Promise.all(runs);
    },
    () => runs.forEach((run) => run.cancel()),
    note.channel,
  );
}

/** Whether a run of the whole note includes the paragraph: disabled and blank ones are skipped. */
function runsWithNote(paragraph: ParagraphState): boolean {
  return paragraph.server.config?.enabled !== false && paragraphText(paragraph).trim() !== '';
}

function running(note: RunnableNote): boolean {
  return Object.values(note.state.paragraphs).some((paragraph) =>
    isRunning(paragraph.server.status),
  );
}

/**
 * Returns the payload of RUN_ALL_PARAGRAPHS: the current texts, and for each paragraph the values
 * that its forms define.
 */
function contentsOf(
  note: RunnableNote,
  values: Record<string, unknown>,
  storedValues = true,
): Record<string, unknown>[] {
  return note.state.order.flatMap((id) => {
    const paragraph = paragraphOf(note.state, id);
    if (!paragraph) return [];
    const {
      base,
      server: { title, settings, rev },
      author,
    } = paragraph;
    const text = paragraphText(paragraph);
    const stored = storedValues ? settings?.params : {};
    const params = { ...stored, ...paramsFor(currentFormSource(paragraph), values) };
    return [
      {
        id,
        title: title ?? '',
        paragraph: text,
        config: configForText(paragraph, text),
        params: convertedParams(paragraph, params),
        // As with a commit, the server rebases the text over the changes by others since.
        ...(base ? changeFields(paragraph, unsentChange(paragraph)) : { baseRev: rev }),
        ...(author === undefined ? {} : { author, authorSeq: note.drafts.nextSeq() }),
      },
    ];
  });
}
