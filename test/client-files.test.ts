/** Files, notebooks and runs by name: a script that uses the client against the embedded server. */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Client,
  createClient,
  isHttpError,
  isTidingError,
  outputText,
  TidingError,
} from '@tiding/client';
import { Database } from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { failure } from './support/failure.ts';
import { onlyFor, startEmpty } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

const MAX_FILE = 3 * 2 ** 20;

const embedded = untilEnd(await startEmpty({ maxFileBytes: MAX_FILE, logLevel: 'silent' }));
await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
const clientOf = async (user: string) => {
  const { token } = await new AccessTokenStore(embedded.data).create(user, { expiresInDays: 1 });
  return createClient({ server: embedded.server.url, auth: { token: token! } });
};
const client = untilEnd(await clientOf('admin'));
const bob = untilEnd(await clientOf('bob'));

const bytesOf = (text: string) => new TextEncoder().encode(text);
const folderOf = (...names: string[]) => join(embedded.data, 'files', ...names);

describe('files', () => {
  it('are uploaded, listed, downloaded and removed by owner', async () => {
    const noteId = await client.notes.create({ path: 'files/source' });
    for (const [owner, prefix] of [
      [{ noteId }, `notes/${noteId}/`],
      [{ shared: true }, 'shared/'],
      [{}, 'users/admin/'],
    ] as const) {
      const first = await client.files.upload('a.csv', bytesOf('a\n1\n'), owner);
      expect(first).toEqual({ path: `${prefix}a.csv`, size: 4 });
      expect((await client.files.upload('a.csv', bytesOf('b'), owner)).path).toBe(
        `${prefix}a-2.csv`,
      );
      const listed = await client.files.list(owner);
      expect(listed.map(({ path, size }) => [path, size])).toEqual([
        [`${prefix}a-2.csv`, 1],
        [`${prefix}a.csv`, 4],
      ]);
      expect(Date.parse(listed[0]!.modified)).toBeGreaterThan(Date.now() - 600_000);
      const { response } = await client.files.download(first.path);
      expect(await response.text()).toBe('a\n1\n');
      await client.files.remove(first.path);
      expect(await failure(client.files.download(first.path))).toMatchObject({ status: 404 });
      expect((await client.files.list(owner)).length).toBe(1);
    }
  });

  it.each([0, 1, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 * 2 ** 20])(
    'are uploaded from streams of %i bytes in uneven chunks',
    async (size) => {
      const content = Buffer.from(Array.from({ length: size }, (_, at) => at % 251));
      async function* chunks() {
        for (let at = 0; at < size; at += 300_007) yield content.subarray(at, at + 300_007);
      }
      const iterator = chunks();
      const stream = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      for (const source of [chunks(), stream]) {
        const seen: unknown[] = [];
        const file = await client.files.upload('stream.arrow', source, {
          onProgress: (progress) => seen.push(progress),
        });
        expect([file.size, seen.at(-1)]).toEqual([size, { sent: size, total: size }]);
        const { response } = await client.files.download(file.path);
        expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
        await client.files.remove(file.path);
      }
    },
  );

  it('larger than a piece report their progress and appear when they are complete', async () => {
    const total = MAX_FILE - 5;
    const content = Buffer.alloc(total, 'The same text, again and again.');
    const seen: number[] = [];
    const { path, size } = await client.files.upload('large.arrow', new Blob([content]), {
      shared: true,
      onProgress({ sent, total: all }) {
        expect(all).toBe(total);
        seen.push(sent);
      },
    });
    expect([path, size]).toEqual(['shared/large.arrow', total]);
    expect(seen).toEqual([2 ** 20, 2 * 2 ** 20, total]);
    const { response } = await client.files.download(path);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    await client.files.remove(path);
  });

  it('that are aborted, too large or out of order do not appear', async () => {
    const abort = new AbortController();
    const content = new Uint8Array(MAX_FILE);
    const given = { shared: true, signal: abort.signal, onProgress: () => abort.abort() };
    expect(await failure(client.files.upload('half.csv', content, given))).toMatchObject({
      code: 'aborted',
    });
    const tooLarge = new Uint8Array(MAX_FILE + 1);
    expect(await failure(client.files.upload('x.csv', tooLarge, { shared: true }))).toMatchObject({
      status: 413,
      message: `A data file may have at most ${MAX_FILE} bytes.`,
    });
    const put = (body: object) =>
      failure(
        client.call('putFile', { params: { name: 'x.csv' }, body: { data: 'YQ==', ...body } }),
      );
    expect(await put({ upload: '../../x', at: 0 })).toMatchObject({ status: 404 });
    expect(await put({ upload: '0'.repeat(32), at: 1 })).toMatchObject({ status: 404 });
    const { upload } = await client.call('putFile', {
      params: { name: 'x.csv' },
      body: { data: 'YQ==', more: true },
    });
    expect(await put({ upload, at: 7 })).toMatchObject({ status: 409 });
    for (const at of [-5, 0.5]) expect(await put({ upload, at })).toMatchObject({ status: 400 });
    expect(await client.files.list()).toEqual([
      expect.objectContaining({ path: 'users/admin/a-2.csv' }),
    ]);
    expect((await client.files.list({ shared: true })).map(({ path }) => path)).toEqual([
      'shared/a-2.csv',
    ]);
  });

  it('stay with their owner', async () => {
    const noteId = await client.notes.create({ path: 'files/private' });
    const { path } = await client.files.upload('a.csv', bytesOf('a'), { noteId });
    await client.call('setPermissions', {
      params: { noteId },
      body: { ...onlyFor('admin'), readers: ['admin', 'bob'] },
    });
    expect((await bob.files.list({ noteId })).length).toBe(1);
    expect(await failure(bob.files.remove(path))).toMatchObject({ status: 403 });
    expect(await failure(bob.files.remove('users/admin/a-2.csv'))).toMatchObject({ status: 404 });
    expect(await failure(client.files.remove('a-2.csv'))).toMatchObject({
      status: 400,
      message: expect.stringContaining('shared/a-2.csv') as string,
    });
    await client.call('setPermissions', {
      params: { noteId },
      body: onlyFor('admin'),
    });
    expect(await failure(bob.files.list({ noteId }))).toMatchObject({ status: 403 });
    expect(await failure(bob.files.remove(path))).toMatchObject({ status: 404 });
  });

  it('with tables become Parquet files for users who may write the note', async () => {
    const noteId = await client.notes.create({ path: 'files/tables' });
    for (const name of ['हिन्दी.csv', '👩\u200d🔬 caf\u00e9.csv'])
      expect((await client.files.upload(name, bytesOf('a\n1\n'), { noteId })).path).toBe(
        `notes/${noteId}/${name}`,
      );
    const [text] = (await client.files.readTables(`notes/${noteId}/हिन्दी.csv`)).tables;
    expect(text).toMatchObject({
      rows: 1,
      options: ["delim = ','", `quote = '"'`, 'header = true'],
    });
    for (const { path: each } of await client.files.list({ noteId }))
      await client.files.remove(each);
    const file = join(temporaryFolder(), 'shop.db');
    const shop = new Database(file);
    shop.exec('CREATE TABLE items(name TEXT); INSERT INTO items VALUES (1), (2)');
    shop.close();
    const { path } = await client.files.upload('shop.db', await readFile(file), { noteId });
    expect(await client.files.readTables(path)).toMatchObject({
      tables: [
        { name: 'items', path: `notes/${noteId}/shop - items.parquet`, rows: 2, columns: 1 },
      ],
      skipped: [],
    });
    expect((await client.files.list({ noteId })).map((each) => each.path)).toEqual([
      `notes/${noteId}/shop - items.parquet`,
      path,
    ]);
    const permissions = { owners: ['admin'], writers: ['admin'], runners: ['admin'] };
    await client.call('setPermissions', {
      params: { noteId },
      body: { ...permissions, readers: ['admin', 'bob'] },
    });
    expect(await failure(bob.files.readTables(path))).toMatchObject({ status: 403 });
    await client.call('setPermissions', {
      params: { noteId },
      body: { ...permissions, readers: ['admin'] },
    });
    expect(await failure(bob.files.readTables(path))).toMatchObject({ status: 404 });
    for (const [given, message] of [
      ['shop.db', 'Name the owner of the file in its path, for example shared/shop.db.'],
      [
        `notes/${noteId}/a.arrow`,
        'a.arrow is no CSV, TSV, JSON or Parquet file, Excel workbook or SQLite database.',
      ],
    ] as const)
      expect(await failure(client.files.readTables(given))).toMatchObject({ status: 400, message });
    await client.files.upload('text.xlsx', bytesOf('a,b'), { noteId });
    expect(await failure(client.files.readTables(`notes/${noteId}/text.xlsx`))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^text\.xlsx isn't an Excel workbook/) as string,
    });
  });

  it('are renamed in their folder, but not over another one', async () => {
    const noteId = await client.notes.create({ path: 'files/renamed' });
    const { path } = await client.files.upload('a.csv', bytesOf('a'), { noteId });
    await client.files.upload('b.csv', bytesOf('b'), { noteId });
    expect(await client.files.rename(path, 'c d.csv')).toBe(`notes/${noteId}/c d.csv`);
    const names = async () => (await client.files.list({ noteId })).map((file) => file.path);
    expect(await names()).toEqual([`notes/${noteId}/b.csv`, `notes/${noteId}/c d.csv`]);
    const renamed = `notes/${noteId}/c d.csv`;
    for (const [from, to, status] of [
      [renamed, 'b.csv', 409],
      [renamed, '../b2.csv', 400],
      [renamed, 'program.sh', 400],
      [path, 'd.csv', 404],
      ['c d.csv', 'd.csv', 400],
      [`notes/${noteId}/../../users/admin/a-2.csv`, 'd.csv', 403],
    ] as const)
      expect(await failure(client.files.rename(from, to))).toMatchObject({ status });
    expect(await (await client.files.download(`notes/${noteId}/b.csv`)).response.text()).toBe('b');
    expect(await failure(bob.files.rename('users/admin/a-2.csv', 'd.csv'))).toMatchObject({
      status: 404,
    });
    await client.files.upload('s.csv', bytesOf('s'), { shared: true });
    expect(await client.files.rename('shared/s.csv', 't.csv')).toBe('shared/t.csv');
    await client.files.remove('shared/t.csv');
  });

  it('are shared on demand, and a run names the note that has its file', async () => {
    const noteId = await client.notes.create({ path: 'files/has it' });
    const { path } = await client.files.upload('only here.csv', bytesOf('a\n1\n'), { noteId });
    const note = await client.open(await client.notes.create({ path: 'files/reads it' }));
    const notices: unknown[] = [];
    client.on('NOTICE', ({ data }) => notices.push(data.notice));
    for (const code of [
      "%sql\nfrom 'only here.csv'",
      "%js\nrequire('fs').statSync('only here.csv')",
    ]) {
      notices.length = 0;
      note.paragraphs[0]!.edit(code);
      expect((await note.paragraphs[0]!.run()).error).not.toContain('has it');
      await expect
        .poll(() => notices[0])
        .toMatch(/^only here\.csv is a file of the note "files\/has it"\. .* in the Files panel/);
    }
    expect(await failure(bob.files.share('users/admin/a-2.csv'))).toMatchObject({ status: 404 });
    expect(await client.files.share(path)).toBe('shared/only here.csv');
    expect(await client.files.list({ noteId })).toEqual([]);
    expect((await note.paragraphs[0]!.run()).error).toBeUndefined();
    await client.files.upload('only here.csv', bytesOf('b'), { noteId });
    expect(await failure(client.files.share(path))).toMatchObject({ status: 409 });
    await client.files.remove('shared/only here.csv');
    note.close();
  });

  it('outside the folder are neither listed nor removed through links', async () => {
    await mkdir(folderOf('shared', 'sub'), { recursive: true });
    await writeFile(join(embedded.data, 'outside.csv'), 'secret');
    await symlink(join(embedded.data, 'outside.csv'), folderOf('shared', 'link.csv'));
    await symlink(embedded.data, folderOf('shared', 'up'));
    await writeFile(folderOf('shared', 'sub', 'b.csv'), 'b');
    expect((await client.files.list({ shared: true })).map(({ path }) => path)).toEqual([
      'shared/a-2.csv',
      'shared/sub/b.csv',
    ]);
    for (const path of ['shared/link.csv', 'shared/up/outside.csv', 'shared/../../outside.csv'])
      expect(await failure(client.files.remove(path))).toMatchObject({ status: 403 });
    expect(await readdir(embedded.data)).toContain('outside.csv');
    await client.files.remove('shared/sub/b.csv');
  });
});

