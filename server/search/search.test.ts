import { performance } from 'node:perf_hooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { newNote, newParagraph, type StoredNote } from '../notes/note.ts';
import { NoteSearch } from './index.ts';

let notes: Map<string, StoredNote>;
let search: NoteSearch;
const put = (name: string, ...paragraphs: (string | { text: string; title?: string })[]) => {
  const note = newNote(
    name,
    paragraphs.map((init) => newParagraph(typeof init === 'string' ? { text: init } : init)),
  );
  notes.set(note.id, note);
  search.change(note.id);
  return note;
};
const everybody = () => true;
const idsOf = async (query: string, mayRead: (id: string) => boolean = everybody) =>
  (await search.search(query, mayRead)).map(({ id }) => id);
const paragraphOf = (note: StoredNote, index = 0) =>
  `${note.id}/paragraph/${note.paragraphs[index]!.id}`;
beforeEach(() => {
  notes = new Map();
  search = new NoteSearch({ all: () => [...notes.values()], find: (id) => notes.get(id) });
});

describe('search hit', () => {
  it('is the paragraph for its text and the note for its name', async () => {
    const note = put('folder/Weather report', '%md\n# Needle & <b>thread</b>', {
      text: '%sql\nselect 1',
      title: 'A needle case',
    });
    expect(await search.search('needle', everybody)).toEqual(
      expect.arrayContaining([
        {
          id: paragraphOf(note, 0),
          name: 'folder/Weather report',
          snippet: '%md\n# <B>Needle</B> & <b>thread</b>',
          text: '%md\n# Needle & <b>thread</b>',
          header: '',
        },
        {
          id: paragraphOf(note, 1),
          name: 'folder/Weather report',
          snippet: '%sql\nselect 1',
          text: '%sql\nselect 1',
          header: 'A <B>needle</B> case',
        },
      ]) as unknown,
    );
    expect(await search.search('weather', everybody)).toEqual([
      {
        id: note.id,
        name: 'folder/Weather report',
        snippet: 'folder/<B>Weather</B> report',
        text: 'folder/Weather report',
        header: '',
      },
    ]);
  });

  it('ranks names and titles above texts', async () => {
    const text = put('a', 'the harbour has harbour cranes and a harbour master');
    const title = put('b', { text: 'nothing', title: 'The harbour at night' });
    const name = put('harbour c', 'nothing');
    expect(await idsOf('harbour')).toEqual([name.id, paragraphOf(title), paragraphOf(text)]);
  });

  it('matches prefixes, parts and similar words, ignoring case and accents', async () => {
    const note = put('x', 'select Café, flight_delays from `Airports`');
    for (const query of [
      'cafe',
      'CAFÉ',
      'airp',
      'airport',
      'delays',
      'flight_delays',
      'flight airports',
      'airpoets',
      'delayz flight',
    ]) {
      expect(await idsOf(query), query).toEqual([paragraphOf(note)]);
    }
    expect(await idsOf('lights')).toEqual([]);
  });

  it('contains every query word, or one of them if none contains all', async () => {
    const both = put('x', 'red apple');
    const red = put('y', 'red pear');
    expect(await idsOf('red apple')).toEqual([paragraphOf(both)]);
    expect((await idsOf('red zebra')).sort()).toEqual([paragraphOf(both), paragraphOf(red)].sort());
  });

  it('excludes similar matches if there are exact ones, and similar numbers always', async () => {
    const note = put('x', 'harbour order12345');
    const near = put('y', 'harbours harbor order12346');
    expect((await idsOf('harbour')).sort()).toEqual([paragraphOf(note), paragraphOf(near)].sort());
    expect(await idsOf('harbor')).toEqual([paragraphOf(near)]);
    expect(await idsOf('order12347')).toEqual([]);
  });

  it('works in scripts without spaces', async () => {
    const note = put('x', '東京の天気');
    expect(await idsOf('天気')).toEqual([paragraphOf(note)]);
  });
});

