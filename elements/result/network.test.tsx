import type { Output } from '@tiding/client';
import { emulateMedia, sendKeys, sendMouse } from '@web/test-runner-commands';
import { zoomTransform } from 'd3-zoom';
import { strictPage } from '../ui/testing/test-setup.ts';
import { findJsonError } from './displays/json/json-error.ts';
import { findNetworkProblems } from './displays/network-problems.ts';
import { type DownloadFile, type ResultEntry, resultSheets, type Selection } from './index.ts';
import { Result } from './test-outputs.tsx';
import {
  check,
  type Mounted,
  mount,
  pause,
  press,
  same,
  type,
  waitUntil,
} from './test-support.tsx';

const people = {
  nodes: [
    { id: 1, label: 'Person', data: { name: 'Ann', age: 31 } },
    { id: 2, label: 'Person', data: { name: 'Ben', gone: null } },
    { id: 3, label: 'City', data: { name: 'Oslo', place: { lat: 59.9 } } },
  ],
  edges: [
    { id: 7, source: 1, target: 3, label: 'LIVES_IN', data: { since: 2009 } },
    { id: 8, source: 1, target: 2, label: 'KNOWS' },
    { id: 9, source: 1, target: 2, label: 'HELPS' },
  ],
  labels: { Person: '#ff0000', City: '#000000' },
  types: ['LIVES_IN', 'KNOWS', 'HELPS'],
  directed: true,
};
const output = (data: unknown): Output => ({
  type: 'NETWORK',
  chunks: [typeof data === 'string' ? data : JSON.stringify(data)],
  count: 1,
});

