/** `tiding run`: runs a note or one of its paragraphs and prints the output as it arrives. */
import { resolve } from 'node:path';
import {
  type Client,
  isTidingError,
  type Note,
  outputText,
  type Paragraph,
  type Run,
  type RunResult,
  TidingError,
} from '@tiding/client';
import { isRunning, readArrowRows, type TypedRows } from '@tiding/client/model';
import { fileJournal } from '@tiding/client/node';
import { namedValue, wrongUsage } from '../command.ts';
import { clientCommand, findNote } from '../connection.ts';
import { CommandError, EXIT } from '../exit.ts';
import { headingIn, headingOf } from '../heading.ts';
import { RunPrinter } from '../run-printer.ts';
import type { CommandIo, Terminal } from '../terminal.ts';

/** How long the server may take to end a cancelled run, in ms; the cancel is repeated meanwhile. */
const CANCEL_MS = 10_000;
const CANCEL_AGAIN_MS = 1_000;
/** How long the client may take to renew an ended session, in ms. */
const SIGNED_OUT_MS = 5_000;

export default clientCommand({
  summary: 'Run a note or one of its paragraphs and print the output as it arrives',
  argument: ['<note>', 'id or full path of the note'],
  options: {
    paragraph: { short: 'p', value: 'id', help: 'only this paragraph' },
    param: {
      multiple: true,
      value: 'name=value',
      help: 'value of a form; repeatable, for check boxes with the same name',
    },
    wait: { help: 'wait for the end (the default)' },
    noWait: { help: 'exit when the run has started' },
    timeout: {
      value: 'seconds',
      help: 'cancel the run if it takes longer, and exit with 6; no limit by default',
    },
    journal: {
      value: 'folder',
      help: 'run the unsaved text that a program stored in this journal',
    },
    json: {
      help:
        'print one JSON object with all outputs at the end ' +
        'instead of printing them as they arrive',
    },
  },
  details: [
    'Text and tables are written to standard output as they arrive; other outputs are ' +
      'only announced. The exit code is 1 if a paragraph failed or was aborted, and 6 if ' +
      'it took longer than --timeout. Ctrl-C ' +
      'cancels the run on the server; a closed pipe does not. After a lost connection ' +
      'the command reconnects and follows the run to its end.',
  ],
  examples: [
    ['tiding run "Reports/Daily sales" --param day=2026-11-21', 'run a note with a form value'],
    [
      'tiding run 2ABCDEFGH -p paragraph_1 > table.tsv',
      'save the table of one paragraph as tab-separated text',
    ],
    [
      'tiding run nightly --json --timeout 600 | jq .status',
      'print the result, within ten minutes',
    ],
  ],
  async run({ connect, io, values, args: [name = ''], terminal }) {
    if (values.wait && values.noWait)
      throw wrongUsage('--wait and --no-wait cannot be combined', 'run');
    const timeout = secondsOf(values.timeout);
    const params = paramsOf(values.param ?? []);
    const journal =
      values.journal === undefined ? {} : { journal: fileJournal(resolve(io.cwd, values.journal)) };
    return connect(
      async (client) => {
        const { id, path } = await findNote(client, name);
        const note = await client.open(id);
        const target =
          values.paragraph === undefined ? undefined : paragraphOf(note, values.paragraph);
        const start = () => (target ? target.run({ params }) : note.run({ params }));
        if (values.noWait) {
          await started(start(), timeout).catch(explainUsage);
          if (values.json) await terminal.line(JSON.stringify({ note: id, path, started: true }));
          else terminal.status(`started ${path}`);
          return EXIT.done;
        }
        return follow({
          client,
          note,
          start,
          terminal,
          signals: io.signals,
          timeout,
          json: values.json === true,
        }).catch(explainUsage);
      },
      { ...journal, autosave: 0 },
    );
  },
});

/** Turns the client's refusal of a form value into an error of usage. */
function explainUsage(error: unknown): never {
  throw isTidingError(error, 'protocol') ? wrongUsage(error.message, 'run') : error;
}

