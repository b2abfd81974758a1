import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import type { InputQuestion, Interpreter } from '../contract.ts';
import { sql } from '../sql/sql.ts';
import {
  errorOf,
  isAlive,
  runAndAbort,
  runCode,
  type TestHost,
  tableOf,
  testHost,
  until,
} from '../test-support.ts';
import { python } from './python.ts';

describe('python', () => {
  let host: TestHost;
  let kernel: Interpreter;
  let database: Interpreter;
  const run = (code: string) => runCode(kernel, code);
  const pid = async (): Promise<number> =>
    Number((await run('import os; print(os.getpid())')).outputs[0]!.data);

  beforeAll(async () => {
    host = testHost();
    database = untilEnd(sql.create(host));
    kernel = python.create(host);
    // Creates the environment if this machine has none.
    expect((await run('print("warm")')).end).toEqual({ code: 'SUCCESS' });
  }, 600_000);
  afterAll(() => kernel.close());

  it('prints, shows the last value and keeps variables', async () => {
    expect((await run('x = 20\nprint("a"); print("b")\nx + 1')).outputs).toEqual([
      { type: 'TEXT', data: 'a\nb\n' },
      { type: 'TEXT', data: '21\n' },
    ]);
    expect((await run('x')).outputs).toEqual([{ type: 'TEXT', data: '20\n' }]);
    expect(host.statuses).toContain('READY');
  });

  it('streams standard output and standard error', async () => {
    const result = await run(
      'import sys, time\nfor i in range(3):\n  print("line", i, flush=True); ' +
        'time.sleep(0.05)\nprint("warned", file=sys.stderr)',
    );
    // `print` writes its values and its line end one by one, and any of them may end a piece.
    expect(result.pieces.length).toBeGreaterThanOrEqual(3);
    expect(result.pieces[0]).not.toContain('line 1');
    expect(result.pieces.join('')).toContain('line 0\nline 1\nline 2\n');
    expect(result.outputs).toEqual([{ type: 'TEXT', data: 'line 0\nline 1\nline 2\nwarned\n' }]);
    const bar = await run(
      'for i in range(3):\n  sys.stderr.write(f"\\r{i}"); sys.stderr.flush()\n' +
        'sys.stderr.write("\\n"); print("done")\nprint("last", file=sys.stderr)',
    );
    expect(bar.outputs).toEqual([{ type: 'TEXT', data: '\r0\r1\r2\ndone\nlast\n' }]);
  });

  it('passes printed text to the display system', async () => {
    expect((await run('print("%html <b>x</b>")')).outputs).toEqual([
      { type: 'HTML', data: '<b>x</b>\n' },
    ]);
    expect((await run('!printf "one\\ntwo\\n"')).outputs).toEqual([
      { type: 'TEXT', data: 'one\ntwo\n' },
    ]);
  });

  it('prints texts that are larger than a message, and names displays that are', async () => {
    const { outputs, pieces, end } = await run('print("a" * 3 * 10**8, "end")');
    expect(end).toEqual({ code: 'SUCCESS' });
    const ends = pieces.map((piece) => piece.slice(-100).replace(/^a+/, 'a'));
    expect(ends.filter((text) => text !== 'a')).toEqual([expect.stringMatching(/^a? end\n$/)]);
    expect(pieces.reduce((length, piece) => length + piece.length, 0)).toBe(3e8 + 5);
    expect(outputs[0]!.data.slice(-6)).toBe('a end\n');
    const notice =
      'This output has 300,000,002 characters. At most 50,000,000 can be shown. ' +
      'Show a part of it, or write it to a file.\n';
    expect((await run('"a" * 3 * 10**8')).outputs).toEqual([{ type: 'TEXT', data: notice }]);
    expect((await run('"after"')).outputs).toEqual([{ type: 'TEXT', data: "'after'\n" }]);
  });

  it('writes numbers of every type as Python does', async () => {
    const shown = await run(`import pandas as pd, numpy as np
pd.DataFrame({'i': np.array([-128, 127], 'int8'), 'u': np.array([0, 2**64 - 1], 'uint64'),
  'd': [1e16, 0.1], 'e': [float('inf'), float('nan')], 'z': [-0.0, 1e-7],
  's': np.array([0.5, 16777216], 'float32'), 'o': pd.array([7, None], 'Int64')})`);
    expect(tableOf(shown)).toEqual([
      ['i', 'u', 'd', 'e', 'z', 's', 'o'],
      ['-128', '0', '1e+16', 'inf', '-0.0', '0.5', '7'],
      ['127', '18446744073709551615', '0.1', 'null', '1e-07', '16777216.0', 'null'],
    ]);
  });

  it('shows DataFrames as tables', async () => {
    const code = `import pandas as pd, numpy as np
df = pd.DataFrame({'s': ['a\\tb\\nc', None, '%html x'], 'n': [1.5, np.nan, 3],
  'f': [True, False, True], 'l': [[1], {'k': 'v'}, None],
  't': pd.to_datetime(['2026-01-31 10:00:00', None, '2026-02-01 00:00:00'])})`;
    await run(code);
    expect(tableOf(await run('df'))).toEqual([
      ['s', 'n', 'f', 'l', 't'],
      ['a b c', '1.5', 'true', '[1]', '2026-01-31 10:00:00'],
      ['null', 'null', 'false', '{"k":"v"}', 'null'],
      ['%html x', '3.0', 'true', 'null', '2026-02-01 00:00:00'],
    ]);
    expect(tableOf(await run("display(df[['n']].set_index(pd.Index([7, 3, 9])))"))[1]).toEqual([
      '7',
      '1.5',
    ]);
    expect(tableOf(await run("df.groupby('f')[['n']].sum()"))).toEqual([
      ['f', 'n'],
      ['false', '0.0'],
      ['true', '4.5'],
    ]);
    expect(
      tableOf(
        await run(
          "pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([('a', 'x'), ('a', 'x')]))",
        ),
      ),
    ).toEqual([
      ['a.x', 'a.x'],
      ['1', '2'],
    ]);
    expect((await run("pd.DataFrame({'only': ['', 'x']})")).outputs[0]!.data).toBe('only\n \nx\n');
    expect(tableOf(await run("z.show(pd.Series([1, 2], name='v'))"))).toEqual([
      ['v'],
      ['1'],
      ['2'],
    ]);
  });

  it('truncates long tables with a notice', async () => {
    const result = await run("pd.DataFrame({'i': range(10500)})");
    expect(tableOf(result)).toHaveLength(10_001);
    expect(result.outputs[1]).toEqual({
      type: 'TEXT',
      data:
        'Showing the first 10,000 of 10,500 rows. ' +
        'For more rows use z.show(frame, limit=10500).\n',
    });
    expect(
      tableOf(await run("z.show(pd.DataFrame({'i': range(10500)}), limit=20000)")),
    ).toHaveLength(10_501);
  });

  it('shows figures, HTML, SVG, JSON and Markdown', async () => {
    const figure = await run('import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.title("t");');
    expect(figure.outputs.map(({ type }) => type)).toEqual(['IMG']);
    expect(Buffer.from(figure.outputs[0]!.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect((await run('plt.get_fignums()')).outputs).toEqual([{ type: 'TEXT', data: '[]\n' }]);
    const shown = await run(
      'from IPython.display import *\n' +
        'display(HTML("<b>x</b>"), SVG("<svg xmlns=\'http://www.w3.org/2000/svg\'/>"), ' +
        'JSON({"a": 9007199254740993, "b": 1.10}), Markdown("# t"))',
    );
    expect(shown.outputs.map(({ type }) => type)).toEqual(['HTML', 'SVG', 'TEXT', 'HTML']);
    expect(shown.outputs[2]!.data).toBe('{\n  "a": 9007199254740993,\n  "b": 1.1\n}\n');
    expect((await run('len?')).outputs[0]!.data).toContain('Return the number of items');
    const styled = await run(
      'import pandas as pd\npd.DataFrame({"a": [1.26]}).style.format("{:.1f}")',
    );
    expect([styled.end.code, styled.outputs[0]!.type]).toEqual(['SUCCESS', 'HTML']);
    expect(styled.outputs[0]!.data).toContain('>1.3</td>');
    // They cost no time at the start.
    expect((await run('"nbformat" in __import__("sys").modules')).outputs[0]!.data).toBe('False\n');
  });

  it('continues after a value that cannot be displayed', async () => {
    const broken = await run(`class Broken:
  def __repr__(self): return 'broken'
  def _repr_html_(self): raise ValueError('no page')
display(Broken())
print('after')
Broken()`);
    expect(broken.end).toEqual({ code: 'SUCCESS' });
    const lines = broken.outputs.flatMap(({ data }) => data.trimEnd().split('\n'));
    expect(lines.filter((line) => /^(ValueError: |broken|after)/.test(line))).toEqual([
      'ValueError: no page',
      'broken',
      'after',
      'ValueError: no page',
      'broken',
    ]);
    const failed = await run('display(Broken())\n1 / 0');
    expect(errorOf(failed).split('\n').at(-1)).toBe('ZeroDivisionError: division by zero');
    expect(failed.outputs[0]!.data).toContain('no page');
  });

  it('updates and clears outputs', async () => {
    const updated = await run(
      'h = display("first", display_id=True)\nprint("after")\nh.update("second"); ' +
        'h.update("third")',
    );
    expect(updated.outputs).toEqual([
      { type: 'TEXT', data: "'third'\n" },
      { type: 'TEXT', data: 'after\n' },
    ]);
    const cleared = await run('for i in range(3):\n  clear_output(wait=True); print(i)');
    expect(cleared.outputs).toEqual([{ type: 'TEXT', data: '2\n' }]);
    expect((await run('print(1); clear_output(); print(2)')).outputs).toEqual([
      { type: 'TEXT', data: '2\n' },
    ]);
  });

  it('fails with an uncoloured traceback that ends with the error', async () => {
    const text = errorOf(await run('def f():\n  return {}["x"]\nf()'));
    expect(text).toContain('return {}["x"]');
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').at(-1)).toBe("KeyError: 'x'");
    expect(
      errorOf(await run('def f(:'))
        .split('\n')
        .at(-1),
    ).toMatch(/^SyntaxError: /);
    expect(
      errorOf(await run('raise ValueError'))
        .split('\n')
        .at(-1),
    ).toMatch(/^ValueError:? ?$/);
  });

  it('asks for input, and does not show an answer to getpass()', async () => {
    const ask = async ({ prompt, password }: InputQuestion): Promise<string> =>
      `${prompt.trim()}${password ? ' secret' : ''}`;
    const { outputs, end } = await runCode(
      kernel,
      'import getpass\nname = input("name? ")\nkey = getpass.getpass("key: ")\n' +
        'print(name, len(key))',
      { ask },
    );
    expect(end.code).toBe('SUCCESS');
    expect(outputs).toEqual([{ type: 'TEXT', data: 'name? name?\nkey: ········\nname? 11\n' }]);
  });

  it('lists variables, and those before while code runs', async () => {
    const fresh = python.create(host);
    expect(await fresh.variables!()).toEqual({ variables: [], total: 0, isBusy: false });
    await runCode(
      fresh,
      'import json, pandas as pd, numpy as np\n' +
        'class Loud:\n  def __repr__(self): raise SystemExit("called")\n' +
        "frame = pd.DataFrame({'a': [1, 2, 3], 'b': ['x', 'y', 'z']})\n" +
        'numbers = np.zeros((2, 3))\nword = "hi" * 500\nloud = Loud()\nnested = [1, [2, loud]]\n' +
        'def function(): pass\n_hidden = 1\nnothing = None',
    );
    const { variables, total } = (await fresh.variables!())!;
    const of = (name: string) => variables.find((each) => each.name === name);
    expect(variables.map(({ name }) => name)).toEqual(
      'frame numbers word loud nested nothing'.split(' '),
    );
    expect(total).toBe(6);
    expect(of('frame')).toMatchObject({
      type: 'DataFrame',
      shape: '3 × 2',
      preview: 'a, b',
      isTable: true,
    });
    expect(of('numbers')).toMatchObject({ type: 'ndarray', shape: '2 × 3', size: 48 });
    expect(of('word')).toMatchObject({ shape: '1000', isTable: false });
    expect(of('word')!.preview.length).toBeLessThan(90);
    expect(of('loud')!.preview).toBe('<Loud>');
    expect(of('nested')!.preview).toBe('[1, [2, <Loud>]]');
    let during: unknown;
    await runCode(
      fresh,
      'later = 1\nimport os, time\nprint("on", flush=True)\n' +
        'while not os.path.exists("go"): time.sleep(0.01)',
      {
        onOutput: () => {
          during = fresh.variables!();
          writeFileSync(join(host.files, 'go'), '');
        },
      },
    );
    expect(await during).toEqual({ variables, total, isBusy: true });
    // A listing and a run that starts meanwhile don't disturb each other.
    const [listed, next] = await Promise.all([fresh.variables!(), runCode(fresh, 'print(later)')]);
    expect(listed!.variables.map(({ name }) => name)).toContain('later');
    expect(next.outputs).toEqual([{ type: 'TEXT', data: '1\n' }]);
    await fresh.close();
  });

  it('runs code that follows an error at once', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      expect((await run('1 / 0')).end.code).toBe('ERROR');
      expect((await run('print(1)')).outputs).toEqual([{ type: 'TEXT', data: '1\n' }]);
    }
  });

  it('has no access to secrets of the server and runs in the data folder [S61]', async () => {
    vi.stubEnv('TIDING_SECRET', 'hush');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'hush');
    const fresh = python.create(host);
    const text = (
      await runCode(
        fresh,
        'import os; print(os.getcwd()); print(sorted(os.environ)); ' +
          'print(os.environ["JPY_PARENT_PID"])',
      )
    ).outputs[0]!.data;
    await fresh.close();
    vi.unstubAllEnvs();
    expect(text.split('\n')[0]).toBe(host.files);
    expect(text).not.toMatch(/SECRET/);
    expect(text).toContain("'PATH'");
    expect(text.split('\n')[2]).toBe(String(process.pid));
  });

  it('has signed channels in a private folder, and none of them is a port [S61 S94]', async () => {
    const names = readdirSync(host.folder).filter((name) => /^kernel-.*\.json$/.test(name));
    expect(names).toHaveLength(1);
    const file = join(host.folder, names[0]!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { ip, ...connection } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    expect(connection).toMatchObject({
      transport: 'ipc',
      signature_scheme: 'hmac-sha256',
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const folder = dirname(String(ip));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const sockets = readdirSync(folder).map((name) => statSync(join(folder, name)).isSocket());
    expect(sockets).toEqual([true, true, true, true, true]);
    if (process.platform !== 'linux') return;
    const code = `import os
files = [entry.path for entry in os.scandir('/proc/self/fd') if entry.is_symlink()]
own = {os.readlink(path) for path in files if os.path.lexists(path)}
lines = [line.split() for kind in ('tcp', 'tcp6') for line in open(f'/proc/self/net/{kind}')]
print(sum(line[3] == '0A' and f'socket:[{line[9]}]' in own for line in lines))`;
    // ipykernel receives what forked processes print on one, with a secret of its own.
    expect((await run(code)).outputs[0]!.data).toBe('1\n');
  });

  it('documents names and called functions, but starts nothing for the pointer', async () => {
    const own = python.create(host);
    expect(await own.inspect!('print', 3, true)).toBeUndefined();
    // The first request starts the kernel, which may take longer than a request waits.
    await expect
      .poll(() => own.inspect!('print', 3, false))
      .toContain('Prints the values to a stream');
    const name = await own.inspect!('print', 3, false);
    expect(name).not.toContain('\u001b');
    expect(await own.inspect!('é = "😀"; print(1, ', 16, true)).toBe(name);
    expect(await own.inspect!('nothing_has_this_name', 3, false)).toBeUndefined();
    await own.close();
  });

  it('completes names without their prefix', async () => {
    await run(
      'import os\nclass A:\n  def method(self): pass\nitem = A()\n' +
        'frame = pd.DataFrame({"alpha": [1]})',
    );
    const complete = (code: string) => kernel.complete!(code, code.length);
    expect(await complete('item.me')).toEqual([
      { name: 'method', value: 'method', meta: expect.any(String) },
    ]);
    expect((await complete('é = "😀"; os.path.joi')).map(({ value }) => value)).toEqual(['join']);
    expect((await complete('frame.alp')).map(({ value }) => value)).toContain('alpha');
    expect((await complete('z.ta')).map(({ value }) => value)).toEqual(['table']);
  });

  it('returns no completions while code runs', async () => {
    const abort = new AbortController();
    const running = runCode(kernel, 'import time\nprint("on", flush=True)\ntime.sleep(60)', {
      signal: abort.signal,
      onOutput: () =>
        void kernel.complete!('os.pa', 5).then((found) => {
          expect(found).toEqual([]);
          abort.abort('cancelled');
        }),
    });
    expect((await running).end).toEqual({ code: 'ABORT' });
  });

  it('cancels by interrupting and keeps variables', async () => {
    await run('kept = 5');
    const before = await pid();
    const result = await runAndAbort(
      kernel,
      'import time\nprint("go", flush=True)\nwhile True: time.sleep(1)',
      (text) => text.includes('go'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    expect(await pid()).toBe(before);
    expect((await run('kept')).outputs[0]!.data).toBe('5\n');
  });

  it('kills a process that ignores the interrupt, and its child processes', async () => {
    const before = await pid();
    const stubborn =
      'import subprocess, time\nchild = subprocess.Popen(["sleep", "600"])\nwhile True:\n  try:\n' +
      '    print(child.pid, flush=True)\n    while True: time.sleep(9)\n' +
      '  except KeyboardInterrupt: pass';
    const result = await runAndAbort(kernel, stubborn, (text) => text.includes('\n'));
    expect(result.end).toEqual({ code: 'ABORT' });
    expect(result.outputs.at(-1)!.data).toContain('variables are lost');
    await until(() => !isAlive(before));
    const child = parseInt(result.outputs[0]!.data, 10);
    await until(
      () => !isAlive(child) || readFileSync(`/proc/${child}/stat`, 'utf8').includes(') Z '),
    );
    expect((await run('"kept" in globals()')).outputs[0]!.data).toBe('False\n');
  });

  it('reports that the process ended during a run, and starts a new one', async () => {
    expect(errorOf(await run('import os; os._exit(7)'))).toContain(
      'The Python process ended (exit code 7) and its variables are lost.',
    );
    expect(errorOf(await run('import os, signal; os.kill(os.getpid(), signal.SIGKILL)'))).toContain(
      'signal SIGKILL, perhaps due to lack of memory',
    );
    expect((await run('1 + 1')).outputs).toEqual([{ type: 'TEXT', data: '2\n' }]);
  });

  it('starts a new process if the old one ended between runs, and after exit()', async () => {
    const old = await pid();
    process.kill(old, 'SIGKILL');
    await until(() => !existsSync(`/proc/${old}`));
    const next = await run('print("new")');
    expect(next.outputs[0]!.data).toMatch(
      new RegExp(
        '^The Python process had ended \\(signal SIGKILL\\) and its variables are lost\\. ' +
          'Starting a new one\\.\\nnew\\n$',
      ),
    );
    expect((await run('y = 1\nexit()')).outputs.at(-1)!.data).toContain(
      'The code ended the Python process.',
    );
    expect(errorOf(await run('y'))).toContain('NameError');
  });

  it('exchanges tables with SQL in both directions', async () => {
    await runCode(
      database,
      'create or replace table city (name text, people bigint, since date, ' +
        "share decimal(5,2)); insert into city values ('Ulm', 126000, '1027-01-01', 1.25), " +
        "('Bonn', null, null, 2.5)",
    );
    const read = await run('df = z.table("city")\nprint(list(df.dtypes.astype(str)))\ndf');
    expect(
      tableOf(read)
        .slice(1)
        .map((row) => [row[0], Number(row[1]), row[3]]),
    ).toEqual([
      ['Ulm', 126000, '1.25'],
      ['Bonn', NaN, '2.5'],
    ]);
    expect(read.outputs[0]!.data).toContain("'float64'");
    expect(tableOf(await run('z.sql("select count(*) as n from city where people > 1")'))).toEqual([
      ['n'],
      ['1'],
    ]);
    await run(
      'import pandas as pd\nz.put("from_python", pd.DataFrame({"k": ["a", None], "v": [1, ' +
        '2], "t": pd.to_datetime(["2026-01-31 10:00:00"] * 2)}))',
    );
    expect(tableOf(await runCode(database, 'select * from from_python'))).toEqual([
      ['k', 'v', 't'],
      ['a', '1', '2026-01-31 10:00:00'],
      ['null', '2', '2026-01-31 10:00:00'],
    ]);
    await run(`import decimal, numpy as np
z.put('typed', pd.DataFrame({'p': pd.period_range('2024-01', periods=2, freq='M'),
  'iv': pd.IntervalIndex.from_breaks([0, 1, 2]), 'td': pd.to_timedelta(['1h 0.5ms', '2 days']),
  'nd': pd.to_timedelta([1, 2], unit='ns'),
  'ns': pd.to_datetime(['2024-01-01 00:00:00.123456789'] * 2),
  'tz': pd.to_datetime(['2024-03-31 01:30'] * 2, utc=True).tz_convert('Europe/Paris'),
  'nz': pd.to_datetime(['2024-01-01 00:00:00.123456789'] * 2, utc=True),
  'cat': pd.Categorical(['b', 'a']), 'i': pd.array([9007199254740993, None], 'Int64'),
  'd': [decimal.Decimal('1.10'), None], 'u': np.array([2**64 - 1, 1], 'uint64'),
  'mixed': pd.Series([1, 'a'], dtype=object), 'keys': [{'red': 1}, {'blue': 2}]}))`);
    await runCode(database, "set timezone = 'UTC'");
    const typed = tableOf(await runCode(database, 'select * from typed limit 1'));
    const types = tableOf(await runCode(database, 'select typeof(columns(*)) from typed limit 1'));
    expect(typed[0]!.map((name, at) => [name, types[1]![at], typed[1]![at]])).toEqual([
      ['p', 'VARCHAR', '2024-01'],
      ['iv', 'VARCHAR', '(0, 1]'],
      ['td', 'INTERVAL', '01:00:00.0005'],
      ['nd', 'VARCHAR', '00:00:00.000000001'],
      ['ns', 'TIMESTAMP_NS', '2024-01-01 00:00:00.123456789'],
      ['tz', 'TIMESTAMP WITH TIME ZONE', '2024-03-31 01:30:00+00'],
      ['nz', 'VARCHAR', '2024-01-01 00:00:00.123456789+00:00'],
      ['cat', 'VARCHAR', 'b'],
      ['i', 'BIGINT', '9007199254740993'],
      ['d', 'DECIMAL(3,2)', '1.10'],
      ['u', 'UBIGINT', '18446744073709551615'],
      ['mixed', 'VARCHAR', '1'],
      ['keys', 'VARCHAR', '{"red":1}'],
    ]);
    const back = await run(`back = z.table('typed')
print(back.i.dtype, back.i.tolist(), back.ns[0] == pd.Timestamp('2024-01-01 00:00:00.123456789'))
print(back.td.tolist() == pd.to_timedelta(['1h 0.5ms', '2 days']).tolist())
print(z.sql("select interval '14 months 1 day' as i, null::interval as n").values.tolist())`);
    expect(back.outputs[0]!.data).toBe(
      "Int64 [9007199254740993, <NA>] True\nTrue\n[['1 year 2 months 1 day', NaT]]\n",
    );
    await run(
      'z.put_table("from_python", z.table("from_python").groupby("k")[["v"]].sum())\n' +
        'z.put("rows", [{"a": 1}, {"a": 2}])',
    );
    expect(tableOf(await runCode(database, 'select * from from_python'))).toEqual([
      ['k', 'v'],
      ['a', '1'],
    ]);
    expect(tableOf(await runCode(database, 'select sum(a) as s from rows'))).toEqual([
      ['s'],
      ['3'],
    ]);
    expect(readdirSync(join(host.root, 'tables'))).toEqual([]);
  });

  it('reports errors of the table exchange', async () => {
    expect(errorOf(await run('z.table("absent")')).replaceAll('\n', ' ')).toMatch(
      /RuntimeError: Catalog Error: Table with name absent does not exist!/,
    );
    expect(errorOf(await run('z.sql("drop table city")'))).toContain(
      'Only a SELECT returns a table',
    );
    expect(errorOf(await run('z.put("a; drop", pd.DataFrame({"a": [1]}))'))).toContain(
      'cannot be a table name',
    );
    expect(errorOf(await run('z.put("t", pd.DataFrame([[1, 2]], columns=["a", "a"]))'))).toContain(
      'column names must be unique',
    );
    expect(readdirSync(join(host.root, 'tables'))).toEqual([]);
  });

  it('can be cancelled while waiting for SQL', async () => {
    const result = await runAndAbort(
      kernel,
      'print("go", flush=True)\nz.sql("select count(*) from range(1000000000) a, ' +
        'range(1000000000) b")',
      (text) => text.includes('go'),
    );
    expect(result.end).toEqual({ code: 'ABORT' });
    expect((await run('print("free")')).outputs[0]!.data).toBe('free\n');
  });

  it('ends its process when closed, even during a run', async () => {
    const own = testHost();
    const other = python.create(own);
    const id = Number((await runCode(other, 'import os; print(os.getpid())')).outputs[0]!.data);
    const running = runCode(other, 'import time; time.sleep(60)');
    await other.close();
    expect((await running).end).toEqual({ code: 'ABORT' });
    expect(isAlive(id)).toBe(false);
    expect(readdirSync(own.folder).filter((name) => name.startsWith('kernel-'))).toEqual([]);
  });
});

describe('Python setup', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    [
      '/nowhere/python3',
      /^Python was not found \(\/nowhere\/python3\): install Python 3\.9 or newer/,
    ],
    ['false', /^Python cannot be started/],
  ])('reports what to install if TIDING_PYTHON is %s', async (program, text) => {
    vi.stubEnv('TIDING_PYTHON', program);
    const host = testHost();
    const kernel = python.create(host);
    const result = await runCode(kernel, '1');
    expect(errorOf(result)).toMatch(text);
    expect(host.statuses).toEqual([expect.stringMatching(/^ERROR: Python/)]);
    expect(await kernel.complete!('a', 1)).toEqual([]);
    expect(await kernel.inspect!('a', 1, false)).toBeUndefined();
    await kernel.close();
  });

  it('reports a Python that is too old', async () => {
    const host = testHost();
    const old = join(host.root, 'python3');
    writeFileSync(old, '#!/bin/sh\necho 3 6 /usr 3.6.9\n', { mode: 0o755 });
    vi.stubEnv('TIDING_PYTHON', old);
    expect(errorOf(await runCode(python.create(host), '1'))).toMatch(
      /^Python 3\.6 is too old: install Python 3\.9/,
    );
  });

  it('reports missing packages of a configured environment', async () => {
    const host = testHost();
    const env = join(host.root, 'env');
    mkdirSync(join(env, 'bin'), { recursive: true });
    writeFileSync(join(env, 'bin', 'python'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    vi.stubEnv('TIDING_PYTHON_ENV', env);
    expect(errorOf(await runCode(python.create(host), '1'))).toContain('lacks ipykernel: run');
  });

  it('stops the setup when the run is cancelled, and deletes its files', async () => {
    const host = testHost();
    vi.stubEnv('TIDING_PYTHON_ENV', join(host.root, 'env'));
    const kernel = python.create(host);
    const result = await runAndAbort(kernel, '1', (text) => text.includes('Setting up Python'));
    expect(result.end).toEqual({ code: 'ABORT' });
    expect(host.statuses).toEqual(['DOWNLOADING_DEPENDENCIES']);
    expect(result.percents[0]).toBeGreaterThan(0);
    await until(() => !readdirSync(host.root).some((name) => name.startsWith('env')));
    await kernel.close();
  });
});
