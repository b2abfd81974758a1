/**
 * Data files of a note, of a user, and shared ones: nobody reaches those of others, by REST, by SQL
 * or by the command language.
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Note } from '@tiding/client/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { startLimited } from '../support/limited-process.ts';
import { bodyOf, type People, twoPeople } from '../support/people.ts';
import { memoryOf, type ServerProcess } from '../support/process.ts';
import type { Login } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const SECRET = 'salary\n4711\n';
const base64 = (text: string) => Buffer.from(text).toString('base64');

let running: ServerProcess;
const people = untilEnd(
  await twoPeople({}, async (options) => {
    const limited = await startLimited(options);
    running = limited.server;
    return limited;
  }),
);

const permit = (note: Note, list: string[]) =>
  bodyOf(
    people.call(people.admin, 'PUT', `/notebook/${note.id}/permissions`, {
      owners: ['admin'],
      writers: list,
      runners: list,
      readers: list,
    }),
  );
/** A note of the administrator that bob may not read. */
const closed = await people.create('');
await permit(closed, ['admin']);
/** A note that both may run. */
const open = await people.create('');
const upload = (who: Login, name: string, owner: object, text = SECRET) =>
  people.call(who, 'PUT', `/magpie/file/${name}`, { data: base64(text), ...owner });
const stored = async (answer: ReturnType<typeof upload>): Promise<string> =>
  ((await answer).json as { path: string }).path;
const download = (who: Login, path: string) =>
  people.call(who, 'POST', '/magpie/file', { file: { path } });
const { run } = people;
const files = (...path: string[]) => join(people.data, 'files', ...path);

describe('the file of a note', () => {
  let path: string;
  let file: string;
  beforeAll(async () => {
    path = await stored(upload(people.admin, 'pay.csv', { noteId: closed.id }));
    file = files(path);
  });

  it('is read and written by REST with the rights of the note [S59]', async () => {
    expect(path).toBe(`notes/${closed.id}/pay.csv`);
    expect((await download(people.admin, path)).text).toBe(SECRET);
    for (const attempt of [
      path,
      `/${path}`,
      `./${path}`,
      `shared/../${path}`,
      `notes/${open.id}/../${closed.id}/pay.csv`,
      `users/bob/../../${path}`,
      'pay.csv',
    ])
      expect((await download(people.bob, attempt)).text, attempt).not.toContain('4711');
    expect((await upload(people.bob, 'x.csv', { noteId: closed.id })).status).toBe(403);
    expect((await upload(people.bob, 'x.csv', { noteId: 'NONE' })).status).toBe(404);
    expect((await upload(people.bob, 'x.csv', { noteId: open.id })).status).toBe(200);
  });

  it('is reached by %sql of its own note only, also with computed names [S59]', async () => {
    const own = await run(people.admin, closed, "%sql\nselect * from 'pay.csv'");
    expect(own).toBe('salary\n4711');
    for (const sql of [
      `from read_text('${file}')`,
      `from read_csv('${file}')`,
      `from '../${closed.id}/pay.csv'`,
      `set variable f = '${file}'; from read_text(getvariable('f'))`,
      `from glob('${files('**')}')`,
      `from glob('${files('notes', '*', '*')}')`,
      `from glob('${files('notes', closed.id)}' || '/*')`,
      `create or replace view v as from read_text('${file}'); from v`,
      `attach '${file}' as other`,
    ])
      expect(await run(people.bob, open, `%sql\n${sql}`), sql).toMatch(/Permission Error/);
    for (const name of [file, `../${closed.id}/pay.csv`])
      expect(await run(people.bob, open, `%sql\ncopy (select 1 as n) to '${name}'`)).toMatch(
        /Permission Error/,
      );
    // A link doesn't lead there either.
    await symlink(file, files('notes', open.id, 'link.csv'));
    expect(await run(people.bob, open, "%sql\nfrom 'link.csv'")).toMatch(/Permission Error/);
    expect(readFileSync(file, 'utf8')).toBe(SECRET);
  });

  it('is not reached by %magpie, also not by an administrator [S59]', async () => {
    for (const name of [path, `../${path}`, file]) {
      const text = `%magpie\ncreate temp table x from file "${name}" in data source files; from x`;
      expect(await run(people.admin, open, text), name).not.toContain('4711');
    }
    expect(await run(people.admin, open, '%magpie\nlist files')).not.toContain('pay.csv');
  });

  it('is not read by %js of another note [S59]', async () => {
    const read = (name: string) =>
      `%js\nconsole.log(require('fs').readFileSync(${JSON.stringify(name)}, 'utf8'))`;
    expect(await run(people.admin, closed, read('pay.csv'))).toContain('4711');
    expect(await run(people.bob, open, read(file))).toMatch(/ERR_ACCESS_DENIED/);
  });

  it('is copied and removed with the note', async () => {
    const copy = await bodyOf<string>(
      people.call(people.admin, 'POST', `/notebook/${closed.id}`, { name: 'copy' }),
    );
    expect(readFileSync(files('notes', copy, 'pay.csv'), 'utf8')).toBe(SECRET);
    // Links to shared files are not part of the note.
    expect(existsSync(files('notes', copy, 'shared'))).toBe(false);
    await bodyOf(people.call(people.admin, 'DELETE', `/notebook/${copy}`));
    expect(existsSync(files('notes', copy))).toBe(false);
    expect(existsSync(file)).toBe(true);
  });
});

