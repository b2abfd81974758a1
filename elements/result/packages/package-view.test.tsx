import { sendMouse } from '@web/test-runner-commands';
import { type Client, type Note, type Output, type Paragraph } from 'tiding/client';
import type { ResultEntry } from '../graph.ts';
import { ResultView, resultSheets } from '../index.ts';
import { check, mount, pause, same, until, type Mounted } from '../test-kit.tsx';
import { packagesOf } from './store.ts';

const table: Output = {
  type: 'TABLE',
  chunks: ['name\tamount\tkind\nash\t30\ttree\noak\t50\ttree\nrye\t20\tgrass\n'],
  count: 1,
};
const bundles: Record<string, string> = {};
const recorded = async (name: string): Promise<string> =>
  (await fetch(`/dist/test/packages/${name}.js`)).text();

/** As much of a client as packages ask. */
function clientWith(on: readonly string[]): Client & { enabledNow: string[] } {
  const listeners = new Set<() => void>();
  const client = {
    server: location.origin,
    enabledNow: [...on],
    on: (_name: string, listener: () => void) => (
      listeners.add(listener), () => listeners.delete(listener)
    ),
    packages: {
      enabled: () =>
        Promise.resolve(
          client.enabledNow.map((name) => ({
            registry: 'npm',
            enabled: true,
            pkg: {
              type: 'VISUALIZATION',
              name,
              artifact: `${name}@1.0.0`,
              icon: "<i class='fa fa-th'></i>",
            },
          })),
        ),
      order: () => Promise.resolve(client.enabledNow),
      bundle: (name: string) => Promise.resolve(bundles[name]),
    },
  };
  return client as unknown as Client & { enabledNow: string[] };
}

/** A package written by hand: it says what it is given. */
const told = (id: string, body: string): string =>
  `heliumBundles.push({ id: '${id}', name: '${id}', type: 'VISUALIZATION', class: ${body} });`;
const base = `class {
  constructor(target, config) { this.target = target; this.config = config; target.append('<p class="said"></p>'); }
  getTransformation() { return { transform: (data) => data, setConfig() {}, getSetting() {} }; }
  setConfig(config) { this.config = config; }
  activate() {}
  `;

