/** Tests the modules that packages import from their host. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Bundler } from './bundler.ts';
import type { FoundPackage } from './registry.ts';

const folder = temporaryFolder();

/** Any value that a package creates. */
interface Loose {
  (...given: unknown[]): Loose;
  [key: string]: Loose;
}
const loose = (value: unknown): Loose => value as Loose;
let made = 0;
/** Builds a package of one file and returns the class that it registers. */
async function classOf(
  source: string,
  library?: (wanted: { name: string; version: string }) => Promise<string | undefined>,
  more: object = {},
) {
  const root = join(folder, `package${(made += 1)}`);
  await mkdir(root);
  await writeFile(join(root, 'index.js'), source);
  const found: FoundPackage = {
    registry: 'npm',
    pkg: { type: 'VISUALIZATION', name: 'one', artifact: `one@${made}` },
    folder: root,
    root,
    bundle: 'index.js',
  };
  const code = await new Bundler(join(folder, 'bundles'), library).bundle(
    found,
    join(root, 'index.js'),
  );
  const heliumBundles: { class: new (...given: unknown[]) => Loose }[] = [];
  runInNewContext(code, { heliumBundles, ...more });
  return { made: heliumBundles[0]!.class, code };
}
/** Converts to JSON, because values of another context have different classes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const columns = ['age', 'job', 'bal'].map((name, index) => ({ name, index, aggr: 'sum' }));
const table = {
  columns,
  rows: [
    [30, 'dev', 10],
    [30, 'ops', 20],
    [31, 'dev', 5],
    [31, 'dev', 'x'],
    [32, 'ops', 7],
  ],
  comment: '',
};
const [age, job, bal] = columns as [object, object, object];

describe('the advanced transformation', () => {
  let Advanced: Awaited<ReturnType<typeof classOf>>['made'];
  beforeAll(async () => {
    ({ made: Advanced } = await classOf(
      "import Advanced from 'zeppelin-tabledata/advanced-transformation';\n" +
        'export default Advanced;',
    ));
  });
  const axis = {
    keys: { dimension: 'multiple', axisType: 'key' },
    groups: { dimension: 'multiple', axisType: 'group' },
    values: { dimension: 'multiple', axisType: 'aggregator' },
  };
  const specOf = (method: string, more: object = {}) => ({
    charts: { one: { transform: { method }, axis, parameter: {}, ...more } },
  });
  /** Transforms the table with these columns selected. */
  const given = (method: string, chosen: object, spec: object = specOf(method)) => {
    const config = loose({});
    const made = new Advanced(config, spec);
    Object.assign(config['axis']!['one']!, chosen);
    return { config, data: made['transform']!(table) };
  };
  const rows = (method: string, chosen: object = { keys: [age], groups: [job], values: [bal] }) =>
    plain(given(method, chosen).data['transformer']!());

  it('returns the rows of each method', () => {
    expect(rows('raw')).toEqual(table.rows);
    expect(rows('object')).toMatchObject({
      rows: [
        { age: '30', dev: 10, ops: 20 },
        { age: '31', dev: 6 },
        { age: '32', ops: 7 },
      ],
      keyColumnName: 'age',
      keyNames: ['30', '31', '32'],
      groupNames: ['dev', 'ops'],
      selectors: ['dev', 'ops'],
    });
    expect(rows('array')).toMatchObject({
      rows: [
        { selector: 'dev', value: [10, 6, null] },
        { selector: 'ops', value: [20, null, 7] },
      ],
    });
    expect(rows('drill-down')).toMatchObject({
      rows: [
        {
          selector: '30',
          value: 30,
          drillDown: [
            { group: 'dev', value: 10 },
            { group: 'ops', value: 20 },
          ],
        },
        {
          selector: '31',
          value: 6,
          drillDown: [
            { group: 'dev', value: 6 },
            { group: 'ops', value: null },
          ],
        },
        {
          selector: '32',
          value: 7,
          drillDown: [
            { group: 'dev', value: null },
            { group: 'ops', value: 7 },
          ],
        },
      ],
    });
  });

  it('names series by group, aggregation, or both', () => {
    const count = { ...bal, aggr: 'count' };
    expect(rows('array', { keys: [age], groups: [], values: [bal] })).toMatchObject({
      selectors: ['bal(sum)'],
      rows: [{ selector: 'bal(sum)', value: [30, 6, 7] }],
    });
    expect(rows('array', { keys: [age], groups: [job], values: [bal, count] })).toMatchObject({
      selectors: ['dev / bal(sum)', 'dev / bal(count)', 'ops / bal(sum)', 'ops / bal(count)'],
    });
    expect(
      rows('array', {
        keys: [job],
        groups: [],
        values: [
          { ...bal, aggr: 'avg' },
          { ...bal, aggr: 'min' },
          { ...bal, aggr: 'max' },
        ],
      }),
    ).toMatchObject({ rows: [{ value: [16 / 3, 13.5] }, { value: [1, 7] }, { value: [10, 20] }] });
  });

  it('combines two keys', () => {
    const spec = {
      charts: {
        one: {
          transform: { method: 'array:2-key' },
          axis: {
            x: { dimension: 'single', axisType: 'key' },
            y: { dimension: 'single', axisType: 'key' },
            values: axis.values,
          },
          parameter: {},
        },
      },
    };
    expect(
      plain(given('', { x: age, y: job, values: [bal] }, spec).data['transformer']!()),
    ).toMatchObject({
      rows: [
        {
          selector: 'bal(sum)',
          value: [
            { key1: '30', key2: 'dev', aggregated: 10 },
            { key1: '30', key2: 'ops', aggregated: 20 },
            { key1: '31', key2: 'dev', aggregated: 6 },
            { key1: '32', key2: 'ops', aggregated: 7 },
          ],
        },
      ],
      key1Names: ['30', '31', '32'],
      key2Names: ['dev', 'ops'],
      key1NameWithIndex: { 30: 0, 31: 1, 32: 2 },
      key2NameWithIndex: { dev: 0, ops: 1 },
    });
  });

  it('drops columns that the table lacks, and the oldest of too many', () => {
    const spec = specOf('array', { axis: { ...axis, keys: { ...axis.keys, maxAxisCount: 1 } } });
    const { data } = given(
      'array',
      { keys: [job, age, { name: 'gone', index: 0 }], values: [bal] },
      spec,
    );
    expect(plain(data['column'])).toEqual({ key: [age], group: [], aggregator: [bal], custom: {} });
  });

  it('keeps choices for the same spec, and resets them for another', () => {
    const parameter = {
      size: { valueType: 'int', defaultValue: 4 },
      on: { valueType: 'boolean', defaultValue: false },
      more: { valueType: 'JSON', defaultValue: { a: 1 } },
      name: { valueType: 'string', defaultValue: '' },
      ratio: { valueType: 'float', defaultValue: 1 },
    };
    const config = loose({});
    const first = new Advanced(config, specOf('raw', { parameter }));
    expect(plain(config['parameter'])).toEqual({
      one: { size: 4, on: false, more: { a: 1 }, name: '', ratio: 1 },
    });
    Object.assign(config['parameter']!['one']!, {
      size: '12px',
      on: 'true',
      more: '{"b":2}',
      name: 'n',
      ratio: '.5',
    });
    config['axis']!['one']!['keys'] = loose([age]);
    expect(plain(first['transform']!(table)['parameter'])).toEqual({
      size: 12,
      on: true,
      more: { b: 2 },
      name: 'n',
      ratio: 0.5,
    });
    const kept = plain(config) as Record<string, Record<string, Record<string, unknown>>>;
    expect(
      new Advanced(kept, specOf('raw', { parameter })) && [
        kept['axis']!['one']!['keys'],
        kept['parameter']!['one']!['size'],
      ],
    ).toEqual([[age], '12px']);
    expect(
      new Advanced(kept, specOf('raw', { parameter, axis: { other: axis.keys } })) && [
        kept['axis']!['one'],
        kept['parameter']!['one']!['size'],
      ],
    ).toEqual([{}, '12px']);
  });

  it('uses the same columns for charts with shared axes', () => {
    const shared = { transform: { method: 'raw' }, sharedAxis: true, axis, parameter: {} };
    const config = loose({ sharedAxis: { keys: [age] } });
    const made = new Advanced(config, { charts: { one: shared, two: shared } });
    config['sharedAxis']!['keys'] = loose([job]);
    config['chart']!['current'] = loose('two');
    expect(plain(made['transform']!(table)['column']!['key'])).toEqual([job]);
  });
});