describe('tables of a note in the exchange with other languages', () => {
  it('are not listed by %sql of another note [S59]', async () => {
    const attempt = `%sql\nfrom glob('${join(people.data, 'tables', '**')}')`;
    expect(await run(people.bob, open, attempt)).toMatch(/Permission Error/);
  });
});

describe('the file of a user', () => {
  it('is read by that user only [S59]', async () => {
    const path = await stored(upload(people.bob, 'mine.csv', {}));
    expect(path).toBe('users/bob/mine.csv');
    expect((await download(people.bob, path)).text).toBe(SECRET);
    expect((await download(people.bob, 'mine.csv')).text).toBe(SECRET);
    for (const attempt of [path, 'mine.csv', `users/admin/../bob/mine.csv`])
      expect((await download(people.admin, attempt)).text, attempt).not.toContain('4711');
    const sql = `%sql\nfrom read_text('${files(path)}')`;
    expect(await run(people.admin, open, sql)).toMatch(/Permission Error/);
  });
});

describe('a shared file', () => {
  it('is read by everybody, by its plain name', async () => {
    const path = await stored(upload(people.admin, 'common.csv', { shared: true }, 'n\n5\n'));
    expect(path).toBe('shared/common.csv');
    for (const who of [people.admin, people.bob])
      for (const name of [path, 'common.csv', '/common.csv'])
        expect((await download(who, name)).text).toBe('n\n5\n');
    for (const sql of [
      "from 'common.csv'",
      "from 'shared/common.csv'",
      `from '${files('shared', 'common.csv')}'`,
      "from read_csv('com*.csv')",
    ])
      expect(await run(people.bob, open, `%sql\n${sql}`), sql).toBe('n\n5');
    const program = "%js\nconsole.log(require('fs').readFileSync('common.csv', 'utf8'))";
    expect(await run(people.bob, open, program)).toBe('n\n5');
    expect(
      await run(
        people.admin,
        open,
        '%magpie\ncreate temp table c from file "common.csv" {"header": true} in data source ' +
          'files;\nselect n from c',
      ),
    ).toContain('5');
  });

  it("gives way to the note's file of that name; a plain name does not overwrite it", async () => {
    await run(people.bob, open, "%sql\ncopy (select 6 as n) to 'common.csv'");
    expect(readFileSync(files('shared', 'common.csv'), 'utf8')).toBe('n\n5\n');
    expect(await run(people.bob, open, "%sql\nfrom 'common.csv'")).toBe('n\n6');
    await run(people.bob, open, "%sql\ncopy (select 7 as n) to 'shared/seven.csv'");
    expect((await download(people.admin, 'seven.csv')).text).toBe('n\n7\n');
  });
});

describe('files of an older version', () => {
  it('are shared, under their old paths too', async () => {
    const old = "from 'old.csv'";
    await people.restart(async () => {
      await rm(files('shared', 'seven.csv'));
      await writeFile(files('old.csv'), 'n\n8\n');
      await mkdir(files('in'));
      await writeFile(files('in', 'daily.csv'), 'n\n9\n');
    });
    expect(readFileSync(files('shared', 'old.csv'), 'utf8')).toBe('n\n8\n');
    expect((await download(people.bob, '/in/daily.csv')).text).toBe('n\n9\n');
    for (const sql of [old, `from '${files('old.csv')}'`])
      expect(await run(people.bob, open, `%sql\n${sql}`), sql).toBe('n\n8');
    expect(await run(people.bob, open, "%sql\nfrom 'in/daily.csv'")).toBe('n\n9');
  });
});

