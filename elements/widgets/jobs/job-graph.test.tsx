import example from '../../../test/fixtures/widgets/job-graph.json';
import full from '../../../test/fixtures/widgets/job-graph-full.json';
import lineage from '../../../test/fixtures/widgets/lineage.json';
import { check, press, same, type, waitUntil } from '../../result/test-support.tsx';
import { frames } from '../../runtime/test-page-errors.ts';
import { accessible, type MountedWidget, mountWidget } from '../test-kit.tsx';

const node = ({ root }: MountedWidget, name: string) =>
  [...root.querySelectorAll<HTMLElement>('.flow-node')].find(
    (each) => each.querySelector('b')!.textContent === name,
  )!;
const names = ({ root }: MountedWidget) =>
  [...root.querySelectorAll('.flow-node b')].map((each) => each.textContent).sort();
const drawn = (placed: MountedWidget, count: number) =>
  waitUntil(
    () =>
      placed.root.querySelectorAll('.flow-node').length === count &&
      placed.root.querySelector('.react-flow__edge-path'),
    `${count} nodes`,
  );
const heard = (placed: MountedWidget) => {
  const said: unknown[] = [];
  placed.element.addEventListener('tiding-select', (event) =>
    said.push((event as CustomEvent).detail),
  );
  return said;
};
const said = ({ element }: MountedWidget) => element.describe();
/** Background of the page; the element has none of its own. */
const ground = (theme: 'light' | 'dark') =>
  void (document.body.style.background = theme === 'dark' ? '#0b1012' : '');
const zoom = ({ root }: MountedWidget) =>
  Number(
    /scale\(([\d.]+)\)/.exec(
      root.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform,
    )![1],
  );
/** Texts of the nodes that are not completely inside the drawing. */
function outsideOf({ root }: MountedWidget): (string | null)[] {
  const box = root.querySelector('.flow-canvas')!.getBoundingClientRect();
  return [...root.querySelectorAll('.flow-node')]
    .filter((each) => {
      const { left, right, top, bottom } = each.getBoundingClientRect();
      return left < box.left || right > box.right || top < box.top || bottom > box.bottom;
    })
    .map((each) => each.textContent);
}
/** A task of the job j in the project p. */
const script = (name: string, task: object) => ({
  id: `p.j.${name}`,
  projectName: 'p',
  jobName: 'j',
  nodeType: 'Script',
  task: { name, ...task },
});
/** A job of tasks, each with the place of the one before it; first ones have a negative place. */
const scripts = (count: number, before: (at: number) => number) => ({
  nodes: Array.from({ length: count }, (_, at) =>
    script(`t${at}`, { predecessor: before(at) < 0 ? null : `t${before(at)}` }),
  ),
});

