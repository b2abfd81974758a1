import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Secrets } from '../auth/secrets.ts';
import type {
  InstallRequest,
  InterpreterHost,
  InterpreterSpec,
  SharingMode,
  SparkMaster,
} from '../interpreters/contract.ts';
import { until } from '../interpreters/test-support.ts';
import { newNote, newParagraph, type StoredNote } from '../notes/note.ts';
import { InterpreterSettings } from '../settings/settings.ts';
import { InterpreterLookup } from './interpreter-lookup.ts';
import type { InterpreterPool } from './pool.ts';
import { openPool, startRun } from './test-support.ts';

/** An interpreter that prints its number and its run count; `wait` runs until it is aborted. */
function counter(name: string, more: Partial<InterpreterSpec> = {}) {
  const hosts: InterpreterHost[] = [];
  const open = new Set<number>();
  const spec: InterpreterSpec = {
    name,
    editor: { language: 'text', editOnDblClick: false },
    create(host) {
      const number = hosts.push(host);
      const closing = new AbortController();
      open.add(number);
      let runs = 0;
      return {
        async run(run) {
          runs += 1;
          if (run.code === 'wait') {
            const stopped = AbortSignal.any([run.signal, closing.signal]);
            // It may have been stopped before it got here.
            if (!stopped.aborted)
              await new Promise((resolve) =>
                stopped.addEventListener('abort', resolve, { once: true }),
              );
            return { code: 'ABORT' };
          }
          if (/^(?:login|hidden) /.test(run.code)) {
            const [kind, entity = ''] = run.code.split(' ');
            const isHidden = kind === 'hidden';
            const { username, password } = host.credential(entity, { isHidden });
            run.output.write(`${username} ${password.length}`);
          } else if (run.code.startsWith('echo ')) run.output.write(run.code.slice(5));
          else if (run.code.startsWith('fail '))
            return { code: 'ERROR', message: run.code.slice(5) };
          else if (run.code === 'spark') run.output.write((await host.spark())?.master ?? 'none');
          else run.output.write(`${number}:${runs}`);
          return { code: 'SUCCESS' };
        },
        async close() {
          closing.abort();
          open.delete(number);
        },
      };
    },
    ...more,
  };
  return { spec, hosts, open };
}

