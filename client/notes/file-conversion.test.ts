import { expect, test } from 'vitest';
import { toPercent } from '../model/formats/percent.ts';
import type { JsonObject, Note } from '../protocol/index.ts';
import { noteOfFile } from './file-conversion.ts';

const notebook = (...cells: JsonObject[]): string =>
  JSON.stringify({ nbformat: 4, nbformat_minor: 4, metadata: {}, cells });

test('an empty notebook is a note with an empty paragraph', async () => {
  expect(await noteOfFile('new.ipynb', notebook())).toMatchObject({
    name: 'new',
    paragraphs: [{ text: '' }],
  });
  await expect(noteOfFile('new.zpln', '{"paragraphs": []}')).rejects.toThrow('Invalid JSON');
});

test('a note in an answer of the REST API is read', async () => {
  const note = { name: 'Old', paragraphs: [{ text: '%md x' }] };
  for (const body of [note, JSON.stringify(note)])
    expect(await noteOfFile('a.json', JSON.stringify({ status: 'OK', body }))).toEqual(note);
});

test('long integers and other numbers of JSON outputs are shown with all digits', async () => {
  const output = {
    output_type: 'display_data',
    metadata: {},
    data: { 'application/json': { id: 0, rates: [1, 2] }, 'text/plain': 'x' },
  };
  const text = notebook({ cell_type: 'code', metadata: {}, source: 'x', outputs: [output] })
    .replace('"id":0', '"id":9007199254740993')
    .replace('[1,2]', '[1.0,NaN]');
  const { paragraphs } = await noteOfFile('ids.ipynb', text);
  expect(paragraphs).toMatchObject([
    {
      results: {
        msg: [
          {
            data: '{\n  "id": 9007199254740993,\n  "rates": [\n    1.0,\n    NaN\n  ]\n}\n',
          },
        ],
      },
    },
  ]);
});

test('a script in a declared encoding is exported in UTF-8, which it declares', async () => {
  const script = Uint8Array.from([...'# -*- coding: latin-1 -*-\nname = "Müller"\n'], (unit) =>
    unit.charCodeAt(0),
  );
  const note = await noteOfFile('old.py', script);
  expect(toPercent({ id: 'N', ...note } as unknown as Note)).toContain(
    '# -*- coding: utf-8 -*-\nname = "Müller"',
  );
});