function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds > 0 && seconds <= 2_000_000))
    throw wrongUsage(`--timeout '${text}' is not a number of seconds`, 'run');
  return seconds;
}

/** Converts `['k=v', …]` to values by name; a name that is given several times has a list. */
function paramsOf(given: readonly string[]): Record<string, string | string[]> {
  const params = new Map<string, string[]>();
  for (const text of given) {
    const [name, value] = namedValue('param', text, 'run');
    params.set(name, [...(params.get(name) ?? []), value]);
  }
  return Object.fromEntries(
    [...params].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]!]),
  );
}

function paragraphOf(note: Note, id: string): Paragraph {
  const found = note.paragraphs.find((each) => each.id === id);
  if (found) return found;
  const lines = note.paragraphs.map((each) => `  ${each.id}  ${headingOf(each)}`);
  throw new CommandError(
    EXIT.unknown,
    `the note ${note.path} has no paragraph '${id}'`,
    `Its paragraphs are\n${lines.join('\n')}`,
  );
}

/** A run of one paragraph or of several. */
type AnyRun = Run<RunResult> | Run<RunResult[]>;

/** Resolves when the run has visibly started, and leaves it running. */
async function started(run: AnyRun, timeout: number | undefined): Promise<void> {
  Promise.resolve(run).catch(() => {});
  // Never end this iterator early: that would cancel the run.
  const events = run[Symbol.asyncIterator]();
  const first = (async () => {
    for (let next = await events.next(); !next.done; next = await events.next())
      if (next.value.type !== 'status' || next.value.status !== 'READY') return;
  })();
  first.catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    if (timeout !== undefined)
      timer = setTimeout(
        () => reject(new CommandError(EXIT.timeout, `the run did not start within ${timeout} s`)),
        timeout * 1000,
      );
  });
  await Promise.race([first, late]).finally(() => clearTimeout(timer));
}

/** Follows a run to its end. Returns the exit code. */
async function follow({
  client,
  note,
  start,
  terminal,
  signals,
  timeout,
  json,
}: {
  client: Client;
  note: Note;
  start: () => AnyRun;
  terminal: Terminal;
  signals: CommandIo['signals'];
  timeout: number | undefined;
  json: boolean;
}): Promise<number> {
  const began = performance.now();
  let stop: { exitCode: number; reason: string } | undefined;
  let giveUp: (error: unknown) => void = () => {};
  const givenUp = new Promise<never>((_, reject) => (giveUp = reject));
  givenUp.catch(() => {});
  const timers: ReturnType<typeof setTimeout>[] = [];
  const run = start();
  const outcome = Promise.resolve(run).then((ended) => [ended].flat());
  outcome.catch(() => {});

  const cancel = (exitCode: number, reason: string) => {
    // At the second signal, don't wait for the server.
    if (stop)
      return giveUp(new CommandError(exitCode, `${reason}; the run may continue on the server`));
    stop = { exitCode, reason };
    terminal.status(`${reason}: cancelling the run`);
    run.cancel();
    // The first cancel may have arrived before the run started.
    timers.push(setInterval(() => run.cancel(), CANCEL_AGAIN_MS));
    timers.push(
      setTimeout(
        () =>
          giveUp(
            new CommandError(
              exitCode === EXIT.timeout ? EXIT.unreachable : exitCode,
              `${reason}; the server did not respond, so the run may continue there`,
            ),
          ),
        CANCEL_MS,
      ),
    );
  };
  const onInterrupt = () => cancel(EXIT.interrupted, 'interrupted');
  const onTerminate = () => cancel(EXIT.terminated, 'terminated');
  signals.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  if (timeout !== undefined)
    timers.push(
      setTimeout(() => cancel(EXIT.timeout, `not finished within ${timeout} s`), timeout * 1000),
    );
  const undo = watchConnection(client, note, terminal, giveUp, timers);

  try {
    const following = (async () => {
      await show(run, note, terminal, json);
      return outcome;
    })();
    following.catch(() => {});
    const results = await Promise.race([following, givenUp]);
    const failed = results.find(({ status }) => status === 'ERROR' || status === 'ABORT');
    const status = failed?.status ?? 'FINISHED';
    if (json)
      await terminal.line(
        JSON.stringify({
          note: note.id,
          path: note.path,
          status,
          tookMs: Math.round(performance.now() - began),
          paragraphs: results.map((result) => recordOf(note, result)),
        }),
      );
    if (results.length === 0) terminal.status('there was nothing to run');
    for (const { paragraphId, status: ended } of results) {
      if (ended === 'ERROR' || ended === 'ABORT')
        terminal.status(
          `${headingIn(note, paragraphId)} ${ended === 'ERROR' ? 'failed' : 'was aborted'}`,
        );
    }
    return stop?.exitCode ?? (failed ? EXIT.failed : EXIT.done);
  } catch (error) {
    // However the cancelled run ended, the user ended it.
    if (stop && !(error instanceof CommandError)) return stop.exitCode;
    throw error;
  } finally {
    undo();
    terminal.progress(undefined);
    for (const timer of timers) clearTimeout(timer);
    signals.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  }
}

