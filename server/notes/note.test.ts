import { note as noteSchema } from '@tiding/client/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteInFile, readNote } from './note.ts';

const read = (paragraph: object) =>
  readNote({ name: 'n', paragraphs: [paragraph] }, '2ABCDEFGH').paragraphs[0]!;

describe('readNote', () => {
  it('identifies a note by its folder, whatever the file says [S56]', () => {
    expect(readNote({ id: '../../etc', name: 'n', paragraphs: [] }, '2ABCDEFGH').id).toBe(
      '2ABCDEFGH',
    );
  });

  it.each(['../up', 'a/b', '', 'x'.repeat(65), 'ü', 7, null, undefined])(
    'replaces the invalid paragraph id %j',
    (id) => {
      expect(read({ id, text: 'x' }).id).toMatch(/^[0-9A-Za-z_-]{1,64}$/);
      expect(read({ id, text: 'x' }).id).not.toBe(id);
    },
  );

  it('keeps valid paragraph ids, and replaces the second of two equal ones', () => {
    const ids = readNote(
      {
        paragraphs: [
          { id: '20261121-070135_35893072' },
          { id: 'paragraph_1_2' },
          { id: 'paragraph_1_2' },
        ],
      },
      '2A',
    ).paragraphs.map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['20261121-070135_35893072', 'paragraph_1_2']);
    expect(new Set(ids).size).toBe(3);
  });

  it('reads the single output of a very old note; clearing it is permanent', () => {
    const note = readNote(
      {
        paragraphs: [
          { result: { code: 'SUCCESS', type: 'TABLE', msg: 'a\n1' } },
          { result: { msg: 'plain' } },
        ],
      },
      '2A',
    );
    expect(note.paragraphs.map(({ results }) => results)).toEqual([
      { code: 'SUCCESS', msg: [{ type: 'TABLE', data: 'a\n1' }] },
      { msg: [{ type: 'TEXT', data: 'plain' }] },
    ]);
    for (const paragraph of note.paragraphs) delete paragraph.results;
    expect(
      readNote(JSON.parse(JSON.stringify(noteInFile(note))), '2A').paragraphs.map(
        ({ results }) => results,
      ),
    ).toEqual([undefined, undefined]);
  });

  it('prefers the outputs of a newer note to the old one beside them', () => {
    expect(
      read({
        result: { msg: 'old' },
        results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'new' }] },
      }).results?.msg?.[0]?.data,
    ).toBe('new');
  });

  it.each([
    ['the live channel', '2026-11-21T07:01:50+0000'],
    ['ISO 8601', '2026-11-21T07:01:50.123Z'],
    ['ISO 8601 with a zone', '2026-11-21T08:01:50+01:00'],
    ['a job status', 'Sat Nov 21 07:01:50 UTC 2026'],
    ['milliseconds', 1_795_244_510_000],
    ['milliseconds as text', '1795244510000'],
  ])('parses a date as written by %s', (_, date) => {
    expect(
      read({ dateCreated: date, dateUpdated: date, dateStarted: date, dateFinished: date }),
    ).toMatchObject({
      dateCreated: '2026-11-21T07:01:50+0000',
      dateUpdated: '2026-11-21T07:01:50+0000',
      dateStarted: '2026-11-21T07:01:50+0000',
      dateFinished: '2026-11-21T07:01:50+0000',
    });
  });

  it.each([
    ['storage', '2026-11-21 07:01:50.448'],
    ['JDK 9 and later', 'Nov 21, 2026, 7:01:50 AM'],
    ['JDK 8', 'Nov 21, 2026 7:01:50 AM'],
    ['JDK 20 and later', 'Nov 21, 2026, 7:01:50\u202fAM'],
    ['an import', 'Nov 21, 2026 07:01:50'],
  ])('parses a date without time zone, as written by %s, as local time', (_, date) => {
    expect(Date.parse(read({ dateFinished: date }).dateFinished!.replace('+0000', 'Z'))).toBe(
      new Date(2026, 10, 21, 7, 1, 50).getTime(),
    );
  });

  it('drops an invalid date', () => {
    expect(read({ dateStarted: 'yesterday', dateFinished: {} })).not.toHaveProperty('dateStarted');
    expect(read({ dateStarted: 'yesterday', dateFinished: {} })).not.toHaveProperty('dateFinished');
  });

  it.each(['PENDING', 'RUNNING'])(
    'ends a paragraph that was %s as ABORT, says why, and keeps its output',
    (status) => {
      const paragraph = read({
        status,
        results: { code: 'INCOMPLETE', msg: [{ type: 'TEXT', data: 'so far' }] },
      });
      expect(paragraph).toMatchObject({
        status: 'ABORT',
        errorMessage: 'The server stopped while this paragraph ran.',
        results: { msg: [{ data: 'so far' }] },
      });
    },
  );

  it.each([undefined, null, 7, 'note', [], {}, { paragraphs: {} }, { paragraphs: null }])(
    'throws for %j, which is not a note',
    (raw) => {
      expect(() => readNote(raw, '2A')).toThrow();
    },
  );

  it('turns any JSON into a note that clients can read and that survives storing', () => {
    const fields = (
      'id title text user config settings results result apps status progress ' +
      'errorMessage jobName dateCreated dateStarted runtimeInfos rev tookMs author ' +
      'other'
    ).split(' ');
    const paragraph = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 }));
    const note = fc.record(
      {
        paragraphs: fc.array(fc.oneof(paragraph, fc.jsonValue({ maxDepth: 1 })), { maxLength: 4 }),
        name: fc.jsonValue({ maxDepth: 1 }),
        path: fc.jsonValue({ maxDepth: 1 }),
        config: fc.jsonValue({ maxDepth: 3 }),
        info: fc.jsonValue(),
        noteParams: fc.jsonValue(),
        noteForms: fc.jsonValue(),
        angularObjects: fc.jsonValue(),
        bindings: fc.jsonValue(),
      },
      { requiredKeys: ['paragraphs'] },
    );
    fc.assert(
      fc.property(note, (raw) => {
        const first = readNote(JSON.parse(JSON.stringify(raw)), '2A');
        const told = noteSchema.safeParse(JSON.parse(JSON.stringify(first)));
        expect(told.success, String(told.error)).toBe(true);
        expect(typeof first.name).toBe('string');
        const second = readNote(JSON.parse(JSON.stringify(noteInFile(first))), '2A');
        expect(JSON.parse(JSON.stringify(noteInFile(second)))).toEqual(
          JSON.parse(JSON.stringify(noteInFile(first))),
        );
      }),
      {
        numRuns: 500,
        examples: [253_402_300_800_000, -62_167_219_200_001, -61_000_000_000_000].map(
          (dateCreated): [never] => [{ paragraphs: [{ dateCreated }] } as never],
        ),
      },
    );
  });
});
