import { resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import { strictPage } from '../ui/testing/test-setup.ts';
import type { Selection } from './contract.ts';
import { type DownloadFile, type ResultEntry, resultSheets, visualizations } from './index.ts';
import { column, people, peopleByAgeAndJob, Result, tableOf } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, press, same, waitUntil } from './test-support.tsx';
import { resultText } from './texts.ts';
import { chartTexts } from './visualizations/chart/texts.ts';

const charts = ['multiBarChart', 'pieChart', 'stackedAreaChart', 'lineChart', 'scatterChart'];

describe('charts', () => {
  strictPage();
  let shown: Mounted;
  let stored: ResultEntry[];
  let saved: DownloadFile[];
  let chosen: (Selection | null)[];
  const view = (mode: string, settings: object = peopleByAgeAndJob, data = people) => (
    <Result
      outputs={[tableOf(data)]}
      graph={{ mode, height: 260, ...settings }}
      title="People"
      dateFinished="2025-02-03T09:41:07+0000"
      onConfig={(_, entry) => stored.push(entry)}
      onDownload={(file) => saved.push(file)}
      onSelect={(_, selection) => chosen.push(selection)}
    />
  );
  const show = async (mode: string, settings?: object, data?: string): Promise<void> => {
    shown = mount(view(mode, settings, data), resultSheets, 760);
    await waitUntil(
      () => shown.all('.chart-box svg path, .chart-box canvas').length > 0,
      `${mode} is drawn`,
    );
    // Wait for the animation of bars and lines.
    await pause(380);
    const frames = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at++) await new Promise((done) => requestAnimationFrame(done));
    };
    for (let before = ''; before !== box().innerHTML; await frames(3)) before = box().innerHTML;
  };
  const settingOf = (mode: string): Record<string, unknown> =>
    (stored.at(-1)!['graph'] as { setting: Record<string, Record<string, unknown>> }).setting[
      mode
    ]!;
  const openFields = async (): Promise<void> => {
    shown.find('[aria-label="Fields"]').click();
    await waitUntil(() => shown.root.querySelector('.fields'), 'fields');
  };
  const box = (): HTMLElement => shown.find('.chart-box');
  /** Clicks at a fraction of the drawing's width and height. */
  const click = async (partX: number, partY: number): Promise<Selection | null | undefined> => {
    const { left, top, width, height } = box().getBoundingClientRect();
    const position: [number, number] = [
      Math.round(left + width * partX),
      Math.round(top + height * partY),
    ];
    chosen.length = 0;
    await sendMouse({ type: 'move', position });
    await sendMouse({ type: 'click', position });
    await waitUntil(() => chosen.length > 0, 'choice');
    return chosen.at(-1);
  };
  /** Place in the right half of the largest slice of a pie, for {@link click}. */
  const largestSlice = (): [number, number] => {
    const drawing = box().getBoundingClientRect();
    const slices = shown
      .all('.chart-box svg path[fill]:not([fill=none])')
      .map((path) => path.getBoundingClientRect())
      .filter(({ width }) => width < drawing.width / 2);
    const { left, top, width, height } = slices.sort((a, b) => b.width - a.width)[0]!;
    return [
      (left + width * 0.8 - drawing.left) / drawing.width,
      (top + height / 2 - drawing.top) / drawing.height,
    ];
  };
  beforeEach(() => {
    stored = [];
    saved = [];
    chosen = [];
  });
  afterEach(async () => {
    await resetMouse();
  });

  it('are switched in the specified order and with the specified names [D2]', async () => {
    await show('multiBarChart');
    same(
      visualizations.slice(0, 6).map(({ id }) => id),
      ['table', ...charts],
    );
    same(
      shown
        .all('.view-segments [role=radio]')
        .slice(0, 6)
        .map((button) => button.getAttribute('aria-label')),
      ['Table', 'Bar Chart', 'Pie Chart', 'Area Chart', 'Line Chart', 'Scatter Chart'],
    );
  });

  for (const mode of charts) {
    it(`${mode} is drawn, described in words and provided as a table`, async () => {
      await show(mode);
      const label = box().getAttribute('aria-label')!;
      check(label.startsWith(visualizations.find(({ id }) => id === mode)!.label), label);
      check(
        shown.find('.visually-hidden table caption').textContent!.includes('People'),
        'table without caption',
      );
      check(
        shown.find('.visually-hidden table').textContent!.includes('30'),
        'the table has no numbers',
      );
      const { height, width } = shown.find('.visually-hidden:has(table)').getBoundingClientRect();
      check(height <= 1 && width <= 1, 'the hidden table takes space');
    });
  }

  it('select a bar, a slice, a point, an area, or nothing', async () => {
    await show('multiBarChart', {
      ...peopleByAgeAndJob,
      setting: { multiBarChart: { stacked: true } },
    });
    same(await click(0.2, 0.85), { label: 'dev', values: { age: 30, job: 'dev', bal: 10 } });
    await waitUntil(
      () => shown.all('.chart-box [fill-opacity="0.35"], .chart-box [opacity="0.35"]').length > 0,
      'the other series fade',
    );
    same(await click(0.9, 0.05), null);
    shown.remove();
    await show('pieChart', { ...peopleByAgeAndJob, groups: [] });
    same(await click(...largestSlice()), { label: 'sum of bal', values: { age: 30, bal: 30 } });
    same(await click(0.02, 0.02), null);
    shown.remove();
    await show('stackedAreaChart');
    same(await click(0.08, 0.8), { label: 'dev', values: { age: 30, job: 'dev', bal: 10 } });
    same(await click(0.5, 0.02), null);
    shown.remove();
    await show(
      'scatterChart',
      {
        setting: {
          scatterChart: {
            xAxis: column('age', 0),
            yAxis: column('job', 1),
            group: null,
            size: null,
          },
        },
      },
      'age\tjob\n1\t1\n2\t3\n3\t2\n4\t5\n',
    );
    same(await click(0.01, 0.01), null);
  });

  it('are navigated by keyboard: announced, selected with Enter, left with Escape', async () => {
    await show('lineChart');
    box().focus();
    const status = () => shown.find('.chart-frame [role=status]').textContent;
    press(box(), 'ArrowRight');
    await waitUntil(() => status() === '30, dev: 10', 'the first point');
    press(box(), 'ArrowRight');
    await waitUntil(() => status() === '31, dev: 5', 'the next point');
    press(box(), 'End');
    await waitUntil(
      () => status() === `32, dev: ${chartTexts.noValue}`,
      'the end of the first line',
    );
    press(box(), 'ArrowDown');
    await waitUntil(() => status() === '32, ops: 7', 'the second line');
    check(
      shown.all('.chart-tip').length === 1 && shown.all('.chart-mark').length === 1,
      'a tooltip without data',
    );
    press(box(), 'Enter');
    same(chosen, [{ label: 'ops', values: { age: 32, job: 'ops', bal: 7 } }]);
    press(box(), 'Escape');
    same(chosen.at(-1), null);
    await waitUntil(() => shown.all('.chart-tip').length === 0, 'no announcement');
  });

  it('zoom with the strip and the keyboard', async () => {
    const rows =
      'age\tjob\tbal\n' + Array.from({ length: 50 }, (_, at) => `${at + 1}\tj\t${at}`).join('\n');
    await show(
      'lineChart',
      { ...peopleByAgeAndJob, groups: [], setting: { lineChart: { lineWithFocus: true } } },
      rows,
    );
    const ticks = () => shown.all('.chart-box svg text').map(({ textContent }) => textContent);
    const before = ticks().join();
    press(box(), '+');
    await waitUntil(() => ticks().join() !== before, 'another part of the axis');
    const part = ticks().join();
    press(box(), 'ArrowRight', { shiftKey: true });
    await waitUntil(() => ticks().join() !== part, 'the next part');
  });

  it("are saved as PNG at twice the size and as SVG, in the page's colours", async () => {
    for (const mode of charts) {
      await show(mode);
      for (const format of ['PNG', 'SVG']) {
        shown.find('[aria-label="Download as"]').click();
        const items = await waitUntil(
          () => (shown.all('[role=menuitem]').length > 4 ? shown.all('[role=menuitem]') : null),
          'menu',
        );
        same(
          items.slice(-2).map(({ textContent }) => textContent),
          ['PNG', 'SVG'],
        );
        items.find(({ textContent }) => textContent === format)!.click();
        await waitUntil(() => saved.at(-1)?.name.endsWith(`.${format.toLowerCase()}`), format);
        await waitUntil(() => shown.all('[role=menuitem]').length === 0, 'closed menu');
      }
      const [png, svg] = saved.slice(-2);
      check(/^People_2025-02-03 .*\.png$/.test(png!.name) && png!.type === 'image/png', png!.name);
      const header = new DataView((png!.data as Uint8Array<ArrayBuffer>).buffer);
      same(
        [
          header.getUint32(0).toString(16),
          header.getUint32(16),
          header.getUint32(20) > 2 * box().clientHeight,
        ],
        ['89504e47', 2 * (box().clientWidth + 32), true],
        mode,
      );
      check(
        String(svg!.data).startsWith('<svg xmlns') && !/<script|<style|NaN/.test(String(svg!.data)),
        `${mode}: ${/.{0,200}(<script|<style|NaN).{0,300}/s.exec(String(svg!.data))?.[0]}`,
      );
      check(
        String(svg!.data).includes('>People<') &&
          (mode === 'scatterChart' ||
            mode === 'pieChart' ||
            String(svg!.data).includes('>ops<') ||
            mode === 'lineChart'),
        'no title or legend',
      );
      same(svg!.type, 'image/svg+xml');
      shown.remove();
    }
    await show('multiBarChart');
    shown.render(view('table'));
    await waitUntil(() => shown.root.querySelector('[role=grid]'), 'table');
    shown.find('[aria-label="Download as"]').click();
    await waitUntil(() => shown.all('[role=menuitem]').length > 0, 'menu');
    same(
      shown.all('[role=menuitem]').some(({ textContent }) => textContent === 'PNG'),
      false,
      'a table offers no picture',
    );
  });

  it("line: settings by keyboard, stored in Zeppelin's format", async () => {
    await show('lineChart', {
      ...peopleByAgeAndJob,
      setting: { lineChart: { other: 1 }, multiBarChart: { stacked: true } },
    });
    await openFields();
    const check1 = (name: string): HTMLInputElement =>
      shown
        .all('.fields-check')
        .find(({ textContent }) => textContent === name)!
        .querySelector('input')!;
    for (const name of [chartTexts.forceY, chartTexts.zoom, 'Date format']) {
      check1(name).focus();
      await sendKeys({ press: 'Space' });
      await waitUntil(() => check1(name).checked, name);
    }
    same(settingOf('lineChart'), {
      other: 1,
      forceY: true,
      lineWithFocus: true,
      isDateFormat: true,
    });
    const pattern = await waitUntil(
      () => shown.find<HTMLInputElement>(`[aria-label="${chartTexts.datePattern}"]`),
      'pattern',
    );
    pattern.focus();
    await sendKeys({ type: 'YYYY' });
    const before = stored.length;
    await sendKeys({ press: 'Enter' });
    await waitUntil(() => stored.length > before, 'stored by Enter');
    same(
      [
        settingOf('lineChart')['dateFormat'],
        (stored.at(-1)!['graph'] as { setting: object }).setting,
      ],
      [
        'YYYY',
        {
          lineChart: {
            other: 1,
            forceY: true,
            lineWithFocus: true,
            isDateFormat: true,
            dateFormat: 'YYYY',
          },
          multiBarChart: { stacked: true },
        },
      ],
    );
  });

  it('x label: default, rotate by degrees between -999 and 999, hide', async () => {
    for (const mode of ['multiBarChart', 'stackedAreaChart', 'lineChart']) {
      await show(mode);
      await openFields();
      const radios = (): HTMLElement[] => [
        ...shown
          .find(`[role=radiogroup][aria-label="${chartTexts.xLabel}"]`)
          .querySelectorAll<HTMLElement>('[role=radio]'),
      ];
      radios()[0]!.focus();
      await sendKeys({ press: 'ArrowRight' });
      const degree = await waitUntil(
        () => shown.find<HTMLInputElement>(`[aria-label="${chartTexts.degree}"]`),
        'degree',
      );
      same([degree.value, settingOf(mode)], ['-45', { xLabelStatus: 'rotate' }]);
      degree.focus();
      degree.select();
      await sendKeys({ type: '-2000' });
      degree.blur();
      await waitUntil(() => degree.value === '-999', 'bounded');
      same(settingOf(mode), { xLabelStatus: 'rotate', rotate: { degree: '-999' } });
      degree.focus();
      degree.select();
      await sendKeys({ type: 'much' });
      await sendKeys({ press: 'Enter' });
      await waitUntil(() => degree.value === '-999', 'a number was removed');
      radios()[2]!.click();
      await waitUntil(
        () => shown.all(`[aria-label="${chartTexts.degree}"]`).length === 0,
        'hidden labels',
      );
      same(settingOf(mode), { xLabelStatus: 'hide', rotate: { degree: '-999' } });
      shown.remove();
      stored = [];
    }
    await show('pieChart');
    await openFields();
    same(shown.all('[aria-label="Axes"] [role=radio]').length, 0, 'a pie has no axes');
  });

  it('area: stack, stream, expand', async () => {
    await show('stackedAreaChart');
    await openFields();
    const styles = (): HTMLElement[] => [
      ...shown
        .find(`[role=radiogroup][aria-label="${chartTexts.style}"]`)
        .querySelectorAll<HTMLElement>('[role=radio]'),
    ];
    same(
      styles().map((one) => [one.textContent, one.getAttribute('aria-checked')]),
      [
        ['Stack', 'true'],
        ['Stream', 'false'],
        ['Expand', 'false'],
      ],
    );
    styles()[0]!.focus();
    await sendKeys({ press: 'ArrowLeft' });
    await waitUntil(() => settingOf('stackedAreaChart')?.['style'] === 'expand', 'stored');
    await waitUntil(
      () =>
        shown.all('.chart-box svg text').some(({ textContent }) => textContent!.startsWith('100')),
      'percentages',
    );
  });

  it('scatter: four fields of one column each, by keyboard', async () => {
    const data =
      'x\ty\tg\ts\n' +
      Array.from({ length: 20 }, (_, at) => `${at + 1}\t${at * 3 + 1}\tg${at % 2}\t${at + 5}`).join(
        '\n',
      );
    await show('scatterChart', {}, data);
    await openFields();
    const well = (name: string): HTMLElement => shown.find(`.well[aria-label="${name}"]`);
    const chips = (): string[] =>
      ['X axis', 'Y axis', 'Colour', 'Size'].map((name) =>
        [...well(name).querySelectorAll('.chip-name')].map(({ textContent }) => textContent).join(),
      );
    same(chips(), ['x', 'y', '', '']);
    const put = async (name: string, downs: number): Promise<void> => {
      shown.find(`[aria-label="Add ${name}"]`).focus();
      await sendKeys({ press: 'Enter' });
      const [first] = await waitUntil(() => {
        const items = shown.all('[role=menuitem]');
        return items.length === 4 ? items : undefined;
      }, 'menu');
      await waitUntil(() => shown.root.activeElement === first, 'focus in the menu');
      for (let at = 0; at < downs; at++) await sendKeys({ press: 'ArrowDown' });
      const before = stored.length;
      await sendKeys({ press: 'Enter' });
      await waitUntil(
        () => stored.length > before && !shown.root.querySelector('[role=menuitem]'),
        'stored',
      );
    };
    await put('g', 2);
    await put('s', 3);
    await put('s', 0);
    same(chips(), ['s', 'y', 'g', 's']);
    same(settingOf('scatterChart'), {
      xAxis: column('s', 3),
      yAxis: column('y', 1),
      group: column('g', 2),
      size: column('s', 3),
    });
    check(!well('Size').classList.contains('unused'), 'the size is grey');
    well('Size').querySelector<HTMLElement>('.well-info')!.click();
    await waitUntil(
      () => shown.find('.fields').textContent!.includes('fewer than 5%'),
      'no explanation of the rule',
    );
    well('Y axis').querySelector<HTMLElement>('[aria-label="Remove y"]')!.click();
    await waitUntil(() => chips()[1] === '', 'removed');
    same(settingOf('scatterChart')['yAxis'], null);
    await put('g', 0);
    await waitUntil(
      () => well('Size').classList.contains('unused'),
      'the size is grey for discrete axes',
    );
  });

  it('apply the settings of another table if possible and name missing columns', async () => {
    const gone = {
      keys: [column('age', 0), column('year', 4)],
      groups: [column('carrier', 1)],
      values: [column('bal', 2, 'median')],
      setting: {
        multiBarChart: 7,
        lineChart: { rotate: [], xLabelStatus: 3 },
        scatterChart: { xAxis: column('year', 9), yAxis: column('bal', 2), group: 'x', size: null },
      },
    };
    for (const mode of charts) {
      await show(mode, gone);
      const said = shown.find('.result-notice').textContent!;
      same(
        [said.includes('year'), mode === 'scatterChart' || said.includes('carrier')],
        [true, true],
        said,
      );
      shown.remove();
    }
    shown = mount(
      view('lineChart', { keys: [column('a', 9)], groups: [], values: [column('b', 8)] }),
      resultSheets,
    );
    await waitUntil(() => shown.root.textContent!.includes('Choose at least one value'), 'advice');
    check(
      shown.find('.result-notice').textContent!.includes('a, b'),
      'no notice about missing columns',
    );
    shown.remove();
    shown = mount(
      view('scatterChart', { setting: { scatterChart: { xAxis: null, yAxis: null } } }),
      resultSheets,
    );
    await waitUntil(() => shown.root.textContent!.includes(chartTexts.noAxis), 'advice');
  });

  it('say that a table has no numbers instead of drawing zeros', async () => {
    shown = mount(view('lineChart', {}, 'name\tcity\nAnna\tOslo\nBert\tRome'), resultSheets);
    const words = await waitUntil(
      () => shown.root.querySelector('.chart-empty')?.textContent,
      'the reason',
    );
    same(words, resultText.chart.noNumbers + resultText.chart.noNumbersHint);
    same(shown.all('.chart-box').length, 0);
  });

  it('stay responsive with ten thousand keys or series', async function () {
    (this as unknown as { timeout(ms: number): void }).timeout(60_000);
    const many =
      'age\tjob\tbal\n' +
      Array.from({ length: 10_000 }, (_, at) => `k${at}\tj${at}\t${at + 1}`).join('\n');
    for (const mode of charts) {
      for (const settings of [{ ...peopleByAgeAndJob, groups: [] }, peopleByAgeAndJob]) {
        await show(
          mode,
          {
            ...settings,
            setting: {
              scatterChart: {
                xAxis: column('bal', 2),
                yAxis: column('age', 0),
                group: column('job', 1),
                size: null,
              },
            },
          },
          many,
        );
        check(
          shown.all('.chart-box svg path, .chart-box canvas').length < 6_000,
          `${mode}: too much is drawn`,
        );
        shown.remove();
        if (mode === 'scatterChart') break;
      }
    }
    await show('lineChart', peopleByAgeAndJob, many);
    check(
      shown
        .all('.chart-more')
        .some(
          ({ textContent }) =>
            textContent === chartTexts.moreSeries(new Intl.NumberFormat().format(9_800)),
        ),
      'no notice about the rest',
    );
  });

  it('hide series in the legend, even if names are drawn at the lines', async () => {
    await show('lineChart');
    check(shown.find('.chart-legend').classList.contains('quiet'), 'a legend beside the names');
    same(
      shown
        .all('.chart-box svg text')
        .map(({ textContent }) => textContent)
        .filter((text) => text === 'dev' || text === 'ops'),
      ['dev', 'ops'],
    );
    shown.all('.chart-legend button')[0]!.click();
    await waitUntil(
      () => shown.all('.chart-box svg text').every(({ textContent }) => textContent !== 'dev'),
      'removed',
    );
    check(!shown.find('.chart-legend').classList.contains('quiet'), 'no back button');
  });
});
