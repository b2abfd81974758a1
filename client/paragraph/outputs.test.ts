import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { append, output, outputsOf, outputText, type Output } from './outputs.ts';

describe('an append', () => {
  test('adds to the text and leaves the record before it as it was', () => {
    const one = output('TEXT', 'a');
    const two = append(one, 'b');
    const three = append(two, 'c');
    expect([one, two, three].map(outputText)).toEqual(['a', 'ab', 'abc']);
    expect(three.type).toBe('TEXT');
  });

  test('shares the list of what came before: it costs nothing per past byte', () => {
    const start = output('TEXT', 'a');
    let last: Output = start;
    for (let n = 0; n < 1_000; n += 1) last = append(last, 'x');
    expect(last.chunks).toBe(start.chunks);
    expect([last.count, start.count]).toEqual([1_001, 1]);
    expect(outputText(start)).toBe('a');
  });

  test('to a record that has already gone on elsewhere makes a list of its own', () => {
    const start = output('TEXT', 'a');
    const one = append(start, 'b');
    const other = append(start, 'c');
    expect([outputText(one), outputText(other), outputText(start)]).toEqual(['ab', 'ac', 'a']);
    expect(other.chunks).not.toBe(one.chunks);
  });

  test('of nothing is the same record', () => {
    const start = output('TEXT', 'a');
    expect(append(start, '')).toBe(start);
  });
});

test('any appends to any earlier records read as plain strings would', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(), fc.string({ maxLength: 3 }), fc.boolean()), { maxLength: 60 }),
      (steps) => {
        const records: Output[] = [output('TEXT')];
        const texts = [''];
        for (const [pick, data, read] of steps) {
          const at = pick % records.length;
          records.push(append(records[at]!, data));
          texts.push(texts[at]! + data);
          // Reading joins and remembers; that must not change what comes after.
          if (read) outputText(records[at]!);
        }
        expect(records.map(outputText)).toEqual(texts);
      },
    ),
    { numRuns: 500 },
  );
});

describe('final results', () => {
  test('keep the record of an output that they repeat, so that its view does not start again', () => {
    const streamed = [append(output('TEXT', 'a\n'), 'b\n'), output('HTML', '<b>')];
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

  test('that are all there already are the same list', () => {
    const streamed = [output('TEXT', 'a')];
    expect(outputsOf({ code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'a' }] }, streamed)).toBe(
      streamed,
    );
    expect(outputsOf(undefined, [])).toEqual([]);
  });

  test('of another type, or fewer, are another list', () => {
    const streamed = [output('TEXT', 'a'), output('TEXT', 'b')];
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
    ).toEqual(output('HTML', 'a'));
    expect(outputsOf({ msg: [{ type: 'TEXT', data: 'a' }] }, streamed)).toEqual([streamed[0]]);
    expect(outputsOf({}, streamed)).toEqual([]);
  });

  test('are always exactly what they say, whatever was streamed before', () => {
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
            append(output(type, data.slice(0, 1)), data.slice(1)),
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

  test('says how many rows are kept, and is another output where only that changes', () => {
    const [plain] = outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n' }] });
    const [kept] = outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n', rows: 7 }] }, [plain!]);
    expect([plain!.rows, kept!.rows, outputText(kept!)]).toEqual([undefined, 7, 'a\n1\n']);
    expect(outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n', rows: 7 }] }, [kept!])[0]).toBe(kept);
    expect(outputsOf({ msg: [{ type: 'TABLE', data: 'a\n1\n' }] }, [kept!])[0]).not.toHaveProperty(
      'rows',
    );
  });
});
