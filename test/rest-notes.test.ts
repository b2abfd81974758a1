/** REST calls for notes: files, names, permissions, runs. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outputText } from '@tiding/client';
import { endpoints, type Note } from '@tiding/client/protocol';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { adminClient } from './support/embedded.ts';
import { asPage, hashTree, login, openSocket, request, startEmpty } from './support/raw.ts';
import { bodyOf, startRest } from './support/rest.ts';
import { untilEnd } from './support/until-end.ts';

const rest = await startRest();
afterAll(() => rest.stop());
const { embedded, url, admin, bob, call, create } = rest;

describe('note files', () => {
  it.each([
    ['no paragraphs', {}],
    ['an empty list of paragraphs', { paragraphs: [] }],
    ['paragraphs that are not a list', { paragraphs: {} }],
    ['more than 5000 paragraphs', { paragraphs: Array.from({ length: 5_001 }, () => ({})) }],
    ['paragraphs that are not objects', { paragraphs: [{}, 7] }],
    ['paragraphs that are lists', { paragraphs: [[]] }],
    ['a list', []],
    ['a name with ..', { name: 'a/../b', paragraphs: [{}] }],
    ['a name with control characters', { name: 'a\u0007b', paragraphs: [{}] }],
    ['a part of the name of 256 bytes', { name: `a/${'ü'.repeat(128)}`, paragraphs: [{}] }],
    ['a name of 17 parts', { name: 'a/'.repeat(16) + 'a', paragraphs: [{}] }],
  ])('an import with %s answers 400 and leaves nothing on the disk', async (_, file) => {
    const before = await hashTree(embedded.data);
    const answer = await call(admin, 'POST', '/notebook/import', file);
    expect(answer.status).toBe(400);
    expect(await hashTree(embedded.data)).toEqual(before);
  });

  it('an import with a text over 1 MB answers 400', async () => {
    const roomy = await startEmpty();
    const who = await login(roomy.server.url);
    const send = (length: number) =>
      request(roomy.server.url, 'POST', '/api/notebook/import', {
        headers: asPage(who),
        body: JSON.stringify({ name: 'n', paragraphs: [{ text: 'x'.repeat(length) }] }),
      });
    expect((await send(2 ** 20)).status).toBe(200);
    expect((await send(2 ** 20 + 1)).status).toBe(400);
    await roomy.stop();
  });

  it('a note of 3,000 paragraphs and 13 MB is accepted by default, and can be opened', async () => {
    const roomy = untilEnd(await startEmpty());
    const client = untilEnd(await adminClient(roomy.server.url));
    const data = 'a line of an output that a program has printed\n'.repeat(90);
    const results = { code: 'SUCCESS', msg: [{ type: 'TEXT', data }] };
    const paragraphs = Array.from({ length: 3_000 }, (_, at) => ({
      text: `%md\n${at}`,
      results,
    }));
    const file = JSON.stringify({ name: 'long', paragraphs });
    expect(file.length).toBeGreaterThan(13_000_000);
    const note = await client.open(await client.notes.importNote(file));
    expect([note.paragraphs.length, note.paragraphs.at(-1)!.text]).toEqual([3_000, '%md\n2999']);
    expect(outputText(note.paragraphs.at(-1)!.outputs[0]!)).toBe(data);
  });

  it('no step of reading, copying and storing a note handles more than one output', async () => {
    const data = '"line" of an output\n'.repeat(60_000);
    const file = {
      name: 'large',
      paragraphs: [1, 2, 3].map((at) => ({
        text: `%md\n${at}`,
        results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: `${data}${at}` }] },
      })),
    };
    const most = JSON.stringify(data).length * 1.5;
    const roomy = await startEmpty();
    const who = await login(roomy.server.url);
    const headers = asPage(who) as Record<string, string>;
    const send = async (method: string, path: string, body?: string) =>
      Buffer.from(
        await (
          await fetch(`${roomy.server.url}/api/notebook/${path}`, { method, headers, body })
        ).arrayBuffer(),
      ).toString();
    const idIn = (answer: string) => /"(?:id|body)":"(\w+)"/.exec(answer)![1]!;
    const body = JSON.stringify(file);
    const [parse, stringify] = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')];
    const id = idIn(await send('POST', 'import', body));
    const revision = idIn(await send('POST', `${id}/revision`, '{"commitMessage":"one"}'));
    const answers = [
      await send('GET', id),
      await send('GET', `export/${id}`),
      await send('POST', id, '{"name":"copy of large"}'),
      await send('GET', `${id}/revision/${revision}`),
      await send('PUT', `${id}/revision/${revision}`),
      await send('PUT', `${id}/rename`, '{"name":"renamed large"}'),
    ];
    const lengths = [
      ...parse.mock.calls.map(([text]) => text.length),
      ...stringify.mock.results.map(({ value }) => (value as string | undefined)?.length ?? 0),
    ];
    vi.restoreAllMocks();
    await roomy.stop();
    expect(Math.max(...lengths)).toBeLessThan(most);
    const [read, exported, , version] = answers.map((answer) => JSON.parse(answer).body);
    for (const note of [read, JSON.parse(exported), version] as Note[])
      expect(note.paragraphs!.map(({ results }) => results)).toEqual(
        file.paragraphs.map(({ results }) => results),
      );
    expect(answers.map((answer) => answer.slice(0, 14))).toEqual(
      answers.map(() => '{"status":"OK"'),
    );
  });

  it('invalid fields are dropped on import, and the note keeps the others', async () => {
    const odd = {
      name: 'odd',
      id: '../../escape',
      permissions: { owners: ['bob'] },
      config: 'none',
      noteForms: { f: 7 },
      bindings: 7,
      angularObjects: { g: [null, { name: 7 }, { name: 'kept' }], h: 7 },
      paragraphs: [
        {
          id: '../escape',
          text: 7,
          status: 'NO_SUCH',
          config: 'x',
          settings: 7,
          results: { msg: 'x' },
          title: {},
          dateCreated: {},
          dateStarted: 'yesterday',
          rev: -1,
          apps: 7,
          kept: 'unknown',
        },
        { id: 'same', text: 'a' },
        { id: 'same', text: 'b' },
      ],
    };
    const id = bodyOf<string>(await call(admin, 'POST', '/notebook/import', odd));
    expect(id).toMatch(/^2[0-9A-Z]{8}$/);
    const note = bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`));
    expect(endpoints.getNote.answer.safeParse(note).success).toBe(true);
    expect(note).toMatchObject({
      id,
      config: {},
      noteForms: {},
      angularObjects: { g: [{ name: 'kept' }], h: [] },
    });
    const [first, second, third] = note.paragraphs!;
    expect(first).toMatchObject({ text: '7', status: 'READY', rev: 1, kept: 'unknown' });
    expect(first!.id).toMatch(/^[0-9A-Za-z_-]+$/);
    expect([second!.text, third!.text]).toEqual(['a', 'b']);
    expect(second!.id).not.toBe(third!.id);
    expect(bodyOf<object>(await call(admin, 'GET', `/notebook/${id}/permissions`))).toEqual({
      owners: ['admin'],
      writers: [],
      runners: [],
      readers: [],
    });
    const socket = await openSocket(url, { identity: admin.identity, note: id });
    socket.send({ op: 'GET_INTERPRETER_BINDINGS', data: { noteId: id } });
    expect((await socket.next('INTERPRETER_BINDINGS', 'ERROR_INFO')).op).toBe(
      'INTERPRETER_BINDINGS',
    );
  });

  it('an export that is imported again is unchanged [S56]', async () => {
    const { id, name, paragraphs } = await create(admin, [
      { title: 'Tïtle', text: '%md\n# “Hello” \\ \u2028 🦆' },
      { text: '%sql\nselect 1' },
    ]);
    await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[0]}/config`, {
      colWidth: 4,
      unknown: { kept: [1.5, null] },
    });
    expect(
      (await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[0]}`, {})).json,
    ).toMatchObject({ body: { code: 'SUCCESS' } });
    const first = bodyOf<string>(await call(admin, 'GET', `/notebook/export/${id}`));
    await call(admin, 'DELETE', `/notebook/${id}`);
    const again = bodyOf<string>(await call(admin, 'POST', '/notebook/import', first));
    const second = bodyOf<string>(await call(admin, 'GET', `/notebook/export/${again}`));
    expect(again).not.toBe(id);
    expect(JSON.parse(second)).toEqual({ ...(JSON.parse(first) as object), id: again });
    expect(JSON.parse(first)).toMatchObject({
      name,
      paragraphs: [
        {
          title: 'Tïtle',
          status: 'FINISHED',
          results: { code: 'SUCCESS' },
          config: { unknown: { kept: [1.5, null] } },
        },
        {},
      ],
    });
    await call(admin, 'DELETE', `/notebook/${again}`);
    // With the byte-order mark of upstream's own exports.
    expect((await call(admin, 'POST', '/notebook/import', `\uFEFF${first}`)).status).toBe(200);
  });

  it.each([
    'a\u0000b',
    'a\nb',
    '..',
    'a/../b',
    '.',
    ' .. ',
    'a\u2028b',
    'x'.repeat(300),
    `ok/${'x'.repeat(300)}`,
    '',
    ' ',
    '/',
    '\\',
    Array.from({ length: 17 }, () => 'a').join('/'),
  ])('the name %j is refused for a rename and a clone [S57]', async (name) => {
    const { id, name: before } = await create();
    expect((await call(admin, 'PUT', `/notebook/${id}/rename`, { name })).status).toBe(400);
    const clone = await call(admin, 'POST', `/notebook/${id}`, { name });
    expect(clone.status).toBe(name.trim() === '' ? 200 : 400);
    expect(bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`)).name).toBe(before);
  });

  it('names are normalised, and not decoded [S57]', async () => {
    const { id } = await create();
    await call(admin, 'PUT', `/notebook/${id}/rename`, { name: '\\caf\u0065\u0301//%2e%2e/x' });
    expect(bodyOf<Note>(await call(admin, 'GET', `/notebook/${id}`)).name).toBe(
      'caf\u00e9/%2e%2e/x',
    );
    expect(
      await call(admin, 'PUT', `/notebook/${(await create()).id}/rename`, {
        name: 'caf\u00e9/%2e%2e/x',
      }),
    ).toMatchObject({ status: 500 });
  });
});

describe('permissions', () => {
  it.each([
    [
      'readers',
      { owners: ['admin'], writers: [], runners: [], readers: ['bob'] },
      { owners: ['admin'], writers: ['admin'], runners: ['admin'], readers: ['bob'] },
    ],
    [
      'runners',
      { owners: ['admin'], writers: [], runners: ['bob'], readers: [] },
      { owners: ['admin'], writers: ['admin'], runners: ['bob'], readers: [] },
    ],
    [
      'writers',
      { owners: ['admin'], writers: ['bob'], runners: [], readers: [] },
      { owners: ['admin'], writers: ['bob'], runners: [], readers: [] },
    ],
    [
      'everybody',
      { owners: ['admin'], writers: [], runners: [], readers: [] },
      { owners: ['admin'], writers: [], runners: [], readers: [] },
    ],
    [
      'blanks and duplicates',
      { owners: [' admin ', 'admin', ''], writers: ['bob'], runners: ['bob'], readers: ['bob'] },
      { owners: ['admin'], writers: ['bob'], runners: ['bob'], readers: ['bob'] },
    ],
  ])('saved for %s, empty lists of stronger rights get the caller', async (_, given, kept) => {
    const { id } = await create();
    expect((await call(admin, 'PUT', `/notebook/${id}/permissions`, given)).status).toBe(200);
    expect(bodyOf<object>(await call(admin, 'GET', `/notebook/${id}/permissions`))).toEqual(kept);
    const file = JSON.parse(
      await readFile(join(embedded.data, 'notebook-authorization.json'), 'utf8'),
    ) as { authInfo: Record<string, object> };
    expect(file.authInfo[id]).toEqual(kept);
  });

  it('a run elsewhere is not stopped by a paragraph of the same id', async () => {
    const file = {
      name: 'twins/a',
      paragraphs: [
        { id: 'twin', text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 30_000));' },
      ],
    };
    const mine = bodyOf<string>(await call(admin, 'POST', '/notebook/import', file));
    const theirs = bodyOf<string>(
      await call(bob, 'POST', '/notebook/import', { ...file, name: 'twins/b' }),
    );
    expect((await call(admin, 'POST', `/notebook/job/${mine}/twin`, {})).status).toBe(200);
    expect((await call(bob, 'DELETE', `/notebook/job/${theirs}/twin`)).status).toBe(200);
    expect(
      bodyOf<{ status: string }>(await call(admin, 'GET', `/notebook/job/${mine}/twin`)).status,
    ).toMatch(/PENDING|RUNNING/);
    expect((await call(admin, 'DELETE', `/notebook/job/${mine}/twin`)).status).toBe(200);
    expect(
      bodyOf<{ status: string }>(await call(admin, 'GET', `/notebook/job/${mine}/twin`)).status,
    ).toBe('ABORT');
  });
});

describe('runs', () => {
  it('a failing run answers with results in the usual format', async () => {
    const { id, paragraphs } = await create(admin, [
      { text: '%sql\nselect nonsense from nowhere' },
    ]);
    const answer = await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[0]}`, {});
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: 'OK',
      body: { code: 'ERROR', msg: [{ type: 'TEXT' }] },
    });
  });

  it('a second call waits for the current run, unless it has values', async () => {
    const { id, paragraphs } = await create(admin, [
      {
        text:
          "%js\nconst { existsSync } = await import('node:fs');\nwhile (!existsSync('go')) " +
          "await new Promise((resolve) => setTimeout(resolve, 20));\nconsole.log('x')",
      },
    ]);
    const [path, wait] = ['job', 'run'].map((kind) => `/notebook/${kind}/${id}/${paragraphs[0]}`);
    expect((await call(admin, 'POST', path!)).status).toBe(200);
    expect((await call(admin, 'POST', path!)).status).toBe(200);
    expect((await call(admin, 'POST', wait!, { params: { a: 1 } })).status).toBe(423);
    const waiting = call(admin, 'POST', wait!, {});
    const folder = join(embedded.data, 'files/notes', id);
    await expect.poll(() => readdir(folder).catch(() => undefined)).toBeDefined();
    await writeFile(join(folder, 'go'), '');
    expect((await waiting).json).toMatchObject({
      body: { code: 'SUCCESS', msg: [{ data: 'x\n' }] },
    });
  });

  it('a long run is below 100 percent, and ends when its paragraph is removed', async () => {
    const { id, paragraphs } = await create(admin, [
      { text: '%js\nawait new Promise((resolve) => setTimeout(resolve, 30_000));' },
      { text: '%md\nx' },
    ]);
    await call(admin, 'POST', `/notebook/job/${id}/${paragraphs[0]}`, {});
    const job = bodyOf<{ status: string; progress: string }>(
      await call(admin, 'GET', `/notebook/job/${id}/${paragraphs[0]}`),
    );
    expect(job.status).toMatch(/PENDING|RUNNING/);
    expect(Number(job.progress)).toBeLessThan(100);
    expect((await call(admin, 'DELETE', `/notebook/${id}/paragraph/${paragraphs[0]}`)).status).toBe(
      200,
    );
    // The interpreter is free again.
    expect(
      await call(admin, 'PUT', `/notebook/${id}/paragraph/${paragraphs[1]}`, {
        text: '%js\nconsole.log(1)',
      }),
    ).toMatchObject({ status: 200 });
    const rest = await call(admin, 'POST', `/notebook/run/${id}/${paragraphs[1]}`, {});
    expect((rest.json as { body: { msg: { data: string }[] } }).body.msg[0]!.data.trim()).toBe('1');
  });
});

describe('the config of a paragraph', () => {
  it('with a value of a wrong type is refused and not stored', async () => {
    const { id, paragraphs } = await create();
    const path = `/notebook/${id}/paragraph/${paragraphs[0]!}`;
    const refusals = [
      await call(admin, 'PUT', `${path}/config`, { title: 1 }),
      await call(admin, 'POST', `/notebook/${id}/paragraph`, { config: { colWidth: 'x' } }),
      await call(admin, 'POST', '/notebook', {
        name: 'wrong config',
        paragraphs: [{ text: 'a', config: { fontSize: {} } }],
      }),
    ];
    expect(
      refusals.map(({ status, json }) => [status, (json as { message: string }).message]),
    ).toEqual([
      [400, expect.stringContaining('title')],
      [400, expect.stringContaining('colWidth')],
      [400, expect.stringContaining('fontSize')],
    ]);
    const { json } = await call(admin, 'GET', path);
    expect((json as { body: { config: object } }).body.config).not.toHaveProperty('title');
  });
});
