import type { Output } from '@tiding/client';
import { sendKeys } from '@web/test-runner-commands';
import * as arrow from 'apache-arrow';
import { useState } from 'react';
import { strictPage } from '../../../ui/testing/test-setup.ts';
import {
  type DownloadFile,
  type ResultContext,
  ResultView,
  resultSheets,
  type Selection,
} from '../../index.ts';
import { everyKind } from '../../rows/arrow-test-tables.ts';
import {
  check,
  type Mounted,
  mount,
  pause,
  press,
  same,
  type,
  waitUntil,
} from '../../test-support.tsx';
import type { ResultEntry } from '../../view-settings.ts';

/** Created before the page's policy is set: Arrow's builders generate code from text. */
const kinds = everyKind();
interface RowStream {
  readonly total: number;
  readonly batches: AsyncIterable<arrow.RecordBatch>;
}
const airports =
  'origin\tflights\tday\tcause\nORD\t28414\t2024-05-01\tsnow\n' +
  'DEN\t27096\t2024-05-03\tSnow\nSFO\t16418\t2024-06-01\tfog\n' +
  'LAX\t21560\t2023-05-01\tnull\n';

describe('the table view', () => {
  strictPage();
  let shown: Mounted;
  let entries: ResultEntry[];
  let files: DownloadFile[];
  let chosen: (Selection | null)[];
  beforeEach(() => {
    [entries, files, chosen] = [[], [], []];
  });

  /** A paragraph whose server stores the rows of its table. */
  function Typed({ rows, text = '' }: { rows: () => RowStream; text?: string }) {
    const [config, setConfig] = useState<Record<string, unknown>>({});
    const [output] = useState<Output>(() => ({
      type: 'TABLE',
      chunks: [text],
      count: 1,
      rows: rows().total,
    }));
    const paragraph = { rows: async () => ({ schema: new arrow.Schema([]), ...rows() }) };
    const [context] = useState(() => ({ note: {}, paragraph }) as unknown as ResultContext);
    return (
      <ResultView
        outputs={[output]}
        status="FINISHED"
        config={config}
        frameUrl=""
        title="Typed"
        context={context}
        onDownload={(file) => files.push(file)}
        onSelect={(_, selection) => chosen.push(selection)}
        onConfig={(_, entry) => setConfig({ results: { 0: entry } })}
      />
    );
  }
  const showTyped = async (...tables: arrow.Table[]): Promise<void> => {
    shown = mount(
      <Typed
        rows={() => ({
          total: tables.reduce((sum, { numRows }) => sum + numRows, 0),
          batches: (async function* () {
            for (const { batches } of tables) yield* batches;
          })(),
        })}
      />,
      resultSheets,
    );
    await waitUntil(
      () => shown.all('[role=columnheader]').length > 0 && !shown.root.querySelector('progress'),
      'grid',
    );
  };
  function Text({ data, setting }: { data: string; setting: object }) {
    const [config, setConfig] = useState<object>({
      results: { 0: { graph: { setting: { table: setting } } } },
    });
    const [text] = useState<Output>(() => ({ type: 'TABLE', chunks: [data], count: 1 }));
    return (
      <ResultView
        outputs={[text]}
        status="FINISHED"
        config={config as Record<string, unknown>}
        frameUrl="/output-frame/"
        title="T"
        onDownload={(file) => files.push(file)}
        onSelect={(_, selection) => chosen.push(selection)}
        onConfig={(_, entry) => {
          entries.push(entry);
          setConfig({ results: { 0: entry } });
        }}
      />
    );
  }
  const showText = async (data = airports, setting: object = {}): Promise<void> => {
    shown = mount(<Text data={data} setting={setting} />, resultSheets);
    await waitUntil(() => shown.all('[role=columnheader]').length > 0, 'grid');
  };
  const column = (at: number): string =>
    shown
      .all(`[role=gridcell][data-column="${at}"]`)
      .map(({ textContent }) => textContent)
      .join();
  const heads = (): string =>
    shown
      .all('[role=columnheader] .grid-name')
      .map(({ textContent }) => textContent)
      .join();
  const head = (name: string): HTMLElement =>
    shown.all('[role=columnheader]').find(({ title }) => title === name)!;
  const grid = (): HTMLElement => shown.find('[role=grid]');
  const labelled = (name: string): HTMLElement => shown.find(`[aria-label="${name}"]`);
  const menuItem = (name: string): Promise<HTMLElement> =>
    waitUntil(
      () =>
        shown
          .all('[role=menuitem], [role=menuitemradio]')
          .find(({ textContent }) => textContent === name),
      name,
    );
  const choose = async (name: string, ...path: string[]): Promise<void> => {
    head(name).querySelector<HTMLElement>('.grid-menu-button')!.click();
    for (const each of path) (await menuItem(each)).click();
    await waitUntil(() => shown.all('[role=menu]').length === 0, 'menu closed');
  };
  const kept = (): { columns: { name: string }[] } =>
    (
      entries.at(-1)!['graph'] as {
        setting: { table: { tableGridState: { columns: { name: string }[] } } };
      }
    ).setting.table.tableGridState;

  it('shows typed values: NULL, empty text, shortened nested values, exact numbers', async () => {
    await showTyped(kinds);
    const cell = (row: number, at: number) =>
      shown.root.querySelector(`[role=gridcell][data-row="${row}"][data-column="${at}"]`);
    same(
      [
        cell(0, 4)!.textContent,
        cell(1, 4)!.textContent,
        cell(1, 4)!.querySelector('.grid-null') !== null,
      ],
      ['', 'null', true],
    );
    check(cell(0, 3)!.textContent!.endsWith('567,890.12'), cell(0, 3)!.textContent!);
    grid().scrollLeft = 5000;
    await waitUntil(
      () =>
        cell(0, 11)?.textContent === '{"a":1,"b":"x \\"y\\""}' &&
        cell(0, 9)?.textContent === '4 B · deadbeef',
      'nested and bytes',
    );
  });

  it('shows rows from the first batch on, and keeps them if reading fails', async () => {
    let release = (): void => {};
    const gate = new Promise<void>((done) => (release = done));
    let attempt = 0;
    const batch = (start: number) =>
      new arrow.Table({
        n: arrow.makeVector(Int32Array.from({ length: 1000 }, (_, at) => start + at)),
      }).batches[0]!;
    const rows = (): RowStream => ({
      total: 3000,
      batches: (async function* () {
        yield batch(0);
        await gate;
        yield batch(1000);
        if (attempt++ === 0) throw new Error('the line is cut');
        yield batch(2000);
      })(),
    });
    shown = mount(<Typed rows={rows} />, resultSheets);
    await waitUntil(() => column(0).startsWith('0,1,2'), 'first rows');
    same(
      [
        shown.find<HTMLProgressElement>('progress').value,
        shown.find('.table-arriving').textContent,
        grid().getAttribute('aria-rowcount'),
      ],
      [1000, '1,000 of 3,000 rows read', '-1'],
    );
    release();
    await waitUntil(
      () => shown.root.querySelector('[role=alert]')?.textContent?.includes('the line is cut'),
      'the error',
    );
    same(
      [shown.find('.result-meta').textContent, column(0).startsWith('0,1,2')],
      ['2,000 rows · 1 column', true],
    );
    shown.all('[role=alert] button')[0]!.click();
    await waitUntil(
      () =>
        shown.find('.result-meta').textContent === '3,000 rows · 1 column' &&
        !shown.root.querySelector('progress'),
      'another attempt',
    );
  });

  it('renders few cells for a million rows; scrolling, sorting and filtering work', async () => {
    const count = 1_000_000;
    const base = Int32Array.from({ length: count }, (_, row) => Math.imul(row, 7919) % 1_000_003);
    const vectors = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `c${at}`,
        at % 2
          ? arrow.makeVector(Float64Array.from(base, (value) => value / 4 + at))
          : arrow.makeVector(base),
      ]),
    );
    await showTyped(new arrow.Table(vectors));
    const cells = (): number => shown.all('[role=gridcell]').length;
    const few = cells();
    check(few < 600, `${few} cells in the page`);
    grid().focus();
    await sendKeys({ press: 'Control+End' });
    await waitUntil(
      () =>
        (shown.root.querySelector(`[data-row="${count - 1}"]`)?.getBoundingClientRect().bottom ??
          Infinity) <=
        grid().getBoundingClientRect().bottom + 1,
      'the last row is in the window',
    );
    check(cells() < 600, 'cells pile up');
    same(grid().getAttribute('aria-rowcount'), String(count + 1));
    await sendKeys({ press: 'Control+Home' });
    const sorted = base.toSorted();
    await waitUntil(() => head('c0'), 'the first column');
    head('c0').click();
    await waitUntil(
      () =>
        column(0).startsWith(new Intl.NumberFormat().format(sorted[0]!).replace('-', '−')) &&
        !grid().hasAttribute('aria-busy'),
      'sorted',
    );
    labelled('Filter').click();
    type(await waitUntil(() => labelled('Filter condition for c0'), 'operator'), 'greater');
    type(labelled('Filter c0'), '1000');
    const expected = base.filter((value) => value > 1000).length;
    await waitUntil(
      () =>
        shown
          .find('.result-meta')
          .textContent?.startsWith(`${new Intl.NumberFormat().format(expected)} of`),
      'filtered',
    );
    check(cells() < 700, 'cells pile up after the filter');
  }).timeout(90_000);

  it('sorts by several columns with Shift, and stores that', async () => {
    await showText('k\tv\nb\t1\na\t10\nb\t2\na\t9\n');
    head('k').click();
    await waitUntil(() => column(0) === 'a,a,b,b', 'by one');
    head('v').dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
    await waitUntil(() => column(1) === '9,10,1,2', 'by two');
    same(
      shown.all('.grid-priority').map((each) => each.dataset['priority']),
      ['1', '2'],
    );
    same(kept().columns, [
      {
        name: 'k',
        index: 0,
        visible: true,
        pinned: '',
        sort: { priority: 0, direction: 'asc' },
        filters: [{}],
      },
      {
        name: 'v',
        index: 1,
        visible: true,
        pinned: '',
        sort: { priority: 1, direction: 'asc' },
        filters: [{}],
      },
    ]);
    head('v').click();
    await waitUntil(
      () => column(1) === '10,9,2,1' || shown.all('.grid-priority').length === 0,
      'by one again',
    );
  });

  it('filters numbers, dates and missing values by type', async () => {
    await showText();
    labelled('Filter').click();
    type(await waitUntil(() => labelled('Filter condition for flights'), 'operators'), 'between');
    type(await waitUntil(() => labelled('Filter flights'), 'field'), '20000');
    type(await waitUntil(() => labelled('Filter flights, upper bound'), 'second field'), '28,000');
    await waitUntil(() => column(0) === 'DEN,LAX', 'numbers');
    type(labelled('Filter condition for day'), 'equal');
    type(labelled('Filter day'), '2024');
    await waitUntil(() => column(0) === 'DEN', 'dates');
    type(labelled('Filter day'), '');
    type(labelled('Filter condition for cause'), 'null');
    await waitUntil(() => column(0) === 'LAX', 'gaps');
    same(
      kept().columns.map((each) => (each as unknown as { filters: object[] }).filters[0]),
      [
        {},
        { operator: 'between', term: '20000', to: '28,000' },
        { operator: 'equal', term: '' },
        { operator: 'null', term: '' },
      ],
    );
  });

  it('changes columns by menu: pin, hide, type, format, fit', async () => {
    await showText();
    await choose('cause', 'Pin left');
    await waitUntil(() => heads() === 'cause,origin,flights,day', 'pinned');
    same(getComputedStyle(head('cause')).position, 'sticky');
    await choose('origin', 'Hide column');
    await waitUntil(() => heads() === 'cause,flights,day', 'hidden');
    await choose('flights', 'Type', 'String');
    await waitUntil(() => column(1) === '28414,27096,16418,21560', 'as text');
    await choose('day', 'Format', 'YYYY-MM');
    await waitUntil(() => column(2) === '2024-05,2024-05,2024-06,2023-05', 'dates by month');
    labelled('Table Options').click();
    const panel = await waitUntil(() => shown.find('.grid-panel'), 'panel');
    same(
      [...panel.querySelectorAll('caption, thead th, tbody th')].map(
        (each) => each.firstChild!.textContent,
      ),
      ['Table Options', 'Name', 'Value', 'useFilter', 'showPagination', 'showAggregationFooter'],
    );
    [...panel.querySelectorAll('button')]
      .find(({ textContent }) => textContent === 'Restore default')!
      .click();
    await waitUntil(() => heads() === 'origin,flights,day,cause', 'restored');
    const origin = [...panel.querySelectorAll('label')].find(
      ({ textContent }) => textContent?.trim() === 'origin',
    )!;
    origin.querySelector('input')!.click();
    await waitUntil(() => heads() === 'flights,day,cause', 'chosen');
  });

  it('moves and resizes columns by keyboard and pointer', async () => {
    await showText();
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    press(grid(), 'ArrowRight', { altKey: true, shiftKey: true });
    await waitUntil(() => heads() === 'flights,origin,day,cause', 'moved by key');
    const width = head('origin').offsetWidth;
    press(grid(), 'ArrowRight', { altKey: true });
    await waitUntil(() => head('origin').offsetWidth === width + 10, 'wider by key');
    const point = (target: EventTarget, kind: string, x: number): boolean =>
      target.dispatchEvent(
        new PointerEvent(kind, {
          bubbles: true,
          composed: true,
          clientX: x,
          clientY: 5,
          button: 0,
          buttons: 1,
        }),
      );
    const grip = head('day').querySelector('.grid-resize')!;
    const before = head('day').offsetWidth;
    point(grip, 'pointerdown', 100);
    point(window, 'pointermove', 160);
    point(window, 'pointerup', 160);
    await waitUntil(() => head('day').offsetWidth === before + 60, 'wider by pointer');
    const [from, to] = [
      head('cause').getBoundingClientRect(),
      head('flights').getBoundingClientRect(),
    ];
    point(head('cause'), 'pointerdown', from.left + 20);
    point(window, 'pointermove', to.left + 5);
    await waitUntil(() => shown.root.querySelector('.grid-drop'), 'the line');
    point(window, 'pointerup', to.left + 5);
    await waitUntil(() => heads() === 'cause,flights,origin,day', 'moved by pointer');
    same(
      kept().columns.map(({ name }) => name),
      ['cause', 'flights', 'origin', 'day'],
    );
    press(grid(), 'ArrowDown', { altKey: true });
    await menuItem('Summary…');
  });

  it('selects rows and columns by keyboard, copies them, and reports a picked row', async () => {
    await showText();
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    await sendKeys({ press: 'Shift+Space' });
    await waitUntil(() => shown.all('.grid-cell.selected').length === 4, 'a row');
    await sendKeys({ press: 'Control+c' });
    await pause(60);
    same(await navigator.clipboard.readText(), 'ORD\t28414\t2024-05-01\tsnow');
    press(grid(), ' ', { ctrlKey: true });
    await waitUntil(
      () =>
        shown.all('.grid-cell.selected').length === 4 &&
        shown.all('.grid-cell.selected').every(({ dataset }) => dataset['column'] === '0'),
      'a column',
    );
    press(grid(), 'ArrowDown');
    await waitUntil(
      () => grid().getAttribute('aria-activedescendant')?.endsWith('-1-0'),
      'the next row',
    );
    press(grid(), 'Enter', { ctrlKey: true });
    await waitUntil(() => chosen.length === 1, 'chosen');
    same(chosen[0], {
      values: { origin: 'DEN', flights: 27096, day: '2024-05-03', cause: 'Snow' },
      label: 'Row 2',
    });
    await waitUntil(
      () => shown.find('.grid-row.chosen').getAttribute('aria-selected') === 'true',
      'marked',
    );
    press(grid(), 'Escape');
    await waitUntil(() => chosen.at(-1) === null && chosen.length === 2, 'deselected');
    shown
      .find('[data-row-number="3"]')
      .dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 }));
    await waitUntil(
      () => chosen.at(-1)?.values['origin'] === 'LAX' && chosen.at(-1)?.values['cause'] === null,
      'by its number',
    );
    head('flights').click();
    await waitUntil(() => chosen.at(-1) === null, 'deselected after sorting');
  });

  it('finds a text: highlights, next, previous', async () => {
    await showText();
    grid().focus();
    press(grid(), 'f', { ctrlKey: true });
    const field = await waitUntil(() => labelled('Search this table'), 'field');
    type(shown.find('.grid-search input'), 'SNOW');
    await waitUntil(() => shown.find('.grid-search-count').textContent === '1 of 2', 'first match');
    same(
      shown.all('.grid-cell mark').map(({ textContent }) => textContent),
      ['snow', 'Snow'],
    );
    labelled('Next match').click();
    await waitUntil(() => shown.find('.grid-search-count').textContent === '2 of 2', 'next');
    labelled('Previous match').click();
    await waitUntil(() => shown.find('.grid-search-count').textContent === '1 of 2', 'previous');
    check(field, 'no field');
    labelled('Close search').click();
    await waitUntil(() => shown.all('mark').length === 0, 'closed');
  });

  it('shows a whole cell in a panel, HTML in a sandboxed frame', async () => {
    await showText(`a\tb\n${'long '.repeat(100)}\t%html <b onclick="x()">bold</b> words\n`);
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    press(grid(), 'Enter');
    const panel = await waitUntil(() => shown.find('.grid-panel pre'), 'the text');
    same(panel.textContent, 'long '.repeat(100));
    check(shown.find('.grid-panel').matches(':popover-open'), 'not in the top layer');
    press(shown.find('.grid-panel'), 'Escape');
    await waitUntil(() => !shown.root.querySelector('.grid-panel'), 'closed');
    press(grid(), 'ArrowRight');
    await waitUntil(
      () => grid().getAttribute('aria-activedescendant')?.endsWith('-0-1'),
      'the next cell',
    );
    same(
      [shown.find('[data-row="0"][data-column="1"]').textContent, shown.all('iframe').length],
      ['bold words', 0],
    );
    press(grid(), 'Enter');
    const frame = await waitUntil(
      () => shown.find<HTMLIFrameElement>('.grid-panel iframe'),
      'the frame',
    );
    same(frame.getAttribute('sandbox'), 'allow-scripts');
  });

  it('summarizes a column', async () => {
    await showText();
    await choose('flights', 'Summary…');
    const panel = await waitUntil(
      () => shown.root.querySelector('.grid-panel dl') && shown.find('.grid-panel'),
      'figures',
    );
    same(
      [...panel.querySelectorAll('dd')].slice(0, 3).map(({ textContent }) => textContent),
      ['4', '0', '4'],
    );
    check(
      panel.querySelectorAll('rect').length === 24 &&
        panel.querySelector('svg')!.getAttribute('aria-label')!.includes('16,418'),
      'no distribution',
    );
  });

  it('shows pages and a footer if enabled', async () => {
    await showText(`n\n${Array.from({ length: 120 }, (_, at) => at + 1).join('\n')}\n`, {
      tableOptionValue: { showPagination: true, showAggregationFooter: true },
    });
    await waitUntil(
      () => shown.find('.grid-row.foot').textContent!.includes('7,260'),
      'the sum of all rows',
    );
    same(
      [
        shown.find('.grid-pager [aria-live]').textContent,
        shown.find<HTMLSelectElement>('.grid-pager select').value,
      ],
      ['1–50 of 120', '50'],
    );
    labelled('Last page').click();
    await waitUntil(
      () => column(0).startsWith('101,102') && shown.find('[role=row] [data-row="0"]'),
      'the last page',
    );
    type(shown.find('.grid-pager select'), '25');
    await waitUntil(
      () => shown.find('.grid-pager [aria-live]').textContent === '51–75 of 120',
      'another size',
    );
    same((kept() as unknown as { pagination: object }).pagination, { paginationPageSize: 25 });
  });

  it('exports the visible rows and columns as arranged', async () => {
    await showText(airports, {
      tableOptionValue: { useFilter: true },
      tableGridState: {
        columns: [
          { name: 'cause' },
          { name: 'origin', sort: { direction: 'desc', priority: 0 }, filters: [{ term: 'o' }] },
          { name: 'flights', visible: false },
          { name: 'day', visible: false },
        ],
      },
    });
    await waitUntil(() => column(1) === 'SFO,ORD', 'arranged');
    labelled('Download as').focus();
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => shown.all('[role=menuitem]').length === 8, 'menu');
    const items = shown.all('[role=menuitem]');
    same(
      items.map(({ textContent }) => textContent),
      ['CSV', 'TSV', 'Excel', 'Arrow', 'CSV', 'TSV', 'Excel', 'Arrow'],
    );
    items[4]!.click();
    await waitUntil(() => files.length === 1, 'file');
    same(
      [files[0]!.name.endsWith('.csv'), files[0]!.data],
      [true, '\uFEFFcause,origin\r\nfog,SFO\r\nsnow,ORD\r\n'],
    );
  });

  it('accepts any table: ten thousand columns, duplicate names, no rows, no columns', async () => {
    await showText(
      `${Array.from({ length: 10_000 }, (_, at) => `c${at % 5000}`).join('\t')}\n` +
        `${Array.from({ length: 10_000 }, (_, at) => at).join('\t')}\n1\n`,
    );
    check(shown.all('[role=columnheader]').length < 60, 'too many headers');
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    press(grid(), 'End');
    await waitUntil(
      () => shown.root.querySelector('[data-row="0"][data-column="9999"]')?.textContent === '9,999',
      'the last column',
    );
    shown.remove();
    await showText('a\tb\n');
    same(
      [shown.find('.grid-empty').textContent, grid().getAttribute('aria-rowcount')],
      ['No rows.', '1'],
    );
    shown.remove();
    const batches = (async function* () {})();
    shown = mount(<Typed rows={() => ({ total: 0, batches })} />, resultSheets);
    await waitUntil(() => shown.find('.grid-empty').textContent === 'No rows.', 'nothing');
  }).timeout(30_000);

  it('supports right-to-left text', async () => {
    shown = mount(
      <div dir="rtl">
        <Text
          data={airports}
          setting={{ tableGridState: { columns: [{ name: 'origin', pinned: 'left' }] } }}
        />
      </div>,
      resultSheets,
      400,
    );
    await waitUntil(() => shown.all('[role=columnheader]').length > 2, 'grid');
    check(
      head('origin').getBoundingClientRect().left > head('flights').getBoundingClientRect().left,
      'the first column is not on the right',
    );
    grid().focus();
    await waitUntil(() => grid().getAttribute('aria-activedescendant'), 'active cell');
    press(grid(), 'ArrowLeft');
    await waitUntil(
      () => grid().getAttribute('aria-activedescendant')?.endsWith('-0-1'),
      'the left arrow does not continue',
    );
  });
});
