import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { prepareJavaScript } from './javascript-source.ts';

/** Runs paragraphs one after another in one scope; the value of the last. */
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
      'keeps const, let, var, class and function',
      [
        'const a = 1; let b = 2, c; var d = 4\nclass E { f() { return 5 } }\nfunction g() { return 6 }',
        '[a, b, c, d, new E().f(), g()].join()',
      ],
      '1,2,,4,5,6',
    ],
    [
      'lets them be declared again',
      [
        'const a = 1; class B {}; let c = 1',
        'const a = 2; class B { x = 3 }; let c; [a, new B().x, c].join()',
      ],
      '2,3,',
    ],
    [
      'keeps patterns',
      ['const { a, b: [c, d = 4], ...e } = { a: 1, b: [2], f: 5 }', '[a, c, d, e.f].join()'],
      '1,2,4,5',
    ],
    [
      'keeps what await declares',
      [
        'const a = await Promise.resolve(1), { b } = await Promise.resolve({ b: 2 })\nlet c\nclass D { static e = 5 }\nfunction f() { return a + b }',
        '[a, b, c, D.e, f()].join()',
      ],
      '1,2,,5,3',
    ],
    ['lets await declare again', ['let a = await 1', 'let a; await 0; String(a)'], 'undefined'],
    [
      'takes await in loops',
      [
        'const seen = []\nfor await (const x of [1, Promise.resolve(2)]) seen.push(x)',
        'seen.join()',
      ],
      '1,2',
    ],
    [
      'leaves await in functions alone',
      [
        'const f = async () => { await 1; return 2 }\nconst o = { async m() { await 1 } }\nf().then((x) => x + 1)',
      ],
      3,
    ],
    ['gives the value of the last expression', ['await 1\n;({ a: 1 }).a /* x */; // y'], 1],
    ['has no value after a statement', ['await 1\nconst a = 5'], undefined],
    [
      'leaves inner declarations alone',
      ['let a = 1; { let a = 2 } for (let a = 0; a < 1; a++); a'],
      1,
    ],
    ['survives a class followed by brackets', ['class A {}\n(1 + 1)'], 2],
    ['survives expressions over lines', ['const a = await 1\n+ 1\nconst b = [a]\n[0]\nb'], 2],
  ])('%s', async (_, paragraphs, value) => expect(await runAll(...paragraphs)).toEqual(value));

  it('imports', async () => {
    expect(
      await runAll(
        "import path, { join as j, sep } from 'node:path'\nimport * as all from 'node:path'\nimport 'node:fs'",
        "[j('a', 'b'), path.sep === sep, all.sep === sep].join()",
      ),
    ).toBe('a/b,true,true');
  });

  it('keeps the lines', async () => {
    const { source } = await prepareJavaScript(
      "import {\n  a,\n} from 'x'\nconst b = await 1;\nlet c\nb",
    );
    expect(source.split('\n')[3]).toContain('await 1');
    expect(source.split('\n')[5]).toContain('return (b)');
  });

  it('tells whether there is a value to show', async () => {
    expect(await prepareJavaScript('1')).toMatchObject({ hasValue: true, isAsync: false });
    expect(await prepareJavaScript('1; const a = 2')).toMatchObject({ hasValue: false });
    expect(await prepareJavaScript('await 1')).toMatchObject({ hasValue: true, isAsync: true });
  });

  it('returns broken text for the engine to refuse', async () => {
    expect((await prepareJavaScript('let a = ;')).source).toBe('let a = ;');
    await expect(runAll('await (')).rejects.toThrow(SyntaxError);
  });
});
