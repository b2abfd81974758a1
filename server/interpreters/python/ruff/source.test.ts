import { describe, expect, it } from 'vitest';
import { maskForCheck, maskForFormat } from './source.ts';

describe('code for ruff', () => {
  it('has names of the same length in place of magics, shell commands and help', () => {
    expect(
      maskForCheck(['%pip install x', 'if a:', '    !ls -l', 'b = !ls', 'c?', '??d'].join('\n')),
    ).toBe(['______________', 'if a:', '    ______', 'b = ___', '__', '___'].join('\n'));
  });

  it('keeps operators, strings and comments that look like magics', () => {
    for (const code of [
      'a = (b\n  %c)',
      '"""\n%pip\n!ls\n"""',
      "'''it's\n%c'''",
      'a = b \\\n  %c',
      'a = "(" # (\nb = a % c',
      'a[0] != b',
    ])
      expect(maskForCheck(code)).toBe(code);
  });

  it('masks continued magics, and Python cell magics only in their first line', () => {
    expect(maskForCheck('!a \\\n  b\nc = 1')).toBe('____\n  _\nc = 1');
    expect(maskForCheck('%%time\nc = 1')).toBe('______\nc = 1');
    expect(maskForCheck('%%bash\nif then')).toBeUndefined();
  });

  it('gets its pieces back, and is left alone if one is missing', () => {
    const masked = maskForFormat("%matplotlib inline\nx=f('a',!b)\ny = !ls")!;
    expect(masked.script).toBe("__tiding_0__\nx=f('a',!b)\ny = __tiding_1__");
    expect(masked.restore(masked.script.replace('x=', 'x = '))).toBe(
      "%matplotlib inline\nx = f('a',!b)\ny = !ls",
    );
    expect(masked.restore('__tiding_0__')).toBeUndefined();
    expect(maskForFormat('%%html\n<p>')).toBeUndefined();
  });
});
