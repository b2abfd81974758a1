import { type Client, createClient, type NoteEntry, outputText } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { type FunctionComponent, StrictMode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { same, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { useNote, useNotes, useParagraph } from './note-hooks.ts';
import { TidingProvider } from './provider.tsx';
import { useResult, useRun } from './run-hooks.ts';
import { useClient } from './use-client.ts';

let memory: MemoryServer;
let client: Client;
let root: Root | undefined;
let box: HTMLElement;
/** Ends the run of `%wait` with a table; `undefined` if there is no run. */
let finish: ((table?: string) => void) | undefined;

beforeEach(() => {
  memory = memoryServer({
    notes: [
      {
        id: 'note',
        path: 'folder/note',
        paragraphs: [
          { id: 'p1', text: '%echo hello' },
          { id: 'p2', text: '%wait for the test' },
        ],
      },
      { id: 'other', path: 'other', paragraphs: [{ id: 'p1', text: '%echo other' }] },
    ],
    interpreters: {
      echo: (script, output) => output.text(script),
      wait: (_script, output) =>
        new Promise((resolve) => {
          finish = (table) => {
            if (table) output.text(`%table ${table}`);
            finish = undefined;
            resolve();
          };
          output.signal.addEventListener('abort', () => finish?.());
        }),
    },
  });
  client = createClient({
    server: memory.server,
    transport: memory.transport,
    fetch: memory.fetch,
    backoff: () => 5,
  });
  box = document.body.appendChild(document.createElement('div'));
});
afterEach(() => {
  root?.unmount();
  root = undefined;
  client.close();
  box.remove();
});

/** Shows a component that uses a hook; returns the values of its renders, oldest first. */
function show<Value, Props extends object>(use: (props: Props) => Value, props: Props) {
  const values: Value[] = [];
  const Probe: FunctionComponent<Props> = (given) => {
    values.push(use(given));
    return null;
  };
  root = createRoot(box);
  const render = (given: Props) =>
    root!.render(
      <StrictMode>
        <TidingProvider client={client}>
          <Probe {...given} />
        </TidingProvider>
      </StrictMode>,
    );
  render(props);
  const until = (test: (value: Value) => unknown, what: string) =>
    waitUntil(() => {
      const last = values.at(-1);
      return last !== undefined && test(last) ? last : undefined;
    }, what);
  return { values, render, until };
}
const openNotes = () => Object.keys(client.state.open);
const isClosed = () => waitUntil(() => openNotes().length === 0, 'no open note');
const paths = (notes: readonly NoteEntry[] | undefined) => notes?.map(({ path }) => path).sort();

describe('hooks', () => {
  it('list notes, and follow the list', async () => {
    const { until, values } = show(() => useNotes(), {});
    const first = await until(({ status }) => status === 'ready', 'the list');
    same([values[0]!.status, values[0]!.notes], ['loading', undefined]);
    same(paths(first.notes), ['folder/note', 'other']);
    await client.notes.create({ path: 'third' });
    await until(({ notes }) => notes?.length === 3, 'the new note');
  });

  it('say why a list can not be loaded, and try again', async () => {
    memory.online = false;
    const { until } = show(() => useNotes(), {});
    const failed = await until(({ status }) => status === 'error', 'the error');
    same(failed.error?.code, 'network');
    memory.online = true;
    failed.retry();
    same((await until(({ status }) => status === 'ready', 'the list')).error, undefined);
  });

  it('open a note, follow it, change to another, and close it at unmount', async () => {
    const { until, render } = show(({ id }: { id: string | undefined }) => useNote(id), {
      id: 'note' as string | undefined,
    });
    const { note } = await until(({ status }) => status === 'ready', 'the note');
    await note!.rename('folder/renamed');
    await until(({ state }) => state?.path === 'folder/renamed', 'the new name');
    render({ id: 'other' });
    await until(({ state }) => state?.path === 'other', 'the other note');
    same(openNotes(), ['other']);
    render({ id: undefined });
    await until(({ status }) => status === 'idle', 'nothing');
    await isClosed();
  });

  it('share a note, which stays open until its last user is gone', async () => {
    const first = await client.open('note');
    const { until } = show(() => [useNote('note'), useNote('note')] as const, {});
    const [a, b] = await until((both) => both.every(({ note }) => note), 'both');
    same([a.note === b.note, a.note === first], [true, true]);
    root!.unmount();
    await frames();
    same(openNotes(), ['note']);
    first.close();
    await isClosed();
  });

  it('report a note that does not exist', async () => {
    const { until } = show(() => useNote('nowhere'), {});
    const { error, note } = await until(({ status }) => status === 'error', 'the error');
    same([error?.code, note], ['not-found', undefined]);
  });

  it('report that a note was deleted', async () => {
    const { until } = show(() => useNote('note'), {});
    await until(({ status }) => status === 'ready', 'the note');
    await client.notes.remove('note');
    const { error } = await until(({ status }) => status === 'error', 'the error');
    same(error?.code, 'not-found');
  });

  it('follow one paragraph, and render only for it', async () => {
    const { until, values } = show(() => useParagraph('note', 'p1'), {});
    const { paragraph } = await until(({ status }) => status === 'ready', 'the paragraph');
    const renders = values.length;
    const note = await client.open('note');
    await note.paragraph('p2').setTitle('Another');
    await frames();
    same(values.length, renders);
    void paragraph!.run();
    const last = await until(({ state }) => state?.server.status === 'FINISHED', 'the end');
    same(last.state!.outputs.map(outputText), ['hello']);
    same(last.paragraph === paragraph, true);
    note.close();
  });

  it('report a paragraph that does not exist', async () => {
    const { until } = show(() => useParagraph('note', 'constructor'), {});
    const { error } = await until(({ status }) => status === 'error', 'the error');
    same(error?.message, "The note has no paragraph 'constructor'.");
  });

  it('run a note by its path', async () => {
    const { until } = show(() => useRun('folder/note', { paragraphs: ['p1'] }), {});
    const { run, status } = await until(() => true, 'the hook');
    same(status, 'idle');
    const returned = await run();
    const { result } = await until((hook) => hook.status === 'ready', 'the result');
    same([result === returned, result!.status], [true, 'FINISHED']);
    same(
      result!.paragraphs.flatMap(({ outputs }) => outputs.map(outputText)),
      ['hello'],
    );
    await isClosed();
  });

  it('report a run that can not start, without an unhandled rejection', async () => {
    const { until } = show(() => useRun('nowhere'), {});
    const { run } = await until(() => true, 'the hook');
    same(await run(), undefined);
    const { error } = await until(({ status }) => status === 'error', 'the error');
    same(error?.message, "There is no note 'nowhere'.");
  });

  const status = () => memory.notes.find(({ id }) => id === 'note')?.paragraphs?.[1]?.status;
  const starts = () => waitUntil(() => finish && status() === 'RUNNING', 'the run');
  const stops = () => waitUntil(() => status() === 'ABORT', 'the end of the run');

  it('cancel a run on the server', async () => {
    const { until } = show(() => useRun('note', { paragraphs: ['p2'] }), {});
    const { run, cancel } = await until(() => true, 'the hook');
    const ended = run();
    await until((hook) => hook.status === 'loading', 'the run');
    await starts();
    cancel();
    same(await ended, undefined);
    same((await until((hook) => hook.status === 'idle', 'the end')).error, undefined);
    await stops();
  });

  it('cancel a run at unmount', async () => {
    const { until } = show(() => useRun('note', { paragraphs: ['p2'] }), {});
    const { run } = await until(() => true, 'the hook');
    const ended = run();
    await starts();
    root!.unmount();
    same(await ended, undefined);
    await stops();
    await isClosed();
  });

  it('replace a run that is in progress', async () => {
    const { until } = show(() => useRun('note', { paragraphs: ['p2'] }), {});
    const { run } = await until(() => true, 'the hook');
    const first = run();
    await starts();
    const second = run();
    same(await first, undefined);
    await starts();
    finish!('a\tb\n1\t2');
    same((await second)?.status, 'FINISHED');
    same((await until((hook) => hook.status === 'ready', 'the end')).error, undefined);
  });

  it('read the table of a result, and the next one when the paragraph has run again', async () => {
    const { until } = show(() => useResult('note', 'p2'), {});
    const empty = await until(({ status: now }) => now === 'ready', 'the paragraph');
    same([empty.table, empty.isRunning], [undefined, false]);
    const note = await client.open('note');
    const runOnce = async (data: string, rows: number) => {
      const run = note.paragraph('p2').run();
      const during = await until(({ isRunning }) => isRunning, 'the run');
      await starts();
      finish!(data);
      await run;
      await until(({ table, isRunning }) => !isRunning && table?.numRows === rows, 'the table');
      return during.table?.numRows;
    };
    same(await runOnce('n\n1\n2', 2), undefined);
    same(await runOnce('n\n1\n2\n3', 3), 2, 'the previous table during a run');
    note.close();
  });

  it('render nothing yet on a server, and hydrate without a mismatch', async () => {
    const Page = () => {
      const { status: list, notes } = useNotes();
      const { state } = useParagraph('note', 'p1');
      const shared = useClient();
      return <p>{[list, notes?.length, state?.id, shared === client].join(' ')}</p>;
    };
    const node = (
      <TidingProvider client={client}>
        <Page />
      </TidingProvider>
    );
    await client.notes.list();
    const note = await client.open('note');
    box.innerHTML = renderToString(node);
    same(box.textContent, 'loading   true');
    root = hydrateRoot(box, node);
    await waitUntil(() => box.textContent === 'ready 2 p1 true', 'the page');
    note.close();
  });
});