describe('query', () => {
  it.each([
    '',
    '   ',
    '%',
    '"unclosed',
    '(',
    '*',
    '\\',
    '__proto__',
    'constructor',
    'toString',
    'AND',
    '"',
  ])('finds nothing and does no harm for %j', async (query) => {
    put('x', 'one');
    expect(await idsOf(query)).toEqual([]);
  });
  it('finds words that are names of object properties', async () => {
    const note = put(
      'x',
      'class A { constructor() {} toString() {} hasOwnProperty valueOf __proto__ }',
    );
    for (const query of ['constructor', 'toString', 'hasownproperty', 'valueOf', '__proto__']) {
      const [hit] = await search.search(query, everybody);
      expect(hit?.id, query).toBe(paragraphOf(note));
      expect(hit!.snippet).toMatch(/<B>/);
    }
  });
  it('is rejected if longer than 1,000 characters', async () => {
    await expect(search.search('x'.repeat(1_001), everybody)).rejects.toMatchObject({
      status: 400,
    });
    expect(await idsOf('x '.repeat(500))).toEqual([]);
  });
});

describe('index', () => {
  it('is up to date with added, changed, renamed and removed notes', async () => {
    const note = put('first', 'alpha', 'gamma');
    expect(await idsOf('alpha')).toHaveLength(1);
    const alpha = paragraphOf(note);
    note.paragraphs[0]!.text = 'beta';
    search.change(note.id);
    expect(await idsOf('alpha')).toEqual([]);
    expect(await idsOf('beta')).toEqual([alpha]);
    note.paragraphs = note.paragraphs.slice(1);
    note.name = 'second';
    search.change(note.id);
    expect(await idsOf('beta')).toEqual([]);
    expect(await idsOf('first')).toEqual([]);
    expect(await idsOf('second')).toEqual([note.id]);
    const other = put('third', 'delta');
    expect(await idsOf('delta')).toEqual([paragraphOf(other)]);
    notes.delete(note.id);
    search.change(note.id);
    expect(await idsOf('gamma')).toEqual([]);
    put('second', 'gamma');
    expect(await idsOf('gamma')).toHaveLength(1);
  });

  it('shows only readable notes, and twenty hits among them', async () => {
    const mine = Array.from({ length: 30 }, (_, n) => put(`mine ${n}`, 'shared word'));
    for (let n = 0; n < 200; n += 1) put(`theirs ${n}`, 'shared word, shared word');
    const ids = new Set(mine.map(({ id }) => id));
    const found = await idsOf('shared', (id) => ids.has(id));
    expect(found).toHaveLength(20);
    expect(found.every((id) => ids.has(id.split('/')[0]!))).toBe(true);
    expect(await idsOf('theirs', (id) => ids.has(id))).toEqual([]);
  });

  it('skips a note that is being removed or that changes while the index is built', async () => {
    const all = Array.from({ length: 500 }, (_, n) => put(`note ${n}`, `word${n} common`));
    const building = idsOf('word499');
    all[499]!.paragraphs[0]!.text = 'other';
    search.change(all[499]!.id);
    notes.delete(all[3]!.id);
    await building;
    expect((await idsOf('other'))[0]).toBe(paragraphOf(all[499]!));
    expect(await idsOf('word3 common')).not.toContain(paragraphOf(all[3]!));
  });

  it('holds 10,000 notes', async () => {
    const words = ['river', 'mountain', 'harbour', 'forest', 'desert', 'island', 'valley'];
    const all = Array.from({ length: 10_000 }, (_, n) =>
      put(
        `folder ${n % 100}/note number${n}`,
        `%md\n# Heading ${words[n % 7]}\ntoken${n}end and ${words[(n * 3) % 7]}`,
        `%sql\nselect ${words[(n + 1) % 7]} from t${n}`,
      ),
    );
    const start = performance.now();
    expect(await idsOf('token1234end')).toEqual([paragraphOf(all[1_234]!)]);
    const built = performance.now();
    expect((await idsOf('number9876'))[0]).toBe(all[9_876]!.id);
    expect(await idsOf('harbour')).toHaveLength(20);
    all[77]!.paragraphs[0]!.text = 'a singular zeppelin';
    search.change(all[77]!.id);
    expect(await idsOf('zeppelin')).toEqual([paragraphOf(all[77]!)]);
    console.info(
      `10,000 notes: built in ${Math.round(built - start)} ms, ` +
        `three searches in ${Math.round(performance.now() - built)} ms`,
    );
  });
});
