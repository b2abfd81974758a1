import { deferred } from '../../core/abort.ts';
import { type ErrorCode, isTidingError, refusedError, TidingError } from '../../core/errors.ts';
import type { ClientEvent } from '../../core/events.ts';
import { requireKnown } from '../../core/known-options.ts';
import { outputText } from '../../core/outputs.ts';
import { isZeppelin } from '../../core/server-support.ts';
import { paragraphOf } from '../../core/state.ts';
import { isRunning } from '../../model/notes/paragraph-status.ts';
import type { NoteConnection } from '../note-connection.ts';
import { loadBindings, setNoteParams } from '../note-settings.ts';
import { convertedParams, dividedParams } from '../run-params.ts';
import { changeFields, unsentChange } from './draft-changes.ts';
import { configForText } from './editor-config.ts';
import { refreshEditorSetting } from './editor-requests.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';
import { downloadTable, outputLocationOf, readTable } from './rows.ts';
import { PARAGRAPH_RUN_OPTIONS, type ParagraphRunOptions, Run, type RunResult } from './run.ts';
import { RunFeed } from './run-feed.ts';

/** Time limit for the first sign of a run, in ms. */
const START_MS = 20_000;
/** Time to wait for output after a final paragraph without results, in ms. */
const LATE_OUTPUT_MS = 120;

/** What a run needs of its paragraph. */
export interface RunnableParagraph extends ParagraphHandle {
  cancel(): Promise<void>;
}

/** Returns the result of a paragraph that is no longer running. */
export function resultOf(paragraph: ParagraphHandle): RunResult {
  const { server, outputs } = paragraph.state;
  const status = (server.status ?? 'READY') as RunResult['status'];
  const last = outputs.at(-1);
  const place = outputLocationOf(paragraph);
  return {
    paragraphId: paragraph.id,
    status,
    outputs,
    error:
      status === 'ERROR'
        ? server.errorMessage || (last ? outputText(last) : '')
        : (status === 'ABORT' && server.errorMessage) || undefined,
    table: (options) => readTable(outputs, place, options),
    download: (format, options) => downloadTable(outputs, place, format, options),
  };
}

/**
 * Waits for the connection and until commits in flight are answered, because a run is based on
 * them. Ends early when `until` settles.
 */
export async function waitUntilReadyToRun(
  note: NoteConnection,
  paragraphIds: readonly string[],
  until: Promise<unknown>,
  { signal, timeout = note.context.timeout }: ParagraphRunOptions,
): Promise<void> {
  do {
    const failure = note.context.session.failure('RUN_PARAGRAPH');
    if (failure) throw failure;
    await Promise.race([note.channel.ready({ signal, timeout }), until]);
    await note.drafts.whenAcknowledged(paragraphIds, until);
  } while (note.channel.state !== 'open');
}

/**
 * Returns why a run ends early, if an event says so: the user is signed out, the note is closed, or
 * the server refused the message `sent`.
 */
export function runFailure(
  event: ClientEvent,
  { id, context }: NoteConnection,
  operation: 'RUN_PARAGRAPH' | 'RUN_ALL_PARAGRAPHS',
  sent: string,
): TidingError | undefined {
  if (event.type === 'session_logout' && event.reason) return context.session.failure(operation);
  if (!('noteId' in event) || event.noteId !== id) return undefined;
  if (event.type === 'note-closed')
    return new TidingError('closed', 'The note was closed.', { operation });
  return (event.type === 'ERROR_INFO' || event.type === 'AUTH_INFO') &&
    sent !== '' &&
    event.msgId === sent
    ? refusedError({ op: event.type, data: event.data }, operation, 'The server refused the run.')
    : undefined;
}

const runError = (code: ErrorCode, message: string): TidingError =>
  new TidingError(code, message, { operation: 'RUN_PARAGRAPH' });

/** Whether the caller stopped waiting for a run, by its signal or its time limit. */
export const isGivenUp = (error: unknown): boolean =>
  isTidingError(error, 'aborted') || isTidingError(error, 'timeout');

/** Resolves when the server has handled what was sent before; its connections keep the order. */
const whenHandled = (note: NoteConnection, { signal }: ParagraphRunOptions): Promise<boolean> =>
  loadBindings(note, { signal, timeout: START_MS }).then(
    () => true,
    () => false,
  );