it('notebooks of Jupyter come in and go out', async () => {
  const notebook = {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { id: 'a', cell_type: 'markdown', metadata: {}, source: ['# ${Title}'] },
      {
        id: 'b',
        cell_type: 'code',
        metadata: { tags: ['parameters'] },
        source: ['print(1)'],
        outputs: [
          {
            output_type: 'execute_result',
            data: {
              'text/markdown': ['**42**'],
              'text/plain': ['<Markdown object>'],
              'application/json': { rate: 1.5 },
            },
            metadata: {},
            execution_count: 3,
          },
        ],
        execution_count: 3,
      },
      { id: 'c', cell_type: 'raw', metadata: {}, source: ['\\newpage'] },
    ],
  };
  const text = JSON.stringify(notebook).replace('1.5', '[1.0, NaN, 9007199254740993]');
  const id = await client.notes.importNote(text, 'jupyter/in');
  const { paragraphs } = await client.notes.get(id);
  expect(paragraphs!.map(({ text }) => text)).toEqual([
    '%md\n# \\${Title}',
    '%python\nprint(1)',
    '%raw\n\\newpage',
  ]);
  expect(paragraphs!.map(({ results }) => results?.msg?.[0]?.data ?? '')).toEqual([
    expect.stringContaining('<h1>${Title}</h1>'),
    expect.stringContaining('<strong>42</strong>'),
    '',
  ]);
  expect((await client.notes.find('jupyter/in')).id).toBe(id);
  const exported = async () => {
    const lines = (await client.notes.export(id, { format: 'ipynb' })).replace(/\n\s+/g, ' ');
    return JSON.parse(lines.replace('[ 1.0, NaN, 9007199254740993 ]', '1.5')) as typeof notebook;
  };
  expect(await exported()).toEqual(notebook);
  const note = await client.open(id);
  note.paragraphs[1]!.edit('%python\nprint(2)');
  await note.paragraphs[1]!.commit();
  note.close();
  notebook.cells[1]!.source = ['print(2)'];
  expect(await exported()).toEqual(notebook);
  expect(JSON.parse(await client.notes.export(id))).toHaveProperty('paragraphs');
  expect(await failure(client.notes.importNote({ ...notebook, nbformat: 5 }))).toMatchObject({
    code: 'protocol',
    message: expect.stringContaining('A Jupyter notebook of version') as string,
  });
});

