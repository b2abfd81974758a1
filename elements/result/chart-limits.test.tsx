import type { Output } from '@tiding/client';
import { ChartLine } from 'lucide-react';
import { strictPage } from '../ui/testing/test-setup.ts';
import type { ResultContext } from './contract.ts';
import {
  type DownloadFile,
  type ResultEntry,
  registerVisualization,
  resultSheets,
} from './index.ts';
import { column, people, peopleByAgeAndJob, Result, showResult, tableOf } from './test-outputs.tsx';
import { type Mounted, mount, pause, same, waitUntil } from './test-support.tsx';
import { chartTexts } from './visualizations/chart/texts.ts';

const several = (count: number, row: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => row(at)).join('');

let shown: Mounted;
const notes = (): string[] => shown.all('.chart-more').map(({ textContent }) => textContent!);
const one = (data: Output, graph: object) => (
  <Result outputs={[data]} graph={{ height: 300, ...graph }} />
);

describe('data a chart cannot show', () => {
  it("is reported: slices beyond the eighth, and values beyond the pivot's limits", async () => {
    const fields = {
      mode: 'pieChart',
      keys: [column('key', 0)],
      groups: [],
      values: [column('value', 1)],
    };
    shown = mount(
      one(tableOf(`key\tvalue\n${several(250, (at) => `k${at}\t1\n`)}`), fields),
      resultSheets,
      700,
    );
    await waitUntil(() => shown.all('.chart-box svg path').length > 0, 'pie');
    same(notes(), [chartTexts.folded.slices('242')]);
    shown.remove();
    shown = mount(
      one(tableOf(`key\tvalue\n${several(100_001, (at) => `k${at}\t1\n`)}`), fields),
      resultSheets,
      700,
    );
    await waitUntil(() => shown.all('.chart-box svg path').length > 0, 'pie');
    same(notes(), [
      chartTexts.folded.slices('99,992'),
      chartTexts.morePoints('1'),
      chartTexts.sharesOfDrawn,
    ]);
  });

  it('is reported: groups beyond the 399th; nothing if all are shown', async () => {
    const data = (count: number) =>
      tableOf(`x\ty\tgroup\n${several(count, (at) => `${at}\t${at % 7}\tg${at}\n`)}`);
    const graph = {
      mode: 'scatterChart',
      setting: {
        scatterChart: { xAxis: column('x', 0), yAxis: column('y', 1), group: column('group', 2) },
      },
    };
    shown = mount(one(data(420), graph), resultSheets, 700);
    await waitUntil(() => shown.all('.chart-box svg path').length > 0, 'points');
    same(notes(), [chartTexts.folded.groups('21')]);
    shown.remove();
    shown = mount(one(data(400), graph), resultSheets, 700);
    await waitUntil(() => shown.all('.chart-box svg path').length > 0, 'points');
    same(notes(), []);
  });
});

describe('an image that cannot be created', () => {
  const { toBlob } = HTMLCanvasElement.prototype;
  afterEach(() => {
    HTMLCanvasElement.prototype.toBlob = toBlob;
  });

  it('is reported to the host page, otherwise next to the chart', async () => {
    // As with a canvas that is larger than the browser can encode.
    HTMLCanvasElement.prototype.toBlob = (done) => done(null);
    const told: string[] = [];
    const saved: DownloadFile[] = [];
    const said = `${chartTexts.exportFailed} ${chartTexts.pictureFailed}`;
    for (const place of [
      { showError: (message: string) => told.push(message) } as unknown as ResultContext,
      undefined,
    ]) {
      shown = showResult(
        [tableOf(people)],
        {
          graph: { mode: 'multiBarChart', ...peopleByAgeAndJob },
          context: place,
          onDownload: (file) => saved.push(file),
        },
        700,
      );
      await waitUntil(() => shown.all('.chart-box svg path').length > 0, 'bars');
      shown.find('[aria-label="Download as"]').click();
      const item = await waitUntil(
        () => shown.all('[role=menuitem]').find(({ textContent }) => textContent === 'PNG'),
        'menu',
      );
      item.click();
      if (place) {
        await waitUntil(() => told.length > 0, 'told');
        shown.remove();
      } else await waitUntil(() => shown.all('[role=alert]')[0]?.textContent === said, 'notice');
    }
    same([told, saved], [[said], []]);
  });
});

