import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixtures, frameText, recordingsOf } from '../../test/support/recorded.ts';
import { isTidingError } from '../core/errors.ts';
import { receivedOperations } from '../protocol/index.ts';
import { decodeFrame, MAX_FRAME_DEPTH } from './decode.ts';

const recorded = recordingsOf(fixtures)!
  .flatMap(({ entries }) => entries)
  .map(frameText)
  .filter((text) => text !== undefined);

describe('a frame', () => {
  test('with a known operation becomes a message with payload and the id it answers', () => {
    expect(
      decodeFrame(
        '{"op":"PROGRESS","data":{"id":"p1","progress":40},"msgId":"abcde-7","ticket":"anonymous"}',
      ),
    ).toEqual({
      kind: 'message',
      message: { op: 'PROGRESS', data: { id: 'p1', progress: 40 }, msgId: 'abcde-7' },
    });
  });

  test('without data has an empty payload', () => {
    expect(decodeFrame('{"op":"REPO_SYNC_SUCCESS"}')).toMatchObject({
      kind: 'message',
      message: { data: {} },
    });
    expect(decodeFrame('{"op":"NOTE","data":null}')).toMatchObject({
      kind: 'message',
      message: { data: {} },
    });
  });

  test('keeps fields that the protocol does not define, at every depth', () => {
    const data = {
      note: {
        id: '2A',
        extra: 1,
        paragraphs: [
          { id: 'p', config: { colWidth: 6, mine: { deep: [1, null] } }, extra: { a: 'b' } },
        ],
      },
      extra: true,
    };
    expect(decodeFrame(JSON.stringify({ op: 'NOTE', data }))).toMatchObject({
      kind: 'message',
      message: { data },
    });
  });

  test('treats a null field as absent', () => {
    const decoded = decodeFrame(
      '{"op":"PARAGRAPH","data":{"paragraph":{"id":"p","text":null,"results":null,' +
        '"config":null}},"msgId":null}',
    );
    expect(decoded).toMatchObject({
      kind: 'message',
      message: {
        data: { paragraph: { id: 'p', text: undefined, results: undefined, config: undefined } },
        msgId: undefined,
      },
    });
  });

  test('with an unknown operation becomes an event of its own with the complete payload', () => {
    expect(decodeFrame('{"op":"SOMETHING_NEW","data":{"a":[1]}}')).toEqual({
      kind: 'unknown',
      message: { op: 'SOMETHING_NEW', data: { a: [1] } },
    });
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', ''])(
    'whose operation is a property of every object (%s) is unknown as well',
    (op) => {
      expect(decodeFrame(JSON.stringify({ op, data: {} }))).toMatchObject({
        kind: 'unknown',
        message: { op },
      });
    },
  );

  test.each([
    ['binary', new ArrayBuffer(4)],
    ['nothing', undefined],
    ['not JSON', '{'],
    ['empty', ''],
    ['null', 'null'],
    ['a number', '1'],
    ['a list', '[]'],
    ['no operation', '{"data":{}}'],
    ['an operation that is not text', '{"op":7}'],
  ])('that is %s is an error that says so', (_what, frame) => {
    const decoded = decodeFrame(frame);
    expect(decoded.kind).toBe('error');
    if (decoded.kind === 'error') expect(isTidingError(decoded.error, 'protocol')).toBe(true);
  });

  test.each([
    ['a number that is not finite', '{"op":"PROGRESS","data":{"id":"p","progress":1e999}}'],
    [
      'such a number in a field of any type',
      '{"op":"NOTE_UPDATED","data":{"config":{"mine":[-1e400]}}}',
    ],
    [
      'too many levels of nesting',
      `{"op":"NOTE_UPDATED",` +
        `"data":{"info":${'['.repeat(MAX_FRAME_DEPTH)}${']'.repeat(MAX_FRAME_DEPTH)}}}`,
    ],
  ])('with %s is an error', (_what, frame) => {
    expect(decodeFrame(frame)).toMatchObject({ kind: 'error', error: { code: 'protocol' } });
  });

  test('nested as deeply as a note may be is a message', () => {
    const deep = MAX_FRAME_DEPTH - 4;
    expect(
      decodeFrame(
        `{"op":"NOTE_UPDATED","data":{"info":{"x":${'['.repeat(deep)}${']'.repeat(deep)}}}}`,
      ).kind,
    ).toBe('message');
  });

  test('that does not match the protocol is an error naming the operation and field', () => {
    const decoded = decodeFrame('{"op":"NOTES_INFO","data":{"notes":[{"id":"a"},{"path":"b"}]}}');
    expect(decoded).toMatchObject({
      kind: 'error',
      error: { op: 'NOTES_INFO', issues: [expect.stringMatching(/^notes\.1\.id: /)] },
    });
  });
});

describe('any input', () => {
  const kinds = { message: 0, unknown: 0, error: 0 };
  /**
   * Checks that the result is one of three kinds, nothing is thrown, and global prototypes are
   * unchanged.
   */
  const survives = (frame: unknown): boolean => {
    const before = Object.getOwnPropertyNames(Object.prototype).length;
    const decoded = decodeFrame(frame);
    const fair =
      decoded.kind === 'error'
        ? isTidingError(decoded.error, 'protocol')
        : decoded.kind === 'unknown'
          ? !Object.hasOwn(receivedOperations, decoded.message.op) &&
            typeof decoded.message.op === 'string'
          : Object.hasOwn(receivedOperations, decoded.message.op) &&
            Object.getPrototypeOf(decoded.message.data) === Object.prototype;
    kinds[decoded.kind] += 1;
    return (
      fair && Object.getOwnPropertyNames(Object.prototype).length === before && !('polluted' in {})
    );
  };

  /** Names with a special meaning to careless code. */
  const name = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'id',
        'note',
        'notes',
        'paragraph',
        'paragraphs',
        'config',
        'results',
        'msg',
        'data',
        'op',
      ),
    },
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'then', '0', 'length'),
    fc.string({ maxLength: 5 }),
  );
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e308,
      '',
      '\ud800',
      '\u0000',
      [],
      {},
      [[]],
      { polluted: true },
    ),
    fc.string({ maxLength: 8 }),
    fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
    fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 4 }),
  );

  /** A real frame in which one value was replaced, or one field added or removed. */
  const damaged = fc
    .tuple(
      fc.constantFrom(...recorded),
      fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      fc.constantFrom('replace', 'remove', 'add', 'rename'),
      odd,
      name,
    )
    .map(([text, way, how, value, key]) => {
      const frame = JSON.parse(text) as Record<string, unknown>;
      let parent: Record<string, unknown> = frame;
      let last = 'data';
      for (const step of way) {
        const names = Object.keys(parent);
        if (names.length === 0) break;
        last = names[step % names.length]!;
        const inner = parent[last];
        if (typeof inner !== 'object' || inner === null) break;
        parent = inner as Record<string, unknown>;
        last = Object.keys(parent)[0] ?? last;
      }
      if (how === 'replace') parent[last] = value;
      else if (how === 'remove') delete parent[last];
      else {
        if (Array.isArray(parent)) return JSON.stringify(frame);
        const old = parent[last];
        if (how === 'rename') delete parent[last];
        // As JSON.parse does it: an own property, even for this name.
        Object.defineProperty(parent, key, {
          value: how === 'rename' ? old : value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return JSON.stringify(frame);
    });
  const truncated = fc
    .tuple(fc.constantFrom(...recorded), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([text, share]) => text.slice(0, Math.floor(text.length * share)));
  const made = fc
    .tuple(
      fc.oneof(fc.constantFrom(...Object.keys(receivedOperations)), name),
      fc.oneof(odd, fc.jsonValue({ maxDepth: 4 })),
    )
    .map(
      ([op, data]) =>
        `{"op":${JSON.stringify(op)},"data":${JSON.stringify(data)},"__proto__":{"polluted":true}}`,
    );
  const nested = fc
    .tuple(
      fc.constantFrom(...Object.keys(receivedOperations)),
      fc.integer({ min: 1, max: 5_000 }),
      fc.constantFrom('[', '{"a":', '{"note":', '{"paragraph":', '{"__proto__":'),
    )
    .map(
      ([op, depth, open]) =>
        `{"op":"${op}","data":${open.repeat(depth)}1${(open === '[' ? ']' : '}').repeat(depth)}}`,
    );

  test('never throws for 20,000 truncated, mistyped, deeply nested or random frames', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 8, arbitrary: damaged },
          { weight: 3, arbitrary: truncated },
          { weight: 4, arbitrary: made },
          { weight: 1, arbitrary: nested },
          { weight: 1, arbitrary: fc.string() },
          { weight: 1, arbitrary: fc.json() },
        ),
        survives,
      ),
      { numRuns: 20_000 },
    );
    // Some of the damaged frames must still be valid; otherwise only the first check was tested.
    expect(Math.min(kinds.message, kinds.error)).toBeGreaterThan(2_000);
    expect(kinds.unknown).toBeGreaterThan(500);
  });

  test('with a hundred thousand levels of nesting is handled', () => {
    const deep = 100_000;
    for (const op of ['NOTE', 'PARAGRAPH', 'ANGULAR_OBJECT_UPDATE', 'NOBODY_KNOWS'])
      expect(survives(`{"op":"${op}","data":${'['.repeat(deep)}${']'.repeat(deep)}}`)).toBe(true);
  });
});