it('a taken path is numbered, refused, or returns its note', async () => {
  const id = await client.notes.create({ path: 'create/once', onConflict: 'fail' });
  expect(
    await failure(client.notes.create({ path: '/create/once', onConflict: 'fail' })),
  ).toMatchObject({ code: 'conflict', message: "There is already a note 'create/once'." });
  expect(await client.notes.create({ path: 'create/once', onConflict: 'existing' })).toBe(id);
  expect(await failure(client.notes.create({ path: 'create/once' }))).toMatchObject({
    code: 'conflict',
    message: "Note '/create/once' existed",
  });
  const numbered = await client.notes.create({ path: '/create/once', onConflict: 'number' });
  expect((await client.notes.get(numbered)).path).toBe('/create/once (1)');
  expect(await failure(client.notes.find('create/nowhere'))).toMatchObject({
    code: 'not-found',
    message: "There is no note 'create/nowhere'.",
  });
});

describe('a run by name', () => {
  const noteOf = (name: string, ...texts: string[]) =>
    client.call('createNote', { body: { name, paragraphs: texts.map((text) => ({ text })) } });

  it('returns the results and their table, and reports output as it arrives', async () => {
    const id = await noteOf(
      'run/good',
      '%js(form=simple)\nconsole.log("hello ${name=nobody}");',
      '%sql\nselect $${n=1} as n',
    );
    const heard: string[] = [];
    for (const name of [id, 'run/good', '/run/good']) {
      const result = await client.run(
        name,
        { name: 'Ann', n: 3 },
        { onOutput: ({ data }) => heard.push(data) },
      );
      expect(result).toMatchObject({ noteId: id, path: 'run/good', status: 'FINISHED' });
      expect(result.paragraphs.map(({ outputs }) => outputs.map(outputText).join(''))).toEqual([
        'hello Ann\n',
        'n\n3\n',
      ]);
      expect(Number((await result.table()).get(0)!['n'])).toBe(3);
    }
    expect(heard.join('')).toContain('hello Ann');
    expect(client.state.open).toEqual({});
  });

  it('tells a failure by its status, and a wrong value by an error', async () => {
    await noteOf('run/bad', '%js\nthrow new Error("broken");', '%md\nnever');
    const result = await client.run('run/bad');
    expect(result).toMatchObject({
      status: 'ERROR',
      error: expect.stringContaining('broken') as string,
    });
    expect(await failure(result.table())).toMatchObject({ code: 'not-found' });
    expect(await failure(client.run('run/bad', { x: 1 }))).toMatchObject({ code: 'protocol' });
    expect(await failure(client.run('run/nowhere'))).toMatchObject({ code: 'not-found' });
    expect(client.state.open).toEqual({});
  });
});