describe('a setting of a chart', () => {
  strictPage();
  let stored: ResultEntry[];
  const graphOf = (entry: ResultEntry | undefined) =>
    entry?.['graph'] as { height: number; optionOpen: boolean; setting: object };
  const view = (status = 'FINISHED', height = 260) => (
    <Result
      outputs={[tableOf(people)]}
      status={status}
      graph={{ mode: 'stackedAreaChart', height, optionOpen: true, ...peopleByAgeAndJob }}
      onConfig={(_, entry) => stored.push(entry)}
    />
  );
  const choice = (name: string): HTMLElement =>
    shown.all('.chart-panel [role=radio]').find(({ textContent }) => textContent === name)!;
  const chosen = (): string[] =>
    shown
      .all('.chart-panel [role=radio][aria-checked=true]')
      .map(({ textContent }) => textContent!);
  beforeEach(async () => {
    stored = [];
    shown = mount(view(), resultSheets, 700);
    await waitUntil(() => choice('Stream'), 'choice');
  });

  it('applies at once and is stored once after several changes', async () => {
    choice('Stream').click();
    choice('Expand').click();
    await waitUntil(() => chosen()[0] === 'Expand', 'chosen');
    await waitUntil(() => stored.length > 0, 'stored');
    same(
      stored.map((entry) => graphOf(entry).setting),
      [{ stackedAreaChart: { style: 'expand' } }],
    );
    same(chosen()[0], 'Expand');
  });

  it('is stored with the next change that has no pause', async () => {
    choice('Stream').click();
    shown.find('[aria-label="Fields"]').click();
    same(
      stored.map((entry) => [graphOf(entry).setting, graphOf(entry).optionOpen]),
      [[{ stackedAreaChart: { style: 'stream' } }, false]],
    );
    await pause(600);
    same(stored.length, 1);
  });

  it("is stored after a run that started in the meantime, on top of others' changes", async () => {
    choice('Expand').click();
    shown.render(view('RUNNING', 320));
    await pause(600);
    same([stored, chosen()[0]], [[], 'Expand']);
    shown.render(view('FINISHED', 320));
    await waitUntil(() => stored.length > 0, 'stored');
    same(
      stored.map((entry) => [graphOf(entry).setting, graphOf(entry).height]),
      [[{ stackedAreaChart: { style: 'expand' } }, 320]],
    );
  });

  it('is stored when the view or the page closes', async () => {
    choice('Expand').click();
    window.dispatchEvent(new Event('pagehide'));
    same(stored.length, 1);
    choice('Stream').click();
    shown.remove();
    same(
      stored.map((entry) => graphOf(entry).setting),
      [{ stackedAreaChart: { style: 'expand' } }, { stackedAreaChart: { style: 'stream' } }],
    );
  });
});

describe('the code of a view', () => {
  it('is loaded once when its button is hovered, and again after a failure', async () => {
    let asked = 0;
    registerVisualization({
      id: 'slow',
      label: 'Slow',
      icon: ChartLine,
      option: 'fields',
      accepts: () => true,
      load: () =>
        ++asked === 1
          ? Promise.reject(new Error('away'))
          : Promise.resolve({ default: () => <p className="slow-view" /> }),
    });
    shown = mount(one(tableOf(people), {}), resultSheets, 700);
    const button = await waitUntil(
      () => shown.root.querySelector<HTMLElement>('[aria-label="Slow"]'),
      'button',
    );
    const point = () =>
      button.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
    point();
    same(asked, 1);
    await pause(20);
    button.focus();
    await waitUntil(() => asked === 2, 'second try');
    point();
    button.click();
    await waitUntil(() => shown.all('.slow-view').length > 0, 'view');
    same(asked, 2);
  });
});
