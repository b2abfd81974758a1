import { tableToIPC } from 'apache-arrow';
import { elementClass } from '../element-class.ts';
import { everyKind } from '../result/rows/arrow-test-tables.ts';
import { check, press, same, strictPolicy, waitUntil } from '../result/test-support.tsx';
import { chartElement, outputElement } from './output.ts';

type Shown = HTMLElement & Record<string, unknown>;
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6o' +
  'AAAAAElFTkSuQmCC';
// Arrow's builders make functions of texts, which the policy of the page forbids.
const arrowBytes = tableToIPC(everyKind());
const sales = [
  { city: 'Oslo', year: 2025, amount: 10 },
  { city: 'Oslo', year: 2026, amount: 30 },
  { city: 'Rome', year: 2026, amount: 8 },
];

describe("elements of a page's own data", () => {
  const violations = strictPolicy();
  const events: [string, unknown][] = [];
  let element: Shown;

  before(() => {
    for (const spec of [outputElement, chartElement])
      customElements.define(spec.tag, elementClass(spec));
  });
  afterEach(() => element.remove());
  after(() => {
    // That of the script that a test writes; scripts in the markup of a page are allowed.
    const others = violations.filter((each) => !each.includes('HTMLScriptElement text'));
    same(others, [], 'page policy');
  });

  const root = () => element.shadowRoot!;
  const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
  const words = () => (root().textContent ?? '').replace(/\s+/g, ' ');
  const errors = () => events.filter(([type]) => type === 'tiding-error');
  /** Adds an element and waits until its content is painted, or refused. */
  async function show(tag: string, properties: object, json?: string): Promise<void> {
    events.length = 0;
    element = document.createElement(`tiding-${tag}`) as Shown;
    for (const type of ['tiding-select', 'tiding-error', 'tiding-painted'])
      element.addEventListener(type, (event) =>
        events.push([type, (event as CustomEvent<unknown>).detail]),
      );
    Object.assign(element, properties);
    if (json !== undefined) {
      const script = document.createElement('script');
      script.type = 'application/json';
      script.append(json);
      element.append(script);
    }
    document.body.append(element);
    await waitUntil(() => events.length > 0, 'an event');
  }
  const output = (data: unknown, properties: object = {}) =>
    show('output', { data, ...properties });
  /** Texts of the cells of the grid, by row. */
  const cells = () =>
    all('[role=row]')
      .map((row) =>
        [...row.querySelectorAll('[role=gridcell]')].map(({ textContent }) => textContent),
      )
      .filter((row) => row.length > 0);

  it('shows rows in the table, with all values as they are', async () => {
    await output([
      { n: 9007199254740993n, part: 0.1, code: '007', day: new Date(0), list: [1, null] },
      { n: null, part: Number.NaN, code: '1.10', flag: true },
    ]);
    same(events, [['tiding-painted', {}]]);
    same(cells(), [
      ['9,007,199,254,740,993', '0.1', '007', '1970-01-01 00:00:00Z', '[1,null]', 'null'],
      ['null', 'NaN', '1.10', 'null', 'null', 'true'],
    ]);
    check(words().includes('2 rows · 6 columns'), words());
    element['data'] = { city: ['Bern'] };
    await waitUntil(() => cells().join() === 'Bern', 'columns');
    element['data'] = arrowBytes;
    await waitUntil(() => words().includes('12,345,678,901,234,567,890.12'), 'Arrow');
    element['data'] = [];
    await waitUntil(() => words().includes('0 rows'), 'no rows');
  });

  it('switches between the views, and starts in the configured one', async () => {
    await output(sales, { config: { mode: 'multiBarChart', keys: 'city', values: 'avg(amount)' } });
    check(all('.chart-box svg').length + all('.chart-box canvas').length > 0, 'no chart');
    check(words().includes('Oslo') && words().includes('20'), words());
    same(
      all('.view-segments [role=radio]').map(({ ariaChecked }) => ariaChecked === 'true'),
      [false, true, false, false, false, false],
    );
    all('.view-segments [role=radio]')[0]!.click();
    await waitUntil(() => cells().length === 3, 'the table');
    await show('output', { data: sales, bare: true });
    same(all('.result-bar').length, 0);
  });

  it('shows outputs and notebooks in order', async () => {
    const stream = { output_type: 'stream', name: 'stdout', text: ['first\n'] };
    const error = { output_type: 'error', ename: 'KeyError', evalue: "'x'", traceback: [] };
    await output({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [
        { cell_type: 'markdown', metadata: {}, source: '# Title\n<script>x</script>' },
        { cell_type: 'code', metadata: {}, source: 'code', outputs: [stream] },
        {
          cell_type: 'code',
          metadata: {},
          source: '',
          outputs: [
            { output_type: 'display_data', metadata: {}, data: { 'image/png': png } },
            error,
          ],
        },
      ],
    });
    await waitUntil(() => all('h1').length === 1, 'Markdown');
    const image = all('img')[0] as HTMLImageElement;
    await waitUntil(() => image.naturalWidth === 10, 'the picture');
    check(/Title.*first.*KeyError: 'x'/.test(words()), words());
    check(!words().includes('code') && all('script').length === 0, words());
    same(all('.error-box').length, 1);
  });

  it('shows HTML without its scripts, JSON as a tree, and tables of Zeppelin', async () => {
    await output({ 'text/html': '<table><td onclick="x()">cell</td></table><script>x()</script>' });
    same(all('td')[0]!.outerHTML, '<td>cell</td>');
    same(all('iframe, script').length, 0);
    await output({ 'text/html': '<div id="plot"></div><script>draw()</script>' });
    check(words().includes('drawn by a script'), words());
    await output({ 'application/json': { city: 'Oslo' } });
    all('.json-switch button').at(-1)!.click();
    await waitUntil(() => all('[role=tree]').length === 1, 'the tree');
    const msg = [
      { type: 'TABLE', data: 'city\tn\nOslo\t1\n' },
      { type: 'TEXT', data: 'after' },
    ];
    await output({ code: 'SUCCESS', msg }, { config: { mode: 'pieChart' } });
    check(all('.chart-box').length === 1 && words().includes('after'), words());
    await output({ type: 'TEXT', data: '' });
    check(words().includes('There is no output.'), words());
  });

  it('runs HTML in frames of a server, if there is one', async () => {
    const html = { 'text/html': '<p style="color:red">x</p>' };
    await output(html, { server: '/' });
    same(
      (all('iframe')[0] as HTMLIFrameElement).getAttribute('src')?.split('/output-')[1],
      'frame/1/still',
    );
    same(all('iframe')[0]!.getAttribute('sandbox'), 'allow-scripts');
    await output(html, { server: '/', trusted: true });
    same((all('iframe')[0] as HTMLIFrameElement).src.split('/output-')[1], 'frame/1');
  });

  it('reads an attribute and a script, and follows the script', async () => {
    await show('output', {}, '[{"n": 1}]');
    same(cells(), [['1']]);
    const text = element.firstElementChild!.firstChild as Text;
    text.data = '{"n": ';
    await waitUntil(() => words().includes('not valid JSON'), 'the error');
    text.data = '{"n": [2]}';
    await waitUntil(() => cells().join() === '2', 'the new data');
    element.setAttribute('data', '[{"n": 3}]');
    await waitUntil(() => cells().join() === '3', 'the attribute');
    element.removeAttribute('data');
    element.firstElementChild!.remove();
    await waitUntil(() => words().includes('Set the property data.'), 'the hint');
  });

  it('refuses other data with what it accepts, and lets the page show it', async () => {
    await output({ a: 1 });
    const [, detail] = errors()[0] as [string, { message: string; code: string }];
    same(detail.code, 'protocol');
    check(
      /unknown form.*row objects.*Arrow.*MIME bundle.*notebook.*Zeppelin/.test(detail.message),
      detail.message,
    );
    await waitUntil(() => all('[role=alert]')[0]?.textContent === detail.message, 'the message');
    element['data'] = sales;
    await waitUntil(() => cells().length === 3, 'the rows after it');
    element['config'] = { mode: 'chart' };
    await waitUntil(
      () => words().includes("There is no view 'chart'. Use table, multi"),
      'the mode',
    );
    element.addEventListener('tiding-error', (event) => event.preventDefault());
    element['config'] = { keys: 'town' };
    await waitUntil(() => errors().length === 3 && words() === '', 'the suppressed message');
  });

  it('selects a row', async () => {
    await output(sales, { bare: true });
    all('[role=grid]')[0]!.focus();
    await waitUntil(() => all('[aria-activedescendant]').length === 1, 'the first cell');
    press(all('[role=grid]')[0]!, 'Enter', { ctrlKey: true });
    await waitUntil(() => events.some(([type]) => type === 'tiding-select'), 'the event');
    same(events.filter(([type]) => type === 'tiding-select').at(-1)?.[1], {
      output: 0,
      values: { city: 'Oslo', year: 2025, amount: 10 },
      label: 'Row 1',
    });
  });

  it('draws a chart, and refuses unknown kinds, columns and outputs', async () => {
    await show('chart', {
      data: sales,
      type: 'lineChart',
      keys: 'year',
      groups: 'city',
      values: 'amount',
    });
    same(all('.result-bar').length, 0);
    check(
      all('.chart-box')[0]!.ariaLabel!.includes('Oslo'),
      String(all('.chart-box')[0]!.ariaLabel),
    );
    element['height'] = 180;
    await waitUntil(() => all('.chart-body')[0]!.clientHeight === 180, 'the height');
    for (const [name, value, message] of [
      ['type', 'cake', "There is no view 'cake'. Use multiBarChart, pieChart, stackedAreaChart"],
      ['type', 'lineChart', ''],
      ['values', 'median2(amount)', "There is no aggregation 'median2'. Use sum, count, avg, min"],
      ['values', ['amount'], ''],
      ['keys', 'town', "There is no column 'town' for keys. Use city, year, amount."],
      ['keys', 'city', ''],
      ['data', { 'text/plain': 'x' }, 'A chart needs rows, columns or Arrow bytes'],
    ] as const) {
      element[name] = value;
      await waitUntil(
        () => (message === '' ? all('.chart-box').length > 0 : words().includes(message)),
        `${name} ${String(value)}`,
      );
    }
  });

  it('shows only the rows that a filter of its portal leaves', async () => {
    const { portal } = await import('../portal/bus.ts');
    await output(sales, { portal: 'own', bare: true });
    portal('own').set('selection', { column: 'city', values: ['Rome'] }, { by: document.body });
    await waitUntil(() => cells().length === 1 && cells()[0]![0] === 'Rome', 'the filter');
  });
});
