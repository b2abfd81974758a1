import type { Paragraph } from '@tiding/client/protocol';
import { check, pause, press, same, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { shortTitle } from '../bar/note-bar.tsx';
import { notebook } from '../notebook.tsx';
import { type PageServer, pageServer, paragraph as plainParagraph } from '../test-server.ts';

const page = testPage<{ note: string }>(notebook);
const { root } = page;
let server: PageServer;

const paragraph = (id: string, config: Record<string, unknown> = {}): Paragraph =>
  plainParagraph(
    id,
    `%sh
echo ${id}`,
    {
      title: `Title ${id}`,
      status: 'FINISHED',
      config: { title: true, ...config },
    },
  );
const article = (id: string) => root().querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;
const grip = (id: string) => article(id).querySelector<HTMLElement>('.grip')!;
const moves = () =>
  server.received
    .filter(({ op }) => op === 'MOVE_PARAGRAPH')
    .map(({ data }) => [data['id'], data['index']]);
const said = () => root().querySelector('[aria-live="assertive"]')!.textContent;
const middle = (element: Element, dx = 0.5, dy = 0.5) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { clientX: left + width * dx, clientY: top + height * dy };
};
const point = (target: EventTarget, type: string, at: { clientX: number; clientY: number }) =>
  target.dispatchEvent(
    new PointerEvent(type, {
      bubbles: true,
      composed: true,
      cancelable: true,
      pointerId: 1,
      pointerType: 'mouse',
      button: type === 'pointermove' ? -1 : 0,
      ...at,
    }),
  );

/** Shows a note with the given paragraphs. */
async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  await page.show(server.client, { note: 'note' }, '.grip');
  await pause(50);
}

