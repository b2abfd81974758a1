/** The run of a whole note: one operation, then the events of its paragraphs until the server says it is over. */
import { deferred } from '../core/abort.ts';
import { TidingError } from '../errors.ts';
import { collectForms } from '../model/form-values.ts';
import { isRunning } from '../model/status.ts';
import {
  readyToRun,
  resultOf,
  Run,
  RunFeed,
  runParagraph,
  type NoteRunOptions,
  type RunResult,
} from '../paragraph/run.ts';
import { paragraphOf, paragraphText, type ParagraphState } from '../state.ts';
import type { Note } from './note.ts';

/** How long nothing may run before a run whose end was not told is taken for over, in ms. */
const QUIET_MS = 1_500;

/** Runs every enabled paragraph in order; see {@link Note.run}. */
export function runNote(note: Note, options: NoteRunOptions): Run<RunResult[]> {
  const cancel = () => void note.stop().catch(() => {});
  const only = options.paragraphs && new Set(options.paragraphs);
  const wanted = (id: string): boolean => only?.has(id) ?? true;
  return new Run<RunResult[]>(
    async (push) => {
      // An empty list would be the whole note to a server.
      if (!note.state.order.some(wanted)) return [];
      const done = deferred<RunResult[]>('RUN_ALL_PARAGRAPHS', options);
      // It may end while the connection is still waited for, and then nobody listens to it yet.
      done.promise.catch(() => {});
      const feed = new RunFeed(note, push);
      const ran = new Set<string>();
      const ended = new Set<string>();
      let sent = '';
      let told = false;
      let quiet: ReturnType<typeof setTimeout> | undefined;

      /** Where the server tells of no end: the last of those that run is through, or one has failed. */
      const isThrough = () => {
        const last = note.paragraphs.findLast(({ id, state }) => wanted(id) && runsWithNote(state));
        return (
          (last !== undefined && ended.has(last.id)) ||
          [...ended].some((id) =>
            ['ERROR', 'ABORT'].includes(paragraphOf(note.state, id)?.server.status ?? ''),
          )
        );
      };
      const finish = () =>
        done.resolve(note.paragraphs.filter(({ id }) => ran.has(id)).map(resultOf));
      const look = (sure: boolean) => {
        clearTimeout(quiet);
        if (told ? note.state.sequential : running(note)) return;
        if (sure || (!told && isThrough())) finish();
        // No word of start and end from this server, or not yet after a reconnect: it is over when nothing has run for a while.
        else quiet = setTimeout(() => look(true), QUIET_MS);
      };
      const over = (paragraphId: string) => {
        if (!ran.has(paragraphId) || ended.has(paragraphId)) return;
        ended.add(paragraphId);
        // Somebody may have removed it while it ran and the connection was away.
        if (paragraphOf(note.state, paragraphId))
          push({ type: 'result', paragraphId, result: resultOf(note.paragraph(paragraphId)) });
      };
      const stop = note.context.on('event', (event) => {
        if (!('noteId' in event) || event.noteId !== note.id) return;
        if (event.type === 'note-closed')
          done.reject(
            new TidingError('closed', 'the note was closed', { operation: 'RUN_ALL_PARAGRAPHS' }),
          );
        if (
          (event.type === 'ERROR_INFO' || event.type === 'AUTH_INFO') &&
          sent !== '' &&
          event.msgId === sent
        ) {
          const code = event.type === 'AUTH_INFO' ? 'forbidden' : 'server';
          done.reject(
            new TidingError(code, event.data.info ?? 'the run was refused', {
              operation: 'RUN_ALL_PARAGRAPHS',
            }),
          );
        }
        if (event.type === 'NOTE_RUNNING_STATUS') {
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
        await readyToRun(note, note.drafts.unsaved.filter(wanted), done.promise, options);
        const contents = contentsOf(note, options.params).filter(({ id }) => wanted(id as string));
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
        if (options.signal?.aborted) cancel();
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

/** Runs paragraphs at the same time; one that fails stops no other. See {@link Note.run}. */
export function runParallel(
  note: Note,
  { paragraphs, params = {}, parallel: _parallel, ...options }: NoteRunOptions,
): Run<RunResult[]> {
  const chosen = note.paragraphs.filter(
    ({ id, state }) =>
      (paragraphs?.includes(id) ?? true) && runsWithNote(state) && !isRunning(state.server.status),
  );
  const values = new Map(
    contentsOf(note, params).map((content) => [
      content['id'],
      content['params'] as Record<string, unknown>,
    ]),
  );
  const runs: Run<RunResult>[] = [];
  return new Run<RunResult[]>(
    async (push) => {
      runs.push(
        ...chosen.map((paragraph) =>
          runParagraph(paragraph, { ...options, params: values.get(paragraph.id) ?? {} }),
        ),
      );
      await Promise.all(
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

/** Whether a run of the whole note includes a paragraph: disabled and blank ones are skipped. */
function runsWithNote(paragraph: ParagraphState): boolean {
  return paragraph.server.config?.enabled !== false && paragraphText(paragraph).trim() !== '';
}

function running(note: Note): boolean {
  return Object.values(note.state.paragraphs).some((paragraph) =>
    isRunning(paragraph.server.status),
  );
}

/** What RUN_ALL_PARAGRAPHS carries: the texts as they stand here, and to each paragraph those of the values that its forms have names for. */
function contentsOf(note: Note, values: Record<string, unknown> = {}): Record<string, unknown>[] {
  return note.state.order.flatMap((id) => {
    const paragraph = paragraphOf(note.state, id);
    if (!paragraph) return [];
    const {
      base,
      server: { title, config, settings, rev },
      author,
    } = paragraph;
    const text = paragraphText(paragraph);
    const forms = { ...settings?.forms, ...collectForms(text).forms };
    const given = Object.fromEntries(
      Object.entries(values).filter(([name]) => Object.hasOwn(forms, name)),
    );
    const baseRev = base ? base.rev : rev;
    return [
      {
        id,
        title: title ?? '',
        paragraph: text,
        config: config ?? {},
        params: { ...settings?.params, ...given },
        // What somebody else wrote meanwhile is merged, as in a commit.
        ...(baseRev === undefined ? {} : { baseRev }),
        ...(author === undefined ? {} : { author, authorSeq: note.drafts.nextSeq() }),
      },
    ];
  });
}
