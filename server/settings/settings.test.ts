import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@tiding/client/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Secrets } from '../auth/secrets.ts';
import { interpreters } from '../interpreters/index.ts';
import { Repositories } from './repositories.ts';
import { settingValues, shownProperties, templateOf } from './setting.ts';
import { InterpreterSettings } from './settings.ts';

/** The settings of a new folder. */
const FIRST = ['sql', 'python', 'md', 'js', 'angular', 'magpie', 'sh', 'jupyter'];
let folder: string;
let secrets: Secrets;

beforeEach(async () => {
  folder = temporaryFolder();
  secrets = await Secrets.open(folder);
});

describe('settings', () => {
  let settings: InterpreterSettings;
  const open = () => InterpreterSettings.open(folder, interpreters, secrets);
  const ids = async () => (await open()).all().map(({ id }) => id);
  beforeEach(async () => {
    settings = await open();
  });

  it('contain one per interpreter at first, with template values', () => {
    expect(settings.all().map(({ id }) => id)).toEqual(FIRST);
    const template = templateOf(settings.spec('sql')!);
    expect(template.properties!['sql.maxRows']).toMatchObject({
      propertyName: 'sql.maxRows',
      defaultValue: '10000',
      type: 'number',
    });
    expect(settings.get('sql')!.properties['sql.maxRows']).toMatchObject({
      name: 'sql.maxRows',
      value: '10000',
      type: 'number',
    });
  });

  it('keep a stored secret only for the server that it was stored for [S40]', async () => {
    const masked = { value: '********', type: 'password' };
    const create = (name: string, group: string, properties: JsonObject) =>
      settings.create({ name, group, properties });
    const pg = { host: 'db', port: 5433, user: 'app', ssl: 'require', database: 'shop' };
    await create('pg', 'postgresql', { ...pg, password: { value: 'Pg-Secret', type: 'password' } });
    await create('other', 'sqlalchemy', { url: 'trino://db/x', password: 'Sa-Secret' });
    await create('remote', 'jupyter', {
      'jupyter.url': 'http://hub/',
      'jupyter.token': 'J-Secret',
    });
    for (const [name, properties, moved] of [
      ['pg', { ...pg, host: 'evil', password: masked }, 'host'],
      ['pg', { ...pg, port: 5432, password: masked }, 'port'],
      ['pg', { ...pg, url: 'postgresql://evil/shop', password: masked }, 'url'],
      ['pg', { ...pg, ssl: 'disable', password: masked }, 'ssl'],
      ['pg', { host: 'db', password: masked }, 'port'],
      ['other', { url: 'trino://evil/x', password: masked }, 'url'],
      ['other', { url: 'trino://db/x', packages: 'evil', password: '********' }, 'packages'],
      ['remote', { 'jupyter.url': 'http://evil/', 'jupyter.token': masked }, 'jupyter.url'],
    ] as const)
      await expect(settings.update(name, { properties }), moved).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(`${moved} has changed: enter `),
      });
    const same = { ...pg, url: '', port: '5433', user: 'other', maxRows: 5 };
    await settings.update('pg', { properties: { ...same, password: masked } });
    const values = () => settingValues(settings.get('pg')!, settings.spec('postgresql')!, secrets);
    expect(values()).toMatchObject({ host: 'db', user: 'other', password: 'Pg-Secret' });
    await settings.update('pg', { properties: { ...same, host: 'new', password: 'again' } });
    expect(values()).toMatchObject({ host: 'new', password: 'again' });
  });

  it.each([
    'http://ada:UrlPass-9@hub.example/',
    'http://hub.example/lab?token=QueryTok-7',
    'http://hub.example/lab#token=QueryTok-7',
  ])('refuse a secret in the address of Jupyter, without repeating it: %s [S40]', async (url) => {
    const { message } = await settings
      .update('jupyter', { properties: { 'jupyter.url': url } })
      .catch((error) => error);
    expect(message).toContain('Use the property jupyter.token');
    expect(message).not.toMatch(/UrlPass|QueryTok/);
  });

  it('that users create, change and delete survive a restart', async () => {
    await settings.create({
      name: 'pg2',
      group: 'sql',
      properties: { 'sql.maxRows': { name: 'sql.maxRows', value: 7, type: 'number' } },
      option: { perNote: 'isolated' },
    });
    await settings.update('python', {
      properties: {
        'python.environment': { value: 'A=1' },
        mine: { value: 'x', type: 'textarea' },
      },
      dependencies: [{ groupArtifactVersion: ' x==1 ' }],
    });
    await settings.remove('js');
    const again = await open();
    expect(again.all()).toEqual(settings.all());
    expect(again.all().map(({ id }) => id)).toEqual(
      'sql python md angular magpie sh jupyter pg2'.split(' '),
    );
    expect(settingValues(again.get('pg2')!, again.spec('sql')!, secrets)).toEqual({
      injectCredentials: 'false',
      'sql.memoryLimit': '',
      'sql.threads': '',
      'sql.schema': 'note',
      'sql.maxRows': '7',
    });
    expect(again.get('pg2')!.option).toMatchObject({
      perNote: 'isolated',
      perUser: 'shared',
      setPermission: false,
    });
    expect(again.get('python')!.dependencies).toEqual([
      { groupArtifactVersion: 'x==1', local: false },
    ]);
    expect(settingValues(again.get('python')!, again.spec('python')!, secrets)).toEqual({
      injectCredentials: 'false',
      'python.path': '',
      'python.ruff': '',
      'python.environment': 'A=1',
      mine: 'x',
    });
  });

  it('share instances per note by default; an older file keeps what its owner chose', async () => {
    const modes = async () =>
      Object.fromEntries(
        (await open()).all().map(({ id, option }) => [id, [option.perNote, option.perUser]]),
      );
    expect(await modes()).toEqual({
      sql: ['isolated', ''],
      python: ['isolated', ''],
      md: ['shared', 'shared'],
      js: ['isolated', ''],
      angular: ['shared', 'shared'],
      magpie: ['scoped', 'scoped'],
      sh: ['shared', 'shared'],
      jupyter: ['isolated', ''],
    });
    await settings.update('js', { option: { perNote: 'shared', perUser: 'isolated' } });
    await settings.update('python', { option: {}, dependencies: [{ groupArtifactVersion: 'x' }] });
    await settings.create({ name: 'mine', group: 'python', option: { perNote: 'shared' } });
    const chosen = {
      js: ['shared', 'isolated'],
      python: ['shared', 'shared'],
      mine: ['shared', 'shared'],
    };
    expect(await modes()).toMatchObject(chosen);
    // Before format 2, every setting started as shared.
    const file = join(folder, 'interpreter.json');
    const { format, ...older } = JSON.parse(await readFile(file, 'utf8')) as { format: number };
    expect(format).toBe(2);
    await writeFile(file, JSON.stringify(older));
    expect(await modes()).toMatchObject({ ...chosen, python: ['isolated', ''] });
    expect((await open()).get('python')!.dependencies).toHaveLength(1);
  });

  it('keep one database and schema if they had tables before notes had their own', async () => {
    const schemas = async () => {
      const all = await open();
      return all
        .all()
        .filter(({ group }) => group === 'sql')
        .map((each) => [
          each.option.perNote,
          settingValues(each, all.spec('sql')!, secrets)['sql.schema'],
        ]);
    };
    await mkdir(join(folder, 'interpreters', 'sql'), { recursive: true });
    await settings.create({ name: 'unused', group: 'sql' });
    expect(await schemas()).toEqual([
      ['isolated', 'note'],
      ['isolated', 'note'],
    ]);
    await rm(join(folder, 'interpreter.json'));
    expect(await schemas()).toEqual([['scoped', 'main']]);
    // Also at the next start.
    expect(await schemas()).toEqual([['scoped', 'main']]);
  });

  it('can be created again after a built-in one was deleted', async () => {
    await settings.remove('js');
    expect(await ids()).not.toContain('js');
    await settings.create({ name: 'js', group: 'js' });
    expect(await ids()).toContain('js');
    await expect(settings.remove('nope')).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    [{ name: 'a.b', group: 'sql' }, 404, "'.' is invalid for InterpreterSetting name."],
    [
      { name: '', group: 'sql' },
      404,
      "Interpreter name shouldn't be empty, and can consist only of: -_a-zA-Z0-9",
    ],
    [{ name: '../x', group: 'sql' }, 404, "'.' is invalid for InterpreterSetting name."],
    [
      { name: 'a/b', group: 'sql' },
      404,
      "Interpreter name shouldn't be empty, and can consist only of: -_a-zA-Z0-9",
    ],
    [{ name: 'sql', group: 'sql' }, 404, 'Interpreter sql already existed'],
    [{ name: 'SQL', group: 'js' }, 404, 'Interpreter SQL already existed'],
    [{ name: 'other', group: 'nope' }, 404, 'No such interpreter group: nope'],
    [
      { name: 'x', group: 'sql', properties: { 'sql.maxRows': { value: '0' } } },
      400,
      "sql.maxRows must be a whole number from 1 to 1000000. '0' is invalid.",
    ],
    [
      { name: 'x', group: 'sql', properties: { 'sql.threads': { value: 'many' } } },
      400,
      "sql.threads must be a number. 'many' is invalid.",
    ],
    [
      { name: 'x', group: 'sql', properties: { 'sql.memoryLimit': { value: 'much' } } },
      400,
      /sql\.memoryLimit must be an amount of memory/,
    ],
    [
      { name: 'x', group: 'sql', properties: { own: { value: 'x', type: 'number' } } },
      400,
      "own must be a number. 'x' is invalid.",
    ],
    [
      { name: 'x', group: 'sql', properties: { own: { value: 'x', type: 'colour' } } },
      400,
      /type of a property must be one of/,
    ],
    [{ name: 'x', group: 'sql', properties: { own: { value: ['x'] } } }, 400, /own must be a text/],
    [
      { name: 'x', group: 'python', properties: { 'python.path': { value: 'python3' } } },
      400,
      /python\.path must be the absolute path/,
    ],
    [
      { name: 'x', group: 'python', properties: { 'python.environment': { value: 'A=1\nb c' } } },
      400,
      /python\.environment must consist of lines/,
    ],
    [
      { name: 'x', group: 'sql', option: { perNote: 'alone' } },
      400,
      'perNote must be one of shared, scoped, isolated.',
    ],
    [{ name: 'x', group: 'sql', option: { isExistingProcess: true } }, 400, /Existing process/],
    [{ name: 'x', group: 'sql', option: { isUserImpersonate: true } }, 400, /Impersonation/],
    [
      { name: 'x', group: 'sql', option: { setPermission: true, owners: [' '] } },
      400,
      /Enter the owners of the interpreter/,
    ],
    [
      { name: 'x', group: 'sql', dependencies: [{ groupArtifactVersion: ' ' }] },
      400,
      /name of a dependency/,
    ],
  ])('reject %j', async (given, status, message) => {
    await expect(settings.create(given)).rejects.toMatchObject({
      status,
      message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
    });
    expect(await ids()).toEqual(FIRST);
  });

  it('encrypt passwords, mask them, and keep the stored one if the mask is sent back', async () => {
    await settings.create({
      name: 'pg2',
      group: 'sql',
      properties: {
        secret: { value: 'very-secret', type: 'password' },
        none: { value: '', type: 'password' },
      },
    });
    const text = await readFile(join(folder, 'interpreter.json'), 'utf8');
    expect(text).not.toContain('very-secret');
    const value = (name: string) =>
      settingValues(settings.get('pg2')!, settings.spec('sql')!, secrets)[name];
    expect(value('secret')).toBe('very-secret');
    const shown = shownProperties(settings.get('pg2')!.properties);
    expect(shown).toMatchObject({
      secret: { value: '********', type: 'password' },
      none: { value: '' },
    });
    await settings.update('pg2', { properties: shown });
    expect(value('secret')).toBe('very-secret');
    // Another type would reveal the password.
    await settings.update('pg2', { properties: { secret: { value: '********', type: 'string' } } });
    expect(settings.get('pg2')!.properties['secret']!.type).toBe('password');
    expect(value('secret')).toBe('very-secret');
    await settings.update('pg2', { properties: { secret: { value: '', type: 'password' } } });
    expect(value('secret')).toBe('');
  });

  it('lose no concurrent changes', async () => {
    await Promise.all([
      settings.update('sql', { option: { perNote: 'scoped' } }),
      settings.update('sql', { properties: { 'sql.maxRows': { value: '5' } } }),
      settings.create({ name: 'two', group: 'sql' }),
      expect(settings.create({ name: 'two', group: 'js' })).rejects.toMatchObject({
        message: 'Interpreter two already existed',
      }),
    ]);
    const again = await open();
    expect(again.get('sql')).toMatchObject({
      option: { perNote: 'scoped' },
      properties: { 'sql.maxRows': { value: '5' } },
    });
    expect(again.get('two')!.group).toBe('sql');
  });

  it('are kept in the file if their interpreter is gone', async () => {
    await settings.create({ name: 'pg2', group: 'sql' });
    const few = await InterpreterSettings.open(
      folder,
      interpreters.filter(({ name }) => name !== 'sql'),
      secrets,
    );
    expect(few.get('pg2')).toBeUndefined();
    await few.create({ name: 'js2', group: 'js' });
    expect(await ids()).toEqual([...FIRST, 'pg2', 'js2']);
  });

  it('report an unreadable file', async () => {
    await writeFile(join(folder, 'interpreter.json'), '{');
    await expect(open()).rejects.toThrow(/interpreter\.json is damaged/);
  });
});