describe('a spell', () => {
  it('splits its text at known magics', async () => {
    const { made: Spell } = await classOf(
      "import { SpellBase, SpellResult } from 'zeppelin-spell';\n" +
        'export default class extends SpellBase { interpret(text) { return new SpellResult(text)' +
        ".add(Promise.resolve('late')).add('<i>', 'HTML').add(() => 1); } }",
    );
    const result = new Spell('%x')['interpret']!('a\n%html <b>x</b>\nc\n%nope z\n%table a\tb');
    expect(plain(await result['getAllParsedDataWithTypes']!({}, '%x', 'text'))).toEqual([
      { data: 'a\n', type: 'TEXT' },
      { data: ' <b>x</b>\nc\n%nope z\n', type: 'HTML' },
      { data: ' a\tb\n', type: 'TABLE' },
      { data: 'late\n', type: 'TEXT' },
      { data: '<i>', type: 'HTML' },
      { type: 'ELEMENT', magic: '%x', text: 'text' },
    ]);
  });
});

describe("a global of Zeppelin's page", () => {
  it('is bundled only into packages that use it', async () => {
    const asked: string[] = [];
    const library = async ({ name, version }: { name: string; version: string }) => {
      asked.push(`${name}@${version}`);
      const place = join(folder, name);
      await mkdir(place, { recursive: true });
      await writeFile(join(place, 'package.json'), JSON.stringify({ name, version, main: 'lib' }));
      await writeFile(join(place, 'lib.js'), 'module.exports = { made: "the library" };');
      return place;
    };
    const { made: User } = await classOf(
      'export default class { words() { return d3.made; } }',
      library,
    );
    expect(new User()['words']!()).toBe('the library');
    expect(asked).toEqual(['d3@3.5.17']);
    const { code } = await classOf(
      'export default class { words(d3) { const _ = d3; return _; } }',
      library,
    );
    expect([asked.length, code.includes('the library')]).toEqual([1, false]);
  });

  it('throws only on use if it is not available', async () => {
    const { made: User } = await classOf('export default class { words() { return _.map; } }', () =>
      Promise.resolve(undefined),
    );
    expect(() => new User()['words']!()).toThrow('_ is not defined');
  });
});
