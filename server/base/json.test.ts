import { expect, it, vi } from 'vitest';
import { parseJsonBytes } from './json.ts';

/** Large enough to be parsed in pieces. */
const LONG = 2 ** 20;

it.each([
  ['escapes at the end of a string', { a: `${'x'.repeat(LONG)}\\`, b: ['\\"', '"'.repeat(LONG)] }],
  ['characters of several bytes', ['ä😀\ud800'.repeat(LONG / 4), 'z']],
  ['long keys', { ['k'.repeat(LONG)]: 'v'.repeat(5_000), ['"\\'.repeat(5_000)]: 1 }],
  [
    'lists and objects without long strings',
    {
      paragraphs: Array.from({ length: 2_000 }, (_each, at) => ({
        id: `p${at}`,
        results: { msg: [{ data: 'x[{"'.repeat(900) }, [], {}, [at, [null, true, -1.5e3]]] },
        config: Object.fromEntries(Array.from({ length: 300 }, (_other, key) => [key, 'value'])),
      })),
    },
  ],
  [
    'more levels than are looked at',
    { a: JSON.parse(`${'['.repeat(40)}1${']'.repeat(40)}`), b: 'y'.repeat(LONG) },
  ],
  ['empty strings and nested lists', [[['']], 'y'.repeat(LONG), { '': null }]],
  [
    'keys that could pollute prototypes',
    JSON.parse(`{"__proto__":{"isAdmin":["${'p'.repeat(LONG)}"]},"a":{"__proto__":[1]}}`),
  ],
])('large JSON with %s is parsed as by the platform', async (_what, value) => {
  for (const indent of [0, 2]) {
    const text = JSON.stringify(value, null, indent);
    const parsed = await parseJsonBytes(Buffer.from(text));
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(value));
  }
});

const object = `{"a":"${'b'.repeat(5_000)}"}`;
it.each([
  ...['"', '"\\', '{"a" "b"}', '["a\nb"]', `{${object}:1}]`, `{[${'1,'.repeat(5_000)}1]:1}]`],
  ...[`${object}]]`, `${object}}`, `[${object}`, `${object.replace('}', ']')}]`],
])('large text that ends with %j is refused', async (end) => {
  const text = `["${'x'.repeat(LONG)}", ${end}`;
  await expect(parseJsonBytes(Buffer.from(text))).rejects.toThrow(SyntaxError);
});

it('a large note of short texts is parsed in pieces', async () => {
  const paragraph = {
    text: 'select 1\n'.repeat(300),
    results: { msg: [{ data: 'x\n'.repeat(2_000) }] },
  };
  const bytes = Buffer.from(JSON.stringify({ paragraphs: Array(1_000).fill(paragraph) }));
  const parse = vi.spyOn(JSON, 'parse');
  await parseJsonBytes(bytes);
  const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
  parse.mockRestore();
  expect(longest).toBeLessThan(bytes.length / 50);
});