describe('repositories', () => {
  let repositories: Repositories;
  beforeEach(async () => {
    repositories = await Repositories.open(folder, secrets);
  });

  it("include central and local, which can't be removed, and added ones", async () => {
    await repositories.add({
      id: 'mine',
      url: 'https://repo.example.org/simple',
      snapshot: true,
      username: 'u',
      password: 'very-secret',
      proxyHost: 'proxy',
      proxyPort: 3128,
      proxyLogin: 'p',
      proxyPassword: 'also-secret',
    });
    const again = await Repositories.open(folder, secrets);
    expect(again.list(true).map(({ id }) => id)).toEqual(['central', 'local', 'mine']);
    expect(again.list(true)[2]).toMatchObject({
      url: 'https://repo.example.org/simple',
      snapshotPolicy: { enabled: true },
      authentication: { username: 'u', password: '********' },
      proxy: {
        type: 'HTTP',
        host: 'proxy',
        port: 3128,
        auth: { username: 'p', password: '********' },
      },
    });
    expect(Object.keys(again.list(false)[2]!)).not.toContain('authentication');
    expect(again.forInstallers()).toEqual([
      { url: 'https://repo.example.org/simple', username: 'u', password: 'very-secret' },
    ]);
    expect(await readFile(join(folder, 'repositories.json'), 'utf8')).not.toMatch(
      /very-secret|also-secret/,
    );
    for (const id of ['central', 'local'])
      await expect(again.remove(id)).rejects.toMatchObject({ status: 403 });
    await again.remove('unknown');
    await again.remove('mine');
    expect(again.list(true).map(({ id }) => id)).toEqual(['central', 'local']);
  });

  it.each([
    [{ id: 'central', url: 'https://a/' }, 409],
    [{ id: 'a b', url: 'https://a/' }, 400],
    [{ id: 'x', url: 'ftp://a/' }, 400],
    [{ id: 'x', url: 'repo.example.org' }, 400],
    [{ id: 'x', url: 'https://' }, 400],
    [{ id: 'x', url: 'https://u:p@a/' }, 400],
    [{ id: 'x', url: 'https://a/', proxyPort: 0 }, 400],
  ])('reject %j', async (given, status) => {
    await expect(repositories.add(given)).rejects.toMatchObject({ status });
    expect(repositories.list(true)).toHaveLength(2);
  });
});