describe('the view of a package', () => {
  let shown: Mounted;
  let stored: ResultEntry[];
  let client: ReturnType<typeof clientWith>;
  const view = (mode: string, entry: object = {}) => (
    <ResultView
      outputs={[table, { type: 'TEXT', chunks: ['neighbour'], count: 1 }]}
      status="FINISHED"
      frameUrl={new URL('/output-frame/frame.html', location.href).href}
      title="Trees"
      config={{ results: { 0: { graph: { mode, height: 200, ...entry } } } }}
      onConfig={(_, next) => stored.push(next)}
      place={{
        client,
        note: {} as Note,
        paragraph: { outputs: [] as readonly unknown[] } as Paragraph,
      }}
    />
  );
  const frame = (): HTMLIFrameElement => shown.find<HTMLIFrameElement>('iframe.package-frame');
  const graph = () =>
    stored.at(-1)?.['graph'] as {
      mode?: string;
      setting?: Record<string, unknown>;
      commonSetting?: unknown;
      keys?: unknown;
    };
  const show = (on: readonly string[], mode: string, entry: object = {}): void => {
    stored = [];
    client = clientWith(on);
    shown = mount(view(mode, entry), resultSheets);
  };
  /** Clicks into the frame, where nothing else reaches. */
  const clickIn = async (x: number, y: number): Promise<void> => {
    const { left, top } = frame().getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(left + x), Math.round(top + y)] });
  };
  afterEach(() => shown.remove());

  // The first one: nobody has clicked on this page yet.
  it('stores nothing that a package sets by itself', async () => {
    check(!navigator.userActivation.isActive, 'somebody has clicked');
    bundles['eager'] = told(
      'eager',
      `${base} render() { this._emitter({ ...this.config, done: true }); this.target.find('.said').css('height', 900); this._emitter({ ...this.config, done: 'twice' }); } }`,
    );
    show(['eager'], 'eager');
    await until(
      () =>
        shown.root.querySelector('iframe.package-frame') &&
        !shown.root.querySelector('.package-wait'),
      'drawn',
    );
    await pause(100);
    same(stored, []);
    check(!shown.root.querySelector('.result-notice.danger'), 'it failed');
  });

  it('is offered after the own views, in the order of the server, and goes when it is turned off', async () => {
    show(['b-view', 'a-view'], 'table');
    await until(() => shown.all('.view-segments [role=radio]').length >= 4, 'views');
    same(
      shown
        .all('.view-segments [role=radio]')
        .slice(-2)
        .map((button) => button.getAttribute('aria-label')),
      ['b-view', 'a-view'],
    );
    check(shown.all('.view-segments [role=radio]').at(-1)!.querySelector('svg'), 'no icon');
    client.enabledNow = ['a-view'];
    await packagesOf(client).refresh();
    await until(() => !shown.root.querySelector('[aria-label="b-view"]'), 'gone');
    check(shown.root.querySelector('[aria-label="a-view"]'), 'the other went too');
  });

  it('runs in a frame that may do nothing but run scripts, and cannot reach the page', async () => {
    bundles['spy'] = told(
      'spy',
      `${base} render() {
      const tries = [() => parent.document.title, () => localStorage.length, () => document.cookie, () => top.location.href];
      const reached = tries.filter((reach) => { try { reach(); return true; } catch { return false; } }).length;
      const tried = fetch('/').then(() => 'reached', () => 'shut').then((net) => 'reached ' + reached + ' ' + net + ' ' + origin);
      this.target.find('.said').html('<button>tell</button>').find('button').css({ position: 'fixed', inset: 0 }).on('click', () => tried.then((words) => this._emitter({ words })));
    } }`,
    );
    show(['spy'], 'spy');
    await until(frame, 'frame');
    same(
      [
        frame().getAttribute('sandbox'),
        frame().getAttribute('allow'),
        frame().getAttribute('referrerpolicy'),
        new URL(frame().src).pathname,
      ],
      ['allow-scripts', '', 'no-referrer', '/package-frame/1'],
    );
    await until(() => !shown.root.querySelector('.package-wait'), 'drawn');
    await clickIn(20, 20);
    await until(() => graph()?.setting, 'what it reached');
    same(graph().setting, { spy: { words: 'reached 0 shut null' } });
  });

  it('is given the table and its settings, and what it sets is stored under its name', async () => {
    bundles['teller'] = told(
      'teller',
      `${base}
      render(data) {
        this.target.find('.said').html('<button>set</button>').find('button').css({ position: 'fixed', inset: 0 }).on('click', () => this._emitter({ ...this.config, seen: data.rows.length + ' ' + data.columns.map(({ name }) => name) + ' ' + this.config.own }));
      } }`,
    );
    show(['teller'], 'teller', {
      setting: { teller: { own: 'mine' }, other: { kept: 1 } },
      commonSetting: { shared: true },
      keys: [{ name: 'name', index: 0, aggr: 'sum' }],
    });
    await until(frame, 'frame');
    await until(() => !shown.root.querySelector('.package-wait'), 'drawn');
    await clickIn(20, 20);
    await until(() => graph()?.setting?.['teller'], 'stored');
    same(graph().setting, {
      teller: { own: 'mine', seen: '3 name,amount,kind mine' },
      other: { kept: 1 },
    });
    same(
      [graph().commonSetting, graph().keys],
      [{ shared: true }, [{ name: 'name', index: 0, aggr: 'sum' }]],
    );
  });

  it('that throws says what is wrong, and its neighbours live', async () => {
    bundles['bad'] = told('bad', `${base} render() { throw new Error('no such axis'); } }`);
    show(['bad'], 'bad');
    await until(
      () => shown.root.textContent!.includes('The package bad has failed.'),
      'what is wrong',
    );
    check(shown.root.textContent!.includes('no such axis'), 'not why');
    check(shown.root.textContent!.includes('neighbour'), 'the neighbour is gone');
    check(shown.root.querySelector('[aria-label="Table"]'), 'the other views are gone');
    bundles['bad'] = 'this is no script';
    shown.remove();
    show(['bad'], 'bad');
    await until(
      () => shown.root.textContent!.includes('The package bad has failed.'),
      'what is wrong with its script',
    );
    delete bundles['bad'];
    shown.remove();
    show(['bad'], 'bad');
    await until(() => shown.root.textContent!.includes('is not on'), 'that it is not on');
  });

  it('that floods is removed', async () => {
    bundles['flood'] = told(
      'flood',
      `${base} render() { for (let at = 0; at < 500; at++) this._emitter({ at }); } }`,
    );
    show(['flood'], 'flood');
    await until(() => shown.root.textContent!.includes('it sent too many messages'), 'end');
    check(!shown.root.querySelector('iframe.package-frame'), 'the frame is still there');
  });

  it('of the registry is drawn by its own code, its columns chosen in the page', async () => {
    bundles['zeppelin-bubblechart'] = await recorded('zeppelin-bubblechart');
    const column = (name: string, index: number) => ({ name, index, aggr: 'sum' });
    show(['zeppelin-bubblechart'], 'zeppelin-bubblechart', {
      optionOpen: true,
      setting: { 'zeppelin-bubblechart': { value: column('amount', 1) } },
    });
    await until(() => shown.root.querySelector('.well[aria-label=group]'), 'wells of its columns');
    same(
      shown.all('.fields .well').map((well) => well.getAttribute('aria-label')),
      ['name', 'value', 'group', 'color'],
    );
    same(shown.find('.well[aria-label=value] .chip-name').textContent, 'amount');
    await until(() => !shown.root.querySelector('.package-wait'), 'drawn');
    check(
      !shown.root.querySelector('.result-notice.danger'),
      `it failed: ${shown.root.querySelector('.result-notice')?.textContent}`,
    );
    shown.find('.fields [aria-label="Add kind"]').click();
    (
      await until(
        () =>
          shown.all('[role=menuitem]').find(({ textContent }) => textContent === 'Add to color'),
        'menu',
      )
    ).click();
    await until(() => graph()?.setting, 'stored');
    same(graph().setting, {
      'zeppelin-bubblechart': { value: column('amount', 1), color: column('kind', 2) },
    });
    // Its own settings stand in its frame, above what it draws.
    await until(() => frame().getBoundingClientRect().height > 220, 'its own settings');
    shown.render(view('zeppelin-bubblechart', { optionOpen: false }));
  });
});
