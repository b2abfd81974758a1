import { afterEach, describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../client.ts';
import { type MemoryServer, memoryServer } from '../../testing/index.ts';
import type { Note } from '../note.ts';

const markdown = { language: 'markdown', editOnDblClick: true };
const shell = { language: 'sh', editOnDblClick: false, completionSupport: true };
const stored = { editorSetting: markdown, editorMode: 'ace/mode/markdown' };

const clients: Client[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

/** Opens a note with one %md paragraph whose editor settings are stored. */
async function open(
  config: object = stored,
  answers = true,
): Promise<{ server: MemoryServer; note: Note }> {
  const server = memoryServer({
    notes: [{ id: 'n', path: 'n', paragraphs: [{ id: 'p', text: '%md\n# Title', config }] }],
    interpreters: {
      md: { run: () => {}, editor: markdown },
      sh: { run: () => {}, editor: shell },
    },
    intercept: ({ op }) => !answers && op === 'EDITOR_SETTING',
  });
  const client = createClient({
    server: server.server,
    transport: server.transport,
    fetch: server.fetch,
  });
  clients.push(client);
  return { server, note: await client.open('n') };
}
const asked = (server: MemoryServer) =>
  server.frames.filter(({ op }) => op === 'EDITOR_SETTING').map(({ data }) => data['magic']);
const saved = (server: MemoryServer) => server.notes[0]!.paragraphs![0]!.config!;

describe('editor settings', () => {
  test('of pasted code that runs at once are those of its own magic', async () => {
    const { server, note } = await open();
    note.paragraph('p').edit('%sh\necho 1');
    await note.paragraph('p').run();
    expect(saved(server)).toMatchObject({ editorSetting: shell, editorMode: 'ace/mode/sh' });
    expect(asked(server)).toEqual(['sh']);
  });

  test('of a magic follow from its name if the server does not answer', async () => {
    const { server, note } = await open(stored, false);
    note.paragraph('p').edit('%sh\necho 1');
    await note.paragraph('p').run();
    expect(saved(server)).toMatchObject({
      editorSetting: { language: 'sh', editOnDblClick: false },
      editorMode: 'ace/mode/sh',
    });
  });

  test('of another magic are not stored with a text, whatever saves it', async () => {
    const { server, note } = await open(stored, false);
    note.paragraph('p').edit('%sh\necho 1');
    await note.commit();
    expect(saved(server)).toMatchObject({ editorMode: 'ace/mode/sh' });
    note.paragraph('p').edit('%python\n1');
    await note.paragraph('p').copy();
    expect(server.notes[0]!.paragraphs![1]!.config).toMatchObject({
      editorMode: 'ace/mode/python',
    });
  });

  test('are not requested by a run if none are stored, or the magic is the same', async () => {
    const { server, note } = await open({});
    note.paragraph('p').edit('%sh\necho 1');
    await note.paragraph('p').run();
    const other = await open();
    other.note.paragraph('p').edit('%md\n# Other');
    await other.note.paragraph('p').run();
    expect([...asked(server), ...asked(other.server)]).toEqual([]);
    expect(saved(other.server)).toMatchObject(stored);
  });

  test('that arrive late are not taken for those of the next magic', async () => {
    const { server, note } = await open({}, false);
    const first = note.paragraph('p').editorSetting({ keep: true });
    await expect.poll(() => asked(server)).toEqual(['md']);
    note.paragraph('p').edit('%sh\necho 1');
    const second = note.paragraph('p').editorSetting({ keep: true });
    // Zeppelin's answers name the paragraph and nothing else.
    server.push('EDITOR_SETTING', { paragraphId: 'p', editor: markdown });
    expect(await first).toEqual(markdown);
    await expect.poll(() => asked(server)).toEqual(['md', 'sh']);
    server.push('EDITOR_SETTING', { paragraphId: 'p', editor: shell });
    expect(await second).toEqual(shell);
    await note.commit();
    expect(saved(server)).toMatchObject({ editorSetting: shell });
  });
});