describe('<tiding-job-graph>', () => {
  it('draws and describes the nodes of a job from left to right, 230 px apart [O6]', async () => {
    const placed = await mountWidget('job-graph', example);
    await drawn(placed, 4);
    same(names(placed), ['build', 'daily_load', 'fetch', 'publish']);
    const left = (name: string) =>
      Number(
        /translate\(([-\d.]+)px/.exec(
          node(placed, name).closest<HTMLElement>('.react-flow__node')!.style.transform,
        )![1],
      );
    same(
      ['fetch', 'build', 'publish'].map((name) => left(name) - left('daily_load')),
      [230, 460, 690],
    );
    same(placed.root.querySelector<HTMLElement>('.flow-canvas')!.offsetHeight, 450);
    same(placed.root.querySelectorAll('.react-flow__edge').length, 3);
    same(
      await said(placed),
      'Job flow graph of flights.daily_load: 1 Script, 1 Nested job, 1 SQL mapper; 3 connections.',
    );
    check(placed.root.textContent!.includes('fetch, Script, leads to build'), 'the outline');
  });

  it('has an icon for each node type [O6 O7]', async () => {
    const kinds = ['Job', 'Task', 'Script', 'NestedJob', 'SqlMapper'];
    const placed = await mountWidget('job-graph', {
      nodes: kinds.map((nodeType) => ({
        id: nodeType === 'Job' ? 'p.j' : `p.j.${nodeType}`,
        projectName: 'p',
        jobName: 'j',
        nodeType,
        task: nodeType === 'Job' ? undefined : { name: nodeType },
      })),
    });
    await drawn(placed, 5);
    same(
      new Set(
        [...placed.root.querySelectorAll('.flow-node')].map(
          (each) => each.querySelector('svg')!.innerHTML,
        ),
      ).size,
      5,
    );
    same(
      placed.root.querySelector<HTMLElement>('.flow-canvas')!.offsetWidth >
        0.9 * placed.element.offsetWidth,
      true,
    );
  });

  it('announces the selected node, its details, highlights its connections [O8]', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    const said = heard(placed);
    node(placed, 'build_flights').click();
    await waitUntil(() => placed.root.querySelector('.flow-detail'), 'the detail');
    same(said, [
      {
        values: {
          id: 'flights.daily_load.build_flights',
          projectName: 'flights',
          jobName: 'daily_load',
          kind: 'SqlMapper',
          taskName: 'build_flights',
        },
        label: 'build_flights',
      },
    ]);
    same(placed.root.querySelectorAll('.react-flow__edge.on').length, 4);
    same(node(placed, 'build_flights').getAttribute('aria-pressed'), 'true');
    const detail = placed.root.querySelector<HTMLElement>('.flow-detail')!;
    for (const words of [
      'SQL mapper',
      'core.flights',
      'Replace',
      'fetch_flights, fetch_airports',
      'Finished',
      'coalesce',
    ])
      check(detail.textContent!.includes(words), words);
    press(node(placed, 'build_flights'), 'Escape');
    await waitUntil(() => !placed.root.querySelector('.flow-detail'), 'nothing chosen');
    same(said.at(-1), null);
  });

  it('shows the state, duration and start of the last run on each node', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    const glyph = (name: string) =>
      node(placed, name).querySelector('.flow-run .glyph')?.classList[1] ?? '';
    same(['daily_load', 'build_flights', 'check_quality', 'notify', 'fetch_airports'].map(glyph), [
      'ERROR',
      'FINISHED',
      'ERROR',
      'RUNNING',
      '',
    ]);
    const build = node(placed, 'build_flights');
    same(build.querySelector('.flow-run')!.textContent, '1 min 42 s');
    const told = 'last run Finished, 1 min 42 s, May 02 2024, 9:00:48 AM';
    check(build.title.includes(told), build.title);
    check(build.textContent!.includes(told), build.textContent!);
    same(node(placed, 'notify').querySelector('.flow-run')!.textContent, '');
    build.click();
    const detail = await waitUntil(() => placed.root.querySelector('.flow-detail'), 'the detail');
    check(detail.textContent!.includes('Last runFinished 1 min 42 s'), detail.textContent!);
    await accessible(placed);
  });

  it('finds nodes by name, forwards and backwards', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    const field = placed.root.querySelector<HTMLInputElement>('.flow-search input')!;
    const status = () => placed.root.querySelector('.flow-search [role=status]')!.textContent;
    const chosenName = () =>
      placed.root.querySelector('.flow-node[aria-pressed=true] b')?.textContent;
    const write = (text: string) => type(field, text);
    const enter = (shiftKey = false) =>
      field.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', shiftKey, bubbles: true, composed: true }),
      );
    write('FETCH_');
    await waitUntil(() => status() === '3 matches', '3 matches');
    enter();
    await waitUntil(() => chosenName() === 'fetch_metar', 'the first');
    same(status(), '1 of 3');
    enter(true);
    await waitUntil(() => chosenName() === 'fetch_airports', 'the last');
    same(status(), '3 of 3');
    write('nothing like it');
    await waitUntil(() => status() === 'No match', 'no match');
    const small = await mountWidget('job-graph', example);
    await drawn(small, 4);
    same(small.root.querySelector('.flow-search'), null);
  });

  it('has an overview of a larger graph, which moves the view', async () => {
    const overview = ({ root }: MountedWidget) =>
      root.querySelector<SVGElement>('.react-flow__minimap svg');
    const small = await mountWidget('job-graph', example);
    await drawn(small, 4);
    same(overview(small), null);
    const placed = await mountWidget(
      'job-graph',
      scripts(40, (at) => at - 1),
      { width: 1_000 },
    );
    await drawn(placed, 40);
    same(overview(placed), null, 'overview of a graph that is wholly in view');
    placed.root.querySelector<HTMLElement>('.flow-nav button')!.click();
    const map = await waitUntil(() => overview(placed), 'overview');
    same(map.querySelectorAll('.react-flow__minimap-node').length, 40);
    same(map.querySelector('title')!.textContent, 'Overview');
    const view = () =>
      placed.root.querySelector<HTMLElement>('.react-flow__viewport')!.style.transform;
    await waitUntil(() => placed.root.querySelector('.react-flow__minimap-mask'), 'view');
    const before = view();
    const { right, top, height } = map.getBoundingClientRect();
    map.dispatchEvent(
      new MouseEvent('click', { bubbles: true, clientX: right - 5, clientY: top + height / 2 }),
    );
    await waitUntil(() => view() !== before, 'view to move');
  });

  it('puts all but what leads to a node, or follows it, into the background', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    const button = (name: string) =>
      placed.root.querySelector<HTMLButtonElement>(`.flow-nav [aria-label^="${name}"]`)!;
    const [up, down] = ['Only what leads to', 'Only what follows'];
    same([button(up!).disabled, button(down!).disabled], [true, true]);
    node(placed, 'build_flights').click();
    await waitUntil(() => !button(up!).disabled, 'a selected node');
    const front = () =>
      [...placed.root.querySelectorAll('.react-flow__node:not(.behind) b')]
        .map((each) => each.textContent)
        .sort();
    button(up!).click();
    await waitUntil(() => button(up!).ariaPressed === 'true', 'upstream');
    same(front(), ['build_flights', 'daily_load', 'fetch_airports', 'fetch_flights']);
    await accessible(placed);
    button(down!).click();
    await waitUntil(() => button(down!).ariaPressed === 'true', 'downstream');
    check(!front().includes('fetch_flights') && front().includes('check_quality'), `${front()}`);
    button(down!).click();
    await waitUntil(() => front().length === 9, 'everything');
  });

  it('opens nested jobs with a breadcrumb and returns [O9]', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    const crumbs = () =>
      [...placed.root.querySelectorAll('.flow-bar ol .crumb, .flow-bar ol b')].map(
        (each) => each.textContent,
      );
    const twice = (name: string) =>
      node(placed, name).dispatchEvent(
        new MouseEvent('dblclick', { bubbles: true, composed: true }),
      );
    twice('fetch_metar');
    same(crumbs(), ['flights.daily_load']);
    twice('publish');
    await waitUntil(() => names(placed).join() === 'archive,copy,publish', 'publish');
    twice('archive');
    await waitUntil(
      () => names(placed).includes('pack <b>old</b> & other files with a very long name indeed'),
      'archive',
    );
    same(crumbs(), ['flights.daily_load', 'flights.publish', 'flights.archive']);
    placed.root.querySelectorAll<HTMLElement>('.crumb')[0]!.click();
    await drawn(placed, 9);
    same(crumbs(), ['flights.daily_load']);
  });

  it('supports keys: arrows move, Enter selects and opens a nested job [O8]', async () => {
    const placed = await mountWidget('job-graph', full);
    await drawn(placed, 9);
    same(placed.root.querySelectorAll('.flow-node[tabindex="0"]').length, 1);
    const at = () => placed.root.activeElement?.querySelector('b')?.textContent;
    node(placed, 'daily_load').focus();
    for (const [key, name] of [
      ['ArrowRight', 'fetch_flights'],
      ['ArrowUp', 'fetch_metar'],
      ['ArrowRight', 'clean_weather'],
      ['ArrowRight', 'check_quality'],
      ['ArrowRight', 'publish'],
      ['ArrowRight', 'publish'],
      ['Home', 'daily_load'],
      ['End', 'publish'],
      ['ArrowLeft', 'check_quality'],
      ['ArrowRight', 'publish'],
    ] as const) {
      press(placed.root.activeElement!, key);
      await waitUntil(() => at() === name, `${key} to ${name}, not ${at()}`);
    }
    press(placed.root.activeElement!, 'Enter');
    await waitUntil(() => names(placed).join() === 'archive,copy,publish', 'publish');
  });

  it('fits the view once, and zooms with buttons but not with the wheel [O6 O10]', async () => {
    const placed = await mountWidget('job-graph', full, { width: 700 });
    await drawn(placed, 9);
    const canvas = placed.root.querySelector('.flow-canvas')!;
    same(outsideOf(placed), []);
    const first = zoom(placed);
    placed.root
      .querySelector('.react-flow__pane')!
      .dispatchEvent(
        new WheelEvent('wheel', { deltaY: -200, bubbles: true, composed: true, cancelable: true }),
      );
    placed.root.querySelector('.react-flow__pane')!.dispatchEvent(
      new WheelEvent('wheel', {
        deltaY: -200,
        ctrlKey: true,
        bubbles: true,
        composed: true,
        cancelable: true,
      }),
    );
    same(zoom(placed), first);
    // Far from any zoom at which the graph fits. Each step is animated; wait for its end.
    for (const step of [1, 2, 3]) {
      placed.root.querySelector<HTMLElement>('[aria-label="Zoom in"]')!.click();
      await waitUntil(
        () => Math.abs(zoom(placed) / (first * 1.2 ** step) - 1) < 0.001,
        `closer by ${step} steps`,
      );
      for (let before = 0; before !== zoom(placed); ) {
        before = zoom(placed);
        await frames();
      }
    }
    const close = zoom(placed);
    placed.element.data = { ...full, nodes: full.nodes.slice(0, 9) };
    placed.element.style.width = '900px';
    await waitUntil(() => canvas.clientWidth > 800, 'the other width');
    await new Promise((done) => setTimeout(done, 300));
    same(zoom(placed), close, 'fitted again');
    // Nodes far outside are not drawn.
    const showsAll = () =>
      placed.root.querySelectorAll('.flow-node').length === 9 && outsideOf(placed).length === 0;
    check(!showsAll(), 'all nodes are inside');
    placed.root.querySelector<HTMLElement>('[aria-label="Fit"]')!.click();
    await waitUntil(() => zoom(placed) < 0.8 * close && showsAll(), 'fitted on demand');
  });

  it('reports missing nodes; handles cycles, self-references, empty graphs [O13]', async () => {
    const placed = await mountWidget('job-graph', {
      nodes: [script('a', { successors: ['b', 'gone'] }), script('b', { successors: ['a', 'b'] })],
    });
    await drawn(placed, 2);
    same(placed.root.querySelectorAll('.react-flow__edge-path').length, 3);
    check(placed.root.querySelector('.flow-missing')!.textContent!.endsWith(': gone'), 'the note');
    const empty = await mountWidget('job-graph', {});
    check(empty.words().includes('There is nothing to show'), empty.words());
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`is accessible in ${theme}, also when narrow [O5]`, async () => {
      ground(theme);
      const placed = await mountWidget('job-graph', full, {
        theme,
        width: theme === 'dark' ? 390 : 1000,
      });
      await drawn(placed, 9);
      same(outsideOf(placed), []);
      node(placed, 'build_flights').click();
      await waitUntil(() => placed.root.querySelector('.flow-detail'), 'the detail');
      await accessible(placed);
      check(placed.element.scrollWidth <= placed.element.clientWidth, 'no sideways scrolling');
      ground('light');
    });
  }

  for (const width of [1_400, 390])
    it(`fits a thousand tasks in a hundred levels into ${width} px`, async () => {
      const placed = await mountWidget(
        'job-graph',
        scripts(1_000, (at) => at - 10),
        { width },
      );
      await drawn(placed, 1_000);
      same(outsideOf(placed), []);
      const first = zoom(placed);
      placed.root.querySelector<HTMLElement>('[aria-label="Zoom in"]')!.click();
      await waitUntil(() => zoom(placed) > first * 1.15, 'closer');
      placed.root.querySelector<HTMLElement>('[aria-label="Fit"]')!.click();
      await waitUntil(() => Math.abs(zoom(placed) - first) < first / 100, 'the whole graph again');
    });

  it('draws 500 nodes, and of 5,000 only those in view [O11]', async () => {
    for (const count of [500, 5_000]) {
      const placed = await mountWidget(
        'job-graph',
        scripts(count, (at) => Math.floor((at - 1) / 2)),
      );
      await waitUntil(
        () => placed.root.querySelectorAll('.flow-node').length > 20,
        `${count} nodes`,
      );
      check(placed.root.querySelectorAll('.flow-node').length < 1_500, 'only visible nodes');
      const seen = placed.root.querySelector<HTMLElement>('.flow-node')!;
      seen.click();
      await waitUntil(() => seen.getAttribute('aria-pressed') === 'true', 'chosen');
    }
  }).timeout(60_000);
});