describe('dragging paragraphs', () => {
  afterEach(() => {
    window.scrollTo(0, 0);
  });

  it('drops a paragraph at the line', async () => {
    await open(['a', 'b', 'c'].map((id) => paragraph(id)));
    const start = grip('a');
    point(start, 'pointerdown', middle(start));
    point(window, 'pointermove', middle(article('c'), 0.5, 0.9));
    const line = await waitUntil(
      () => root().querySelector('.drop-line')?.getBoundingClientRect(),
      'the line',
    );
    check(Math.abs(line.top - article('c').getBoundingClientRect().bottom) < 12, 'below the third');
    same(
      [root().querySelector('.drag-chip')!.textContent, said()],
      ['Title a', 'Position 3 of 3.'],
    );
    point(window, 'pointerup', middle(article('c'), 0.5, 0.9));
    await waitUntil(() => moves().length > 0, 'the move');
    same(moves(), [['a', 2]]);
    same(said(), 'Title a is now at position 3 of 3.');
    await waitUntil(() => !root().querySelector('.drop-line, .drag-chip'), 'nothing over the page');
  });

  it('drops a paragraph beside others in a row with several columns', async () => {
    await open([paragraph('a'), paragraph('b', { colWidth: 6 }), paragraph('c', { colWidth: 6 })]);
    page.shown.style.width = '780px';
    await waitUntil(
      () =>
        Math.abs(
          article('b').getBoundingClientRect().top - article('c').getBoundingClientRect().top,
        ) < 2,
      'side by side',
    );
    point(grip('a'), 'pointerdown', middle(grip('a')));
    point(window, 'pointermove', middle(article('c'), 0.2));
    const line = await waitUntil(
      () => root().querySelector('.drop-line')?.getBoundingClientRect(),
      'the line',
    );
    check(line.width < 5 && line.height > 40, 'the line between the two');
    point(window, 'pointerup', middle(article('c'), 0.2));
    await waitUntil(() => moves().length > 0, 'the move');
    same(moves(), [['a', 1]]);
    page.shown.style.width = '';
  });

  it('leaves a paragraph in place on Escape, on cancellation and if dropped there', async () => {
    await open(['a', 'b', 'c'].map((id) => paragraph(id)));
    for (const end of [
      () => press(document.body, 'Escape'),
      () => point(window, 'pointercancel', { clientX: 0, clientY: 0 }),
    ]) {
      point(grip('a'), 'pointerdown', middle(grip('a')));
      point(window, 'pointermove', middle(article('c')));
      await waitUntil(() => root().querySelector('.drag-chip'), 'a drag');
      end();
      await waitUntil(() => !root().querySelector('.drag-chip'), 'its end');
      same(said(), 'Title a was not moved.');
      point(window, 'pointerup', middle(article('c')));
    }
    point(grip('a'), 'pointerdown', middle(grip('a')));
    point(window, 'pointermove', middle(article('b'), 0.5, 0.1));
    await waitUntil(() => root().querySelector('.drag-chip'), 'a drag');
    check(!root().querySelector('.drop-line'), 'no line at the same place');
    point(window, 'pointerup', middle(article('b'), 0.5, 0.1));
    await pause(50);
    same(moves(), []);
  });

  it('moves a paragraph with keys on the grip, and announces each step', async () => {
    await open(['a', 'b', 'c', 'd'].map((id) => paragraph(id)));
    grip('b').focus();
    press(grip('b'), 'Enter');
    await waitUntil(() => said()?.startsWith('Title b picked up.'), 'the announcement of the drag');
    press(grip('b'), 'ArrowDown');
    press(grip('b'), 'ArrowDown');
    press(grip('b'), 'ArrowDown');
    await waitUntil(() => said() === 'Position 4 of 4.', 'the last place');
    press(grip('b'), 'ArrowUp');
    await waitUntil(() => said() === 'Position 3 of 4.', 'the one before');
    press(grip('b'), ' ');
    await waitUntil(() => moves().length > 0, 'the move');
    same(moves(), [['b', 2]]);
    press(grip('c'), 'Enter');
    press(grip('c'), 'Home');
    press(grip('c'), 'Escape');
    await pause(30);
    same(moves().length, 1);
  });

  it('scrolls the page while a paragraph is held near its edge', async () => {
    await open(Array.from({ length: 40 }, (_, n) => paragraph(`p${n}`)));
    point(grip('p0'), 'pointerdown', middle(grip('p0')));
    point(window, 'pointermove', { clientX: 300, clientY: innerHeight - 5 });
    await waitUntil(() => document.scrollingElement!.scrollTop > 300, 'a page that scrolls');
    await waitUntil(() => root().querySelector('.drop-line'), 'a lower place');
    press(document.body, 'Escape');
    const top = document.scrollingElement!.scrollTop;
    await pause(60);
    same(document.scrollingElement!.scrollTop, top, 'scrolling has stopped');
  });

  it('works in the outline, which supports arrow keys and shows the drop line', async () => {
    await open([
      ...['a', 'b', 'c'].map((id) => paragraph(id)),
      { ...paragraph('m'), config: {}, text: '%md\n# Heading\n## Below' },
    ]);
    page.shown.style.width = '1200px';
    const bar = root().querySelector<HTMLButtonElement>('[aria-label="Notes and outline"]')!;
    if (!root().querySelector('.side')) bar.click();
    (
      await waitUntil(
        () =>
          [...root().querySelectorAll<HTMLElement>('[role="tab"]')].find(
            (one) => one.textContent === 'Outline',
          ),
        'the tab',
      )
    ).click();
    const items = () => [...root().querySelectorAll<HTMLElement>('[role="treeitem"]')];
    await waitUntil(() => items().length === 5, 'the outline');
    same(
      items().map((item) => [item.querySelector('.tree-name')!.textContent, item.ariaLevel]),
      [
        ['Title a', '2'],
        ['Title b', '2'],
        ['Title c', '2'],
        ['Heading', '1'],
        ['Below', '2'],
      ],
    );
    check(items()[0]!.textContent!.includes('FINISHED'), 'with the status');
    const now = () => root().activeElement!.querySelector('.tree-name')?.textContent;
    items()[0]!.focus();
    const walk = (key: string) => (press(root().activeElement!, key), now());
    same(['ArrowDown', 'End', 'ArrowLeft', 'ArrowRight', 'Home', 't', 't', 'b'].map(walk), [
      'Title b',
      'Below',
      'Heading',
      'Below',
      'Title a',
      'Title b',
      'Title c',
      'Title c',
    ]);
    await pause(900);
    same(['b'].map(walk), ['Below']);
    const [first, last] = [items()[0]!, items()[2]!];
    point(first, 'pointerdown', middle(first));
    point(window, 'pointermove', middle(last, 0.5, 0.9));
    const line = await waitUntil(
      () => root().querySelector('.drop-line')?.getBoundingClientRect(),
      'the line',
    );
    check(Math.abs(line.top - last.getBoundingClientRect().bottom) < 4, 'below the third');
    press(document.body, 'Escape');
    await waitUntil(() => !root().querySelector('.drop-line'), 'no line');
  });
});

describe('the bar of a note', () => {
  it('shortens a long title at its beginning', () => {
    same(
      [shortTitle('x'.repeat(45)), shortTitle(`begin${'x'.repeat(45)}`)],
      ['x'.repeat(45), `…${'x'.repeat(45)}`],
    );
  });
});
