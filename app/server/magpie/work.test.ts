import { expect, it } from 'vitest';
import { pythonText } from './work.ts';

it('a script of Python begins where its marks end, and keeps what it indents itself', () => {
  expect(pythonText(' print("ok") ')).toBe('print("ok") ');
  expect(pythonText(' if True:\n  print(1)')).toBe('if True:\n  print(1)');
  expect(pythonText('\n    if True:\n        print(1)\n\n    print(2)\n  ')).toBe(
    'if True:\n    print(1)\n\nprint(2)\n',
  );
  expect(pythonText('')).toBe('');
});