describe('<tiding-lineage>', () => {
  it('shows who created the object, the graph, a link to the selected data set [O14]', async () => {
    const placed = await mountWidget('lineage', lineage);
    await drawn(placed, 2);
    same(
      [...placed.root.querySelectorAll('.flow-node.own b')].map((each) => each.textContent),
      ['core.trips'],
    );
    check(node(placed, 'core.trips').textContent!.includes('this object'), 'the object itself');
    for (const words of [
      'Create',
      'ana@example.org',
      'May 02 2024, 10:00:00 AM',
      'flights.daily_load',
      'Succeeded',
    ])
      check(placed.words().includes(words), words);
    same(
      await said(placed),
      'Lineage: Create by ana@example.org at May 02 2024, 10:00:00 AM. 2 data sets, 1 connection.',
    );
    node(placed, 'core.trips').click();
    (await waitUntil(
      () => placed.root.querySelector<HTMLElement>('.flow-chosen .link'),
      'the path',
    ))!.click();
    same(placed.chosen, [{ widget: 'table', name: 'core.trips' }]);
    await accessible(placed);
  });

  it('draws straight lines from 100 connections on, curves below [O15]', async () => {
    for (const [count, straight] of [
      [99, false],
      [100, true],
    ] as const) {
      const edges = Array.from({ length: count }, (_, at) => ({
        source: `s${at % 10}`,
        target: `t${at}`,
      }));
      const placed = await mountWidget(
        'lineage',
        { lineage: { lineageGraph: { nodes: [], edges } } },
        { theme: 'dark' },
      );
      await waitUntil(() => placed.root.querySelector('.react-flow__edge-path'), 'a line');
      same(
        [...placed.root.querySelectorAll('.react-flow__edge-path')].every(
          (each) => each.getAttribute('d')!.includes('L') === straight,
        ),
        true,
      );
      check(
        placed.root.querySelector('.flow-missing')!.textContent!.includes('s0'),
        'nodes without a description',
      );
    }
  });

  it('shows no graph if there is none [O14]', async () => {
    const placed = await mountWidget('lineage', { lineage: { createAction: { userName: 'bo' } } });
    check(placed.words().includes('bo') && !placed.root.querySelector('.flow'), placed.words());
    const none = await mountWidget('lineage', { lineage: null });
    check(none.words().includes('The origin of this object is unknown'), none.words());
  });
});
