import { describe, expect, it } from 'vitest';
import { note as noteSchema } from 'tiding/protocol';
import fc from 'fast-check';
import { readNote, serializeNote } from './note.ts';

const read = (paragraph: object) =>
  readNote({ name: 'n', paragraphs: [paragraph] }, '2ABCDEFGH').paragraphs[0]!;

describe('readNote', () => {
  it('knows a note by the id of its folder, whatever the file says', () => {
    expect(readNote({ id: '../../etc', name: 'n', paragraphs: [] }, '2ABCDEFGH').id).toBe(
      '2ABCDEFGH',
    );
  });

  it.each(['../up', 'a/b', '', 'x'.repeat(65), 'ü', 7, null, undefined])(
    'gives a paragraph with the id %j one of its own',
    (id) => {
      expect(read({ id, text: 'x' }).id).toMatch(/^[0-9A-Za-z_-]{1,64}$/);
      expect(read({ id, text: 'x' }).id).not.toBe(id);
    },
  );

  it('keeps good ids of paragraphs, and gives the second of two equal ones another', () => {
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

  it('reads the one output of a very old note, and does not bring it back once it is cleared', () => {
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
      readNote(JSON.parse(serializeNote(note)), '2A').paragraphs.map(({ results }) => results),
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
  ])('reads a date as %s writes it', (_, date) => {
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
  ])('reads a date without a zone, as %s writes it, in local time', (_, date) => {
    expect(Date.parse(read({ dateFinished: date }).dateFinished!.replace('+0000', 'Z'))).toBe(
      new Date(2026, 10, 21, 7, 1, 50).getTime(),
    );
  });

  it('leaves out a date that is none', () => {
    expect(read({ dateStarted: 'yesterday', dateFinished: {} })).not.toHaveProperty('dateStarted');
    expect(read({ dateStarted: 'yesterday', dateFinished: {} })).not.toHaveProperty('dateFinished');
  });

  it.each(['PENDING', 'RUNNING'])(
    'ends a paragraph that was %s as ABORT, says why, and keeps what it had printed',
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
    'throws on %j, which is no note',
    (raw) => {
      expect(() => readNote(raw, '2A')).toThrow();
    },
  );

  it('makes of any JSON a note that every client can read, and that is the same when it is stored and read again', () => {
    const fields = [
      'id',
      'title',
      'text',
      'user',
      'config',
      'settings',
      'results',
      'result',
      'apps',
      'status',
      'progress',
      'errorMessage',
      'jobName',
      'dateCreated',
      'dateStarted',
      'runtimeInfos',
      'rev',
      'tookMs',
      'author',
      'other',
    ];
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
        const second = readNote(JSON.parse(serializeNote(first)), '2A');
        expect(JSON.parse(serializeNote(second))).toEqual(JSON.parse(serializeNote(first)));
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