it('a client and a note save their drafts and close at the end of a block', async () => {
  const id = await client.notes.create({ path: 'dispose' });
  let closed: Client;
  {
    await using other = createClient({
      server: embedded.server.url,
      auth: { token: await newToken() },
    });
    closed = other;
    {
      await using note = await other.open(id);
      note.paragraphs[0]!.edit('%md\nfirst');
    }
    expect(other.state.open).toEqual({});
    (await other.open(id)).paragraphs[0]!.edit('%md\nsecond');
  }
  expect((await client.notes.get(id)).paragraphs![0]!.text).toBe('%md\nsecond');
  expect(await failure(closed.notes.list())).toMatchObject({ code: 'closed' });
});

const newToken = async () =>
  (await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 })).token!;

it('errors say whether a call may succeed later, and narrow by code', async () => {
  const http = await failure(client.call('getNote', { params: { noteId: '2NOSUCHID' } }));
  if (!isHttpError(http)) throw http;
  expect([http.code, http.status, http.retryable]).toEqual(['not-found', 404, false]);
  const limited = new TidingError('network', 'x');
  expect(isTidingError(limited, 'network') && (limited.code satisfies 'network')).toBe('network');
  expect(
    (['network', 'timeout', 'too-many-connections', 'busy', 'forbidden', 'conflict'] as const).map(
      (code) => new TidingError(code, 'x').retryable,
    ),
  ).toEqual([true, true, true, true, false, false]);
});

