import { expect, it } from 'vitest';
import { parseJsonBytes } from './json.ts';

/** Large enough to be parsed in pieces. */
const LONG = 2 ** 20;

it.each([
  ['escapes at the end of a string', { a: `${'x'.repeat(LONG)}\\`, b: ['\\"', '"'.repeat(LONG)] }],
  ['characters of several bytes', ['ä😀\ud800'.repeat(LONG / 4), 'z']],
  ['long keys', { ['k'.repeat(LONG)]: 'v'.repeat(5_000), ['"\\'.repeat(5_000)]: 1 }],
  ['empty strings and nested lists', [[['']], 'y'.repeat(LONG), { '': null }]],
  ['a key that could pollute prototypes', JSON.parse(`{"__proto__":"${'p'.repeat(LONG)}"}`)],
])('large JSON with %s is parsed as by the platform', async (_what, value) => {
  for (const indent of [0, 2]) {
    const text = JSON.stringify(value, null, indent);
    const parsed = await parseJsonBytes(Buffer.from(text));
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(value));
  }
});

it.each(['"', '"\\', '{"a" "b"}', '["a\nb"]'])(
  'large text that ends with %j is refused',
  async (end) => {
    const text = `["${'x'.repeat(LONG)}", ${end}`;
    await expect(parseJsonBytes(Buffer.from(text))).rejects.toThrow(SyntaxError);
  },
);
