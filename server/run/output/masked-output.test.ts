import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KeptTable } from '../../interpreters/contract.ts';
import { MaskedOutput, maskPasswords, maskValues } from './masked-output.ts';

/** Records what passes through a masked output. */
function recorder(...passwords: string[]) {
  const given = new Set(passwords);
  const calls: string[] = [];
  const output = new MaskedOutput(
    {
      write: (text) => void calls.push(text),
      add: (type, data) => void calls.push(`${type}:${data}`),
      replace: (data) => void calls.push(`replace:${data}`),
      whole: () => void calls.push('whole'),
      storing: () => void calls.push('storing'),
      clear: () => void calls.push('clear'),
    },
    given,
  );
  return { output, calls, given };
}

describe('masked output', () => {
  it('hides passwords however the text is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-') }), { maxLength: 8 }),
        (passwords, pieces) => {
          const { output, calls } = recorder(...passwords);
          pieces.forEach((piece) => output.write(piece));
          output.finish();
          expect(calls.join('')).toBe(maskPasswords(pieces.join(''), new Set(passwords)));
          for (const password of passwords) expect(calls.join('')).not.toContain(password);
        },
      ),
    );
  });

  it('holds back only text that may become a password', () => {
    const { output, calls } = recorder('secret');
    output.write('a se');
    expect(calls).toEqual(['a ']);
    output.write('t\n');
    expect(calls).toEqual(['a ', 'set\n']);
    output.write('secre');
    output.write('t!');
    expect(calls.slice(2)).toEqual(['###!']);
    output.write('s');
    output.add('TABLE', 'n\nsecret');
    expect(calls.slice(3)).toEqual(['s', 'TABLE:n\n###']);
    output.write('sec');
    output.clear();
    output.finish();
    expect(calls.slice(5)).toEqual(['clear']);
  });

  it('finds passwords in HTML and JSON, longest first, including later ones', () => {
    const { output, calls, given } = recorder('a<b>"&\'', 'pass', 'password', '');
    output.add('HTML', '<i>a&lt;b&gt;&quot;&amp;&#39;</i> a&lt;b&gt;"&amp;\' password');
    output.add('NETWORK', JSON.stringify({ label: 'a<b>"&\'' }));
    given.add('later');
    output.write('passport later');
    output.finish();
    expect(calls.join('|')).toBe('HTML:<i>###</i> ### ###|NETWORK:{"label":"###"}|###port ###');
  });

  it('leaves images unchanged, and everything if there are no passwords', () => {
    const { output, calls } = recorder('abc');
    output.add('IMG', 'abcd');
    expect(calls).toEqual(['IMG:abcd']);
    expect(maskPasswords('abc', new Set(['']))).toBe('abc');
  });

  it('stores no complete table once its interpreter has a password', () => {
    const table = {} as KeptTable;
    const { output, calls, given } = recorder();
    output.whole(table);
    given.add('secret');
    output.whole(table);
    expect(calls).toEqual(['whole']);
  });
});

it('masks passwords in a document that replaces the previous one', () => {
  const { output, calls } = recorder('secret');
  output.add('HTML', '<p>1</p>');
  output.replace('<p>secret</p>');
  expect(calls).toEqual(['HTML:<p>1</p>', 'replace:<p>###</p>']);
});

it('masks values shared with pages, including their names', () => {
  const secrets = new Set(['hush-hush']);
  expect(maskValues({ a: ['x hush-hush y', 7, null, { 'hush-hush': true }] }, secrets)).toEqual({
    a: [
      `x ${maskPasswords('hush-hush', secrets)} y`,
      7,
      null,
      { [maskPasswords('hush-hush', secrets)]: true },
    ],
  });
  expect(maskPasswords('hush-hush', secrets)).not.toContain('hush');
});
