/** What code written for a Zeppelin expects of `%python`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import type { Interpreter } from '../contract.ts';
import { errorOf, runCode, type TestHost, tableOf, testHost } from '../test-support.ts';
import { python } from './python.ts';

describe('code of a Zeppelin', () => {
  let host: TestHost;
  let kernel: Interpreter;
  const run = (code: string) => runCode(kernel, code);
  const query = (code: string) => runCode(kernel, code, { variant: 'sql' });

  beforeAll(async () => {
    host = testHost();
    kernel = untilEnd(python.create(host));
    // Creates the environment if this machine has none, and installs DuckDB into it.
    expect((await query('select 1 as one')).end).toEqual({ code: 'SUCCESS' });
  }, 600_000);
  it('sets the size, resolution and format of figures', async () => {
    const size = async (options: string) => {
      const { outputs } = await run(
        `z.configure_mpl(${options})\nimport matplotlib.pyplot as plt\n` +
          'print(plt.rcParams["figure.figsize"], plt.rcParams["figure.dpi"])\n' +
          'plt.plot([1, 2]); plt.show()',
      );
      return outputs.map(({ type, data }) => (type === 'TEXT' ? data.trim() : type));
    };
    expect(await size('width=300, height=150, dpi=100')).toEqual(['[3.0, 1.5] 100.0', 'IMG']);
    expect(await size("fmt='svg', angular=True, close=False, fontsize=12")).toEqual([
      expect.stringMatching(/angular is not available.*\n\[3\.0, 1\.5\] 100\.0$/),
      'SVG',
    ]);
    expect(await size("fmt='png', close=True, interactive=True")).toEqual([
      '[3.0, 1.5] 100.0',
      'IMG',
    ]);
    for (const [options, message] of [
      ["fmt='gif'", "fmt is 'png' or 'svg', not 'gif'"],
      ['size=1', 'unknown option size. Options: width, height'],
    ])
      expect(errorOf(await run(`z.configure_mpl(${options})`))).toContain(message!);
  });

  it('queries the frames of the process with SQL', async () => {
    await run(
      'import pandas as pd\ndays = pd.DataFrame({"city": ["Oslo", "Rome"], "high": [7.5, 19]})',
    );
    const found = await query('select city, high * 2 as twice from days where high > 10');
    expect(tableOf(found)).toEqual([
      ['city', 'twice'],
      ['Rome', '38.0'],
    ]);
    // Tables of earlier queries stay; frames are read as they are now.
    expect((await query('create table kept as select count(*) as n from days')).end.code).toBe(
      'SUCCESS',
    );
    await run('days = days.iloc[:1]');
    expect(tableOf(await query('select n, (select count(*) from days) as now from kept'))).toEqual([
      ['n', 'now'],
      ['2', '1'],
    ]);
    const { end } = await query('select * from nowhere_to_be_found');
    expect(errorOf({ end })).toContain('nowhere_to_be_found');
    expect((end as { message: string }).message).not.toContain('_tiding_');
  });
});
