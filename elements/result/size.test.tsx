import type { Output } from '@tiding/client';
import { sendMouse } from '@web/test-runner-commands';
import { frames } from '../runtime/test-page-errors.ts';
import { strictPage } from '../ui/testing/test-setup.ts';
import { type DownloadFile, type ResultEntry, resultSheets } from './index.ts';
import { output, Result, tableOf } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, press, same, waitUntil } from './test-support.tsx';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEElEQVR4nGP4z8DwHwyBNAAz6gf5Z5bWYgAAAABJ' +
  'RU5ErkJggg==';
const table = tableOf('a\tb\n1\t2\n');
const svg = output(
  'SVG',
  '<svg width="1600" height="900"><rect width="1600" height="900" fill="red"/></svg>',
);

describe('the size of a result', () => {
  strictPage();
  let shown: Mounted;
  let stored: ResultEntry[];
  let widths: number[];
  let saved: DownloadFile[];
  const view = (
    output: Output,
    options: { colWidth?: number; bare?: boolean; readOnly?: boolean; fixed?: boolean } = {},
  ) => (
    <article className="paragraph">
      <Result
        outputs={[output]}
        config={options.colWidth === undefined ? {} : { colWidth: options.colWidth }}
        frameUrl="/output-frame/1"
        title="Sales"
        bare={options.bare ?? false}
        readOnly={options.readOnly ?? false}
        onConfig={(_, entry) => stored.push(entry)}
        onWidth={options.fixed ? undefined : (columns) => widths.push(columns)}
        onDownload={(file) => saved.push(file)}
      />
    </article>
  );
  const handle = (): HTMLElement => shown.find('.resize-handle');
  const at = (): [number, number] => {
    const { left, top, width, height } = handle().getBoundingClientRect();
    return [Math.round(left + width / 2), Math.round(top + height / 2)];
  };
  /** Returns the handle's position once it no longer moves. */
  const settled = async (): Promise<[number, number]> => {
    for (let before = ''; before !== at().join(); await frames()) before = at().join();
    return at();
  };
  const drag = async (x: number, y: number): Promise<void> => {
    const [left, top] = await settled();
    await sendMouse({ type: 'move', position: [left, top] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [left + x, top + y] });
  };
  const height = (): number | undefined =>
    (stored.at(-1)?.['graph'] as { height: number } | undefined)?.height;
  /** Waits for the handle's text: the width of a drag is shown until the host has answered. */
  const reads = (text: string): Promise<unknown> =>
    waitUntil(() => handle().ariaValueText === text, text);
  beforeEach(() => {
    stored = [];
    widths = [];
    saved = [];
  });
  afterEach(async () => {
    await sendMouse({ type: 'up' });
  });

  it('has ten rows of a table without a bar, until it is changed', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => `${at}\t${at}\n`).join('');
    shown = mount(view(tableOf(`a\tb\n${rows}`)), resultSheets);
    const grid = await waitUntil(() => shown.find('[role=grid]'), 'the table');
    await waitUntil(() => shown.all('[role=row]').length === 11, 'rows');
    same(grid.scrollHeight, grid.clientHeight);
    await waitUntil(() => handle(), 'handle');
    press(handle(), 'ArrowDown');
    await waitUntil(() => height() === 310, 'a stored height');
    check(grid.scrollHeight > grid.clientHeight, 'the chosen height');
  });

  it('is dragged in steps of ten pixels and one column, stored after a pause [D73]', async () => {
    shown = mount(view(table, { colWidth: 6 }), resultSheets, 600);
    await waitUntil(() => shown.find('[role=grid]'), 'the table');
    // A column is 100 px wide here.
    await drag(-130, 47);
    await waitUntil(() => shown.find('.resize-tip').textContent === '5 of 12 columns wide', 'tip');
    same([stored, widths], [[], []]);
    await sendMouse({ type: 'up' });
    await waitUntil(() => widths.length === 1 && stored.length === 1, 'stored');
    same([height(), widths], [350, [5]]);
    await waitUntil(() => shown.all('.resize-tip').length === 0, 'no tip');
  });

  it('keeps its width if only the height changes', async () => {
    shown = mount(view(table, { colWidth: 6 }), resultSheets, 600);
    await waitUntil(() => shown.find('[role=grid]'), 'the table');
    await drag(20, 100);
    await sendMouse({ type: 'up' });
    await waitUntil(() => height() === 400, 'height');
    same(widths, []);
  });

  it('is set with the arrow keys, which are swapped in right-to-left text', async () => {
    shown = mount(view(table, { colWidth: 9 }), resultSheets);
    await waitUntil(() => handle(), 'handle');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) press(handle(), key);
    await waitUntil(() => widths.length === 1, 'width');
    same([widths, stored], [[12], []]);
    await reads('300 pixels high, 9 of 12 columns wide');
    same(handle().ariaLabel, 'Size of the result');
    shown.host.style.direction = 'rtl';
    press(handle(), 'ArrowRight');
    await waitUntil(() => widths.length === 2, 'width');
    same(widths[1], 11);
  });

  it('of a text is set with the arrow keys, down to 100 pixels [D73]', async () => {
    const lines = output('TEXT', 'line\n'.repeat(100));
    shown = mount(view(lines, { fixed: true }), resultSheets);
    const text = await waitUntil(() => shown.find('.text-box'), 'the text');
    await waitUntil(() => handle(), 'handle');
    same(text.clientHeight, 300);
    press(handle(), 'ArrowDown');
    await waitUntil(() => height() === 310 && text.clientHeight === 310, 'a larger height');
    for (let count = 0; count < 30; count++) press(handle(), 'ArrowUp');
    await waitUntil(() => height() === 100 && text.clientHeight === 100, 'the smallest height');
  });

  it('is only a width for images', async () => {
    shown = mount(view(output('IMG', png)), resultSheets);
    await waitUntil(() => handle(), 'handle');
    check(!press(handle(), 'ArrowDown').defaultPrevented, 'a height');
    press(handle(), 'ArrowLeft');
    await waitUntil(() => widths.length === 1, 'width');
    same([widths, stored], [[11], []]);
    await reads('12 of 12 columns wide');
  });

  it('is only a width for HTML, Angular and Markdown outputs', async () => {
    for (const each of [
      output('HTML', '<p>one</p>'),
      output('ANGULAR', '<p>{{1}}</p>'),
      output('HTML', '<div class="markdown-body"><p>one</p></div>'),
    ]) {
      shown = mount(view(each, { colWidth: 6 }), resultSheets, 600);
      await waitUntil(() => handle(), 'handle');
      check(!press(handle(), 'ArrowDown').defaultPrevented, 'a height');
      press(handle(), 'ArrowRight');
      await waitUntil(() => widths.length === 1, 'width');
      same([widths, stored, handle().ariaOrientation], [[7], [], 'vertical']);
      await reads('6 of 12 columns wide');
      shown.remove();
      shown = mount(view(each, { bare: true }), resultSheets, 600);
      await waitUntil(() => shown.all('iframe, .prose').length > 0, 'output');
      same(shown.all('.resize-handle').length, 0);
      shown.remove();
      widths = [];
    }
  });

  it('cannot be changed in reports or read-only notes, nor the width outside a note', async () => {
    shown = mount(view(table, { bare: true }), resultSheets);
    await waitUntil(() => shown.all('[role=grid]').length > 0, 'table');
    same(shown.all('.resize-handle').length, 0);
    for (const options of [{ readOnly: true }, { fixed: true }]) {
      shown.remove();
      shown = mount(view(table, options), resultSheets);
      await waitUntil(() => handle(), 'handle');
      same(handle().ariaLabel, 'Height of the result');
      check(!press(handle(), 'ArrowLeft').defaultPrevented, 'a width');
    }
  });

  it('of a large image is limited to the paragraph, and natural in full size', async () => {
    shown = mount(view(svg), resultSheets, 700);
    const image = (): HTMLImageElement => shown.find<HTMLImageElement>('img');
    await waitUntil(() => image().complete && image().naturalWidth === 1600, 'picture');
    check(
      image().offsetWidth <= 700 &&
        Math.abs(image().offsetWidth / image().offsetHeight - 16 / 9) < 0.02,
      'not scaled',
    );
    const button = (name: string): HTMLElement => shown.find(`[aria-label="${name}"]`);
    button('Full size').click();
    await waitUntil(() => image().offsetWidth === 1600, 'full');
    same(shown.find('.image-view').matches(':popover-open'), true);
    press(button('Exit full size'), 'Escape');
    await waitUntil(() => image().offsetWidth <= 700, 'back');
    button('Download picture').click();
    same(
      [
        saved[0]!.type,
        saved[0]!.name.endsWith('.svg'),
        (saved[0]!.data as string).includes('xmlns="http://www.w3.org/2000/svg"'),
      ],
      ['image/svg+xml', true, true],
    );
    shown.remove();
    shown = mount(view(output('IMG', png)), resultSheets);
    await waitUntil(() => shown.find('.image-tools'), 'tools');
    button('Download picture').click();
    same(
      [saved[1]!.type, saved[1]!.name.endsWith('.png'), (saved[1]!.data as Uint8Array)[1]],
      ['image/png', true, 80],
    );
  });
});

