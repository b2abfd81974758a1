import type { HeliumEntry } from '@tiding/client/protocol';
import { same } from '../result/test-support.tsx';
import {
  configFields,
  isLocal,
  mergeOrder,
  parseValue,
  registryPage,
  rowsByType,
} from './catalogue.ts';

const entry = (
  name: string,
  version: string,
  more: Partial<HeliumEntry['pkg']> = {},
  enabled = false,
): HeliumEntry => ({
  registry: 'npm',
  enabled,
  pkg: { type: 'VISUALIZATION', name, artifact: `${name}@${version}`, ...more },
});

describe('rowsByType', () => {
  it('sorts newest first, counts a missing date as new, and then sorts by name [D70]', () => {
    const catalogue = {
      old: [entry('old', '1', { published: '2016-01-01' })],
      recent: [entry('recent', '1', { published: 'Fri Nov 20 2026 10:00:00 GMT+0000' })],
      b: [entry('b', '1')],
      a: [entry('a', '1', { published: 'yesterday' })],
      spell: [entry('spell', '1', { type: 'SPELL' })],
      storage: [entry('storage', '1', { type: 'NOTEBOOK_REPO' })],
      none: [],
    };
    const rows = rowsByType(catalogue, Date.parse('2026-11-21T00:00:00Z'));
    same(
      rows.VISUALIZATION.map(({ name }) => name),
      ['a', 'b', 'recent', 'old'],
    );
    same([rows.SPELL.length, rows.INTERPRETER.length, rows.APPLICATION.length], [1, 0, 0]);
  });

  it('shows the enabled version or the newest, with the others [D70]', () => {
    const { VISUALIZATION: rows } = rowsByType({
      a: [entry('a', '3'), entry('a', '2', {}, true), entry('a', '1')],
      b: [entry('b', '2'), entry('b', '1')],
    });
    same(
      rows.map(({ shown, others }) => [
        shown.pkg.artifact,
        ...others.map(({ pkg }) => pkg.artifact),
      ]),
      [
        ['a@2', 'a@3', 'a@1'],
        ['b@2', 'b@1'],
      ],
    );
  });
});

describe('registryPage', () => {
  const page = (more: Partial<HeliumEntry['pkg']>, registry = 'helium') =>
    registryPage({ registry, pkg: { type: 'SPELL', name: 'x', ...more } });
  it('links npm packages by name, Maven packages by coordinates, and no local ones', () => {
    same(page({ artifact: 'zeppelin-echo@1.0.0' }), 'https://www.npmjs.com/package/zeppelin-echo');
    same(page({ artifact: '@scope/echo@1.0.0' }), 'https://www.npmjs.com/package/@scope/echo');
    same(
      page({ type: 'INTERPRETER', artifact: 'zeppelin-md@0.8.2', groupId: 'org.apache.zeppelin' }),
      'https://central.sonatype.com/artifact/org.apache.zeppelin/zeppelin-md/0.8.2',
    );
    same(
      [
        page({ artifact: './local/echo' }),
        page({ artifact: '/opt/node_modules/@a/b' }),
        page({ artifact: 'echo@1' }, 'local'),
        page({}),
      ].map((each) => each ?? null),
      [null, null, null, null],
    );
    same(
      [
        isLocal({ pkg: { type: 'SPELL', name: 'x', artifact: 'x@1' } }),
        isLocal({ pkg: { type: 'SPELL', name: 'x', artifact: 'target/x' } }),
      ],
      [false, true],
    );
  });
});

describe('package settings', () => {
  it('have the saved value, otherwise the default, as text', () =>
    same(
      configFields({
        confPersisted: { a: 7, c: { k: [1] } },
        confSpec: {
          a: { type: 'number', description: 'A', defaultValue: 3 },
          b: { type: 'string', defaultValue: 'x' },
          c: { type: 'json' },
          d: null,
        },
      }),
      [
        { name: 'a', type: 'number', description: 'A', value: '7', defaultValue: '3' },
        { name: 'b', type: 'string', description: '', value: 'x', defaultValue: 'x' },
        { name: 'c', type: 'json', description: '', value: '{"k":[1]}', defaultValue: '' },
        { name: 'd', type: 'string', description: '', value: '', defaultValue: '' },
      ],
    ));

  const cases: [string, string, unknown][] = [
    ['number', ' 1e3 ', 1000],
    ['number', '-0.5', -0.5],
    ['number', 'many', 'many'],
    ['number', '', ''],
    ['number', 'Infinity', 'Infinity'],
    ['json', '{"a":[1]}', { a: [1] }],
    ['json', '{"a":', '{"a":'],
    ['json', '', ''],
    ['string', '12', '12'],
    ['other', '12', '12'],
  ];
  for (const [type, typed, value] of cases)
    it(`saves ${type} ${JSON.stringify(typed)} as ${JSON.stringify(value)}`, () =>
      same(parseValue(type, typed), value));
});

it('a changed order adopts packages that are added and drops those that are removed', () => {
  same(mergeOrder(['a', 'b', 'c'], ['c', 'gone', 'a']), ['c', 'a', 'b']);
  same(mergeOrder(['a', 'b'], undefined), ['a', 'b']);
});