describe('network output', () => {
  strictPage();
  let shown: Mounted;
  let stored: ResultEntry[];
  let chosen: (Selection | null)[];
  let saved: DownloadFile[];
  const view = (data: unknown, status = 'FINISHED', config = {}) => (
    <Result
      outputs={[output(data)]}
      status={status}
      config={config}
      title="Team"
      onConfig={(_, entry) => stored.push(entry)}
      onSelect={(_, selection) => chosen.push(selection)}
      onDownload={(file) => saved.push(file)}
    />
  );
  const show = async (data: unknown, config?: object): Promise<void> => {
    shown = mount(view(data, 'FINISHED', config), resultSheets);
    await waitUntil(() => shown.find('.network-stage canvas'), 'canvas');
    await waitUntil(() => painted().length > 0, 'painted');
  };
  const canvas = (): HTMLCanvasElement => shown.find<HTMLCanvasElement>('.network-stage canvas');
  const stage = (): HTMLElement => shown.find('.network-stage');
  /** Returns the centres of areas painted in a colour (red by default), in px of the page. */
  function painted(
    match = (r: number, g: number, b: number, a: number) => r > 240 && g < 20 && b < 20 && a > 240,
  ): [number, number][] {
    const { width, height } = canvas();
    if (width === 0) return [];
    const { data } = canvas().getContext('2d')!.getImageData(0, 0, width, height);
    const ratio = width / canvas().clientWidth;
    const found: { x: number; y: number; n: number }[] = [];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = 4 * (y * width + x);
        if (!match(data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!)) continue;
        const near = found.find(
          (area) => Math.hypot(area.x / area.n - x, area.y / area.n - y) < 24 * ratio,
        );
        if (near) Object.assign(near, { x: near.x + x, y: near.y + y, n: near.n + 1 });
        else found.push({ x, y, n: 1 });
      }
    }
    const box = canvas().getBoundingClientRect();
    return found
      .filter(({ n }) => n > 20)
      .map(({ x, y, n }) => [
        Math.round(box.left + x / n / ratio),
        Math.round(box.top + y / n / ratio),
      ]);
  }
  /** Waits until the layout has settled. */
  /**
   * Returns the final node positions: the picture must stay the same for several frames and some
   * time, because a slow machine draws rarely.
   */
  const rest = async (): Promise<[number, number][]> => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    let [now, since, frames] = [painted(), performance.now(), 0];
    for (const end = since + 15_000; performance.now() < end; ) {
      await frame();
      const next = painted();
      if (next.length > 0 && JSON.stringify(next) === JSON.stringify(now)) frames += 1;
      else [now, since, frames] = [next, performance.now(), 0];
      if (frames >= 8 && performance.now() - since > 250) return now;
    }
    throw new Error('rest: not within 15 s');
  };
  const button = (name: string): HTMLElement =>
    shown.all('button').find((each) => each.ariaLabel === name || each.textContent === name)!;
  const field = (name: string): HTMLInputElement =>
    shown
      .all('label')
      .find((each) => each.querySelector('.label')?.textContent === name)!
      .querySelector<HTMLInputElement>('input, select')!;
  beforeEach(() => {
    stored = [];
    chosen = [];
    saved = [];
  });
  afterEach(async () => {
    await sendMouse({ type: 'move', position: [0, 0] });
  });

  it('is drawn with its summary, and is also a table [D2]', async () => {
    await show(people);
    same(
      shown.all('[role=radio]').map(({ ariaLabel }) => ariaLabel),
      ['Table', 'Bar Chart', 'Pie Chart', 'Area Chart', 'Line Chart', 'Scatter Chart', 'Network'],
    );
    same(shown.find('[role=radio][aria-checked=true]').ariaLabel, 'Network');
    same(
      shown.all('.network-head > div').map(({ textContent }) => textContent),
      ['Nodes 3PersonCity', 'Relationships 3LIVES_INKNOWSHELPS'],
    );
    same(
      shown.all('.network-key').map((key) => getComputedStyle(key).backgroundColor)[0],
      'rgb(255, 0, 0)',
    );
    same(shown.find('.result-meta').textContent, '3 nodes · 3 relationships');
    same(stage().ariaLabel, 'Team, network: 3 nodes · 3 relationships');
    same(
      shown.all('.visually-hidden li').map(({ textContent }) => textContent),
      ['Person: related to Person, City', 'Person: related to Person', 'City: related to Person'],
    );
    same((await rest()).length, 2);
    button('Table').click();
    await waitUntil(() => shown.all('[role=columnheader]').length > 0, 'table');
    same(stored.at(-1)!['graph'], {
      mode: 'table',
      height: 300,
      optionOpen: false,
      setting: {},
      commonSetting: {},
    });
  });

  it('keeps its view when other settings change, and keeps a stored table view', async () => {
    await show(people);
    press(shown.find('.resize-handle'), 'ArrowDown');
    await waitUntil(() => stored.length === 1, 'stored');
    same((stored[0]!['graph'] as { mode: string; height: number }).mode, 'network');
    shown.remove();
    shown = mount(
      view(people, 'FINISHED', { results: [{ graph: { mode: 'table' } }] }),
      resultSheets,
    );
    await waitUntil(() => shown.all('[role=columnheader]').length > 0, 'table');
  });

  it('shows no header without labels and types; text colour by default', async () => {
    const plain = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] };
    for (const scheme of ['light', 'dark'] as const) {
      shown = mount(view(plain), resultSheets);
      shown.host.style.colorScheme = scheme;
      const bright = (r: number, g: number, b: number, a: number): boolean =>
        a > 240 && (scheme === 'dark' ? Math.min(r, g, b) > 215 : Math.max(r, g, b) < 45);
      await waitUntil(() => canvas() && painted(bright).length === 2, `${scheme} nodes`);
      same(shown.all('.network-head').length, 0);
      if (scheme === 'light') shown.remove();
    }
  });

  it('shows the clicked node or relationship and notifies the page', async () => {
    await show({ ...people, edges: [people.edges[0]] });
    const [[x, y]] = (await rest()) as [[number, number]];
    await sendMouse({ type: 'click', position: [x, y] });
    await waitUntil(() => shown.find('.network-details'), 'details');
    check(
      /^NodeID [12]Person/.test(shown.find('.network-details-head').textContent!),
      shown.find('.network-details-head').textContent!,
    );
    same(
      [chosen.length, Object.keys(chosen[0]!.values).slice(-2), chosen[0]!.label],
      [1, ['id', 'label'], 'Person'],
    );
    const dark = painted((r, g, b, a) => a > 240 && Math.max(r, g, b) < 45)[0]!;
    const ann = (await rest()).toSorted(
      (a, b) =>
        Math.hypot(a[0] - dark[0], a[1] - dark[1]) - Math.hypot(b[0] - dark[0], b[1] - dark[1]),
    )[0]!;
    await sendMouse({
      type: 'click',
      position: [Math.round((ann[0] + dark[0]) / 2), Math.round((ann[1] + dark[1]) / 2)],
    });
    await waitUntil(
      () => shown.find('.network-details-head').textContent === 'RelationshipID 7LIVES_IN',
      'edge',
    );
    same(
      shown.all('.network-details dl > div').map(({ textContent }) => textContent),
      ['From1', 'To3', 'since2009'],
    );
    same(chosen.at(-1), { values: { since: 2009, id: '7', label: 'LIVES_IN' }, label: 'LIVES_IN' });
    button('Close').click();
    await waitUntil(() => shown.all('.network-details').length === 0, 'closed');
    same(chosen.at(-1), null);
  });

  it('leaves a dragged node where it was dropped', async () => {
    await show({ nodes: [{ id: 1, label: 'Person' }], labels: { Person: '#ff0000' } });
    const [[x, y]] = (await rest()) as [[number, number]];
    await sendMouse({ type: 'move', position: [x, y] });
    await sendMouse({ type: 'down' });
    await sendMouse({ type: 'move', position: [x + 60, y + 30] });
    await sendMouse({ type: 'move', position: [x + 120, y + 60] });
    await sendMouse({ type: 'up' });
    const moved = async (): Promise<boolean> => {
      const [at] = await rest();
      return Math.abs(at![0] - x - 120) < 3 && Math.abs(at![1] - y - 60) < 3;
    };
    check(await moved(), 'not where it was dropped');
    await pause(200);
    check(await moved(), 'the node went back');
    same(shown.all('.network-details').length, 0, 'a drag selects');
    button('Table').click();
    await waitUntil(() => shown.all('[role=columnheader]').length > 0, 'table');
    button('Network').click();
    await waitUntil(() => canvas() && painted().length > 0, 'again');
  });

  it('is navigated with the keyboard', async () => {
    await show({ ...people, edges: [people.edges[0]] });
    await rest();
    await sendKeys({ press: 'Tab' });
    stage().focus();
    press(stage(), 'Home');
    await waitUntil(
      () =>
        shown.all('[role=status]').some(({ textContent }) => textContent === 'Person. 1 neighbour'),
      'announced',
    );
    press(stage(), 'Enter');
    await waitUntil(
      () => shown.find('.network-details-head').textContent === 'NodeID 1Person',
      'details',
    );
    same(chosen.at(-1), {
      values: { name: 'Ann', age: 31, id: '1', label: 'Person' },
      label: 'Person',
    });
    for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']) {
      press(stage(), key);
      press(stage(), 'Enter');
      await pause(30);
    }
    check(
      chosen.some((each) => each?.values['id'] === '3'),
      'never reached the neighbour',
    );
    check(
      press(stage(), '+').defaultPrevented && press(stage(), '0').defaultPrevented,
      'zoom keys',
    );
    press(stage(), 'Escape');
    await waitUntil(() => shown.all('.network-details').length === 0, 'no selection');
    check(!press(stage(), 'Escape').defaultPrevented, 'Escape is swallowed without a selection');
  });

  it('lets the page scroll until the drawing has the focus', async () => {
    await show(people);
    await rest();
    const turn = (init: WheelEventInit): boolean =>
      !canvas().dispatchEvent(
        new WheelEvent('wheel', {
          deltaY: -100,
          bubbles: true,
          composed: true,
          cancelable: true,
          view: window,
          ...init,
        }),
      );
    same(turn({}), false, 'plain wheel');
    const before = painted().length;
    same(turn({ ctrlKey: true }), true, 'with Ctrl');
    stage().focus();
    same(turn({}), true, 'with the focus');
    check(before > 0, 'nothing was drawn');
    check(shown.find('.network-hint').textContent!.includes('Hold Ctrl'), 'no hint');
  });

  it('stores its settings in their original format, with unknown fields [D74]', async () => {
    const config = {
      results: [
        {
          graph: {
            mode: 'network',
            optionOpen: true,
            setting: {
              network: { later: 1, d3Graph: { forceLayout: { charge: '-60', theta: 1 } } },
            },
          },
        },
      ],
    };
    await show(people, config);
    same(
      [...shown.all('.network-settings legend')].map(({ textContent }) => textContent),
      ['Choose node labels', 'Force Layout settings', 'Globals'],
    );
    same(
      [
        'Stop Force layout after (ms)',
        'Charge',
        'Link Distance',
        'Minimum scale to show node and edge labels',
      ].map((name) => field(name).value),
      ['10000', '-60', '80', '1.3'],
    );
    type(field('Person'), 'name');
    type(field('Charge'), 'x');
    await waitUntil(() => shown.find('.hint.error').textContent === 'Enter a number.', 'fault');
    button('Save configuration').click();
    await pause(30);
    same(stored, []);
    type(field('Charge'), '-300');
    type(field('Minimum scale to show node and edge labels'), '1');
    await waitUntil(() => shown.all('.hint.error').length === 0, 'no fault');
    button('Save configuration').click();
    await waitUntil(() => stored.length === 1, 'stored');
    same((stored[0]!['graph'] as { setting: unknown }).setting, {
      network: {
        later: 1,
        d3Graph: {
          forceLayout: { charge: -300, theta: 1, timeout: 10_000, linkDistance: 80 },
          zoom: { minScale: 1 },
        },
        properties: {
          Person: { selected: 'name', keys: ['id', 'label', 'name', 'age', 'gone'] },
          City: { selected: 'label', keys: ['id', 'label', 'name', 'place'] },
        },
      },
    });
    await waitUntil(
      () => shown.find('.visually-hidden li').textContent === 'Ann: related to Ben, City',
      'names',
    );
    shown.remove();
    await show(
      {
        nodes: [{ id: 1, label: undefined }],
        labels: { A: '#f00' },
        edges: [],
        types: [],
      } as object,
      config,
    ).catch(() => undefined);
    check(shown.find('.network-settings').textContent!.includes('No labels to set'), 'no labels');
  });

  it('shows labels from a zoom level on [D74]', async () => {
    const { prototype } = CanvasRenderingContext2D;
    const { clearRect, fillText } = prototype;
    const written: string[] = [];
    prototype.clearRect = function (...box) {
      written.length = 0;
      clearRect.apply(this, box);
    };
    prototype.fillText = function (text, ...place) {
      written.push(text);
      fillText.call(this, text, ...place);
    };
    try {
      await show({ ...people, nodes: people.nodes.slice(0, 2), edges: people.edges.slice(1, 2) });
      await rest();
      same(written, [], 'labels at level 1');
      for (const name of ['Zoom in', 'Zoom in']) button(name).click();
      const named = () => written.toSorted().join() === 'KNOWS,Person,Person';
      await waitUntil(named, 'labels at level 1.69');
      button('Show all').click();
      await waitUntil(() => written.length === 0, 'none again');
    } finally {
      Object.assign(prototype, { clearRect, fillText });
    }
  });

  it('zooms from the whole network to ten times its size', async () => {
    await show({ nodes: people.nodes.slice(0, 2), edges: [], labels: { Person: '#ff0000' } });
    await rest();
    const clicks = (name: string) => Array.from({ length: 20 }, () => button(name).click());
    clicks('Zoom in');
    await waitUntil(() => zoomTransform(canvas()).k === 10, 'the largest size');
    clicks('Zoom out');
    await waitUntil(() => zoomTransform(canvas()).k === 1, 'the whole network');
  });

  it('shows only the final layout if the user prefers reduced motion [D74]', async () => {
    await emulateMedia({ reducedMotion: 'reduce' });
    try {
      shown = mount(view(people), resultSheets);
      await waitUntil(() => canvas() && painted().length > 0, 'painted');
      const first = painted();
      await pause(300);
      same(painted(), first);
      same(shown.all('.network-wait').length, 0);
    } finally {
      await emulateMedia({ reducedMotion: 'no-preference' });
    }
  });

  it('covers the window, including settings and data', async () => {
    await show(people);
    button('Full screen').click();
    await waitUntil(
      () =>
        stage().clientHeight > window.innerHeight / 2 && canvas().width >= window.innerWidth * 0.9,
      'full',
    );
    await waitUntil(() => painted().length > 0, 'drawn');
    press(button('Exit full screen'), 'Escape');
    await waitUntil(() => stage().clientHeight === 300, 'back');
  });

  it('saves the drawing as an image', async () => {
    await show(people);
    await rest();
    button('Download picture (PNG)').click();
    await waitUntil(() => saved.length === 1, 'file');
    const { name, type: kind, data } = saved[0]!;
    same(
      [name.endsWith('.png'), kind, [...(data as Uint8Array).slice(1, 4)]],
      [true, 'image/png', [80, 78, 71]],
    );
  });

  it('says so if there are no nodes', async () => {
    for (const empty of [' ', '{}', '{"edges": []}', '{"nodes": []}', 'null']) {
      shown = mount(view(empty), resultSheets);
      await waitUntil(
        () =>
          shown.find('.chart-empty').textContent ===
          'No nodes to draw.A network is a JSON object with a list of nodes.',
        empty,
      );
      shown.remove();
    }
    shown = mount(view('{"nodes": [{"id": 1},\n {"id": }]}'), resultSheets);
    const alert = await waitUntil(() => shown.find('[role=alert]'), 'fault');
    check(
      /^This network is not valid JSON: line 2, column 9: /.test(alert.textContent!) &&
        alert.querySelector('code')!.textContent === '{"id": }]}',
      alert.textContent!,
    );
  });

  it('waits for the rest while it streams in', async () => {
    shown = mount(view('{"nodes": [{"id": 1}', 'RUNNING'), resultSheets);
    await pause(100);
    same([shown.all('[role=alert]').length, shown.all('.result-notice').length], [0, 0]);
    shown.render(view('{"nodes": [{"id": 1}'));
    await waitUntil(() => shown.find('[role=alert]'), 'fault at the end');
  });
});