describe('several outputs of one paragraph', () => {
  it('grow and are configured independently', async () => {
    const stored: [number, ResultEntry][] = [];
    const text = (count: number) => ({ type: 'TEXT', chunks: ['begun\n', 'more\n'], count });
    const rows = (count: number) => ({
      type: 'TABLE',
      chunks: ['a\tb\n1\t2\n', '3\t4\n'],
      count,
    });
    const view = (first: number, second: number, config = {}) => (
      <Result
        outputs={[text(first), rows(second), rows(1)]}
        config={config}
        onConfig={(index, entry) => stored.push([index, entry])}
      />
    );
    const shown = mount(
      view(1, 1, { results: { 2: { graph: { height: 220, later: 1 } } } }),
      resultSheets,
    );
    await waitUntil(() => shown.all('[role=grid]').length === 2, 'tables');
    shown.render(view(2, 2, { results: { 2: { graph: { height: 220, later: 1 } } } }));
    await waitUntil(
      () =>
        shown.find('.text-lines').textContent === 'begun\nmore\n' &&
        shown.all('[role=grid]')[0]!.getAttribute('aria-rowcount') === '3',
      'grown',
    );
    same(shown.all('[role=grid]')[1]!.getAttribute('aria-rowcount'), '2');
    const handles = shown.all('.table-result .resize-handle');
    press(handles[1]!, 'ArrowUp');
    await waitUntil(() => stored.length === 1, 'stored');
    same(
      [
        stored[0]![0],
        (stored[0]![1]['graph'] as { height: number; later: number }).height,
        (stored[0]![1]['graph'] as { later: number }).later,
      ],
      [2, 210, 1],
    );
    press(handles[0]!, 'ArrowDown');
    await waitUntil(() => stored.length === 2, 'stored');
    same([stored[1]![0], (stored[1]![1]['graph'] as { height: number }).height], [1, 310]);
    await pause(30);
  });
});
