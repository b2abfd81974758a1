/** Interpreter processes on a running server: whom they serve, and when they end. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { InterpreterSession, InterpreterSetting, Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { Users } from '../server/auth/users.ts';
import { isAlive } from '../server/interpreters/test-support.ts';
import { bodyOf, PASSWORD, type People, runText, twoPeople } from './support/people.ts';
import { callApi, type Login, login, openSocket, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());

const { run } = people;
const languages = {
  python: {
    set: '%python\nimport os\nshared = 5; print(os.getpid())',
    get: '%python\nprint(shared)',
    missing: /NameError/,
  },
  js: {
    set: '%js\nvar shared = 5; console.log(process.pid)',
    get: '%js\nconsole.log(shared)',
    missing: /ReferenceError/,
  },
};

describe.each(Object.entries(languages))('%s', (name, { set, get, missing }) => {
  it('has a process for each note, which people on the note share', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    const pid = await run(people.admin, a, set);
    expect(await run(people.bob, a, get)).toBe('5');
    expect(await run(people.admin, b, get)).toMatch(missing);
    const own = await run(people.admin, b, set);
    expect(own).not.toBe(pid);

    // bob may write note A: this ends only its process, and the people there are told.
    const socket = await openSocket(people.url, { identity: people.admin.identity, note: a.id });
    await bodyOf(
      people.call(people.bob, 'PUT', `/interpreter/setting/restart/${name}`, { noteId: a.id }),
    );
    expect((await socket.next('NOTICE')).data).toEqual({
      notice:
        `Interpreter ${name} ended because bob restarted it, and its variables are lost. ` +
        'The next run starts it again.',
    });
    socket.socket.close();
    expect([isAlive(Number(pid)), isAlive(Number(own))]).toEqual([false, true]);
    expect(await run(people.admin, a, get)).toMatch(missing);
    expect(await run(people.bob, b, get)).toBe('5');

    await bodyOf(people.call(people.admin, 'DELETE', `/notebook/${b.id}`));
    await expect.poll(() => isAlive(Number(own))).toBe(false);
    const sessions = await bodyOf<InterpreterSession[]>(
      people.call(people.admin, 'GET', '/session'),
    );
    expect(sessions.map(({ noteId }) => noteId)).not.toContain(b.id);
    // The environment of Python may be created here.
  }, 600_000);

  it('is listed with the fields that are asked for', async () => {
    const list = (query: string) =>
      bodyOf<Record<string, unknown>[]>(
        people.call(people.bob, 'GET', `/interpreter/setting${query}`),
      );
    const whole = await list('');
    const named = await list('?fields=name');
    expect(named).toEqual(whole.map(({ id, name }) => ({ id, name })));
    const grouped = await list('?fields=group,unknown');
    expect(grouped).toEqual(whole.map(({ id, name, group }) => ({ id, name, group })));
  });

  it('shows its run mode, and new settings have it too', async () => {
    const option = { perNote: 'isolated', perUser: '' };
    const path = `/interpreter/setting/${name}`;
    const setting = await bodyOf<InterpreterSetting>(people.call(people.admin, 'GET', path));
    expect(setting.option).toMatchObject(option);
    const templates = await bodyOf<Record<string, unknown>>(
      people.call(people.admin, 'GET', '/interpreter'),
    );
    expect(templates[name]).toMatchObject({ option });
    const made = await bodyOf<InterpreterSetting>(
      people.call(people.admin, 'POST', '/interpreter/setting', { name: `my${name}`, group: name }),
    );
    expect(made.option).toMatchObject(option);
  });

  it('is shared by all notes if an administrator chooses so', async () => {
    const path = `/interpreter/setting/my${name}`;
    const option = { perNote: 'shared', perUser: 'shared' };
    await bodyOf(people.call(people.admin, 'PUT', path, { option }));
    const [a, b] = [await people.create(''), await people.create('')];
    const of = (text: string) => text.replace(`%${name}`, `%my${name}`);
    await run(people.admin, a, of(set));
    expect(await run(people.bob, b, of(get))).toBe('5');
  });
});

describe('%sql of a note', () => {
  const sql = (who: Login, note: Note, text: string) => run(who, note, `%sql\n${text}`);

  it('has a session of its own: temporary tables and variables', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    await sql(people.admin, a, 'create temp table mine as select 1 as n; set variable v = 7');
    expect(await sql(people.bob, a, "select n, getvariable('v') as v from mine")).toBe(
      'n\tv\n1\t7',
    );
    expect(await sql(people.admin, b, 'select * from mine')).toMatch(/does not exist/);
    expect(await sql(people.admin, b, "select getvariable('v') as v")).not.toContain('7');
  });

  it('creates its tables in a database of its own, which ends with the note', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    await sql(people.admin, a, 'create table df as select 1 as n');
    await sql(people.bob, b, 'create or replace table df as select 2 as n');
    expect(await sql(people.bob, a, 'select * from df')).toBe('n\n1');
    expect(await sql(people.bob, b, 'select * from df')).toBe('n\n2');
    // The other languages of a note see its tables.
    await run(people.bob, b, '%js\nawait z.put("of_js", [{ n: 3 }])');
    expect(await sql(people.bob, b, 'select * from of_js')).toBe('n\n3');
    expect(await run(people.bob, b, '%python\nprint(z.table("df").n.sum())')).toBe('2');
    expect(await sql(people.bob, a, 'select * from of_js')).toMatch(/does not exist/);
    const databases = () => readdirSync(join(people.data, 'interpreters/sql/own')).length;
    const before = databases();
    await bodyOf(people.call(people.admin, 'DELETE', `/notebook/${b.id}`));
    expect(databases()).toBe(before - 1);
    expect(await sql(people.bob, a, 'select * from df')).toBe('n\n1');
  });

  it('shares tables on purpose, in the database shared', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    await sql(people.admin, a, 'create table mine as select 4 as n');
    expect(await sql(people.admin, a, 'create table shared.ours as from mine')).toMatch(/^OK/);
    await sql(
      people.admin,
      a,
      'create schema shared.team; create table shared.team.t as select 3 n',
    );
    await sql(people.bob, b, 'create view of_ours as select n * 10 as n from shared.ours');
    expect(await sql(people.bob, b, 'insert into shared.ours values (5)')).toBe('1 row changed');
    expect(await sql(people.admin, a, 'select * from shared.ours order by n')).toBe('n\n4\n5');
    expect(await sql(people.bob, b, 'select sum(n) as n from of_ours')).toBe('n\n90');
    expect(await sql(people.bob, b, 'select * from "SHARED".team.t')).toBe('n\n3');
    expect(await run(people.bob, b, '%python\nprint(z.sql("from shared.ours").n.sum())')).toBe('9');

    // A transaction keeps them, and a run that waits can be cancelled.
    await sql(people.admin, a, 'begin; insert into shared.ours values (6)');
    const waiting = sql(people.bob, b, 'select count(*) as n from shared.ours');
    expect(await sql(people.admin, a, 'commit')).toBe('OK');
    expect(await waiting).toBe('n\n3');
    expect(await sql(people.bob, b, 'use shared')).toContain('Write shared.NAME instead.');
    expect(await sql(people.admin, a, 'drop table shared.ours; from shared.ours')).toMatch(
      /does not exist/,
    );
  });

  it('has a schema of its own if the notes share a database', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    await bodyOf(
      people.call(people.admin, 'POST', '/interpreter/setting', {
        name: 'scoped',
        group: 'sql',
        option: { perNote: 'scoped', perUser: '' },
      }),
    );
    const scoped = (who: Login, note: Note, text: string) => run(who, note, `%scoped\n${text}`);
    await scoped(
      people.admin,
      a,
      'create table df as select 1 as n; create temp table t as from df',
    );
    expect(await scoped(people.admin, b, 'select * from t')).toMatch(/does not exist/);
    expect(await scoped(people.admin, a, 'select * from t')).toBe('n\n1');
    await scoped(people.bob, b, 'create table df as select 2 as n');
    expect(await scoped(people.bob, a, 'select * from df')).toBe('n\n1');
    await scoped(people.admin, a, 'create table main.ours as select 2 as n');
    await scoped(people.admin, a, 'create schema team; create table team.theirs as select 3 as n');
    await scoped(people.admin, a, 'create table shared.all_of_us as select 4 as n');
    expect(await scoped(people.bob, b, 'select * from ours')).toBe('n\n2');
    expect(await scoped(people.bob, b, 'select * from team.theirs')).toBe('n\n3');
    expect(await scoped(people.bob, b, 'select * from shared.all_of_us')).toBe('n\n4');
    const schemas = "select string_agg(schema_name, ' ') as s from duckdb_schemas()";
    expect(await scoped(people.bob, a, schemas)).toContain(`note_${b.id}`);
    await bodyOf(people.call(people.admin, 'DELETE', `/notebook/${b.id}`));
    expect(await scoped(people.bob, a, schemas)).not.toContain(`note_${b.id}`);
  });

  it('uses one schema for all notes if the setting says so', async () => {
    const [a, b] = [await people.create(''), await people.create('')];
    await bodyOf(
      people.call(people.admin, 'POST', '/interpreter/setting', {
        name: 'common',
        group: 'sql',
        option: { perNote: 'scoped', perUser: '' },
        properties: { 'sql.schema': { value: 'main' } },
      }),
    );
    await run(people.admin, a, '%common\ncreate table t as select 4 as n');
    expect(await run(people.bob, b, '%common\nselect * from t')).toBe('n\n4');
  });
});

describe('another user', () => {
  it('ends no process when they are added, changed or removed', async () => {
    const embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
    const { url } = embedded.server;
    const admin = await login(url);
    const call: People['call'] = (who, ...args) => callApi(url, who, ...args);
    const made = { name: 'kept', paragraphs: [{ text: '' }] };
    const id = await bodyOf<string>(call(admin, 'POST', '/notebook', made));
    const note = await bodyOf<Note>(call(admin, 'GET', `/notebook/${id}`));
    const run = (text: string) => runText(call, admin, note, text);
    const texts = Object.values(languages);
    for (const { set } of texts) await run(set);
    await run('%sql\ncreate temp table kept as select 3 as n');
    const check = async () => {
      for (const { get } of texts) expect(await run(get)).toBe('5');
      expect(await run('%sql\nselect * from kept')).toBe('n\n3');
    };
    const users = new Users(embedded.data);
    await users.set('carol', { password: PASSWORD });
    const carol = await login(url, 'carol', PASSWORD);
    await check();
    // The engine is confined all the same.
    expect(await run("%sql\nselect * from read_text('/etc/passwd')")).toMatch(/Permission Error/);
    const credential = { entity: 'e', username: 'u', password: 'p' };
    expect((await call(carol, 'PUT', '/credential', credential)).status).toBe(200);
    await users.set('carol', { password: `${PASSWORD}-changed`, roles: ['analyst'] });
    await check();
    await users.remove('carol');
    await check();
  });
});

describe('an idle process', () => {
  it('ends after the limit, and says so on the note and in its next run', async () => {
    const other = untilEnd(await twoPeople({ maxIdleMs: 1_500 }));
    const note = await other.create('');
    const socket = await openSocket(other.url, { identity: other.bob.identity, note: note.id });
    const pid = await other.run(other.admin, note, languages.js.set);
    expect(await other.run(other.admin, note, languages.js.get)).toBe('5');
    const what =
      'Interpreter js ended after 1.5 seconds without a run, and its variables are lost.';
    expect((await socket.next('NOTICE')).data).toEqual({
      notice: `${what} The next run starts it again.`,
    });
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
    const again = await other.run(other.admin, note, languages.js.get);
    expect((await socket.next('NOTICE')).data).toMatchObject({
      notice: `${what} This run has started it again.`,
    });
    expect(again).toMatch(languages.js.missing);
    expect(again).not.toContain(what);
  });
});