describe('problems of a network', () => {
  it('are listed with their position', () => {
    same(
      findNetworkProblems('[1]').fatal!.sentence,
      'This network cannot be drawn: it must be a JSON object with a list "nodes".',
    );
    same(
      findNetworkProblems('{"nodes": {}}').fatal!.sentence,
      'This network cannot be drawn: "nodes" must be a list.',
    );
    same(
      findNetworkProblems(
        '{"nodes": [{"id": 1}, {"label": "x"}, {"id": "1"}, 7], "edges": [{"source": 1}, ' +
          '{"source": 1, "target": 9}]}',
      ).parts,
      [
        'nodes[1] has no id.',
        'nodes[2] has the id "1" of nodes[0].',
        'nodes[3] is not an object and was skipped.',
        'edges[0] has no target and is not drawn.',
        'edges[1] is not drawn: there is no node "9" for its target.',
      ],
    );
    const edges = Array.from({ length: 8 }, () => ({ source: 1, target: 2 }));
    same(findNetworkProblems(JSON.stringify({ nodes: [{ id: 1 }], edges })).parts.length, 6);
  });

  it("have the position reported by the browser's parser", () => {
    const texts = [
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,}',
      '[1,]',
      '[1 2]',
      '{"a" 1}',
      '"x',
      '01',
      '{}x',
      '[1,\n2,\n oops]',
      '{"a":[{"b":nul}]}',
      "{'a':1}",
      '[1}',
      '',
    ];
    for (const text of texts) {
      const fault = findJsonError(text)!;
      let message = '';
      try {
        JSON.parse(text);
      } catch (error) {
        message = (error as Error).message;
      }
      const position = /position (\d+)/.exec(message)?.[1];
      const at =
        text
          .split('\n')
          .slice(0, fault.line - 1)
          .reduce((sum, line) => sum + line.length + 1, 0) +
        fault.column -
        1;
      // A truncated word, number or string is reported from its start here, but where it breaks by
      // the browser.
      if (position !== undefined && !/["nu0o]/.test(text[at] ?? ''))
        same(at, Number(position), text);
      check(!/position|column|\.\.\./.test(fault.reason), fault.reason);
    }
    same(findJsonError('{"a": [1, 2.5e3, "\\u00e9", true, null, {}, []]}'), undefined);
  });
});
