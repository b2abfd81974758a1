/** Runs by name that don't affect each other, and copies of notes that don't stay. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient, outputText } from '@tiding/client';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { Users } from '../server/auth/users.ts';
import { createServer } from '../server/index.ts';
import { failure } from './support/failure.ts';
import { startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
await new Users(embedded.data).set('bob', { password: 'bobs-password', roles: [] });
const clientOf = async (user: string) => {
  const { token } = await new AccessTokenStore(embedded.data).create(user, { expiresInDays: 1 });
  return untilEnd(createClient({ server: embedded.server.url, auth: { token: token! } }));
};
const client = await clientOf('admin');
const bob = await clientOf('bob');

const SELECT = "%sql\nselect '${weather=rain,rain|sun|snow}' as weather, $${n=1} as n";
const noteOf = (name: string, ...texts: string[]) =>
  client.call('createNote', { body: { name, paragraphs: texts.map((text) => ({ text })) } });
const copies = () =>
  readdirSync(join(embedded.data, 'notebook')).filter((name) => name.startsWith('run-copy-'));

describe('a run by name', () => {
  it('does not use the values of an earlier run, unless it asks for the stored ones', async () => {
    await noteOf('values/kept', SELECT);
    const rows = async (...given: Parameters<Client['run']>) =>
      (await (await client.run(...given)).rows()).map((row) => ({ ...row, n: Number(row['n']) }));
    expect(await rows('values/kept', { weather: 'snow', n: 3 })).toEqual([
      { weather: 'snow', n: 3 },
    ]);
    expect(await rows('values/kept', {}, { storedValues: true })).toEqual([
      { weather: 'snow', n: 3 },
    ]);
    expect(await rows('values/kept', { n: 2 })).toEqual([{ weather: 'rain', n: 2 }]);
    expect(await rows('values/kept')).toEqual([{ weather: 'rain', n: 1 }]);
    expect(await rows('values/kept', { weather: 'sun' }, { parallel: true })).toEqual([
      { weather: 'sun', n: 1 },
    ]);
  });

  it.each([
    [{ weather: 'hail' }, "The form 'weather' doesn't offer 'hail'. Its options are rain, sun"],
    [{ weather: ['sun', 'hail'] }, "doesn't offer 'hail'"],
    [{ weather: '' }, "doesn't offer ''"],
    [{ wether: 'sun' }, "There is no form 'wether'"],
  ])('refuses %j before anything runs', async (params, message) => {
    const id = await noteOf(`values/${JSON.stringify(params)}`, SELECT);
    for (const isolated of [true, false])
      expect(await failure(client.run(id, params, { isolated }))).toMatchObject({
        code: 'protocol',
        message: expect.stringContaining(message) as string,
      });
    expect((await client.notes.get(id)).paragraphs![0]!.results).toBeUndefined();
    expect(copies()).toEqual([]);
  });

  it.each([
    [{}, 946_684_800_000, 946_727_999_999.999, '-12.50'],
    [{ dates: 'iso', decimals: 'number' }, '2000-01-01', '2000-01-01T11:59:59.999999', -12.5],
    [{ dates: 'Date' }, new Date('2000-01-01Z'), new Date('2000-01-01T11:59:59.999Z'), '-12.50'],
  ] as const)('gives dates and decimals as asked: %o', async (options, day, time, price) => {
    await noteOf(
      'values/rows',
      `%sql
select date '2000-01-01' as day, timestamp '2000-01-01 11:59:59.999999' as time,
  (-12.5)::decimal(9, 2) as price, 'x' as name
union all select null, null, null, null`,
    );
    const result = await client.run('values/rows', {}, { isolated: true });
    expect(await result.rows(options)).toEqual([
      { day, time, price, name: 'x' },
      { day: null, time: null, price: null, name: null },
    ]);
    await result.close();
    // Open takes a path as well.
    const opened = await client.open('/values/rows');
    expect(opened.path).toBe('values/rows');
    opened.close();
    await client.notes.remove((await client.notes.find('values/rows')).id);
  });

  it('refuses an unknown option', async () => {
    const options = { timout: 5 } as object;
    const result = await client.run('values/kept', {});
    for (const wrong of [{ dates: 'unix' }, options])
      expect(await failure(result.rows(wrong as object))).toMatchObject({ code: 'protocol' });
    expect(await failure(client.open('values/nosuch'))).toMatchObject({ code: 'not-found' });
    expect(await failure(client.run('values/kept', {}, options))).toMatchObject({
      code: 'protocol',
    });
    expect(await failure(client.runAll('values/kept', [{}], options))).toMatchObject({
      code: 'protocol',
    });
  });
});

it('permissions can be checked before they are set', async () => {
  const note = await client.open(await noteOf('permissions/checked', SELECT));
  const before = await note.permissions();
  const wanted = { ...before, owners: ['admin'], readers: ['bob', 'bbo', 'admin'] };
  expect(await note.checkPermissions(wanted)).toMatchObject({
    added: { readers: expect.arrayContaining(['bob', 'bbo']) },
    removed: { readers: [], writers: [] },
    unknown: ['bbo'],
  });
  expect(await note.permissions()).toEqual(before);
  note.close();
});

it('the end of every run is reported, with its status', async () => {
  const ends: unknown[] = [];
  const [good, bad] = [await noteOf('ends/good', '%md\nx'), await noteOf('ends/bad', '%nosuch x')];
  const { stop } = await client.jobs.watch({ onEnd: (end) => ends.push(end) });
  await client.run(bad, {});
  await client.run(good, {});
  await expect
    .poll(() => ends)
    .toEqual([
      { noteId: bad, noteName: 'ends/bad', status: 'failed' },
      { noteId: good, noteName: 'ends/good', status: 'finished' },
    ]);
  stop();
  await client.run(good, {});
  expect(ends).toHaveLength(2);
});

describe('an isolated run', () => {
  it('leaves the note as it is, and its copy is in no list and can be removed', async () => {
    const id = await noteOf('isolated/one', SELECT);
    await client.run(id, { weather: 'sun' });
    const before = await client.notes.get(id);
    const result = await client.run('isolated/one', { weather: 'snow' }, { isolated: true });
    expect(result).toMatchObject({ noteId: id, path: 'isolated/one', status: 'FINISHED' });
    expect(result.paragraphs[0]!.paragraphId).toBe(before.paragraphs![0]!.id);
    expect((await result.rows())[0]).toMatchObject({ weather: 'snow' });
    expect(await client.notes.get(id)).toEqual(before);
    const header = async (format: 'csv' | 'json' | 'parquet' | 'arrow') => {
      const { name, response } = await result.download(format);
      const bytes = Buffer.from(await response.arrayBuffer());
      return [name, bytes.length > 0, bytes.toString('latin1').slice(0, 10)];
    };
    expect(await header('csv')).toEqual(['magpie_export.csv', true, 'weather,n\r']);
    expect((await header('json')).slice(0, 2)).toEqual(['magpie_export.json', true]);
    expect(await header('parquet')).toEqual([
      'magpie_export.parquet',
      true,
      expect.stringMatching(/^PAR1/) as string,
    ]);
    expect((await header('arrow')).slice(0, 2)).toEqual(['magpie_export.arrow', true]);
    const { name, contentType, response } = await result.download('xlsx');
    expect([name, contentType]).toEqual([
      'magpie_export.xlsx',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const { 'xl/sharedStrings.xml': words } = unzipSync(
      new Uint8Array(await response.arrayBuffer()),
    );
    expect(strFromU8(words!)).toContain('<si><t>weather</t></si><si><t>n</t></si><si><t>snow</t>');
    expect(await failure(result.download('xls' as 'csv'))).toMatchObject({ code: 'protocol' });
    expect(copies().length).toBe(1);
    const [copy] = copies();
    expect((await client.notes.list()).map((note) => note.path)).not.toContain('isolated/one (1)');
    expect((await client.notes.list()).map((note) => note.id)).not.toContain(copy);
    expect(await bob.notes.get(copy!).catch((error: unknown) => error)).toMatchObject({
      code: 'forbidden',
    });
    await result.close();
    await result[Symbol.asyncDispose]();
    expect(copies()).toEqual([]);
    expect(await failure(result.rows())).toMatchObject({ code: 'not-found' });
  });

  it('happens many times at once, with values of its own', async () => {
    const id = await noteOf('isolated/many', SELECT, '%js(form=simple)\nconsole.log("${x}");');
    const before = await client.notes.get(id);
    const values = Array.from({ length: 8 }, (_, n) => ({ n, x: `x${n}`, weather: 'sun' }));
    const ends: [number, unknown][] = [];
    const results = await client.runAll('isolated/many', values, {
      concurrency: 3,
      onResult: async (result, index) => {
        ends.push([index, (await result.rows())[0]!['n']]);
      },
    });
    expect(ends.sort(([a], [b]) => a - b)).toEqual(values.map(({ n }) => [n, n]));
    expect(results.map(({ status }) => status)).toEqual(values.map(() => 'FINISHED'));
    expect(
      await Promise.all(results.map(async (each) => Number((await each.rows())[0]!['n']))),
    ).toEqual(values.map(({ n }) => n));
    expect(results.map(({ paragraphs }) => outputText(paragraphs[1]!.outputs[0]!))).toEqual(
      values.map(({ x }) => `${x}\n`),
    );
    await Promise.all(results.map((result) => result.close()));
    expect(copies()).toEqual([]);
    expect(await client.notes.get(id)).toEqual(before);
    expect(client.state.open).toEqual({});
  }, 120_000);

  it('that can not be carried out ends the others and leaves no copy', async () => {
    await noteOf('isolated/wrong', SELECT);
    const values = [{ n: 1 }, { n: 2 }, { weather: 'hail' }, { n: 4 }];
    expect(
      await failure(client.runAll('isolated/wrong', values, { concurrency: 2 })),
    ).toMatchObject({ code: 'protocol' });
    expect(copies()).toEqual([]);
    const onResult = () => {
      throw new Error('disk full');
    };
    expect(
      await failure(client.runAll('isolated/wrong', values.slice(0, 2), { onResult })),
    ).toMatchObject({ message: 'disk full' });
    expect(copies()).toEqual([]);
    for (const concurrency of [0, 1.5, NaN])
      expect(await failure(client.runAll('isolated/wrong', values, { concurrency }))).toMatchObject(
        { code: 'protocol' },
      );
  });

  it('needs the right to run the note', async () => {
    const id = await noteOf('isolated/rights', '%md\nx');
    const alone = ['admin'];
    const lists = { owners: alone, writers: alone, runners: alone, readers: ['bob'] };
    await client.call('setPermissions', { params: { noteId: id }, body: lists });
    expect(await failure(bob.run(id, {}, { isolated: true }))).toMatchObject({ code: 'forbidden' });
    await client.call('setPermissions', {
      params: { noteId: id },
      body: { ...lists, runners: ['admin', 'bob'] },
    });
    const result = await bob.run(id, {}, { isolated: true });
    expect(result.status).toBe('FINISHED');
    // What is private stays private, whatever the server does with new notes.
    expect(await failure(client.notes.get(copies()[0]!))).toMatchObject({ code: 'forbidden' });
    await result.close();
  });

  it('is cancelled and removed when its client has ended, and at the next start', async () => {
    const id = await noteOf('isolated/gone', '%js\nawait new Promise(() => {});');
    const other = createClient({
      server: embedded.server.url,
      auth: {
        token: (await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 }))
          .token!,
      },
    });
    void failure(other.run(id, {}, { isolated: true }));
    await expect.poll(() => copies().length).toBe(1);
    const [copy] = copies();
    await expect
      .poll(async () => (await client.notes.get(copy!)).paragraphs![0]!.status)
      .toBe('RUNNING');
    other.close();
    await embedded.server.close();
    expect(existsSync(join(embedded.data, 'notebook', copy!))).toBe(true);
    const again = await createServer({
      data: embedded.data,
      port: 0,
      logLevel: 'silent',
      kernels: false,
      spareKernel: false,
      docs: join(embedded.data, 'no-docs'),
    });
    expect(copies()).toEqual([]);
    expect(existsSync(join(embedded.data, 'notebook', id))).toBe(true);
    await again.close();
  }, 120_000);
});
