/** The table of texts can be replaced, and says what is wrong with a replacement. */
import { afterEach, describe, expect, it } from 'vitest';
import { fill, text } from '../elements/text/en.ts';
import { onTexts, setTexts, texts, withTexts, type SomeTexts } from '../elements/text/table.ts';

const before = structuredClone({
  cancel: text.cancel,
  points: text.login.points,
  shown: text.list.shown,
  run: text.note.run,
  status: { ...text.status },
});
afterEach(() =>
  setTexts({
    cancel: before.cancel,
    login: { points: before.points },
    list: { shown: before.shown },
    note: { run: before.run },
    status: before.status,
  }),
);

describe('setTexts', () => {
  it('replaces some of the table in place and tells who listens', () => {
    const held = text.note;
    let told = 0;
    const stop = onTexts(() => (told += 1));
    setTexts({
      cancel: 'Abbrechen',
      note: { run: 'Alle ausführen' },
      login: { points: ['eins'] },
      status: { FINISHED: 'Fertig', OWN: 'Eigen' },
    });
    stop();
    expect([
      text.cancel,
      held.run,
      held.stop,
      texts.login.points,
      text.status['FINISHED'],
      text.status['OWN'],
      told,
    ]).toEqual(['Abbrechen', 'Alle ausführen', 'Stop all', ['eins'], 'Fertig', 'Eigen', 1]);
  });

  it('follows in tables that were made of texts', () => {
    const rows = withTexts(() => [{ label: text.note.run }]);
    setTexts({ note: { run: 'Alle' } });
    expect(rows).toEqual([{ label: 'Alle' }]);
  });

  it("keeps a template's places, in any order, and replaces nothing when one is missing", () => {
    setTexts({ list: { shown: 'von {all} Notizen {shown}' } });
    expect(fill(text.list.shown, { all: 3, shown: 2 })).toBe('von 3 Notizen 2');
    expect(() => setTexts({ cancel: 'Weg', list: { shown: 'alle' } })).toThrow(
      "'list.shown' needs the places {all}, {shown}, not none",
    );
    expect(text.cancel).toBe(before.cancel);
  });

  it.each<[unknown, string]>([
    [{ nothing: 'x' }, "there is no text 'nothing'"],
    [{ note: 'x' }, "'note' holds several texts"],
    [{ cancel: { a: 'x' } }, "'cancel' is a string"],
    [{ cancel: 3 }, "'cancel' is a string"],
    [{ login: { points: 'x' } }, "'login.points' is a list of texts"],
    [{ result: { fullTrace: 'x' } }, "'result.fullTrace' is a function"],
    [JSON.parse('{"__proto__":{"cancel":"x"}}'), "there is no text '__proto__'"],
  ])('refuses %j', (some, message) => {
    expect(() => setTexts(some as SomeTexts)).toThrow(message);
  });
});