describe('one reason has one code', () => {
  const none = '2NOSUCHID';
  type Calls = Readonly<Record<string, () => PromiseLike<unknown>>>;
  const codes = async (calls: Calls) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(calls).map(async ([name, call]) => {
          const error = await failure(call());
          return [name, isTidingError(error) ? error.code : String(error)];
        }),
      ),
    ) as Record<string, string>;
  const allAre = (calls: Calls, code: string) =>
    Object.fromEntries(Object.keys(calls).map((name) => [name, code]));

  it('if something is missing', async () => {
    const note = await client.open(await client.notes.create({ path: 'codes/missing' }));
    const calls: Calls = {
      open: () => client.open(none),
      get: () => client.notes.get(none),
      find: () => client.notes.find(none),
      remove: () => client.notes.remove(none),
      trash: () => client.notes.trash(none),
      clone: () => client.notes.clone(none, 'codes/copy'),
      export: () => client.notes.export(none),
      clear: () => client.notes.clear(none),
      run: () => client.run(none),
      runByPath: () => client.run('codes/nowhere'),
      byPath: () => client.notes.byPath('codes/nowhere'),
      paragraph: async () => note.paragraph('nope'),
      file: () => client.files.download('users/admin/none.csv'),
    };
    expect(await codes(calls)).toEqual(allAre(calls, 'not-found'));
    expect(await failure(client.notes.remove(none))).toMatchObject({
      message: `No such note: ${none}`,
    });
    note.close();
  });

  it('if the note is running', async () => {
    const text = '%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));';
    const { id } = await client.notes
      .create({ path: 'codes/busy' })
      .then((noteId) => client.open(noteId));
    const note = await client.open(id);
    note.paragraphs[0]!.edit(text);
    const run = note.run();
    await expect.poll(() => note.paragraphs[0]!.state.server.status).toBe('RUNNING');
    const params = { noteId: id, paragraphId: note.paragraphs[0]!.id };
    const calls: Calls = {
      run: () => client.run(id),
      paragraph: () => note.paragraphs[0]!.run(),
      clear: () => client.notes.clear(id),
      rest: () => client.call('startParagraph', { params, body: { params: {} } }),
    };
    expect(await codes(calls)).toEqual(allAre(calls, 'busy'));
    expect(await failure(client.run(id))).toMatchObject({ retryable: true });
    run.cancel();
    await run;
    note.close();
    note.close();
  });

  it('if a method does not have an option', async () => {
    const note = await client.open(await client.notes.create({ path: 'codes/options' }));
    const paragraph = await note.insert({ text: '%sql\nselect 1' });
    await paragraph.run();
    const typo = { parms: {} } as object;
    const calls: Calls = {
      open: () => client.open(note.id, typo),
      create: () => client.notes.create({ name: 'codes/a' } as object),
      clear: () => client.notes.clear(note.id, typo),
      export: () => client.notes.export(note.id, typo),
      upload: () => client.files.upload('a.csv', new Uint8Array(1), typo),
      insert: () => note.insert(typo),
      run: () => paragraph.run(typo),
      runNote: () => note.run(typo),
      runParallel: () => note.run({ parallel: true, ...typo }),
      runStale: () => note.runStale(typo),
      runById: () => client.run(note.id, {}, typo),
      runAll: () => client.runAll(note.id, [{}], typo),
      rows: () => paragraph.rows(0, typo),
      move: () => paragraph.move(0, typo),
      call: () => client.call('getNote', { params: { noteId: note.id }, ...typo }),
    };
    expect(await codes(calls)).toEqual(allAre(calls, 'protocol'));
    expect(await failure(note.run(typo))).toMatchObject({
      message:
        "There is no option 'parms'. The options are params, signal, storedValues, timeout, " +
        'paragraphs, parallel.',
    });
    note.close();
  });

  it('if an argument is invalid', async () => {
    const bad = undefined as unknown as string;
    const loose = client as unknown as {
      call(name: string): Promise<unknown>;
      notes: Record<string, (...given: unknown[]) => Promise<unknown>>;
    };
    const calls: Calls = {
      open: () => client.open(bad),
      openBlank: () => client.open(' '),
      openNumber: () => client.open(7 as unknown as string),
      run: () => client.run(bad),
      find: () => client.notes.find(bad),
      get: () => client.notes.get(bad),
      remove: () => client.notes.remove(bad),
      rename: () => client.notes.rename('x', bad),
      call: () => loose.call('nosuch'),
      method: () => loose.notes['nosuch']!(),
      inherited: () => loose.call('toString'),
      format: () => client.notes.export(none, { format: 'docx' as 'md' }),
      upload: () => client.files.upload('a.csv', {} as Uint8Array),
      uploadNothing: () => client.files.upload('a.csv', bad as unknown as Uint8Array),
    };
    expect(await codes(calls)).toEqual(allAre(calls, 'protocol'));
  });
});
