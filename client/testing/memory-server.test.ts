import {
  type Client,
  type ClientOptions,
  createClient,
  isTidingError,
  outputText,
} from '@tiding/client';
import {
  formatRecording,
  type MemoryServer,
  type MemoryServerOptions,
  memoryServer,
  type RecordedEntry,
  recordFetch,
  recordTransport,
  replay,
} from '@tiding/client/testing';
import { afterEach, describe, expect, it } from 'vitest';

const clients: Client[] = [];
const servers: MemoryServer[] = [];
afterEach(() => {
  for (const each of clients.splice(0)) each.close();
  for (const each of servers.splice(0)) each.close();
});

function start(options: MemoryServerOptions = {}): MemoryServer {
  const server = memoryServer(options);
  servers.push(server);
  return server;
}
function connect(
  { server, transport, fetch }: Pick<MemoryServer, 'server' | 'transport' | 'fetch'>,
  options: Partial<ClientOptions> = {},
): Client {
  const client = createClient({
    server,
    transport,
    fetch,
    autosave: 0,
    backoff: () => 5,
    ...options,
  });
  clients.push(client);
  return client;
}

describe('memory server', () => {
  // A page has one session with a server.
  it.skipIf('document' in globalThis || 'importScripts' in globalThis)(
    'notifies pages of comments, and says who may not read a mention',
    async () => {
      const server = start({
        notes: [{ id: 'n1', path: 'a', owner: 'ann', paragraphs: [{ id: 'p1', text: 'x' }] }],
        users: { ann: 'x', ben: 'y' },
      });
      const [ann, ben] = [connect(server), connect(server)];
      await ann.session.login('ann', 'x');
      await ben.session.login('ben', 'y');
      const note = await ben.open('n1');
      const comment = { paragraphId: 'p1', text: 'Why, @ben?' };
      const { thread, cannotRead } = await ann.comments.add('n1', comment);
      expect([thread.comments[0]?.author, cannotRead]).toEqual(['ann', []]);
      await expect.poll(() => note.state.openThreads).toBe(1);
      const again = await ann.open('n1');
      await expect.poll(() => again.state.openThreads).toBe(1);
      await again.setPermissions({
        owners: ['ann'],
        writers: ['ann'],
        runners: ['ann'],
        readers: ['ann'],
      });
      expect((await ann.comments.reply('n1', thread.id, '@ben')).cannotRead).toEqual(['ben']);
    },
  );

  it('serves the given notes and runs them with the given interpreters', async () => {
    const seen: string[] = [];
    const server = start({
      notes: [
        {
          id: 'n1',
          path: 'team/report',
          paragraphs: ['%calc\n1 ${unit=km}', { id: 'p2', title: 'Second', text: '%broken x' }],
        },
      ],
      interpreters: {
        calc(script, out) {
          seen.push(script);
          out.text('one\n');
          out.progress(50);
          out.table(
            ['a', 'b'],
            [
              [1, 'x\ty'],
              [2, null],
            ],
          );
          out.html('<b>done</b>');
        },
        broken: () => Promise.reject(new Error('it is broken')),
      },
    });
    const client = connect(server);
    expect(await client.notes.list()).toEqual([{ id: 'n1', path: 'team/report' }]);
    const note = await client.open('n1');
    const progress: number[] = [];
    const run = note.paragraphs[0]!.run({ params: { unit: 'm' } });
    for await (const event of run) if (event.type === 'progress') progress.push(event.progress);
    const { status, outputs } = await run;
    expect(status).toBe('FINISHED');
    expect(outputs.map((output) => [output.type, outputText(output)])).toEqual([
      ['TEXT', 'one\n'],
      ['TABLE', 'a\tb\n1\tx y\n2\t\n'],
      ['HTML', '<b>done</b>'],
    ]);
    expect(seen).toEqual(['1 m']);
    expect(progress).toEqual([50]);
    expect(await note.paragraph('p2').run()).toMatchObject({
      status: 'ERROR',
      error: 'it is broken',
    });
    expect(server.notes[0]!.paragraphs![1]).toMatchObject({ id: 'p2', status: 'ERROR' });
    expect(server.frames.map(({ op }) => op)).toEqual([
      'LIST_NOTES',
      'LIST_NOTES',
      'GET_NOTE',
      'RUN_PARAGRAPH',
      'RUN_PARAGRAPH',
    ]);
  });

  it('cancels a run that ignores the signal', async () => {
    const server = start({
      notes: [{ id: 'n1', path: 'n', paragraphs: ['%slow'] }],
      interpreters: { slow: (_, out) => (out.text('begun'), new Promise(() => {})) },
    });
    const note = await connect(server).open('n1');
    note.paragraphs[0]!.edit('%slow x');
    const run = note.paragraphs[0]!.run();
    await expect.poll(() => note.paragraphs[0]!.status).toBe('RUNNING');
    await note.paragraphs[0]!.cancel();
    expect(await run).toMatchObject({ status: 'ABORT' });
  });

  it('drops connections, goes offline and comes back; a push reaches its recipients', async () => {
    const server = start({
      notes: [
        { id: 'n1', path: 'n1' },
        { id: 'n2', path: 'n2' },
      ],
    });
    const client = connect(server);
    const [one, two] = [await client.open('n1'), await client.open('n2')];
    server.push('PROGRESS', { id: one.paragraphs[0]!.id, progress: 40 }, { noteId: 'n1' });
    expect([one, two].map((note) => note.paragraphs[0]!.state.progress)).toEqual([40, 0]);
    server.online = false;
    expect(one.state.connection).toBe('waiting');
    await expect(client.call('listNotes')).rejects.toSatisfy((error) =>
      isTidingError(error, 'network'),
    );
    one.paragraphs[0]!.edit('typed while away');
    server.online = true;
    await one.commit();
    expect(server.notes[0]!.paragraphs![0]!.text).toBe('typed while away');
    await two.channel.ready();
    server.drop();
    await expect
      .poll(
        () =>
          server.frames.filter(({ op, data }) => op === 'GET_NOTE' && data['id'] === 'n2').length,
      )
      .toBe(3);
  });

  it('requires accounts if it has any, and checks permissions', async () => {
    const server = start({
      notes: [{ id: 'n1', path: 'n', owner: 'ann' }],
      users: { ann: 'a', bob: { password: 'b', token: 'bobs-token' } },
    });
    const ann = connect(server);
    await expect(ann.open('n1')).rejects.toSatisfy((error) => isTidingError(error, 'signed-out'));
    await expect(ann.session.login('ann', 'wrong')).rejects.toMatchObject({ status: 403 });
    await ann.session.login('ann', 'a');
    const note = await ann.open('n1');
    await note.setPermissions({
      owners: ['ann'],
      writers: ['ann'],
      runners: ['bob'],
      readers: ['bob', 'ann'],
    });
    const bob = connect(server, { auth: { token: 'bobs-token' } });
    const there = await bob.open('n1');
    there.paragraphs[0]!.edit('not mine');
    await expect(there.paragraphs[0]!.commit()).rejects.toSatisfy((error) =>
      isTidingError(error, 'forbidden'),
    );
    await expect(bob.notes.rename('n1', 'other')).rejects.toSatisfy((error) =>
      isTidingError(error, 'forbidden'),
    );
  });

  it('lists jobs, settings, bindings and completions, and documents names [D42]', async () => {
    const server = start({
      notes: [{ id: 'n1', path: 'n', paragraphs: ['%a x'] }],
      interpreters: {
        a: {
          run: () => {},
          complete: (script, cursor) => [{ name: `${script}@${cursor}`, value: 'v' }],
          inspect: (script, cursor) => (script === 'abc' ? `about abc@${cursor}` : undefined),
          editor: { language: 'python' },
        },
        b: () => {},
      },
    });
    const client = connect(server);
    const note = await client.open('n1');
    expect(await note.paragraphs[0]!.complete('%a abc', 5)).toEqual([
      { name: 'abc@2', value: 'v' },
    ]);
    expect(await note.paragraphs[0]!.inspect('%a abc', 5)).toBe('about abc@2');
    expect(await note.paragraphs[0]!.inspect('%a other', 5)).toBeUndefined();
    expect(await note.paragraphs[0]!.inspect('%a abc', 1)).toBeUndefined();
    expect(await note.paragraphs[0]!.editorSetting()).toEqual({ language: 'python' });
    note.channel.send('SAVE_INTERPRETER_BINDINGS', { noteId: 'n1', selectedSettingIds: ['b'] });
    await expect
      .poll(() => note.state.bindings?.map(({ id, selected }) => [id, selected]))
      .toEqual([
        ['b', true],
        ['a', false],
      ]);
    // To the millisecond, although dates of paragraphs have whole seconds.
    const before = Date.now();
    await note.paragraphs[0]!.run();
    expect((await client.jobs.list())[0]!.unixTimeLastRun).toBeGreaterThanOrEqual(before);
    const heard: string[] = [];
    client.on('LIST_NOTE_JOBS', ({ data }) =>
      heard.push(...data.noteJobs.jobs.map(({ noteId }) => noteId)),
    );
    note.channel.send('LIST_NOTE_JOBS', {});
    await expect.poll(() => heard).toEqual(['n1']);
  });

  it.each([
    ['NO_SUCH', 400, 'Unknown operation: NO_SUCH.'],
    ['CONVERT_NOTE_NBFORMAT', 501, 'CONVERT_NOTE_NBFORMAT is not supported by the memory server.'],
  ])('rejects %s by name', async (op, code, info) => {
    const server = start({ notes: [{ id: 'n1', path: 'n' }] });
    const client = connect(server);
    const note = await client.open('n1');
    const told: unknown[] = [];
    client.on('ERROR_INFO', ({ data }) => told.push(data));
    (note.channel as unknown as { send(op: string, data: object): void }).send(op, {
      noteId: 'n1',
      commitMessage: '',
    });
    await expect.poll(() => told).toEqual([{ info, code, op }]);
  });

  it('lets the test handle intercepted frames', async () => {
    const server = start({
      notes: [{ id: 'n1', path: 'n' }],
      intercept: ({ op }) => op === 'COMMIT_PARAGRAPH',
    });
    const note = await connect(server).open('n1');
    note.paragraphs[0]!.edit('mine');
    const commit = note.commit();
    await expect.poll(() => server.frames.at(-1)?.op).toBe('COMMIT_PARAGRAPH');
    const { id } = note.paragraphs[0]!;
    server.push(
      'PARAGRAPH_CONFLICT',
      { id, noteId: 'n1', rev: 7, text: 'theirs', baseText: '' },
      { msgId: server.frames.at(-1)!.msgId! },
    );
    await expect(commit).rejects.toSatisfy((error) => isTidingError(error, 'conflict'));
  });

  it('can be recorded and replayed', async () => {
    const entries: RecordedEntry[] = [];
    const sink = (entry: RecordedEntry) => void entries.push(entry);
    const server = start({ notes: [{ id: 'n1', path: 'n', paragraphs: ['%text hello'] }] });
    const client = connect(server, {
      transport: recordTransport(server.transport, sink),
      fetch: recordFetch(server.fetch, sink),
    });
    await (await client.open('n1')).paragraphs[0]!.run();
    const { clock, ...played } = replay(formatRecording(entries));
    const again = connect(played);
    const note = await clock.run(again.open('n1'));
    expect(
      (await clock.run(Promise.resolve(note.paragraphs[0]!.run()))).outputs.map(outputText),
    ).toEqual(['hello']);
    expect(played.transport.error).toBeUndefined();
  });
});
