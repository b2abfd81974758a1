import { ElementView } from '../bridge.tsx';
import { check, type Mounted, mount, same, waitUntil } from '../result/test-support.tsx';
import { createLazyValue } from '../runtime/lazy-value.ts';
import { lazyView } from '../runtime/lazy-view.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { lazyPart, WhenLoaded } from './lazy.tsx';
import { removePlaceholder, whileLoading } from './placeholder.ts';

const text = await loadTexts();

describe('code loaded on demand', () => {
  let shown: Mounted | undefined;
  afterEach(() => {
    shown = undefined;
  });

  it('loads once for all callers, and again after a failure', async () => {
    let calls = 0;
    const code = createLazyValue(async () => {
      if (++calls === 1) throw new Error('away');
      return { calls };
    });
    const failures = await Promise.allSettled([code.load(), code.load()]);
    same(
      [failures.map(({ status }) => status), calls, code.now() ?? null],
      [['rejected', 'rejected'], 1, null],
    );
    same(await Promise.all([code.load(), code.load()]), [{ calls: 2 }, { calls: 2 }]);
    same([code.now(), await code.load()], [{ calls: 2 }, { calls: 2 }]);
  });

  it('shows that a part is loading, shows a failure, and retries', async () => {
    let give: ((ok: boolean) => void) | undefined;
    const Part = lazyPart<{ name: string }>(
      () =>
        new Promise(
          (done, fail) =>
            void (give = (ok) =>
              ok ? done(({ name }) => <p className="part">{name}</p>) : fail(new Error('away'))),
        ),
    );
    shown = mount(<Part name="one" />, []);
    const found = shown;
    await waitUntil(
      () => give && found.find('[role="status"][aria-busy="true"]'),
      'the loading part',
    );
    give!(false);
    await waitUntil(
      () => found.find('[role="alert"]').textContent!.includes(text.pages.notLoaded),
      'the failure',
    );
    give = undefined;
    found.find<HTMLButtonElement>('[role="alert"] button').click();
    await waitUntil(() => give, 'another attempt');
    give!(true);
    await waitUntil(() => found.find('.part').textContent === 'one', 'the part');
    found.render(<Part name="two" />);
    await waitUntil(() => found.find('.part').textContent === 'two', 'another name');
  });

  it('never renders the first part with data of the second part', async () => {
    const drawn: string[] = [];
    const [one, two] = [
      createLazyValue(async () => ({ id: 'one' })),
      createLazyValue(async () => ({ id: 'two' })),
    ];
    const part = (of: typeof one, data: string) => (
      <WhenLoaded of={of}>
        {({ id }) => {
          drawn.push(`${id} ${data}`);
          return <p className="part">{id}</p>;
        }}
      </WhenLoaded>
    );
    shown = mount(part(one, 'of one'), []);
    const found = shown;
    await waitUntil(() => found.find('.part').textContent === 'one', 'the first');
    found.render(part(two, 'of two'));
    await waitUntil(() => found.find('.part').textContent === 'two', 'the second');
    same([...new Set(drawn)], ['one of one', 'two of two']);
  });

  it('renders a preloaded view immediately; adopts its style sheets once, last', async () => {
    const sheet = '.dressed { display: inline-grid; }';
    const view = lazyView(async () => ({
      default: () => <p className="dressed">view</p>,
      sheets: [sheet],
    }));
    await view.load();
    shown = mount(null, []);
    const found = shown;
    const before = found.root.adoptedStyleSheets.length;
    let waited = false;
    const busy = new MutationObserver(
      () => (waited ||= found.root.querySelector('[aria-busy]') !== null),
    );
    busy.observe(found.root, { childList: true, subtree: true });
    found.render(
      <>
        <ElementView view={view} host={found.host} values={{}} />
        <ElementView view={view} host={found.host} values={{}} />
      </>,
    );
    await waitUntil(() => found.all('.dressed').length === 2, 'the views');
    busy.disconnect();
    check(!waited, 'it does not wait');
    same(
      [
        getComputedStyle(found.find('.dressed')).display,
        found.root.adoptedStyleSheets.length - before,
      ],
      ['inline-grid', 1],
    );
    check(
      [...found.root.adoptedStyleSheets.at(-1)!.cssRules].some(({ cssText }) =>
        cssText.includes('inline-grid'),
      ),
      'the sheet comes last',
    );
  });

  it('shows that the code of an element is loading, shows a failure, and retries', async () => {
    const root = document.createElement('div').attachShadow({ mode: 'open' });
    const ends: { resolve(): void; reject(error: Error): void }[] = [];
    let loaded = 0;
    whileLoading(root, {
      hasSlot: false,
      load: () => new Promise<void>((resolve, reject) => void ends.push({ resolve, reject })),
      loaded: () => (loaded += 1),
    });
    const isLoading = () => root.querySelector('[role=status][aria-busy=true]') !== null;
    same([isLoading(), loaded], [true, 0]);
    ends[0]!.reject(new Error('away'));
    const alert = await waitUntil(() => root.querySelector('[role=alert]'), 'the failure');
    check(alert.textContent!.includes(text.pages.notLoaded) && !isLoading(), 'only the failure');
    alert.querySelector('button')!.click();
    same([isLoading(), root.querySelector('[role=alert]')], [true, null]);
    ends[1]!.resolve();
    await waitUntil(() => loaded === 1, 'the code');
    removePlaceholder(root);
    check(!isLoading(), 'nothing is loading');
  });
});