/** Runs one paragraph; see {@link Paragraph.run}. */
export function runParagraph(
  paragraph: RunnableParagraph,
  options: ParagraphRunOptions,
): Run<RunResult> {
  const { note, id } = paragraph;
  const cancel = () => void paragraph.cancel().catch(() => {});
  return new Run<RunResult>(
    async (push) => {
      requireKnown(options, PARAGRAPH_RUN_OPTIONS, 'RUN_PARAGRAPH');
      /** The paragraph before it runs. */
      let before = paragraph.state.server;
      const requireIdle = () => {
        before = paragraph.state.server;
        if (isRunning(before.status)) throw runError('busy', 'The paragraph is already running.');
      };
      requireIdle();
      const done = deferred<RunResult>('RUN_PARAGRAPH', options);
      // It may reject before anyone awaits it, while the client still waits for the connection.
      done.promise.catch(() => {});
      const { own, ofNote } = dividedParams(
        [paragraph.state],
        options.params,
        options.storedValues === false ? note.state.params : {},
      );
      const stored = options.storedValues === false ? {} : before.settings?.params;
      const params = convertedParams(paragraph.state, { ...stored, ...own });
      let started = false;
      // The server has handled the run, and the note was requested since.
      let awaitsNote = false;
      let isHandled = false;
      let sent = '';
      let seq: number | undefined;
      let late: ReturnType<typeof setTimeout> | undefined;
      let first: ReturnType<typeof setTimeout> | undefined;

      const feed = new RunFeed(note, push);
      const finish = () => {
        const result = resultOf(paragraph);
        push({ type: 'result', paragraphId: id, result });
        done.resolve(result);
      };
      const look = () => {
        const now = paragraphOf(note.state, id);
        if (!now) return done.reject(runError('closed', 'The paragraph was removed.'));
        // Somebody else has run it.
        if (sent === '') return;
        if (isRunning(now.server.status)) {
          started = true;
          note.channel.settle(sent);
          clearTimeout(first);
          clearTimeout(late);
          return;
        }
        // After a reconnect or a very short run, only the changed start time shows that the run
        // started.
        if (
          !started &&
          !isHandled &&
          now.server.dateStarted === before.dateStarted &&
          now.server.status === before.status
        )
          return;
        clearTimeout(first);
        clearTimeout(late);
        if (now.outputPhase === 'final' || now.outputs.length > 0) finish();
        else late = setTimeout(finish, LATE_OUTPUT_MS);
      };
      const stop = note.context.on('event', (event) => {
        const failure = runFailure(event, note, 'RUN_PARAGRAPH', started ? '' : sent);
        if (failure) return done.reject(failure);
        if (!('noteId' in event) || event.noteId !== note.id) return;
        if (event.type === 'PARAGRAPH' && sent !== '' && event.msgId === sent)
          note.context.emit({ type: 'commit-answered', noteId: note.id, paragraphId: id, seq });
        const told = feed.take(event, (paragraphId) => paragraphId === id);
        if (event.type === 'NOTE' && awaitsNote) isHandled = true;
        if (told || event.type === 'NOTE' || event.type === 'PARAGRAPH_REMOVED') look();
        if (!started && event.type === 'PARAGRAPH_CONFLICT' && event.data.id === id)
          done.reject(runError('conflict', 'The paragraph was changed by another user.'));
      });
      first = setTimeout(
        () => done.reject(runError('timeout', 'The server did not start the run in time.')),
        START_MS,
      );
      try {
        await waitUntilReadyToRun(note, [id], done.promise, options);
        if (ofNote) await setNoteParams(note, ofNote, { signal: options.signal });
        await refreshEditorSetting(paragraph, done.promise);
        requireIdle();
        const text = paragraph.text;
        seq = paragraph.state.author === undefined ? undefined : note.drafts.nextSeq();
        if (options.params)
          note.context.emit({ type: 'params-changed', noteId: note.id, paragraphId: id, params });
        note.context.emit({ type: 'run-requested', noteId: note.id, paragraphId: id });
        const { base, server, author } = paragraph.state;
        sent = note.channel.send(
          'RUN_PARAGRAPH',
          {
            id,
            noteId: note.id,
            title: before.title ?? '',
            paragraph: text,
            config: configForText(paragraph.state, text),
            params,
            ...(base
              ? changeFields(paragraph.state, unsentChange(paragraph.state))
              : { baseRev: server.rev }),
            ...(seq === undefined ? {} : { author, authorSeq: seq }),
          },
          { queue: false, expect: true },
        );
        if (paragraph.state.draft !== undefined)
          note.context.emit({ type: 'commit-sent', noteId: note.id, paragraphId: id, text, seq });
        // A Zeppelin announces only changes of the status. A run that fails at once after a failed
        // one, for example because its interpreter is unknown, changes nothing.
        if (before.status === 'ERROR' && isZeppelin(note.context))
          void whenHandled(note, options).then((handled) => {
            if (!handled || started) return;
            awaitsNote = true;
            note.channel.greeting();
          });
        return await done.promise;
      } catch (error) {
        // While the paragraph is still shown as running, because only then there is a cancel.
        if (sent !== '' && isGivenUp(error)) await paragraph.cancel().catch(() => {});
        const now = note.context.store.get().open[note.id]?.paragraphs[id];
        if (!started && now && isRunning(now.server.status))
          note.context.emit({ type: 'run-refused', noteId: note.id, paragraphId: id, before });
        throw error;
      } finally {
        stop();
        note.channel.settle(sent);
        clearTimeout(first);
        clearTimeout(late);
      }
    },
    cancel,
    note.channel,
  );
}
