import type { Output } from '@tiding/client';
import { parseTable, runNow, textRows } from '@tiding/client/model';
import { sendKeys } from '@web/test-runner-commands';
import { strictPage } from '../ui/testing/test-setup.ts';
import { type DownloadFile, type ResultEntry, resultSheets } from './index.ts';
import type { ColumnSort } from './rows/arrangement.ts';
import { orderRows } from './rows/row-order.ts';
import { Result, tableOf } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, press, same, waitUntil } from './test-support.tsx';
import { naturalType } from './visualizations/table/layout/cell-formats.ts';

const airports =
  'origin\tflights\tpct\tcause\nORD\t28414\t71.2\tsnow\nDEN\t27096\t73.9\tSnow\n' +
  'SFO\t16418\t78\tfog\nLAX\t21560\t0.5\tnull\n';

describe('table output', () => {
  strictPage();
  let shown: Mounted;
  let stored: [number, ResultEntry][];
  let saved: DownloadFile[];
  const view = (shownOutput: Output, status = 'FINISHED', config = {}) => (
    <Result
      outputs={[shownOutput]}
      status={status}
      config={config}
      title="Worst / airports"
      dateFinished="2025-02-03T09:41:07+0000"
      onConfig={(index, entry) => stored.push([index, entry])}
      onDownload={(file) => saved.push(file)}
    />
  );
  const show = async (data: string, status?: string, config?: object): Promise<void> => {
    shown = mount(view(tableOf(data), status, config), resultSheets);
    await waitUntil(() => shown.all('[role=columnheader]').length > 0, 'grid');
  };
  const column = (at: number): (string | null)[] =>
    shown.all(`[role=gridcell][data-column="${at}"]`).map(({ textContent }) => textContent);
  const header = (name: string): HTMLElement =>
    shown.all('[role=columnheader]').find(({ textContent }) => textContent!.includes(name))!;
  const labelled = (name: string): HTMLElement => shown.find(`[aria-label="${name}"]`);
  const grid = (): HTMLElement => shown.find('[role=grid]');
  beforeEach(() => {
    stored = [];
    saved = [];
  });

  it('says that the rest is being stored while its run continues', async () => {
    const storing = { ...tableOf(airports), storedRows: 2_500_000 };
    shown = mount(view(storing, 'RUNNING'), resultSheets);
    await waitUntil(() => column(0).length > 0, 'the first rows');
    same(
      shown.find('.table-arriving').textContent,
      'Storing all rows: 2,500,000 so far. The first 4 are shown.',
    );
    same(shown.find('.table-arriving progress').getAttribute('aria-label'), 'Storing rows');
    const grids = grid();
    shown.render(view(tableOf(airports)));
    await waitUntil(() => shown.all('.table-arriving').length === 0, 'the end');
    check(grid() === grids, 'the grid was built anew');
  });

  it('fits its columns to a font that is loaded later', async () => {
    const times = Array.from({ length: 8 }, () => '2023/10/24 04:42:10.123456').join('\t');
    shown = mount(view(tableOf(`${'abcdefgh'.split('').join('\t')}\n${times}\n`)), resultSheets);
    shown.host.style.setProperty('--tiding-font-sans', '"Late Font", sans-serif');
    shown.host.style.setProperty('--tiding-font-mono', '"Late Font", sans-serif');
    await waitUntil(() => shown.all('[role=gridcell]').length > 0, 'grid');
    await document.fonts.ready;
    const cut = () =>
      shown.all('[role=gridcell]').filter((cell) => cell.scrollWidth > cell.clientWidth).length;
    const width = () => shown.find('[role=gridcell]').getBoundingClientRect().width;
    await waitUntil(() => cut() === 0, 'columns that fit');
    const before = width();
    const late = new FontFace(
      'Late Font',
      'url(/node_modules/@fontsource-variable/jetbrains-mono/files/' +
        'jetbrains-mono-latin-wght-normal.woff2)',
    );
    document.fonts.add(late);
    await late.load();
    await waitUntil(() => width() > before + 10 && cut() === 0, 'columns that fit again');
    document.fonts.delete(late);
  });

  it('fits its columns to dates with tabular figures', async () => {
    const dates = Array.from({ length: 8 }, () => '2024-12-29').join('\t');
    shown = mount(view(tableOf(`${'abcdefgh'.split('').join('\t')}\n${dates}\n`)), resultSheets);
    await waitUntil(() => shown.all('[role=gridcell]').length > 0, 'grid');
    await document.fonts.ready;
    for (const cell of shown.all('[role=gridcell]')) {
      const line = document.createRange();
      line.selectNodeContents(cell);
      const room = cell.getBoundingClientRect().width - 2 * 12;
      check(line.getBoundingClientRect().width <= room + 0.5, 'a cut date');
    }
  });

  it('shows column types, grouped digits, aligned decimals and null', async () => {
    await show(airports);
    const format = new Intl.NumberFormat();
    same(
      column(1),
      [28414, 27096, 16418, 21560].map((value) => format.format(value)),
    );
    const decimals = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1 });
    same(
      column(2),
      [71.2, 73.9, 78, 0.5].map((value) => decimals.format(value)),
    );
    check(
      shown.find('.grid-null').textContent === 'null' &&
        getComputedStyle(shown.find('.grid-null')).fontStyle === 'italic',
      'null is not marked',
    );
    same(
      shown.all('[role=columnheader] .grid-type').map(({ textContent }) => textContent),
      ['A', '#', '#', 'A'],
    );
    check(
      shown
        .all('[data-column="1"]')
        .every(
          (cell) =>
            ['right', 'end'].includes(getComputedStyle(cell).textAlign) ||
            cell.matches('[role=columnheader]'),
        ),
      'numbers are not right-aligned',
    );
    same([grid().getAttribute('aria-rowcount'), grid().getAttribute('aria-colcount')], ['5', '4']);
    same(shown.find('.result-meta').textContent, '4 rows · 4 columns');
  });

  it('cycles a header: ascending, descending, unsorted; missing values stay last', async () => {
    await show(airports);
    header('flights').click();
    await waitUntil(() => column(0).join() === 'SFO,LAX,DEN,ORD', 'ascending');
    same(header('flights').getAttribute('aria-sort'), 'ascending');
    header('flights').click();
    await waitUntil(() => column(0).join() === 'ORD,DEN,LAX,SFO', 'descending');
    header('flights').click();
    await waitUntil(() => column(0).join() === 'ORD,DEN,SFO,LAX', 'off');
    same(header('flights').getAttribute('aria-sort'), null);
    for (const order of ['SFO,ORD,DEN,LAX', 'ORD,DEN,SFO,LAX']) {
      header('cause').click();
      await waitUntil(
        () =>
          column(0).at(-1) === 'LAX' &&
          (column(0).join() === order || column(0).slice(0, 3).sort().join() === 'DEN,ORD,SFO'),
        'null last',
      );
    }
  });

  it('filters by contained text, 300 ms after the last key [D75]', async () => {
    await show(airports);
    labelled('Filter').click();
    const field = await waitUntil(
      () => shown.find<HTMLInputElement>('[aria-label="Filter cause"]'),
      'filter row',
    );
    same(stored.at(-1)?.[1], {
      graph: {
        mode: 'table',
        height: 300,
        optionOpen: false,
        setting: { table: { tableOptionValue: { useFilter: true } } },
        commonSetting: {},
      },
    });
    field.focus();
    const started = performance.now();
    await sendKeys({ type: 'SNOW' });
    await waitUntil(() => column(0).join() === 'ORD,DEN', 'filtered');
    check(performance.now() - started >= 290, 'filtered immediately');
    same(shown.find('.result-meta').textContent, '2 of 4 rows · 4 columns');
    shown.find<HTMLInputElement>('[aria-label="Filter flights"]').focus();
    // The filter matches the displayed text, with grouped digits.
    await sendKeys({ type: new Intl.NumberFormat().format(28414).slice(0, 4) });
    await waitUntil(() => column(0).join() === 'ORD', 'both filters');
    labelled('Filter').click();
    await waitUntil(() => column(0).length === 4, 'closing the row removes the filter');
  });

  it('renders few cells for a hundred thousand rows of fifty columns', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `c${at}`).join('\t');
    const row = Array.from({ length: 49 }, (_, at) => `v${at}`).join('\t');
    await show(
      `${names}\n${Array.from({ length: 100_000 }, (_, at) => `${at + 1}\t${row}`).join('\n')}`,
    );
    await waitUntil(() => shown.all('[role=gridcell]').length > 20, 'cells');
    check(
      shown.all('[role=gridcell]').length < 600,
      `${shown.all('[role=gridcell]').length} cells in the page`,
    );
    same(
      [grid().getAttribute('aria-rowcount'), grid().getAttribute('aria-colcount')],
      ['100001', '50'],
    );
    grid().scrollTop = 30 * 60_000;
    grid().scrollLeft = 2500;
    await waitUntil(
      () => shown.all('[role=row]').some((line) => line.getAttribute('aria-rowindex') === '60005'),
      'rows there',
    );
    check(shown.all('[role=gridcell]').length < 600, 'cells pile up');
    check(
      shown.all('[role=columnheader]').every(({ textContent }) => textContent !== 'Text c0'),
      'the header did not follow',
    );
    check(
      Math.abs(
        shown.find('[role=columnheader]').getBoundingClientRect().top -
          grid().getBoundingClientRect().top,
      ) < 2,
      'the header has gone',
    );
  }).timeout(60_000);

  it('shows rows as they stream in [D10]', async () => {
    const chunks = ['a\tb\n1\t', '2\n3'];
    shown = mount(view({ type: 'TABLE', chunks, count: 2 }, 'RUNNING'), resultSheets);
    await waitUntil(() => column(0).join() === '1,3', 'unfinished row');
    const first = shown.find('[role=gridcell]');
    chunks.push('0\t4\n5\t6');
    shown.render(view({ type: 'TABLE', chunks, count: 3 }, 'RUNNING'));
    await waitUntil(() => column(0).join() === '1,30,5', 'more rows');
    check(shown.find('[role=gridcell]') === first, 'existing rows were rendered again');
  });

  it('is navigated, selected and copied with the keyboard', async () => {
    await show(airports);
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    for (const key of ['ArrowDown', 'ArrowRight']) await sendKeys({ press: key });
    await sendKeys({ press: 'Shift+ArrowRight' });
    await sendKeys({ press: 'Shift+ArrowDown' });
    await waitUntil(() => shown.all('.grid-cell.selected').length === 4, 'selection');
    const active = shown.root.getElementById(grid().getAttribute('aria-activedescendant')!);
    same([active?.dataset['row'], active?.dataset['column']], ['2', '2']);
    await sendKeys({ press: 'Control+c' });
    await pause(50);
    same(await navigator.clipboard.readText(), '27096\t73.9\n16418\t78');
    await sendKeys({ press: 'Control+ArrowUp' });
    await sendKeys({ press: 'ArrowUp' });
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => header('pct').getAttribute('aria-sort') === 'ascending', 'sorted by key');
    const event = press(grid(), 'ArrowDown');
    check(event.defaultPrevented, 'a handled key reaches the page');
  });

  it('saves all rows in their original order as CSV and TSV [D36]', async () => {
    await show('a\tb "q"\n2\tx,y\n1\tz\n');
    header('a').click();
    labelled('Download CSV').click();
    await waitUntil(() => saved.length === 1, 'first file');
    same([saved[0]!.type, saved[0]!.data], ['text/csv', '\uFEFFa,"b ""q"""\r\n2,"x,y"\r\n1,z\r\n']);
    check(
      /^Worst _ airports_2025-02-03 \d\d:41:07 [AP]M\.csv$/.test(saved[0]!.name),
      saved[0]!.name,
    );
    labelled('Download as').focus();
    await sendKeys({ press: 'Enter' });
    const item = await waitUntil(
      () => shown.all('[role=menuitem]').find(({ textContent }) => textContent === 'TSV'),
      'menu in the same root',
    );
    item.click();
    await waitUntil(() => saved.length === 2, 'second file');
    same(
      [saved[1]!.type, (saved[1]!.data as string).split('\r\n')[1]],
      ['text/tab-separated-values', '2\tx,y'],
    );
  });

  it('shows HTML in the comment and in cells as text', async () => {
    await show('a\n%html <b>x</b>\n\n<i>see</i> &lt;below&gt;\n');
    const cell = shown.find('[role=gridcell]');
    same([cell.textContent, cell.querySelector('b')], ['x', null]);
    check(cell.querySelector('span')!.title !== '', 'no hint about markup');
    same(shown.find('.table-comment').textContent, 'see <below>');
  });

  it('is resized by the handle in steps of 10 down to 100, stored at the end [D33]', async () => {
    await show(airports);
    const handle = shown.find('.resize-handle');
    press(handle, 'ArrowDown');
    press(handle, 'ArrowDown');
    same(stored.length, 0, 'stored before the end');
    await waitUntil(() => stored.length === 1, 'stored');
    same((stored[0]![1]['graph'] as { height: number }).height, 320);
    for (let count = 0; count < 30; count++) press(handle, 'ArrowUp');
    await waitUntil(() => stored.length === 2, 'stored again');
    same((stored[1]![1]['graph'] as { height: number }).height, 100);
  });

  it('stores a change during a run when it ends, preserves unknown fields [D11]', async () => {
    const config = {
      results: {
        0: { graph: { mode: 'table', future: 1 }, helium: { activeApp: 'app_1', other: 2 } },
      },
    };
    await show(airports, 'RUNNING', config);
    shown.find('[role=radio][aria-label="Bar Chart"]').click();
    await waitUntil(() => shown.root.querySelector('.chart-box'), 'chart');
    same(stored, [], 'stored while running');
    // Another user stores other settings at the same time.
    config.results[0].graph.future = 2;
    shown.render(view(tableOf(airports), 'FINISHED', structuredClone(config)));
    await waitUntil(() => stored.length === 1, 'stored');
    check(shown.root.querySelector('.chart-box'), 'the end of the run reset the choice');
    const entry = stored[0]![1] as { graph: Record<string, unknown>; helium: object };
    same(
      [entry.graph['mode'], entry.graph['future'], entry.helium],
      ['multiBarChart', 2, { other: 2 }],
    );
  });

  it('covers the window and returns without being remounted', async () => {
    await show(airports);
    const before = grid();
    labelled('Full screen').click();
    await waitUntil(() => shown.find('.table-result').matches(':popover-open'), 'full screen');
    same(
      [grid() === before, Math.round(shown.find('.table-result').getBoundingClientRect().width)],
      [true, window.innerWidth],
    );
    press(grid(), 'Escape');
    await waitUntil(() => !shown.find('.table-result').matches('.full'), 'back');
  });
});

describe('row order of a table view', () => {
  const order = (text: string, ...sorts: ColumnSort[]): number[] | null => {
    const source = textRows(parseTable(text));
    const found = runNow(
      orderRows(source, {
        sorts,
        filters: new Map(),
        typeOf: (column) => naturalType(source.columns[column]!),
      }),
    );
    return found && [...found];
  };

  it('is null without sorting and filtering', () => same(order('n\ts\n10\tb\n9\ta\n'), null));
  it('compares numbers in text by value', () =>
    same(order('s\na10\na9\nA1\n', { column: 0, direction: 'ascending' }), [2, 1, 0]));
  it('is stable', () =>
    same(
      order('k\tv\n1\ta\n1\tb\n0\tc\n1\td\n', { column: 0, direction: 'descending' }),
      [0, 1, 3, 2],
    ));
});
