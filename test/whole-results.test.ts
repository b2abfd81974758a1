/**
 * Complete tables that the server stores beside the note: downloads by scripts, permissions, and
 * removal.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, type Note, outputText } from '@tiding/client';
import { RecordBatchReader } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { startEmbedded } from './support/embedded.ts';
import { bodyOf, twoPeople } from './support/people.ts';
import { type Answer, onlyFor, request } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const TYPED =
  "select i, case when i % 2 = 0 then '' end as text, " +
  '(i + 0.5)::decimal(38,10) as exact from range(25000) t(i)';

const people = untilEnd(await twoPeople());
const { url, admin, bob, call } = people;
const client = connect((await new AccessTokenStore(people.data).create('admin')).token!);

function connect(token: string, server = url): Client {
  return untilEnd(createClient({ server, auth: { token } }));
}
const opened = async (...texts: string[]): Promise<Note> =>
  client.open((await people.create(...texts)).id);
const files = async (noteId: string, data = people.data): Promise<string[]> =>
  readdir(join(data, 'results', noteId)).catch(() => []);
const resultOf = (note: Note, paragraph = 0, index = 0) =>
  `${note.id}.${note.paragraphs[paragraph]!.id}.${index}`;

describe('a script', () => {
  it('reads all rows with their types; the note shows the first ones', async () => {
    const note = await opened(`%sql(limit=10)\n${TYPED}`);
    const result = await note.paragraphs[0]!.run();
    expect([
      result.status,
      result.outputs[0]!.rows,
      outputText(result.outputs[0]!).split('\n').length,
    ]).toEqual(['FINISHED', 25_000, 12]);
    const { total, schema, batches } = await note.paragraphs[0]!.rows(0);
    expect([total, schema.fields.map(String)]).toEqual([
      25_000,
      ['i: Int64', 'text: Utf8', 'exact: Decimal[38e+10]'],
    ]);
    let seen = 0;
    for await (const batch of batches) {
      expect(batch.getChild('i')!.get(0)).toBe(BigInt(seen));
      seen += batch.numRows;
    }
    expect(seen).toBe(25_000);
    const table = await result.table();
    expect([
      table.numRows,
      table.getChild('i')!.get(24_999),
      table.getChild('text')!.get(0),
      table.getChild('text')!.get(1),
    ]).toEqual([25_000, 24_999n, '', null]);
    expect((await note.paragraphs[0]!.table()).numRows).toBe(25_000);
  });

  it('gets column types from the engine, also for a table shown in full', async () => {
    const note = await opened(`%sql
select region, sum(x) as sum, avg(x) as avg, max(id) as id, min(day) as day,
  any_value(code) as code, count(*) = 2 as two
from (values ('north', 0.1, 12345678901234567, date '2026-01-31', '42'),
    ('north', 0.2, 7, date '2026-02-01', '42'), ('south', 45429.69999999998, null, null, null))
  t(region, x0, id, day, code), lateral (select x0::double as x) group by all order by all`);
    const { outputs, error } = await note.paragraphs[0]!.run();
    expect(error).toBeUndefined();
    expect(outputText(outputs[0]!)).toContain(
      'north\t0.30000000000000004\t0.15000000000000002\t12345678901234567\t',
    );
    const types = ['string', 'number', 'number', 'number', 'date', 'string', 'string'];
    expect(outputs[0]!.columnTypes).toEqual(types);
    // Stored with the note, for later viewers.
    const other = await connect(
      (await new AccessTokenStore(people.data).create('admin')).token!,
    ).open(note.id);
    expect(other.paragraphs[0]!.outputs[0]!.columnTypes).toEqual(types);
  });

  it('reads some rows, stops in the middle, and cancels by a signal', async () => {
    const note = await opened(
      `%sql(limit=10)\nselect i, repeat('x', 100) as text from range(300000) t(i)`,
    );
    const [paragraph] = note.paragraphs;
    await paragraph!.run();
    const part = await paragraph!.rows(0, { offset: 123_456, limit: 3 });
    const values: unknown[] = [];
    for await (const batch of part.batches)
      values.push(...(batch.getChild('i')!.toArray() as BigInt64Array));
    expect([part.total, values]).toEqual([300_000, [123_456n, 123_457n, 123_458n]]);
    for await (const batch of (await paragraph!.rows(0)).batches) {
      expect(batch.numRows).toBeGreaterThan(0);
      break;
    }
    await expect(paragraph!.rows(0, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of (await paragraph!.rows(0, { signal: abort.signal })).batches)
        abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
    await expect(paragraph!.rows(7)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('reads one batch from the text if there are no more rows', async () => {
    const note = await opened('%js\nconsole.log("%table a\\tb\\n1\\tx\\n2\\ty\\n3\\tz")');
    const result = await note.paragraphs[0]!.run();
    expect(result.outputs[0]).not.toHaveProperty('rows');
    const { total, schema, batches } = await note.paragraphs[0]!.rows(0, { offset: 1 });
    const all = [];
    for await (const batch of batches) all.push(batch);
    expect([
      total,
      schema.fields.map(String),
      all.length,
      all[0]!.getChild('b')!.toArray(),
    ]).toEqual([undefined, ['a: Int32', 'b: Utf8'], 1, ['y', 'z']]);
  });

  it('is rejected when its result was replaced', async () => {
    const note = await opened('%sql\nselect 1 as a');
    const [paragraph] = note.paragraphs;
    const result = await paragraph!.run();
    paragraph!.edit('%sql\nselect 2 as a, 3 as b');
    await paragraph!.run();
    await expect(result.table()).rejects.toMatchObject({
      code: 'conflict',
      message: 'The paragraph has a newer result by now.',
    });
    expect((await paragraph!.table()).schema.fields).toHaveLength(2);
  });
});

describe('the call', () => {
  it('sends every format in full, Arrow with its length, and parts of it', async () => {
    const note = await opened(`%sql(limit=3)\n${TYPED}`);
    await note.paragraphs[0]!.run();
    const path = `/magpie/result/${resultOf(note)}`;
    const csv = (await call(admin, 'GET', `${path}?format=csv`)).text.split('\r\n');
    expect([csv.length, ...csv.slice(0, 3), csv[25_000]]).toEqual([
      25_002,
      'i,text,exact',
      '0,"",0.5000000000',
      '1,,1.5000000000',
      '24999,,24999.5000000000',
    ]);
    expect(JSON.parse((await call(admin, 'GET', `${path}?format=json&offset=24998`)).text)).toEqual(
      [
        { i: 24_998, text: '', exact: 24_998.5 },
        { i: 24_999, text: null, exact: 24_999.5 },
      ],
    );
    for (const query of ['', '&offset=5&limit=10000', '&offset=30000']) {
      const response = await fetch(`${url}/api${path}?format=arrow${query}`, {
        headers: { Cookie: admin.cookie },
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      const rows = [...RecordBatchReader.from(bytes)].reduce(
        (sum, { numRows }) => sum + numRows,
        0,
      );
      expect(rows).toBe({ '': 25_000, '&offset=5&limit=10000': 10_000, '&offset=30000': 0 }[query]);
    }
    const parquet = await call(admin, 'GET', `${path}?format=parquet&limit=1`);
    expect([parquet.status, parquet.text.slice(0, 4)]).toEqual([200, 'PAR1']);
    const head = await call(admin, 'HEAD', `${path}?format=arrow&limit=1`);
    expect([head.status, head.text, Number(head.headers['content-length']) > 100]).toEqual([
      200,
      '',
      true,
    ]);
  });

  it.each(
    (
      'offset=-1 offset=x offset= limit=0 limit=1.5 limit=1e3 ' +
      'offset=99999999999999999999 limit=-5'
    ).split(' '),
  )('refuses %s', async (query) => {
    const note = await opened('%sql\nselect 1 as a');
    await note.paragraphs[0]!.run();
    const answer = await call(
      admin,
      'GET',
      `/magpie/result/${resultOf(note)}?format=arrow&${query}`,
    );
    expect([answer.status, (answer.json as { message: string }).message]).toEqual([
      400,
      `${query.split('=')[0]} must be a whole number from ${query.startsWith('limit') ? 1 : 0}`,
    ]);
  });

  it('serves users who may read the note, by role and by token, and no others', async () => {
    const note = await opened('%sql\nselect 1 as a', '%sql\nselect 2 as b');
    for (const paragraph of note.paragraphs) await paragraph.run();
    const closed = onlyFor('admin');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, closed);
    const paths = [resultOf(note, 0), resultOf(note, 1)].map(
      (id) => `/magpie/result/${id}?format=json`,
    );
    const status = async (get: (path: string) => Promise<Answer>) =>
      Promise.all(paths.map(async (path) => (await get(path)).status));
    expect(await status((path) => call(bob, 'GET', path))).toEqual([403, 403]);
    for (const role of ['readers', 'runners', 'writers', 'owners'] as const) {
      await call(admin, 'PUT', `/notebook/${note.id}/permissions`, {
        ...closed,
        [role]: ['admin', 'bob'],
      });
      expect(await status((path) => call(bob, 'GET', path)), role).toEqual([200, 200]);
    }
    expect(await status((path) => request(url, 'GET', `/api${path}`))).toEqual([401, 401]);
    const other = await opened('%sql\nselect 3 as c');
    await other.paragraphs[0]!.run();
    for (const scope of ['view', 'run', 'edit'] as const) {
      const { token } = await client.embedTokens.create({
        noteId: note.id,
        paragraphId: note.paragraphs[0]!.id,
        scope,
        expiresInSeconds: 60,
      });
      const bearer = { headers: { Authorization: `Bearer ${token}` } };
      expect(await status((path) => request(url, 'GET', `/api${path}`, bearer)), scope).toEqual([
        200, 403,
      ]);
      expect(
        (await request(url, 'GET', `/api/magpie/result/${resultOf(other)}`, bearer)).status,
      ).toBe(403);
      const page = await connect(token).open(note.id);
      expect((await page.paragraphs[0]!.table()).getChild('a')!.get(0)).toBe(1);
    }
    const whole = await client.embedTokens.create({
      noteId: note.id,
      scope: 'view',
      expiresInSeconds: 60,
    });
    expect(
      await status((path) =>
        request(url, 'GET', `/api${path}`, { headers: { Authorization: `Bearer ${whole.token}` } }),
      ),
    ).toEqual([200, 200]);
  });
});

describe('a whole table', () => {
  it('is removed with its output: cleared, run again, or removed with its note', async () => {
    const note = await opened('%sql\nselect 1 as a', '%sql\nselect 2 as b', '%sql\nselect 3 as c');
    for (const paragraph of note.paragraphs) await paragraph.run();
    expect(await files(note.id)).toHaveLength(3);
    const [before] = (await files(note.id)).filter((name) =>
      name.startsWith(note.paragraphs[0]!.id),
    );
    await note.paragraphs[0]!.run();
    await expect.poll(() => files(note.id)).not.toContain(before);
    expect(await files(note.id)).toHaveLength(3);
    await note.paragraphs[0]!.clear();
    await expect.poll(async () => (await files(note.id)).length).toBe(2);
    expect((await call(admin, 'GET', `/magpie/result/${resultOf(note)}`)).status).toBe(410);
    const removed = await note.paragraphs[1]!.remove();
    await expect.poll(async () => (await files(note.id)).length).toBe(1);
    // A restored paragraph has its displayed output, without further rows.
    await note.restore(removed);
    expect(note.paragraphs[1]!.outputs.map((output) => [outputText(output), output.rows])).toEqual([
      ['b\n2\n', undefined],
    ]);
    const { id } = note;
    expect((await call(admin, 'DELETE', `/notebook/${id}`)).status).toBe(200);
    await expect.poll(() => readdir(join(people.data, 'results'))).not.toContain(id);
  });

  it('can be read until the run that replaces it has ended', async () => {
    const note = await opened('%sql\nselect 1 as a');
    const [paragraph] = note.paragraphs;
    await paragraph!.run();
    paragraph!.edit('%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));');
    const run = paragraph!.run();
    await expect.poll(() => paragraph!.state.server.status).toBe('RUNNING');
    const path = `/magpie/result/${resultOf(note)}?format=csv`;
    const read = async (query = '') => {
      const { status, text } = await call(admin, 'GET', path + query);
      return [status, status === 200 ? text : ''];
    };
    expect([await read(), await read('&previous=true')]).toEqual([
      [423, ''],
      [200, 'a\r\n1\r\n'],
    ]);
    run.cancel();
    await run;
    expect(await read('&previous=true')).toEqual([410, '']);
    await expect.poll(() => files(note.id)).toEqual([]);
  });

  it('belongs to its copy, and an import has none', async () => {
    const note = await opened('%sql(limit=2)\nselect i from range(5000) t(i)');
    await note.paragraphs[0]!.run();
    const exported = JSON.parse((await call(admin, 'GET', `/notebook/export/${note.id}`)).text) as {
      body: string;
    };
    const copyId = await bodyOf<string>(
      call(admin, 'POST', `/notebook/${note.id}`, { name: 'a copy' }),
    );
    await call(admin, 'DELETE', `/notebook/${note.id}`);
    const copy = await client.open(copyId);
    expect((await copy.paragraphs[0]!.table()).numRows).toBe(5_000);
    const imported = await bodyOf<string>(
      call(admin, 'POST', '/notebook/import', JSON.parse(exported.body)),
    );
    expect((await client.open(imported)).paragraphs[0]!.outputs[0]).not.toHaveProperty('rows');
  });

  it('is not claimed by the output of a spell', async () => {
    const note = await opened('%sql\nselect 1 as a');
    await note.paragraphs[0]!.propagate({
      code: 'SUCCESS',
      msg: [{ type: 'TABLE', data: 'a\n1\n', rows: 1e9 }],
    });
    await expect
      .poll(async () => (await client.notes.get(note.id)).paragraphs![0]!.results?.msg)
      .toEqual([{ type: 'TABLE', data: 'a\n1\n' }]);
  });

  it('is not stored for a run that is cancelled', async () => {
    const note = await opened(
      '%sql(limit=5)\nselect i, md5(i::varchar) from range(100000000) t(i)',
    );
    const run = note.paragraphs[0]!.run();
    for await (const event of run) if (event.type === 'append') run.cancel();
    expect((await run).status).toBe('ABORT');
    await expect.poll(() => files(note.id)).toEqual([]);
    expect(note.paragraphs[0]!.outputs[0]).not.toHaveProperty('rows');
  });

  it('survives a restart; an incomplete table is discarded', async () => {
    const first = await startEmbedded({
      logLevel: 'silent',
      data: join(people.data, 'files', 'again'),
    });
    const data = join(people.data, 'files', 'again');
    const { token } = await new AccessTokenStore(data).create('admin');
    const before = connect(token!, first.server.url);
    const note = await before.open(await before.notes.create({ path: 'kept' }));
    note.paragraphs[0]!.edit('%sql(limit=1)\nselect i from range(3000) t(i)');
    await note.paragraphs[0]!.commit();
    await note.paragraphs[0]!.copy();
    await note.paragraphs[0]!.run();
    await note.paragraphs[1]!.run();
    const [whole, torn] = note.paragraphs.map(({ id }) => id);
    before.close();
    await first.server.close();
    const name = (await files(note.id, data)).find((each) => each.startsWith(torn!))!;
    const path = join(data, 'results', note.id, name);
    await writeFile(path, (await readFile(path)).subarray(0, 5_000));
    await writeFile(join(data, 'results', note.id, '.ffeeddccbbaa0099.tmp'), 'half');
    const second = await startEmbedded({ logLevel: 'silent', data });
    const after = connect(token!, second.server.url);
    const again = await after.open(note.id);
    expect(again.paragraphs.slice(0, 2).map(({ outputs }) => outputs[0]!.rows)).toEqual([
      3_000,
      undefined,
    ]);
    expect((await again.paragraphs[0]!.table()).numRows).toBe(3_000);
    expect((await again.paragraphs[1]!.table()).numRows).toBe(1);
    expect(await files(note.id, data)).toEqual([expect.stringContaining(whole!)]);
    after.close();
    await second.server.close();
  });
});
