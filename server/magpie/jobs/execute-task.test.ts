import { expect, it } from 'vitest';
import { pythonText } from './execute-task.ts';

it('a Python script keeps its own indentation but loses the indentation of the statement', () => {
  expect(pythonText(' print("ok") ')).toBe('print("ok") ');
  expect(pythonText(' if True:\n  print(1)')).toBe('if True:\n  print(1)');
  expect(pythonText('\n    if True:\n        print(1)\n\n    print(2)\n  ')).toBe(
    'if True:\n    print(1)\n\nprint(2)\n',
  );
  expect(pythonText('')).toBe('');
});