describe('interpreter pool', () => {
  const editor = { language: 'variant', editOnDblClick: false };
  let data: string;
  let settings: InterpreterSettings;
  let pool: InterpreterPool;
  let alone = false;
  let sparkOf: (name: string) => Promise<SparkMaster | undefined> = () =>
    Promise.resolve(undefined);
  const plain = counter('plain', { aliases: ['simple'] });
  const database = counter('database', { isDatabase: true, isTemplate: true, sessions: true });
  let kinds = { plain, sharing: counter('sharing', { sessions: true }) };
  let install: (place: InstallRequest) => Promise<void>;

  const note = (id: string, bindings?: string[]): StoredNote => ({
    ...newNote('n', [newParagraph()], id),
    ...(bindings ? { bindings } : {}),
  });
  const start = (magic: string, noteId: string, principal: string, code = 'count') =>
    startRun(pool, magic, { code, noteId, principal });
  const run = async (
    magic: string,
    noteId: string,
    principal: string,
    code?: string,
  ): Promise<string> => {
    const started = start(magic, noteId, principal, code);
    const end = await started.end;
    return end.code === 'SUCCESS' ? started.text : end.code === 'ERROR' ? end.message : end.code;
  };
  /** Runs a paragraph of two notes. */
  const runBoth = async () => [await run('plain', 'A', 'ada'), await run('plain', 'B', 'ada')];
  const mode = async (id: string, perNote: SharingMode, perUser: SharingMode, more = {}) => {
    await settings.update(id, { option: { perNote, perUser, ...more } });
    await pool.changed(id);
  };

  beforeEach(async () => {
    data = temporaryFolder();
    install = async () => undefined;
    alone = false;
    sparkOf = () => Promise.resolve(undefined);
    kinds = {
      plain: counter('plain', {
        aliases: ['simple', 'markup'],
        aliasVariants: { markup: 'html' },
        variants: { sql: { editor }, html: { editor, isMagic: true } },
        install: (place) => install(place),
      }),
      sharing: counter('sharing', { sessions: true }),
    };
    ({ pool, settings } = await openPool(
      data,
      [kinds.plain.spec, kinds.sharing.spec, database.spec],
      {
        rolesOf: (name) => (name === 'ada' ? ['analyst'] : []),
        sparkOf: (name) => sparkOf(name),
        isAlone: () => alone,
        maxInstances: 8,
        maxUserInstances: 8,
      },
    ));
  });
  afterEach(async () => {
    await pool.close();
    expect([...kinds.plain.open, ...kinds.sharing.open]).toEqual([]);
  });

  /** Looks up interpreters of settings of their own. */
  const lookupOf = async (...specs: InterpreterSpec[]) => {
    await mkdir(join(data, 'own'));
    const own = await InterpreterSettings.open(join(data, 'own'), specs, await Secrets.open(data));
    const options = { settings: own, rolesOf: () => [], shellAllowed: () => true };
    return { own, lookup: new InterpreterLookup(options) };
  };

  // Runs, in order: note A by ada, A by bob, B by ada, B by bob.
  it.each<[Exclude<SharingMode, ''>, Exclude<SharingMode, ''>, string[]]>([
    ['shared', 'shared', ['1:1', '1:2', '1:3', '1:4']],
    ['isolated', 'shared', ['1:1', '1:2', '2:1', '2:2']],
    ['shared', 'isolated', ['1:1', '2:1', '1:2', '2:2']],
    ['isolated', 'isolated', ['1:1', '2:1', '3:1', '4:1']],
    ['scoped', 'shared', ['1:1', '1:2', '2:1', '2:2']],
    ['scoped', 'isolated', ['1:1', '2:1', '3:1', '4:1']],
  ])('separates runs with note mode %s and user mode %s', async (perNote, perUser, expected) => {
    const counts = { shared: 1, scoped: 1, isolated: 2 };
    for (const [name, kind, folders] of [
      ['plain', kinds.plain, new Set(expected.map((each) => each[0])).size],
      // Sessions of one process share its folder.
      ['sharing', kinds.sharing, counts[perNote] * counts[perUser]],
    ] as const) {
      await mode(name, perNote, perUser);
      const got: string[] = [];
      for (const noteId of ['A', 'B'])
        for (const who of ['ada', 'bob']) got.push(await run(name, noteId, who));
      expect(got).toEqual(expected);
      expect(new Set(kind.hosts.map(({ folder }) => folder)).size).toBe(folders);
      for (const { folder, settingFolder } of kind.hosts) {
        expect(settingFolder).toBe(join(data, 'interpreters', name));
        expect(folder.startsWith(settingFolder)).toBe(true);
        expect(existsSync(folder)).toBe(true);
      }
    }
  });

  it('runs serially on one instance and concurrently on two', async () => {
    const first = start('plain', 'A', 'ada', 'wait');
    const second = start('plain', 'B', 'ada');
    const third = start('sharing', 'A', 'ada');
    expect((await third.end).code).toBe('SUCCESS');
    expect([first.began, second.began]).toEqual([true, false]);
    first.abort.abort();
    expect((await first.end).code).toBe('ABORT');
    expect((await second.end).code).toBe('SUCCESS');
  });

  it('ends the current run on a change and moves queued runs to the new instance', async () => {
    const first = start('plain', 'A', 'ada', 'wait');
    const second = start('plain', 'A', 'bob');
    await until(() => first.began);
    await mode('plain', 'isolated', 'isolated');
    expect((await first.end).code).toBe('ABORT');
    expect((await second.end).code).toBe('SUCCESS');
    expect(second.text).toBe('2:1');
    expect(pool.instances().map(({ noteId, principal }) => [noteId, principal])).toEqual([
      ['A', 'bob'],
    ]);
    const third = start('plain', 'A', 'bob', 'wait');
    const fourth = start('plain', 'A', 'bob');
    await until(() => third.began);
    await settings.remove('plain');
    await pool.changed('plain');
    expect(await fourth.end).toEqual({
      code: 'ERROR',
      message:
        'Interpreter plain not found. ' +
        'You can use %sharing here. Ask an administrator to add another one.',
    });
  });

  it('names only interpreters that a user and their page may use', async () => {
    expect(pool.lookup.explain('sharin', { principal: 'ada' })).toBe(
      'Interpreter sharin not found. Did you mean %sharing? ' +
        'You can use %plain and %sharing here.',
    );
    const { option } = settings.get('sharing')!;
    await settings.update('sharing', {
      option: { ...option, setPermission: true, owners: ['bob'] },
    });
    expect(pool.lookup.explain('sharin', { principal: 'ada' })).not.toContain('%sharing');
    expect(pool.lookup.explain('sharin', { principal: 'bob' })).toContain('%sharing');
    const embed = {
      jti: 'j',
      issuer: { principal: 'ada', roles: [] },
      noteId: 'A',
      alias: 'embed',
      scope: 'edit' as const,
      interpreters: ['plain'],
    };
    expect(pool.lookup.explain('sharin', { principal: 'bob', embed })).toContain(
      'You can use %plain here.',
    );
  });

  it('ends the instances that serve only a note when restarted for that note', async () => {
    await mode('plain', 'isolated', 'shared');
    expect(await runBoth()).toEqual(['1:1', '2:1']);
    await pool.restart('plain', { noteId: 'A', principal: 'bob' });
    expect(await runBoth()).toEqual(['3:1', '2:2']);
    await pool.restart('plain');
    expect(await runBoth()).toEqual(['4:1', '5:1']);
    await pool.forget('A');
    expect(pool.instances().map(({ noteId }) => noteId)).toEqual(['B']);
    expect(await pool.restart('nope')).toBeUndefined();
  });

  it('serves only owners if the setting has owners', async () => {
    await mode('plain', 'shared', 'shared', { setPermission: true, owners: ['analyst', 'carol'] });
    expect(await run('plain', 'A', 'ada')).toBe('1:1');
    expect(await run('plain', 'A', 'carol')).toBe('1:2');
    expect(await run('plain', 'A', 'bob')).toBe(
      "Paragraph p1: you don't have permission to use interpreter plain.",
    );
    expect(
      await pool.ask(pool.lookup.find('plain', note('A'))!, { noteId: 'A', principal: 'bob' }, () =>
        Promise.resolve('an answer'),
      ),
    ).toBeUndefined();
  });

  it('provides logins only to single-user processes', async () => {
    expect(await run('plain', 'A', 'ada', 'login db')).toMatch(
      /^Credentials are only available to single-user interpreters/,
    );
    await mode('plain', 'isolated', 'shared');
    expect(await run('plain', 'A', 'ada', 'login db')).toMatch(/^Credentials are only available/);
    // A session per user is not a process per user.
    await mode('sharing', 'shared', 'scoped');
    expect(await run('sharing', 'A', 'ada', 'login db')).toMatch(/^Credentials are only available/);
    await mode('plain', 'shared', 'isolated');
    expect(await run('plain', 'A', 'ada', 'login db')).toBe('ada 6');
    expect(await run('plain', 'A', 'bob', 'login db')).toBe('bob 6');
    expect(await run('plain', 'A', 'bob', 'login other')).toBe('No such credential: other');
    alone = true;
    expect(await run('sharing', 'A', 'ada', 'login db')).toBe('ada 6');
  });

  it('inserts logins into text if enabled, and masks received passwords', async () => {
    const inject = (value: boolean | string) =>
      settings
        .update('plain', { properties: { injectCredentials: { value, type: 'checkbox' } } })
        .then(() => pool.changed('plain'));
    const text = 'echo {db.user}:{db.password} {none.user} of ada';
    await mode('plain', 'shared', 'isolated');
    // No login was given yet.
    expect(await run('plain', 'A', 'ada', text)).toBe('{db.user}:{db.password} {none.user} of ada');
    await inject(true);
    expect(await run('plain', 'A', 'ada', text)).toBe('ada:### {none.user} ###');
    expect(await run('plain', 'A', 'ada', 'fail no {db.password}!')).toBe('no ###!');
    // Also in later runs, but not passwords of other users.
    expect(await run('plain', 'A', 'ada', 'echo of ada')).toBe('###');
    expect(await run('plain', 'A', 'bob', 'echo of ada {db.user}')).toBe('of ada bob');
    await mode('plain', 'shared', 'shared');
    expect(await run('plain', 'A', 'ada', text)).toBe(
      'Credentials are only available to single-user interpreters. Set plain to isolated per user.',
    );
    expect(await run('plain', 'A', 'ada', 'echo {none.password}')).toBe('{none.password}');
    alone = true;
    expect(await run('plain', 'A', 'ada', text)).toBe('ada:### {none.user} ###');
    await inject('false');
    expect(await run('plain', 'A', 'ada', text)).toBe('{db.user}:{db.password} {none.user} of ada');
  });

  it('does not search results for passwords that code cannot read', async () => {
    alone = true;
    expect(await run('plain', 'A', 'ada', 'hidden db')).toBe('ada 6');
    expect(await run('plain', 'A', 'ada', 'echo of ada')).toBe('of ada');
    // The process has logged in as its user, so it ends as soon as others may use it.
    alone = false;
    expect(await run('plain', 'A', 'bob')).toBe('2:1');
  });

  it('uses the current cluster of the single user of a process', async () => {
    const asked: string[] = [];
    sparkOf = async (name) => {
      asked.push(name);
      if (name === 'carol') throw new Error('Your current cluster dev is not running.');
      return name === 'ada'
        ? { master: 'spark://dev:7077', variables: {}, sameMachine: false }
        : undefined;
    };
    expect(await run('plain', 'A', 'ada', 'spark')).toBe('none');
    await mode('plain', 'isolated', 'shared');
    expect(await run('plain', 'A', 'ada', 'spark')).toBe('none');
    expect(asked).toEqual([]);
    await mode('plain', 'shared', 'isolated');
    expect(await run('plain', 'A', 'ada', 'spark')).toBe('spark://dev:7077');
    expect(await run('plain', 'A', 'bob', 'spark')).toBe('none');
    expect(await run('plain', 'A', 'carol', 'spark')).toBe(
      'Your current cluster dev is not running.',
    );
    // A page with a user's embed token uses that user's cluster.
    expect(await run('plain', 'A', 'embed:ada', 'spark')).toBe('spark://dev:7077');
    await mode('plain', 'shared', 'shared');
    alone = true;
    expect(await run('plain', 'A', 'ada', 'spark')).toBe('spark://dev:7077');
  });

  it('finds a variant by both names, and by its own if it may be a magic', async () => {
    const found = (magic: string) => {
      const spec = pool.lookup.find(magic, note('A'));
      return spec && [spec.name, spec.variant, spec.editor.language];
    };
    expect(found('plain')).toEqual(['plain', undefined, 'text']);
    expect(found('plain.plain')).toEqual(['plain', undefined, 'text']);
    expect(found('plain.sql')).toEqual(['plain', 'sql', 'variant']);
    expect(found('html')).toEqual(['plain', 'html', 'variant']);
    for (const magic of ['markup', 'plain.markup', 'markup.markup'])
      expect(found(magic)).toEqual(['plain', 'html', 'variant']);
    expect(found('markup.plain')).toEqual(['plain', undefined, 'text']);
    expect(found('markup.sql')).toEqual(['plain', 'sql', 'variant']);
    for (const magic of ['sql', 'plain.constructor', 'sharing.sql', 'plain.sql.x', 'constructor'])
      expect([magic, found(magic)]).toEqual([magic, undefined]);
    // As in Zeppelin, `%sql` of a note whose default is Spark is Spark SQL.
    const spark = { ...note('A'), defaultInterpreterGroup: 'plain' };
    for (const own of [spark, { ...note('A'), bindings: ['plain'] }])
      expect(pool.lookup.find('sql', own)).toMatchObject({ name: 'plain', variant: 'sql' });
    // A setting with the name of a variant comes first.
    await settings.create({ name: 'html', group: 'sharing' });
    expect(found('html')).toEqual(['html', undefined, 'text']);
  });

  it('finds an interpreter whose name contains a hyphen and a dot', async () => {
    const { lookup } = await lookupOf(counter('julia-1.11', { aliases: ['julia'] }).spec);
    for (const magic of ['julia-1.11', 'julia'])
      expect(lookup.find(magic, note('A'))?.name).toBe('julia-1.11');
    expect(lookup.find('julia-1.12', note('A'))).toBeUndefined();
  });

  it("finds Zeppelin's interpreters with their prefix, and databases before its JDBC", async () => {
    const sql = { editor: counter('x').spec.editor };
    const { lookup, own } = await lookupOf(
      counter('zeppelin.python', { variants: { sql } }).spec,
      counter('jdbc', { variants: { sql } }).spec,
      counter('postgresql', { isDatabase: true, isTemplate: true }).spec,
    );
    await own.create({ name: 'sales', group: 'postgresql' });
    const found = (magic: string, options = {}) => {
      const each = lookup.find(magic, note('A'), options);
      return each && [each.name, each.variant];
    };
    expect(found('zeppelin.python')).toEqual(['zeppelin.python', undefined]);
    expect(found('zeppelin.python.sql')).toEqual(['zeppelin.python', 'sql']);
    expect(found('zeppelin.python.r')).toBeUndefined();
    expect(found('zeppelin.md')).toBeUndefined();
    expect(found('jdbc', { orders: 'orders' })).toEqual(['jdbc', undefined]);
    expect(found('jdbc.sql')).toEqual(['jdbc', 'sql']);
    expect(found('jdbc', { sales: 'sales' })).toEqual(['sales', undefined]);
  });

  it('tells what the process of a note does', async () => {
    const by = { noteId: 'A', principal: 'ann' };
    expect(pool.processOf('plain', by)).toBe('none');
    expect(pool.processOf('nope', by)).toBe('none');
    const { abort, end } = start('plain', 'A', 'ann', 'wait');
    expect(pool.processOf('plain', by)).toBe('starting');
    await until(() => pool.processOf('plain', by) === 'busy');
    abort.abort();
    await end;
    await until(() => pool.processOf('plain', by) === 'idle');
    await pool.restart('plain', by);
    expect(pool.processOf('plain', by)).toBe('none');
  });

  it('finds a new setting by name, by binding and by alias', async () => {
    await settings.create({ name: 'second', group: 'plain' });
    const named = (magic: string | undefined, bindings?: string[]) =>
      pool.lookup.find(magic, note('A', bindings))?.name;
    expect(named('second')).toBe('second');
    expect(named('simple')).toBe('plain');
    expect(named('second.plain')).toBe('second');
    expect(named('plain.simple')).toBe('plain');
    expect(named('second.other')).toBeUndefined();
    expect(named('nope')).toBeUndefined();
    expect(named(undefined)).toBe('plain');
    expect(named(undefined, ['gone', 'second'])).toBe('second');
    // An interpreter in the first bound setting takes precedence, as in Zeppelin.
    expect(named('plain', ['second', 'plain'])).toBe('second');
    expect(named('sharing', ['second'])).toBe('sharing');
    expect(
      pool.lookup.bindings(note('A', ['second'])).map(({ id, selected }) => [id, selected]),
    ).toEqual([
      ['second', true],
      ['plain', false],
      ['sharing', false],
    ]);
  });

  it('finds a database by the option of %jdbc', async () => {
    // Databases have no setting of their own name.
    expect(pool.lookup.find('database', note('A'))).toBeUndefined();
    await settings.create({ name: 'sales', group: 'database' });
    const named = (magic: string, options: Record<string, string>) =>
      pool.lookup.find(magic, note('A'), options)?.name;
    expect(named('sales', {})).toBe('sales');
    expect(named('jdbc', { sales: 'sales' })).toBe('sales');
    expect(named('jdbc', { sales: '1' })).toBeUndefined();
    expect(named('jdbc', { plain: 'plain' })).toBeUndefined();
    expect(named('jdbc', {})).toBeUndefined();
    expect(named('other', { sales: 'sales' })).toBeUndefined();
    await settings.create({ name: 'jdbc', group: 'plain' });
    expect(named('jdbc', { sales: 'sales' })).toBe('jdbc');
  });

  it('installs before running, reports progress, and retries on restart', async () => {
    const places: InstallRequest[] = [];
    let finish = (): void => undefined;
    install = (place) => {
      places.push(place);
      return new Promise((resolve) => (finish = resolve));
    };
    await settings.update('plain', { dependencies: [{ groupArtifactVersion: 'thing==1' }] });
    await pool.changed('plain');
    expect(pool.setting('plain')).toMatchObject({ status: 'DOWNLOADING_DEPENDENCIES' });
    const waiting = start('plain', 'A', 'ada');
    const given = start('plain', 'A', 'ada');
    given.abort.abort();
    expect((await given.end).code).toBe('ABORT');
    await until(() => places.length === 1);
    expect(places[0]).toMatchObject({
      folder: join(data, 'interpreters', 'plain'),
      dependencies: ['thing==1'],
    });
    expect(waiting.began).toBe(false);
    finish();
    expect((await waiting.end).code).toBe('SUCCESS');
    expect(kinds.plain.hosts[0]!.dependencies).toEqual(['thing==1']);
    expect(pool.setting('plain')).toMatchObject({ status: 'READY' });

    install = () => Promise.reject(new Error('no such thing'));
    await settings.update('plain', { dependencies: [{ groupArtifactVersion: 'x:y:1' }] });
    await pool.changed('plain');
    const reason = 'Cannot fetch dependencies for x:y:1: no such thing';
    expect(await run('plain', 'A', 'ada')).toBe(`Interpreter plain is not ready: ${reason}`);
    expect(pool.setting('plain')).toMatchObject({ status: 'ERROR', errorReason: reason });
    expect(pool.health()).toBe('Degraded');
    install = async () => undefined;
    await pool.restart('plain');
    expect(await run('plain', 'A', 'ada')).toBe('2:1');
    expect(pool.health()).toBe('Healthy');
  });

  it('rejects dependencies for an interpreter that supports none', async () => {
    await settings.update('sharing', { dependencies: [{ groupArtifactVersion: 'x:y:1' }] });
    await pool.changed('sharing');
    expect(pool.setting('sharing')).toMatchObject({
      status: 'ERROR',
      errorReason:
        'Cannot fetch dependencies for x:y:1: ' +
        'interpreters of the group sharing do not support dependencies.',
    });
  });

  it('opens a session that serves only its note until it ends', async () => {
    expect(await run('plain', 'B', 'ada')).toBe('1:1');
    const id = await pool.openSession('plain', { noteId: 'A', principal: 'ada' });
    expect(pool.instances().find(({ session }) => session.sessionId === id)).toMatchObject({
      noteId: 'A',
      session: { interpreter: 'plain', state: 'Ready', noteId: 'A' },
    });
    expect(await runBoth()).toEqual(['2:1', '1:2']);
    expect(kinds.plain.hosts[1]!.folder).not.toBe(kinds.plain.hosts[0]!.folder);
    expect(await pool.endSession(id)).toBe('A');
    expect(await pool.endSession(id)).toBeUndefined();
    expect(await run('plain', 'A', 'ada')).toBe('1:3');
  });
});
