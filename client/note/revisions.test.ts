/** Revisions in the client: list, read, set, and open as a read-only note. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../client.ts';
import { isTidingError } from '../core/errors.ts';
import { type MemoryServer, memoryServer } from '../testing/index.ts';
import type { Note } from './note.ts';

let memory: MemoryServer;
let client: Client;
let note: Note;

beforeEach(async () => {
  memory = memoryServer({
    notes: [
      {
        id: 'n',
        path: 'folder/note',
        paragraphs: [
          { id: 'a', text: 'one' },
          { id: 'b', text: 'two' },
        ],
      },
    ],
  });
  client = createClient({
    server: memory.server,
    transport: memory.transport,
    fetch: memory.fetch,
  });
  note = await client.open('n');
});
afterEach(() => {
  client.close();
  memory.close();
});

const type = async (id: string, text: string) => {
  note.paragraph(id).edit(text);
  await note.commit();
};
const refused = async (work: () => unknown): Promise<string> => {
  try {
    await work();
  } catch (error) {
    return isTidingError(error) ? `${error.code}: ${error.message}` : String(error);
  }
  return 'done';
};

describe('revisions', () => {
  it('are supported if the server says so, which is requested once', async () => {
    expect(await note.revisions.supported()).toBe(true);
    expect(await note.revisions.supported()).toBe(true);
    expect(memory.frames.filter(({ op }) => op === 'LIST_CONFIGURATIONS')).toHaveLength(1);
    memory.push('CONFIGURATIONS_INFO', { configurations: { isRevisionSupported: 'false' } });
    await expect.poll(() => note.revisions.supported()).toBe(false);
  });

  it('are listed after Head, newest first, and can be set [W40 D42]', async () => {
    await note.revisions.checkpoint('first');
    await type('a', 'changed');
    const list = await note.revisions.checkpoint('second');
    expect(list.map(({ message }) => message)).toEqual(['Head', 'second', 'first']);
    expect(await refused(() => note.revisions.checkpoint('again'))).toContain(
      "Couldn't checkpoint note revision",
    );
    await note.revisions.setHead(list[2]!.id);
    await expect.poll(() => note.paragraph('a').text).toBe('one');
    const { first, second } = await note.revisions.compare(list[2]!.id, list[1]!.id);
    expect([first.paragraphs![0]!.text, second.paragraphs![0]!.text]).toEqual(['one', 'changed']);
  });

  it("without an id are listed, but can't be read", async () => {
    const listed = note.revisions.list();
    memory.push(
      'LIST_REVISION_HISTORY',
      { revisionList: [{ message: 'broken', time: 1 }] },
      { noteId: 'n' },
    );
    await listed;
    expect(await refused(() => note.revisions.get(''))).toBe(
      'not-found: There is a problem with this Revision',
    );
    expect(await refused(() => note.revisions.get('nope'))).toBe(
      'not-found: There is a problem with this Revision',
    );
  });
});

describe('an open revision', () => {
  let revision: Note;
  let id: string;

  beforeEach(async () => {
    id = (await note.revisions.checkpoint('first'))[1]!.id;
    await type('a', 'changed');
    await note.paragraph('b').remove();
    revision = await client.openRevision('n', id);
  });

  it('is in the state beside its note, as it was, without a connection', () => {
    expect(revision.id).toBe(`n@${id}`);
    expect([revision.noteId, revision.revision, revision.path]).toEqual(['n', id, 'folder/note']);
    expect(revision.paragraphs.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(note.paragraphs.map(({ text }) => text)).toEqual(['changed']);
    expect(client.state.open[revision.id]).toMatchObject({
      phase: 'ready',
      connection: 'idle',
      order: ['a', 'b'],
    });
  });

  it('rejects every change and sends nothing', async () => {
    const before = memory.frames.length;
    const paragraph = revision.paragraph('a');
    const works: (() => unknown)[] = [
      () => paragraph.edit('x'),
      () => paragraph.run(),
      () => paragraph.setTitle('x'),
      () => paragraph.configure({ colWidth: 3 }),
      () => paragraph.setParams({ a: 1 }),
      () => paragraph.move(1),
      () => paragraph.copy(),
      () => paragraph.remove(),
      () => paragraph.clear(),
      () => paragraph.propagate({ code: 'SUCCESS', msg: [] }),
      () => revision.insert(),
      () => revision.run(),
      () => revision.run({ parallel: true }),
      () => revision.stop(),
      () => revision.cancelAll(),
      () => revision.clone('x'),
      () => revision.rename('x'),
      () => revision.configure({ looknfeel: 'simple' }),
      () => revision.clear(),
      () => revision.setParams({ a: 1 }),
      () => revision.removeForm('a'),
      () => revision.reload(),
      () => revision.setPersonalized(true),
      () => revision.bind([]),
      () => revision.setSchedule(undefined),
      () => revision.setPermissions({ owners: [], writers: [], runners: [], readers: [] }),
      () => revision.z.run('a'),
      () => revision.z.runNote(),
      () => revision.z.set('x', 1, 'a'),
    ];
    for (const work of works)
      expect(await refused(work), String(work)).toBe('forbidden: A revision cannot be changed.');
    expect(memory.frames.slice(before).filter(({ op }) => op !== 'LIST_NOTES')).toEqual([]);
    expect(revision.paragraph('a').state).toMatchObject({
      draft: undefined,
      server: { text: 'one', status: 'READY' },
    });
  });

  it('can be presented differently in this client only', () => {
    revision.paragraph('a').present({ results: { 0: { graph: { mode: 'pieChart' } } } });
    expect(revision.paragraph('a').state.server.config).toMatchObject({
      results: { 0: { graph: { mode: 'pieChart' } } },
    });
    expect(note.paragraph('a').state.server.config?.results).toBeUndefined();
  });

  it('has the revisions of its note and can set them', async () => {
    expect((await revision.revisions.list()).map(({ message }) => message)).toEqual([
      'Head',
      'first',
    ]);
    await revision.revisions.setHead(id);
    await expect.poll(() => note.paragraphs.map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it('is discarded when its last user closes it', async () => {
    const again = await client.openRevision('n', id);
    expect(again).toBe(revision);
    revision.close();
    expect(client.state.open[revision.id]).toBeDefined();
    again.close();
    expect(client.state.open[revision.id]).toBeUndefined();
    expect(client.state.open['n']).toBeDefined();
  });

  it('that does not exist rejects and leaves nothing open', async () => {
    for (const wrong of ['nope', '']) {
      expect(await refused(() => client.openRevision('n', wrong))).toBe(
        'not-found: There is a problem with this Revision',
      );
      expect(client.state.open[`n@${wrong}`]).toBeUndefined();
    }
  });

  it('is unchanged when the connection breaks and when a run of then has ended', async () => {
    memory.drop();
    await expect.poll(() => note.state.connection).not.toBe('open');
    client.wake();
    await expect.poll(() => note.state.connection).toBe('open');
    expect(revision.state).toMatchObject({ connection: 'idle', phase: 'ready' });
  });

  it('shows paragraphs as aborted that were running at the checkpoint', async () => {
    let end = () => {};
    const slow = memoryServer({
      notes: [{ id: 'n', path: 'x', paragraphs: ['%wait\nx'] }],
      interpreters: { wait: () => new Promise<void>((resolve) => (end = resolve)) },
    });
    const other = createClient({
      server: slow.server,
      transport: slow.transport,
      fetch: slow.fetch,
    });
    const running = await other.open('n');
    const run = running.paragraphs[0]!.run();
    await expect.poll(() => running.paragraphs[0]!.status).toBe('RUNNING');
    const [, made] = await running.revisions.checkpoint('while it runs');
    const opened = await other.openRevision('n', made!.id);
    expect(opened.paragraphs[0]!.status).toBe('ABORT');
    expect(running.paragraphs[0]!.status).toBe('RUNNING');
    end();
    await run;
    other.close();
    slow.close();
  });
});
