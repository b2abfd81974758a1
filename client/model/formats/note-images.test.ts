import { describe, expect, it } from 'vitest';
import type { Note } from '../../protocol/objects.ts';
import { noteImageName } from './image-names.ts';
import { fromNotebook, toNotebook } from './jupyter.ts';
import type { Notebook } from './jupyter-types.ts';
import { imageMarkdown, imagesInHtml, imagesInNote } from './note-images.ts';

const html = (body: string) => `<div class="markdown-body">\n${body}</div>`;
const note = (text: string, body: string): Note =>
  ({
    id: 'N',
    name: 'Pictures',
    paragraphs: [
      {
        id: 'p',
        text,
        status: 'FINISHED',
        config: {},
        settings: { params: {}, forms: {} },
        results: { code: 'SUCCESS', msg: [{ type: 'HTML', data: html(body) }] },
      },
    ],
  }) as unknown as Note;
const images = { 'map.png': 'aGVsbG8=', 'a b.svg': 'PHN2Zz4=' };

describe('an image of a note', () => {
  it('is a plain file name of an image, encoded or not', () => {
    expect(
      ['map.png', 'a%20b.SVG', 'caf%C3%A9.webp', '100%.gif'].map((each) => noteImageName(each)),
    ).toEqual(['map.png', 'a b.SVG', 'café.webp', '100%.gif']);
    for (const other of [
      '/map.png',
      'files/map.png',
      'https://example.org/map.png',
      'data:image/png;base64,AAAA',
      'attachment:map.png',
      '..%2Fmap.png',
      'map.csv',
      'map.png?x',
      '',
    ])
      expect(noteImageName(other), other).toBeUndefined();
  });

  it('has an address in Markdown that leads back to its name', () => {
    for (const name of ['map.png', 'a b (1).svg', '100%.gif'])
      expect(noteImageName(/\]\((.*)\)$/.exec(imageMarkdown(name))![1]!)).toBe(name);
    expect(imageMarkdown('a b.png')).toBe('![a b](a%20b.png)');
  });

  it('is found in texts and results', () => {
    expect(imagesInHtml('<img src="a.png" alt=""><img alt="" src="https://x.org/b.png">')).toEqual([
      'a.png',
    ]);
    const found = note(
      '%md\n![map](map.png "A map") and ![b][ref]\n\n[ref]: a%20b.svg\n',
      '<img src="old.gif" alt="">',
    );
    expect(imagesInNote(found)).toEqual(['map.png', 'a b.svg', 'old.gif']);
    expect(imagesInNote(note('%python\n# ![map](map.png)', ''))).toEqual([]);
  });
});

describe('an exported note with images', () => {
  const text = '%md\n![map](map.png) ![b](a%20b.svg) ![lost](lost.png)';
  const body = '<img src="map.png" alt="map"><img src="lost.png" alt="lost">';

  it('has them as attachments of Jupyter, and gets them back', () => {
    const book = toNotebook(note(text, body), images);
    expect(book.cells[0]).toMatchObject({
      source: ['![map](attachment:map.png) ![b](attachment:a%20b.svg) ![lost](lost.png)'],
      attachments: {
        'map.png': { 'image/png': 'aGVsbG8=' },
        'a b.svg': { 'image/svg+xml': 'PHN2Zz4=' },
      },
    });
    const back = fromNotebook(JSON.parse(JSON.stringify(book)));
    expect(back.images).toEqual(images);
    expect(back.paragraphs[0]).toMatchObject({ text, results: { msg: [{ data: html(body) }] } });
  });

  it('reads attachments of other notebooks, with names that are unique in the note', () => {
    const cell = (data: string) => ({
      cell_type: 'markdown',
      metadata: {},
      source: ['![x](attachment:image.png)\n', '![y](attachment:none.png)'],
      attachments: { 'image.png': { 'image/png': data } },
    });
    const book = { nbformat: 4, metadata: {}, cells: [cell('AAAA'), cell('BBBB'), cell('AAAA')] };
    const { paragraphs, images: found } = fromNotebook(book as unknown as Notebook);
    expect(found).toEqual({ 'image.png': 'AAAA', 'image-2.png': 'BBBB' });
    expect(paragraphs.map((each) => each.text)).toEqual(
      ['image.png', 'image-2.png', 'image.png'].map(
        (name) => `%md\n![x](${name})\n![y](attachment:none.png)`,
      ),
    );
  });
});
