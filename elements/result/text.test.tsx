import type { Output } from 'tiding/client';
import { ResultView, resultSheets, type DownloadFile } from './index.ts';
import { check, mount, pause, same, strictPolicy, until, type Mounted } from './test-kit.tsx';

/** A growing text output, as the store keeps one: records over one list of chunks. */
function growing(first: string) {
  const chunks = [first];
  return {
    now: (): Output => ({ type: 'TEXT', chunks, count: chunks.length }),
    push: (text: string) => void chunks.push(text),
  };
}
const whole = (text: string): Output => ({ type: 'TEXT', chunks: [text], count: 1 });
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('');

describe('text output', () => {
  const violations = strictPolicy();
  let shown: Mounted;
  const saved: DownloadFile[] = [];
  const view = (output: Output, status = 'FINISHED', config = {}) => (
    <ResultView
      outputs={[output]}
      status={status}
      config={config}
      frameUrl=""
      title="Load"
      dateFinished="2025-02-03T09:41:07+0000"
      onDownload={(file) => saved.push(file)}
    />
  );
  const blocks = (): HTMLElement[] => shown.all('.text-lines > div');
  const box = (): HTMLElement => shown.find('.text-box');
  const button = (name: string): HTMLElement | undefined =>
    shown.all('button').find(({ textContent }) => textContent === name);
  afterEach(() => shown.remove());
  after(() => same(violations, [], 'page policy'));

  it('draws only what is new while it streams', async () => {
    const text = growing(lines(0, 450));
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await until(() => blocks().length === 9, 'blocks');
    const before = blocks();
    const changed = new Set<Node>();
    const observer = new MutationObserver((records) =>
      records.forEach(({ target }) => changed.add(target)),
    );
    observer.observe(shown.find('.text-lines'), {
      childList: true,
      characterData: true,
      subtree: true,
    });
    text.push(lines(450, 460));
    shown.render(view(text.now(), 'RUNNING'));
    await until(() => shown.find('.text-lines').textContent!.includes('line 459'), 'new lines');
    await pause(30);
    observer.disconnect();
    same(
      [blocks()[0] === before[0], blocks()[1] === before[1]],
      [true, true],
      'full blocks keep their elements',
    );
    for (const node of changed)
      check(
        !before[0]!.contains(node) && !before[1]!.contains(node),
        'a full block was drawn again',
      );
    check(shown.root.querySelector('.text-caret'), 'no caret while it runs');
  });

  it('keeps what stands after a carriage return, and colours by classes', async () => {
    const text = growing('10%\r50%');
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await until(() => shown.find('.text-lines').textContent!.trim() === '50%', 'first state');
    text.push('\r100%\n\u001b[31mred\u001b[0m \u001b[1;38;2;1;2;3mtrue\u001b[0m <b>\n');
    shown.render(view(text.now(), 'RUNNING'));
    await until(() => shown.find('.text-lines').textContent!.startsWith('100%\n'), 'overwritten');
    same(shown.find('.ansi-fg-1').textContent, 'red');
    const bold = shown.find('.ansi-bold');
    same([bold.textContent, getComputedStyle(bold).color], ['true', 'rgb(1, 2, 3)']);
    check(
      shown.find('.text-lines').textContent!.includes('<b>') &&
        !shown.root.querySelector('.text-lines b'),
      'markup became elements',
    );
  });

  it('follows the end until the reader scrolls up, and again on demand', async () => {
    const text = growing(lines(0, 100));
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await until(() => box().scrollTop > 0 && button('Scroll Top'), 'at the end');
    const fromEnd = (): number =>
      Math.round(box().scrollHeight - box().scrollTop - box().clientHeight);
    same(fromEnd(), 0);
    box().scrollTop = 200;
    await until(() => button('Follow Output'), 'Follow Output');
    text.push(lines(100, 140));
    shown.render(view(text.now(), 'RUNNING'));
    await until(() => shown.find('.text-lines').textContent!.includes('line 139'), 'more lines');
    same(box().scrollTop, 200, 'the reader was moved');
    button('Follow Output')!.click();
    await until(() => fromEnd() === 0 && button('Scroll Top'), 'at the end again');
    button('Scroll Top')!.click();
    await until(() => box().scrollTop === 0 && button('Follow Output'), 'at the top', 3000);
  });

  it('is at most as high as its setting', async () => {
    shown = mount(view(whole(lines(0, 100))), resultSheets);
    await until(() => button('Follow Output'), 'overflow');
    same(box().clientHeight, 300);
    shown.render(view(whole(lines(0, 100)), 'FINISHED', { results: [{ graph: { height: 150 } }] }));
    await until(() => box().clientHeight === 150, 'stored height');
    shown.render(view(whole(lines(0, 100)), 'FINISHED', { results: [{ graph: { height: 40 } }] }));
    await until(() => box().clientHeight === 300, 'a height under 50 counts as none');
  });

  it('keeps twenty megabytes out of the page and gives them as a file', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const text = line.repeat(200_000);
    let longest = 0;
    let last = performance.now();
    const ticks = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 1);
    shown = mount(view(whole(text)), resultSheets);
    await until(
      () =>
        shown
          .find('.text-above')
          .textContent!.includes(`${(199_000).toLocaleString()} lines above`),
      'the rest is named',
      15_000,
    );
    clearInterval(ticks);
    check(longest < 400, `the page stood still for ${longest} ms`);
    same(blocks().length, 20);
    button('Show more')!.click();
    await until(() => blocks().length === 40, 'more blocks');
    button('Download text')!.click();
    same([saved.at(-1)!.data.length, saved.at(-1)!.name.endsWith('.txt')], [20_000_000, true]);
  });

  it('makes addresses of the web links, in colour too', async () => {
    shown = mount(
      view(
        whole(
          'go to https://example.org/a. \u001b[32mor http://example.org/b\u001b[0m, not javascript://x\n',
        ),
      ),
      resultSheets,
    );
    await until(() => shown.all('.text-lines a').length === 2, 'links');
    const [first, second] = shown.all('.text-lines a') as HTMLAnchorElement[];
    same(
      [first!.href, first!.textContent, first!.target, first!.rel.includes('noopener')],
      ['https://example.org/a', 'https://example.org/a', '_blank', true],
    );
    same([second!.href, second!.closest('.ansi-fg-2') !== null], ['http://example.org/b', true]);
    same(
      shown.find('.text-lines').textContent,
      'go to https://example.org/a. or http://example.org/b, not javascript://x\n',
    );
  });

  it('cuts a line of a megabyte', async () => {
    shown = mount(view(whole('y'.repeat(1_000_000))), resultSheets);
    await until(
      () => shown.find('.text-lines').textContent!.includes('more characters in this line'),
      'cut',
    );
    check(shown.find('.text-lines').textContent!.length < 20_000, 'all of it is in the page');
  });
});
