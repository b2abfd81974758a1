import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/until-end.ts';
import { interpreters } from '../index.ts';
import { classPathOf, findZeppelinGroups } from './catalogue.ts';
import { zeppelinInterpreters } from './zeppelin-interpreters.ts';

describe("folders of Zeppelin's interpreters", () => {
  let root: string;
  const write = (path: string, content: unknown): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(
      join(root, path),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  };
  const entry = (group: string, name: string, more: object = {}) => ({
    group,
    name,
    className: `org.example.${name}`,
    ...more,
  });

  beforeEach(() => {
    root = temporaryFolder();
  });

  it('are read with the properties and editors of their settings', async () => {
    write('interpreter/jdbc/interpreter-setting.json', [
      entry('jdbc', 'sql', {
        properties: {
          'default.url': { defaultValue: 'jdbc:x', description: 'Address', type: 'string' },
          'default.password': { defaultValue: '', type: 'password' },
          limit: { defaultValue: 1000, type: 'number' },
        },
        editor: { language: 'sql', completionSupport: true },
      }),
    ]);
    const { groups, broken } = await findZeppelinGroups([root]);
    expect(broken).toEqual([]);
    const [spec] = zeppelinInterpreters(groups, interpreters);
    expect(spec).toMatchObject({
      name: 'jdbc',
      editor: { language: 'sql', completionSupport: true },
      variants: { sql: { isMagic: false } },
    });
    expect(
      spec!.properties!.map(({ name, type, defaultValue }) => [name, type, defaultValue]),
    ).toEqual(
      expect.arrayContaining([
        ['default.url', 'string', 'jdbc:x'],
        ['default.password', 'password', ''],
        ['limit', 'number', '1000'],
        ['java.memory', 'number', '1024'],
      ]),
    );
  });

  it('do not take the names of this server', async () => {
    for (const name of ['md', 'python', 'sh', 'kotlin'])
      write(`${name}/interpreter-setting.json`, [entry(name, name)]);
    const { groups } = await findZeppelinGroups([root]);
    const specs = zeppelinInterpreters(groups, interpreters);
    expect(specs.map(({ name, shell = false }) => [name, shell])).toEqual([
      ['kotlin', false],
      ['zeppelin.md', false],
      ['zeppelin.python', false],
      ['zeppelin.sh', true],
    ]);
  });

  it('start with the default interpreter; others are magics if their names are free', async () => {
    write('spark/interpreter-setting.json', [
      entry('spark', 'sql'),
      entry('spark', 'spark', { defaultInterpreter: true }),
      entry('spark', 'pyspark'),
    ]);
    const { groups } = await findZeppelinGroups([root]);
    const [spec] = zeppelinInterpreters(groups, interpreters);
    expect(groups[0]!.interpreters.map(({ name }) => name)).toEqual(['spark', 'sql', 'pyspark']);
    expect(spec!.variants).toMatchObject({ sql: { isMagic: false }, pyspark: { isMagic: true } });
  });

  it('that can not be used are named with the reason', async () => {
    write('one/interpreter-setting.json', '{');
    write('two/interpreter-setting.json', [entry('two', 'two', { className: 1 })]);
    write('none/readme', '');
    const reasons = async (folder: string) =>
      (await findZeppelinGroups([join(root, folder)])).broken.map(({ reason }) => reason);
    expect(await reasons('')).toEqual([
      expect.stringContaining('JSON'),
      'An interpreter in its interpreter-setting.json has no name or no className.',
    ]);
    expect(await reasons('missing')).toEqual(['There is no such folder.']);
    expect(await reasons('none')).toEqual(['None of its folders has an interpreter-setting.json.']);
  });

  it('need a library beside them, above them or in the installation', async () => {
    write('interpreter/md/interpreter-setting.json', [entry('md', 'md')]);
    const path = async () => classPathOf((await findZeppelinGroups([root])).groups[0]!);
    expect(await path()).toBeUndefined();
    write('lib/interpreter/zeppelin-interpreter-shaded-0.10.1.jar', '');
    expect(await path()).toEqual([join(root, 'lib/interpreter/*')]);
    write('interpreter/md/zeppelin-interpreter-shaded-0.12.0.jar', '');
    write('conf/log4j.properties', '');
    expect(await path()).toEqual([
      join(root, 'interpreter/md/*'),
      join(root, 'lib/interpreter/*'),
      join(root, 'conf'),
    ]);
  });
});
