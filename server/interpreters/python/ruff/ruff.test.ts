import type { Client } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from '../../../../test/support/embedded.ts';
import { temporaryFolder, untilEnd } from '../../../../test/support/until-end.ts';
import { createLog } from '../../../logging/log.ts';
import { diagnosticsIn, Ruff } from './ruff.ts';

it('maps positions of ruff to the text, and syntax errors have no code', () => {
  const json = JSON.stringify([
    {
      code: 'invalid-syntax',
      message: 'Expected an expression',
      location: { row: 1, column: 3 },
      end_location: { row: 1, column: 4 },
    },
    {
      code: 'F841',
      message: 'Local variable `y` is assigned to but never used',
      location: { row: 2, column: 3 },
      end_location: { row: 2, column: 4 },
    },
  ]);
  expect(diagnosticsIn(json, '\n%python ')).toEqual([
    { line: 2, column: 11, endLine: 2, endColumn: 12, message: 'Expected an expression' },
    {
      line: 3,
      column: 3,
      endLine: 3,
      endColumn: 4,
      message: 'Local variable `y` is assigned to but never used',
      code: 'F841',
    },
  ]);
});

const ruff = new Ruff(createLog('silent'));
await ruff.program('');
await ruff.installed();
const program = await ruff.program('');
afterAll(() => ruff.close());
if (!program) console.log('skipped: ruff could not be installed. It needs Python and PyPI.');

describe.skipIf(!program)('ruff', () => {
  const check = (text: string) => ruff.check(program!, text);

  it('finds mistakes, where they are in the text', async () => {
    const found = await check('%python\n\ndef f():\n  y = 1\n');
    expect(found).toEqual([expect.objectContaining({ line: 4, column: 3, code: 'F841' })]);
    const [error, ...others] = await check('%python print(\n');
    expect(others).toEqual([]);
    expect(error).toMatchObject({ line: expect.any(Number) });
    expect(error!.code).toBeUndefined();
  });

  it('accepts names and imports of other paragraphs, magics, and await', async () => {
    for (const text of [
      '%python\nprint(defined_above)\nimport os',
      '%python\n%pip install pandas\n!ls -l *.csv\nfiles = !ls\nfiles',
      '%python\nawait something()\nfor x in y:\n    %timeit x',
      "%python\nprint(f'${total:.2f} of ${cost['a']}')",
      'from x import *\nx = 1;',
      '%python',
      '%%bash\nif then fi',
    ])
      expect(await check(text), text).toEqual([]);
  });

  it('formats code, and leaves magics and the head as they are', async () => {
    expect(await ruff.format(program!, "%python\n%pip install  x\nx = {  'a':1 }\ny = !ls")).toBe(
      '%python\n%pip install  x\nx = {"a": 1}\ny = !ls',
    );
    expect(await ruff.format(program!, '%%html\n<p  >')).toBe('%%html\n<p  >');
    await expect(ruff.format(program!, '%python\nx = (')).rejects.toThrow(
      /^The code can't be formatted: .+\.$/,
    );
  });

  it('says when a configured program is missing', async () => {
    await expect(ruff.check('/nowhere/ruff', 'x = 1')).rejects.toThrow(
      'There is no ruff at /nowhere/ruff. Check python.ruff of the setting python.',
    );
  });
});

describe.skipIf(!program)('the server', () => {
  const data = temporaryFolder();
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let client: Client;
  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded({ data }));
    client = untilEnd(await adminClient(embedded.server.url));
  });

  it('checks and formats Python unless python.ruff is none', async () => {
    const note = await client.open(await client.notes.create({ path: 'ruff' }));
    const { id } = await note.insert({ text: '' });
    const params = { noteId: note.id, paragraphId: id };
    const check = (text: string) => client.call('checkCode', { params, body: { text } });
    const format = (text: string) => client.call('formatCode', { params, body: { text } });
    expect(await check('%python\nx = f"a"')).toMatchObject({
      ready: true,
      diagnostics: [{ code: 'F541' }],
    });
    expect(await format('%python\nx=1')).toEqual({ text: '%python\nx = 1' });
    await expect(format('%python\nx = (')).rejects.toMatchObject({ status: 400 });
    expect(await check('%sql\nselect 1')).toEqual({ ready: false, diagnostics: [] });
    await client.interpreters.update('python', {
      properties: { 'python.ruff': { name: 'python.ruff', value: 'none', type: 'string' } },
    });
    expect((await check('%python\nx = f"a"')).ready).toBe(false);
    await expect(format('%python\nx=1')).rejects.toMatchObject({ status: 404 });
  });
});
