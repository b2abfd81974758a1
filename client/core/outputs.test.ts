import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendToOutput, createOutput, type Output, outputsOf, outputText } from './outputs.ts';

describe('an append', () => {
  test('adds to the text and leaves the previous record unchanged', () => {
    const one = createOutput('TEXT', 'a');
    const two = appendToOutput(one, 'b');
    const three = appendToOutput(two, 'c');
    expect([one, two, three].map(outputText)).toEqual(['a', 'ab', 'abc']);
    expect(three.type).toBe('TEXT');
  });

  test('shares the list of chunks, so its cost does not depend on the existing text', () => {
    const start = createOutput('TEXT', 'a');
    let last: Output = start;
    for (let n = 0; n < 1_000; n += 1) last = appendToOutput(last, 'x');
    expect(last.chunks).toBe(start.chunks);
    expect([last.count, start.count]).toEqual([1_001, 1]);
    expect(outputText(start)).toBe('a');
  });

  test('to a record that was already extended copies the list', () => {
    const start = createOutput('TEXT', 'a');
    const one = appendToOutput(start, 'b');
    const other = appendToOutput(start, 'c');
    expect([outputText(one), outputText(other), outputText(start)]).toEqual(['ab', 'ac', 'a']);
    expect(other.chunks).not.toBe(one.chunks);
  });

  test('of nothing returns the same record', () => {
    const start = createOutput('TEXT', 'a');
    expect(appendToOutput(start, '')).toBe(start);
  });
});

test('any appends to any earlier records behave like strings', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 3 }), fc.boolean()), { maxLength: 60 }),
      (steps) => {
        const records: Output[] = [createOutput('TEXT')];
        const texts = [''];
        for (const [pick, data, read] of steps) {
          const at = pick % records.length;
          records.push(appendToOutput(records[at]!, data));
          texts.push(texts[at]! + data);
          // Reading joins and caches the text, which must not affect later appends.
          if (read) outputText(records[at]!);
        }
        expect(records.map(outputText)).toEqual(texts);
      },
    ),
    { numRuns: 500 },
  );
});

describe('final results', () => {
  test('keep the record of an unchanged output, so that its view is not rebuilt', () => {
    const streamed = [
      appendToOutput(createOutput('TEXT', 'a\n'), 'b\n'),
      createOutput('HTML', '<b>'),
    ];
    const final = outputsOf(
      {
        msg: [
          { type: 'TEXT', data: 'a\nb\n' },
          { type: 'HTML', data: '<i>' },
        ],
      },
      streamed,
    );
    expect(final[0]).toBe(streamed[0]);
    expect(final[1]).not.toBe(streamed[1]);
    expect(final.map(outputText)).toEqual(['a\nb\n', '<i>']);
  });

  test('end the storing of a table, also if it failed', () => {
    const first = createOutput('TABLE', 'a\n1');
    const storing = appendToOutput(first, '', 2_000);
    expect([storing.storedRows, outputText(storing), first.storedRows]).toEqual([
      2_000,
      'a\n1',
      undefined,
    ]);
    for (const rows of [5_000, undefined]) {
      const [last] = outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1', rows }] }, [storing]);
      expect([last?.rows, last?.storedRows]).toEqual([rows, undefined]);
    }
  });

  test('that are all present already are the same list', () => {
    const streamed = [createOutput('TEXT', 'a')];
    expect(outputsOf({ code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'a' }] }, streamed)).toBe(
      streamed,
    );
    expect(outputsOf(undefined, [])).toEqual([]);
  });

  test('of another type or number are a new list', () => {
    const streamed = [createOutput('TEXT', 'a'), createOutput('TEXT', 'b')];
    expect(
      outputsOf(
        {
          msg: [
            { type: 'HTML', data: 'a' },
            { type: 'TEXT', data: 'b' },
          ],
        },
        streamed,
      )[0],
    ).toEqual(createOutput('HTML', 'a'));
    expect(outputsOf({ msg: [{ type: 'TEXT', data: 'a' }] }, streamed)).toEqual([streamed[0]]);
    expect(outputsOf({}, streamed)).toEqual([]);
  });

  test("always contain exactly the server's results, whatever was streamed before", () => {
    const message = fc.record({
      type: fc.constantFrom('TEXT', 'HTML', 'TABLE'),
      data: fc.string({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 4 }),
        fc.array(message, { maxLength: 4 }),
        (before, msg) => {
          const streamed = before.map(({ type, data }) =>
            appendToOutput(createOutput(type, data.slice(0, 1)), data.slice(1)),
          );
          expect(
            outputsOf({ msg }, streamed).map((entry) => ({
              type: entry.type,
              data: outputText(entry),
            })),
          ).toEqual(msg);
        },
      ),
    );
  });

  test('report the number of stored rows, and are a new output if only that changes', () => {
    const [plain] = outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n' }] });
    const [kept] = outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n', rows: 7 }] }, [plain!]);
    expect([plain!.rows, kept!.rows, outputText(kept!)]).toEqual([undefined, 7, 'a\n1\n']);
    expect(outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n', rows: 7 }] }, [kept!])[0]).toBe(kept);
    expect(outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n' }] }, [kept!])[0]).not.toHaveProperty(
      'rows',
    );
  });
});
