import type { Output } from '@tiding/client';
import { sendKeys } from '@web/test-runner-commands';
import { strictPage } from '../ui/testing/test-setup.ts';
import { REVEAL_EVENT } from './displays/use-follow.ts';
import { type DownloadFile, resultSheets } from './index.ts';
import { Result } from './test-outputs.tsx';
import { check, type Mounted, mount, pause, same, waitUntil } from './test-support.tsx';

/** A growing text output like in the store: objects that share one list of chunks. */
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
  strictPage();
  let shown: Mounted;
  const saved: DownloadFile[] = [];
  const view = (output: Output, status = 'FINISHED', config = {}) => (
    <Result
      outputs={[output]}
      status={status}
      config={config}
      title="Load"
      dateFinished="2025-02-03T09:41:07+0000"
      onDownload={(file) => saved.push(file)}
    />
  );
  const blocks = (): HTMLElement[] => shown.all('.text-lines > div');
  const box = (): HTMLElement => shown.find('.text-box');
  const button = (name: string): HTMLElement | undefined =>
    shown.all('button').find(({ textContent }) => textContent === name);
  const fromEnd = (): number =>
    Math.round(box().scrollHeight - box().scrollTop - box().clientHeight);
  /** Scrolls like one turn of the wheel; the test runner has no command for the wheel. */
  const wheelTo = (top: number): void => {
    box().dispatchEvent(
      new WheelEvent('wheel', { deltaY: top - box().scrollTop, bubbles: true, composed: true }),
    );
    box().scrollTop = top;
  };
  const frame = (): Promise<unknown> =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  /** Shows lines that still arrive, and waits for their end to be on the screen. */
  const atEnd = async (count: number) => {
    const text = growing(lines(0, count));
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await waitUntil(() => box().scrollTop > 0 && button('Scroll Top'), 'at the end');
    return text;
  };

  it('renders only new lines while it streams [D10]', async () => {
    const text = growing(lines(0, 450));
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await waitUntil(() => blocks().length === 9, 'blocks');
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
    await waitUntil(() => shown.find('.text-lines').textContent!.includes('line 459'), 'new lines');
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
        'a full block was rendered again',
      );
    check(shown.root.querySelector('.text-caret'), 'no caret while it runs');
  });

  it('keeps the text after a carriage return, and maps colours to classes', async () => {
    const text = growing('10%\r50%');
    shown = mount(view(text.now(), 'RUNNING'), resultSheets);
    await waitUntil(() => shown.find('.text-lines').textContent!.trim() === '50%', 'first state');
    text.push('\r100%\n\u001b[31mred\u001b[0m \u001b[1;38;2;1;2;3mtrue\u001b[0m <b>\n');
    shown.render(view(text.now(), 'RUNNING'));
    await waitUntil(
      () => shown.find('.text-lines').textContent!.startsWith('100%\n'),
      'overwritten',
    );
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
    const text = await atEnd(100);
    same(fromEnd(), 0);
    wheelTo(200);
    await waitUntil(() => button('Follow Output'), 'Follow Output');
    text.push(lines(100, 140));
    shown.render(view(text.now(), 'RUNNING'));
    await waitUntil(
      () => shown.find('.text-lines').textContent!.includes('line 139'),
      'more lines',
    );
    same(box().scrollTop, 200, 'the reader was moved');
    button('Follow Output')!.click();
    await waitUntil(() => fromEnd() === 0 && button('Scroll Top'), 'at the end again');
    button('Scroll Top')!.click();
    await waitUntil(() => box().scrollTop === 0 && button('Follow Output'), 'at the top');
  });

  it('stays at the end while whole blocks leave the page above', async () => {
    const text = await atEnd(1000);
    for (let from = 1000; from < 6000; from += 50) {
      text.push(lines(from, from + 50));
      shown.render(view(text.now(), 'RUNNING'));
      await frame();
    }
    await waitUntil(
      () => shown.find('.text-lines').textContent!.endsWith('line 5999\n'),
      'the last lines',
    );
    await frame();
    check(button('Scroll Top'), 'no longer following');
    same([fromEnd(), blocks().length], [0, 20]);
  });

  it('stays at the end while content changes, and after a scroll by a script', async () => {
    const text = await atEnd(600);
    const content = shown.find('.text-lines');
    // The browser clamps the position when it lays out the small content. The content is large
    // again before the scroll event.
    content.style.display = 'none';
    same(box().scrollTop, 0);
    content.style.display = '';
    check(box().scrollHeight > 1000, 'the content is back');
    await frame();
    await frame();
    check(button('Scroll Top'), 'a clamped position ended following');
    box().scrollTop = 100;
    await frame();
    check(button('Scroll Top'), 'a scroll by a script ended following');
    text.push(lines(600, 620));
    shown.render(view(text.now(), 'RUNNING'));
    await waitUntil(
      () => shown.find('.text-lines').textContent!.endsWith('line 619\n') && fromEnd() === 0,
      'at the end again',
    );
  });

  it('stays at the end after the run too, unless the reader scrolls up', async () => {
    const text = await atEnd(600);
    shown.render(view(text.now(), 'FINISHED'));
    await frame();
    box().scrollTop = 100;
    await frame();
    check(button('Scroll Top'), 'a scroll by a script ended following');
    // Keys that do not scroll are no reader's scroll either.
    box().dispatchEvent(new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, bubbles: true }));
    box().scrollTop = 50;
    await frame();
    check(button('Scroll Top'), 'another key ended following');
    // The next layout corrects the position.
    shown.render(
      view(text.now(), 'FINISHED', { results: { 0: { graph: { mode: 'table', height: 200 } } } }),
    );
    await waitUntil(() => fromEnd() === 0, 'at the end again');
    wheelTo(200);
    await waitUntil(() => button('Follow Output'), 'left by the wheel');
    shown.render(view(text.now(), 'FINISHED'));
    await frame();
    await frame();
    same([box().scrollTop, Boolean(button('Follow Output'))], [200, true], 'the reader was moved');
  });

  it('stays where a search leads', async () => {
    const text = await atEnd(600);
    box().dispatchEvent(new Event(REVEAL_EVENT));
    box().scrollTop = 100;
    await waitUntil(() => button('Follow Output'), 'left');
    shown.render(view(text.now(), 'FINISHED'));
    await frame();
    same(box().scrollTop, 100);
  });

  it('stops for a reader who scrolls as output arrives; follows again at the end', async () => {
    const text = await atEnd(600);
    const top = box().scrollTop - 60;
    wheelTo(top);
    text.push(lines(600, 700));
    shown.render(view(text.now(), 'RUNNING'));
    await waitUntil(
      () => shown.find('.text-lines').textContent!.endsWith('line 699\n'),
      'more lines',
    );
    await frame();
    same([box().scrollTop, Boolean(button('Follow Output'))], [top, true], 'the reader was moved');
    // The end has moved by the time of the scroll event.
    const seen = box().scrollHeight - box().clientHeight;
    box().dispatchEvent(
      new WheelEvent('wheel', { deltaY: seen - top, bubbles: true, composed: true }),
    );
    box().scrollTop = seen;
    text.push(lines(700, 800));
    shown.render(view(text.now(), 'RUNNING'));
    await waitUntil(
      () =>
        shown.find('.text-lines').textContent!.endsWith('line 799\n') &&
        button('Scroll Top') &&
        fromEnd() === 0,
      'following again',
    );
    // By keyboard, with real key presses.
    box().focus();
    await sendKeys({ press: 'PageUp' });
    await waitUntil(() => button('Follow Output') && fromEnd() > 100, 'left by a key');
    await sendKeys({ press: 'End' });
    await waitUntil(() => button('Scroll Top') && fromEnd() === 0, 'back by a key');
    shown.render(view(text.now(), 'FINISHED'));
    await frame();
    same(fromEnd(), 0);
  });

  it('lets a reader stay above when the run ends with a large piece', async () => {
    const text = await atEnd(3000);
    wheelTo(400);
    await waitUntil(() => button('Follow Output'), 'left');
    const atTop = (): string => {
      const { top, left } = box().getBoundingClientRect();
      const hit = shown.root
        .elementsFromPoint(left + 40, top + 20)
        .find((element) => element.parentElement?.classList.contains('text-lines'));
      return hit!.textContent!.split('\n')[0]!;
    };
    const line = atTop();
    text.push(`${'x'.repeat(99)}\n`.repeat(100_000));
    shown.render(view(text.now(), 'FINISHED'));
    await waitUntil(
      () => shown.find('.text-lines').textContent!.endsWith('x\n'),
      'the large piece',
    );
    await frame();
    same([atTop(), Boolean(button('Follow Output'))], [line, true], 'the reader was moved');
  });

  it('is at most as high as its setting', async () => {
    shown = mount(view(whole(lines(0, 100))), resultSheets);
    await waitUntil(() => button('Follow Output'), 'overflow');
    same(box().clientHeight, 300);
    shown.render(view(whole(lines(0, 100)), 'FINISHED', { results: [{ graph: { height: 150 } }] }));
    await waitUntil(() => box().clientHeight === 150, 'stored height');
    shown.render(view(whole(lines(0, 100)), 'FINISHED', { results: [{ graph: { height: 40 } }] }));
    await waitUntil(() => box().clientHeight === 300, 'a height below 50 is ignored');
  });

  it('renders only the end of twenty megabytes and offers all of it as a file', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const text = line.repeat(200_000);
    shown = mount(view(whole(text)), resultSheets);
    await waitUntil(
      () =>
        shown
          .find('.text-above')
          .textContent!.includes(`${(199_000).toLocaleString()} lines above`),
      'the rest is named',
    );
    same(blocks().length, 20);
    button('Show more')!.click();
    await waitUntil(() => blocks().length === 40, 'more blocks');
    button('Download text')!.click();
    same([saved.at(-1)!.data.length, saved.at(-1)!.name.endsWith('.txt')], [20_000_000, true]);
  });

  it('links web addresses, in coloured text too', async () => {
    shown = mount(
      view(
        whole(
          'go to https://example.org/a. \u001b[32mor http://example.org/b\u001b[0m, not ' +
            'javascript://x\n',
        ),
      ),
      resultSheets,
    );
    await waitUntil(() => shown.all('.text-lines a').length === 2, 'links');
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

  it('truncates a line of a megabyte', async () => {
    shown = mount(view(whole('y'.repeat(1_000_000))), resultSheets);
    await waitUntil(
      () => shown.find('.text-lines').textContent!.includes('more characters in this line'),
      'cut',
    );
    check(shown.find('.text-lines').textContent!.length < 20_000, 'all blocks are in the page');
  });
});
