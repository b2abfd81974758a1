import { check, mount, same, until, type Mounted } from '../result/test-kit.tsx';
import { text } from '../text/en.ts';
import { lazily, lazyPart, WhenLoaded } from './lazy.tsx';
import { lazyView } from './lazy-view.tsx';

describe('code on demand', () => {
  let shown: Mounted | undefined;
  afterEach(() => {
    shown?.remove();
    shown = undefined;
  });

  it('is loaded once for all who ask, and after a failure again', async () => {
    let calls = 0;
    const code = lazily(async () => {
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

  it('says that a part is on its way, that it did not come, and tries again', async () => {
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
    await until(
      () => give && found.find('[role="status"][aria-busy="true"]'),
      'the part on its way',
    );
    give!(false);
    await until(
      () => found.find('[role="alert"]').textContent!.includes(text.pages.notLoaded),
      'the failure',
    );
    give = undefined;
    found.find<HTMLButtonElement>('[role="alert"] button').click();
    await until(() => give, 'another try');
    give!(true);
    await until(() => found.find('.part').textContent === 'one', 'the part');
    found.render(<Part name="two" />);
    await until(() => found.find('.part').textContent === 'two', 'another name');
  });

  it('of another thing in the same place never shows the first with what belongs to the second', async () => {
    const drawn: string[] = [];
    const [one, two] = [lazily(async () => ({ id: 'one' })), lazily(async () => ({ id: 'two' }))];
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
    await until(() => found.find('.part').textContent === 'one', 'the first');
    found.render(part(two, 'of two'));
    await until(() => found.find('.part').textContent === 'two', 'the second');
    same([...new Set(drawn)], ['one of one', 'two of two']);
  });

  it('of a view is there at once where it was loaded ahead, in its sheets, which stand once and last', async () => {
    const sheet = '.dressed { display: inline-grid; }';
    const View = lazyView(async () => ({
      default: () => <p className="dressed">view</p>,
      sheets: [sheet],
    }));
    await View.preload();
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
        <View host={found.host} values={{}} />
        <View host={found.host} values={{}} />
      </>,
    );
    await until(() => found.all('.dressed').length === 2, 'the views');
    busy.disconnect();
    check(!waited, 'it waits for nothing');
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
});