/** Reports a lost connection, and ends the wait if the session has ended. */
function watchConnection(
  client: Client,
  note: Note,
  terminal: Terminal,
  giveUp: (error: unknown) => void,
  timers: ReturnType<typeof setTimeout>[],
): () => void {
  let away = false;
  const undo = [
    client.on('connection', ({ state, noteId }) => {
      if (
        noteId !== note.id ||
        (state !== 'waiting' && state !== 'open') ||
        away === (state === 'waiting')
      )
        return;
      away = !away;
      terminal.status(away ? 'connection lost; reconnecting' : 'reconnected');
    }),
    client.on('session_logout', () => {
      timers.push(
        setTimeout(() => {
          if (client.state.session.phase === 'signed-out')
            giveUp(
              new TidingError(
                'signed-out',
                'the session has ended; the run may continue on the server',
              ),
            );
        }, SIGNED_OUT_MS),
      );
    }),
  ];
  return () => undo.forEach((each) => each());
}

/** As many as the text of a table has. */
const MAX_PRINTED_ROWS = 10_000;

/** Prints the output until the run is over. */
async function show(run: AnyRun, note: Note, terminal: Terminal, json: boolean): Promise<void> {
  const printer = new RunPrinter(terminal);
  for await (const event of run) {
    const state = note.state.paragraphs[event.paragraphId];
    if (!state) continue;
    if (event.type === 'progress' || (event.type === 'status' && isRunning(event.status))) {
      terminal.progress(
        event.type === 'progress' ? event.progress : 0,
        headingIn(note, event.paragraphId),
      );
    }
    if (json || event.type === 'progress') continue;
    const { paragraphId: id } = event;
    const table = (index: number): Promise<TypedRows | undefined> =>
      note
        .paragraph(id)
        .rows(index, { limit: MAX_PRINTED_ROWS })
        .then((found) => readArrowRows(found))
        .catch(() => undefined);
    const paragraph = { id, heading: headingIn(note, id), table };
    if (event.type === 'result') await printer.show(paragraph, event.result.outputs, true);
    // Until its first output, a paragraph still has the outputs of the previous run.
    else if (event.type !== 'status' && state.outputPhase !== 'old')
      await printer.show(paragraph, state.outputs, false);
  }
}

/** A paragraph of a run as printed with `--json`. */
const recordOf = (note: Note, { paragraphId, status, outputs, error }: RunResult) => ({
  id: paragraphId,
  title: note.paragraphs.find(({ id }) => id === paragraphId)?.title ?? '',
  status,
  ...(error === undefined ? {} : { error }),
  outputs: outputs.map((output) => ({ type: output.type, data: outputText(output) })),
});