describe('stored bytes', () => {
  const limits = { maxNoteBytes: 40_000, maxUserBytes: 70_000, maxSharedBytes: 10_000 };
  let few: People;
  beforeAll(async () => (few = untilEnd(await twoPeople(limits, startLimited))));
  const put = async (who: Login, owner: object, size: number) => {
    const data = Buffer.alloc(size, 'x').toString('base64');
    const body = { data, ...owner };
    const { status, json } = await few.call(who, 'PUT', '/magpie/file/some.csv', body);
    return { ...(json as { message?: string; upload?: string }), status };
  };
  const made = async (who: Login, text = '') =>
    await bodyOf<string>(
      few.call(who, 'POST', '/notebook', { name: `some/${Math.random()}`, paragraphs: [{ text }] }),
    );

  it('of a note, a user and shared files are limited, with what to delete [S90]', async () => {
    const noteId = await made(few.bob);
    expect(await put(few.bob, { noteId }, 30_000)).toMatchObject({ status: 200 });
    expect(await put(few.bob, { noteId }, 15_000)).toMatchObject({
      status: 507,
      message:
        "The data files and tables of this note use 29.3 KB of 39.1 KB, so 14.6 KB more don't " +
        'fit. Delete files of the note, or clear outputs with large tables, then try again.',
    });
    const first = await put(few.bob, { noteId, more: true }, 9_000);
    expect(first.status).toBe(200);
    const rest = { noteId, more: true, upload: first.upload, at: 9_000 };
    expect(await put(few.bob, rest, 9_000)).toMatchObject({ status: 507 });
    expect(await put(few.bob, {}, 30_000)).toMatchObject({ status: 200 });
    const more = {
      status: 507,
      message: expect.stringContaining('Your data files, and the files'),
    };
    expect(await put(few.bob, {}, 2_000)).toMatchObject(more);
    expect(await put(few.bob, { noteId: await made(few.bob) }, 2_000)).toMatchObject(more);
    const copied = await few.call(few.bob, 'POST', `/notebook/${noteId}`, { name: 'copied' });
    expect([copied.status, copied.json]).toEqual([
      507,
      expect.objectContaining({
        message: more.message,
      }),
    ]);
    expect(await put(few.admin, {}, 2_000)).toMatchObject({ status: 200 });
    expect(await put(few.bob, { shared: true }, 9_000)).toMatchObject({ status: 200 });
    expect(await put(few.admin, { shared: true }, 2_000)).toMatchObject({
      status: 507,
      message: expect.stringContaining('Delete shared files'),
    });
  });

  it('of a complete table are cut to the room of its note', async () => {
    const noteId = await made(few.admin, '%sql\nselect hash(i) h from range(9000) t(i)');
    const note = async () =>
      (await bodyOf<Note>(few.call(few.admin, 'GET', `/notebook/${noteId}`))).paragraphs![0]!;
    const { id } = await note();
    await few.call(few.admin, 'POST', `/notebook/run/${noteId}/${id}`, {});
    const [table] = (await note()).results!.msg!;
    expect(table!.rows).toBeGreaterThan(1_000);
    expect(table!.rows).toBeLessThan(5_000);
  });
});

it('an uploaded file that unpacks to much is refused, and the server is small [S95]', async () => {
  const part = gzipSync(Buffer.alloc(2 ** 20, 'x'), { level: 9 });
  const parts = [gzipSync('{"a":"'), ...Array.from({ length: 400 }, () => part)];
  const data = Buffer.concat(parts).toString('base64');
  expect((await upload(people.admin, 'large.json.gz', { noteId: open.id, data })).status).toBe(200);
  const { now } = await memoryOf(running.child.pid!);
  const answer = await run(people.admin, open, "%sql\nselect count(*) from 'large.json.gz'");
  expect(answer).toContain('bytes exceeded while reading file');
  expect((await memoryOf(running.child.pid!)).peak - now).toBeLessThan(200 * 2 ** 20);
});
