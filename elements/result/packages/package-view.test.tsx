import type { Client, Note, Paragraph } from '@tiding/client';
import { sendMouse } from '@web/test-runner-commands';
import { resultSheets } from '../index.ts';
import { column, output, Result, tableOf } from '../test-outputs.tsx';
import { check, type Mounted, mount, pause, same, waitUntil } from '../test-support.tsx';
import type { ResultEntry } from '../view-settings.ts';
import { packagesOf } from './package-store.ts';

const table = tableOf('name\tamount\tkind\nash\t30\ttree\noak\t50\ttree\nrye\t20\tgrass\n');
const bundles: Record<string, string> = {};
const recorded = async (name: string): Promise<string> =>
  (await fetch(`/dist/test/packages/${name}.js`)).text();

/** The parts of a client that packages use. */
function clientWith(on: readonly string[]): Client & { enabledNow: string[] } {
  const listeners = new Set<() => void>();
  const client = {
    state: { server: undefined },
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

/** Source of a test package that reports what it receives. */
const told = (id: string, body: string): string =>
  `heliumBundles.push({ id: '${id}', name: '${id}', type: 'VISUALIZATION', class: ${body} });`;
const base = `class {
  constructor(target, config) {
    this.target = target;
    this.config = config;
    target.append('<p class="said"></p>');
  }
  getTransformation() { return { transform: (data) => data, setConfig() {}, getSetting() {} }; }
  setConfig(config) { this.config = config; }
  activate() {}
  `;

describe('the view of a package', () => {
  let shown: Mounted;
  let stored: ResultEntry[];
  let client: ReturnType<typeof clientWith>;
  const view = (mode: string, entry: object = {}) => (
    <Result
      outputs={[table, output('TEXT', 'neighbour')]}
      frameUrl={new URL('/output-frame/frame.html', location.href).href}
      title="Trees"
      graph={{ mode, height: 200, ...entry }}
      onConfig={(_, next) => stored.push(next)}
      context={{
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
  /** Clicks inside the frame, which the test cannot access otherwise. */
  const clickIn = async (x: number, y: number): Promise<void> => {
    const { left, top } = frame().getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(left + x), Math.round(top + y)] });
  };

  // This must be the first test: there was no user gesture on this page yet.
  it('does not store settings a package changes by itself', async () => {
    check(!navigator.userActivation.isActive, 'the page was clicked');
    bundles['eager'] = told(
      'eager',
      `${base} render() {
      this._emitter({ ...this.config, done: true });
      this.target.find('.said').css('height', 900);
      this._emitter({ ...this.config, done: 'twice' });
    } }`,
    );
    show(['eager'], 'eager');
    await waitUntil(
      () =>
        shown.root.querySelector('iframe.package-frame') &&
        !shown.root.querySelector('.package-wait'),
      'drawn',
    );
    await pause(100);
    same(stored, []);
    check(!shown.root.querySelector('.result-notice.danger'), 'the view failed');
  });

  it('is offered after the built-in views in server order, until disabled', async () => {
    show(['b-view', 'a-view'], 'table');
    await waitUntil(() => shown.all('.view-segments [role=radio]').length >= 4, 'views');
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
    await waitUntil(() => !shown.root.querySelector('[aria-label="b-view"]'), 'gone');
    check(shown.root.querySelector('[aria-label="a-view"]'), 'the other view is gone');
  });

  it('receives table and settings, and its changes are stored under its name', async () => {
    bundles['teller'] = told(
      'teller',
      `${base}
      render(data) {
        const columns = data.columns.map(({ name }) => name);
        const seen = () => data.rows.length + ' ' + columns + ' ' + this.config.own;
        this.target.find('.said').html('<button>set</button>').find('button')
          .css({ position: 'fixed', inset: 0 })
          .on('click', () => this._emitter({ ...this.config, seen: seen() }));
      } }`,
    );
    show(['teller'], 'teller', {
      setting: { teller: { own: 'mine' }, other: { kept: 1 } },
      commonSetting: { shared: true },
      keys: [{ name: 'name', index: 0, aggr: 'sum' }],
    });
    await waitUntil(frame, 'frame');
    await waitUntil(() => !shown.root.querySelector('.package-wait'), 'drawn');
    await clickIn(20, 20);
    await waitUntil(() => graph()?.setting?.['teller'], 'stored');
    same(graph().setting, {
      teller: { own: 'mine', seen: '3 name,amount,kind mine' },
      other: { kept: 1 },
    });
    same(
      [graph().commonSetting, graph().keys],
      [{ shared: true }, [{ name: 'name', index: 0, aggr: 'sum' }]],
    );
  });

  it('that throws shows its error, and other outputs are not affected', async () => {
    bundles['bad'] = told('bad', `${base} render() { throw new Error('no such axis'); } }`);
    show(['bad'], 'bad');
    await waitUntil(() => shown.root.textContent!.includes('The package bad failed.'), 'the error');
    check(shown.root.textContent!.includes('no such axis'), 'no reason');
    check(shown.root.textContent!.includes('neighbour'), 'the neighbour is gone');
    check(shown.root.querySelector('[aria-label="Table"]'), 'the other views are gone');
    bundles['bad'] = 'this is no script';
    shown.remove();
    show(['bad'], 'bad');
    await waitUntil(
      () => shown.root.textContent!.includes('The package bad failed.'),
      'the error in its script',
    );
    delete bundles['bad'];
    shown.remove();
    show(['bad'], 'bad');
    await waitUntil(
      () => shown.root.textContent!.includes('is not enabled'),
      'the notice that it is disabled',
    );
  });

  it('from the registry draws with its own code, with columns selected in the page', async () => {
    bundles['zeppelin-bubblechart'] = await recorded('zeppelin-bubblechart');
    show(['zeppelin-bubblechart'], 'zeppelin-bubblechart', {
      optionOpen: true,
      setting: { 'zeppelin-bubblechart': { value: column('amount', 1) } },
    });
    await waitUntil(
      () => shown.root.querySelector('.well[aria-label=group]'),
      'fields for its columns',
    );
    same(
      shown.all('.fields .well').map((well) => well.getAttribute('aria-label')),
      ['name', 'value', 'group', 'color'],
    );
    same(shown.find('.well[aria-label=value] .chip-name').textContent, 'amount');
    await waitUntil(() => !shown.root.querySelector('.package-wait'), 'drawn');
    check(
      !shown.root.querySelector('.result-notice.danger'),
      `it failed: ${shown.root.querySelector('.result-notice')?.textContent}`,
    );
    shown.find('.fields [aria-label="Add kind"]').click();
    (
      await waitUntil(
        () =>
          shown.all('[role=menuitem]').find(({ textContent }) => textContent === 'Add to color'),
        'menu',
      )
    ).click();
    await waitUntil(() => graph()?.setting, 'stored');
    same(graph().setting, {
      'zeppelin-bubblechart': { value: column('amount', 1), color: column('kind', 2) },
    });
    // Its own settings are shown in its frame, above the drawing.
    await waitUntil(() => frame().getBoundingClientRect().height > 220, 'its own settings');
    shown.render(view('zeppelin-bubblechart', { optionOpen: false }));
  });
});
