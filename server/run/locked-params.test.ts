import { describe, expect, it } from 'vitest';
import type { StoredParagraph } from '../notes/note.ts';
import { lockParams } from './locked-params.ts';

const choose = (
  text: string,
  params: Record<string, unknown>,
  forms: NonNullable<StoredParagraph['settings']>['forms'] = {},
) =>
  lockParams(
    { id: 'p', text, settings: { params: {}, forms } } as StoredParagraph,
    { params: params as never },
    { scope: 'run' } as Parameters<typeof lockParams>[2],
  ).params;
const list = (name: string, ...values: string[]) => ({
  name,
  type: 'Select',
  options: values.map((value) => ({ value })),
});

describe('values that a page with a run token may choose', () => {
  it('are options of every form with the name in the text', () => {
    const text = '%sql\nselect ${x=a,a|b}, ${x=b,b|c}';
    expect(choose(text, { x: 'b' })).toEqual({ x: 'b' });
    for (const x of ['a', 'c'])
      expect(() => choose(text, { x })).toThrow("may not choose this value for 'x'");
    expect(() => choose('%sql\nselect ${x}, ${x=a,a|b}', { x: 'b' })).toThrow('may not choose');
  });

  it('are options of a form that code creates, unless the text has one of that name', () => {
    const created = { day: list('day', 'mon', 'tue') };
    const code = '%python\nz.select("day", days)';
    expect(choose(code, { day: 'tue' }, created)).toEqual({ day: 'tue' });
    expect(() => choose(code, { day: 'sun' }, created)).toThrow('may not choose');
    expect(() => choose(`${code}\n"\${day=sun,sun}"`, { day: 'sun' }, created)).toThrow(
      'may not choose',
    );
    const both = '%sql\nselect "day", ${day=sun,sun}';
    expect(choose(both, { day: 'sun' }, created)).toEqual({ day: 'sun' });
  });

  it('are not for a form that only an earlier text had', () => {
    expect(choose('%sql\nselect 1', { old: 'any' }, { old: list('old', 'a') })).toEqual({});
  });
});
