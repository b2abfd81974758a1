import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { prepareJavaScript } from './javascript-source.ts';

/** Runs paragraphs one after another in one scope and returns the value of the last one. */
async function runAll(...paragraphs: string[]): Promise<unknown> {
  const context = vm.createContext({ log: [] as unknown[] });
  let value: unknown;
  for (const code of paragraphs) {
    const { source } = await prepareJavaScript(code);
    value = await new vm.Script(source, {
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    }).runInContext(context);
  }
  return value;
}

describe('prepareJavaScript', () => {
  it.each<[string, string[], unknown]>([
    [
      'persists const, let, var, class and function',
      [
        'const a = 1; let b = 2, c; var d = 4\n' +
          'class E { f() { return 5 } }\nfunction g() { return 6 }',
        '[a, b, c, d, new E().f(), g()].join()',
      ],
      '1,2,,4,5,6',
    ],
    [
      'allows redeclaration',
      [
        'const a = 1; class B {}; let c = 1',
        'const a = 2; class B { x = 3 }; let c; [a, new B().x, c].join()',
      ],
      '2,3,',
    ],
    [
      'persists names in destructuring patterns',
      ['const { a, b: [c, d = 4], ...e } = { a: 1, b: [2], f: 5 }', '[a, c, d, e.f].join()'],
      '1,2,4,5',
    ],
    [
      'persists names in patterns that wait',
      [
        'const { a = await 1, b: [c, , ...d] } = { b: [2, 3, 4] }, [e] = [class { f() {} }]',
        '[a, c, d, typeof e, typeof f].join()',
      ],
      '1,2,4,function,undefined',
    ],
    [
      'waits in an object, and not in its methods',
      ['({ a: await 1, async b() { await 2 } }).a'],
      1,
    ],
    [
      'persists declarations that use await',
      [
        'const a = await Promise.resolve(1), { b } = await Promise.resolve({ b: 2 })\n' +
          'let c\nclass D { static e = 5 }\nfunction f() { return a + b }',
        '[a, b, c, D.e, f()].join()',
      ],
      '1,2,,5,3',
    ],
    [
      'allows redeclaration with await',
      ['let a = await 1', 'let a; await 0; String(a)'],
      'undefined',
    ],
    [
      'supports for await',
      [
        'const seen = []\nfor await (const x of [1, Promise.resolve(2)]) seen.push(x)',
        'seen.join()',
      ],
      '1,2',
    ],
    [
      'ignores await inside functions',
      [
        'const f = async () => { await 1; return 2 }\n' +
          'const o = { async m() { await 1 } }\nf().then((x) => x + 1)',
      ],
      3,
    ],
    ['returns the value of the last expression', ['await 1\n;({ a: 1 }).a /* x */; // y'], 1],
    ['has no value after a statement', ['await 1\nconst a = 5'], undefined],
    [
      'does not rewrite inner declarations',
      ['let a = 1; { let a = 2 } for (let a = 0; a < 1; a++); a'],
      1,
    ],
    ['handles a class followed by parentheses', ['class A {}\n(1 + 1)'], 2],
    [
      'handles expressions over several lines',
      ['const a = await 1\n+ 1\nconst b = [a]\n[0]\nb'],
      2,
    ],
  ])('%s', async (_, paragraphs, value) => expect(await runAll(...paragraphs)).toEqual(value));

  it('converts imports to globals', async () => {
    expect(
      await runAll(
        "import path, { join as j, /* , */ sep, 'default' as d } from 'node:path'\n" +
          "import * as all from 'node:path'\nimport 'node:fs'\nimport main, * as $ from 'node:fs'",
        "[j('a', 'b'), path.sep === sep, all.sep === sep, d === path, $.default === main].join()",
      ),
    ).toBe('a/b,true,true,true,true');
  });

  it('preserves line numbers', async () => {
    const { source } = await prepareJavaScript(
      "import {\n  a,\n} from 'x'\nconst b = await 1;\nlet c\nb",
    );
    expect(source.split('\n')[3]).toContain('await 1');
    expect(source.split('\n')[5]).toContain('return (b)');
  });

  it('reports whether there is a value to show', async () => {
    expect(await prepareJavaScript('1')).toMatchObject({ hasValue: true, isAsync: false });
    expect(await prepareJavaScript('1; const a = 2')).toMatchObject({ hasValue: false });
    expect(await prepareJavaScript('await 1')).toMatchObject({ hasValue: true, isAsync: true });
  });

  it('returns code with syntax errors unchanged', async () => {
    expect((await prepareJavaScript('let a = ;')).source).toBe('let a = ;');
    await expect(runAll('await (')).rejects.toThrow(SyntaxError);
  });
});
