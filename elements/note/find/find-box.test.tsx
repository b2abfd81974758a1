import type { Paragraph } from '@tiding/client/protocol';
import { check, pause, press, same, type, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';
import { type PageServer, pageServer, paragraph } from '../test-server.ts';

const page = testPage<{ note: string; paragraph: string; term: string }>(notebook);
const { root } = page;
let server: PageServer;

const article = (id: string) => root().querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;
const find = <Found extends HTMLElement = HTMLElement>(selector: string): Found =>
  root().querySelector<Found>(selector)!;
const field = () => find<HTMLInputElement>('.find-box input[aria-label="Find"]');
const button = (label: string) =>
  [...root().querySelectorAll<HTMLButtonElement>('.find-box button')].find(
    (one) => one.getAttribute('aria-label') === label || one.textContent === label,
  )!;
const words = () => find('.find-count')?.textContent;
/** Marked texts in a paragraph; the current match is in brackets. */
const marks = (id: string) =>
  [...article(id).querySelectorAll('.find-match')].map((one) =>
    one.classList.contains('find-current') ? `[${one.textContent}]` : one.textContent,
  );
const says = (text: string) => waitUntil(() => words() === text, `'${text}', not '${words()}'`);

const toggle = () =>
  press(
    article(root().querySelector<HTMLElement>('[data-paragraph]')!.dataset['paragraph']!),
    'f',
    { code: 'KeyF', ctrlKey: true, altKey: true },
  );

async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  await page.show(server.client, { note: 'note' }, '[data-paragraph]');
}
async function openBox(text: string): Promise<void> {
  // The page handles keys shortly after it is shown.
  await waitUntil(() => {
    if (!find('.find-slot')) toggle();
    return field() && root().activeElement === field();
  }, 'the field with the focus');
  await pause(30);
  type(field(), text);
}

describe('the find box of a note', () => {
  it('marks every match, cycles through them, and removes marks on close [D1]', async () => {
    await open([paragraph('a', 'one two ONE'), paragraph('b', 'two'), paragraph('c', 'x one')]);
    await openBox('one');
    await says('1 of 3');
    same([marks('a'), marks('b'), marks('c')], [['[one]', 'ONE'], [], ['one']]);
    press(field(), 'Enter');
    await says('2 of 3');
    same([marks('a'), marks('c')], [['one', '[ONE]'], ['one']]);
    button('Next').click();
    await says('3 of 3');
    button('Next').click();
    await says('1 of 3');
    button('Previous').click();
    await says('3 of 3');
    same(marks('c'), ['[one]']);
    button('Match case').click();
    await says('1 of 2');
    press(field(), 'Escape');
    await waitUntil(() => !find('.find-box'), 'no box');
    same([marks('a'), marks('c')], [[], []]);
  });

  it('has the specified width, stays in the window, and works by keyboard [W18 W20]', async () => {
    await open([paragraph('a', 'one')]);
    await openBox('one');
    const box = find('.find-box').getBoundingClientRect();
    same(Math.round(box.width), 350);
    check(
      box.left >= 0 && box.right <= document.documentElement.clientWidth,
      'the box leaves the window',
    );
    press(field(), 'f', { code: 'KeyF', ctrlKey: true, altKey: true });
    await waitUntil(() => !find('.find-box'), 'no box');
    toggle();
    await waitUntil(() => field()?.value === 'one', 'the last term');
  });

  it('opens with the term set by the host page, at the match in a paragraph [W21]', async () => {
    server = pageServer([
      paragraph('a', 'one one'),
      paragraph('b', 'two'),
      paragraph('c', 'x One'),
    ]);
    await page.show(server.client, { note: 'note', paragraph: 'c', term: 'one' }, null);
    await waitUntil(() => words() === '3 of 3', 'the match in that paragraph');
    same([field().value, marks('c')], ['one', ['[One]']]);
    press(field(), 'Enter');
    await says('1 of 3');
    type(field(), 'on');
    await says('1 of 3');
    same(marks('a'), ['[on]', 'on'], 'the next search begins at the top');
  });

  it('waits for further keys, searches at once on Enter, reports no match [D1 D75]', async () => {
    await open([paragraph('a', 'one two')]);
    await openBox('o');
    same(words(), '');
    // Each key starts the delay of 300 ms again (specification). A pause that takes longer on a
    // busy machine ends the first delay: then the keys are typed again.
    let first: number;
    let typed: number;
    do {
      type(field(), 'o');
      press(field(), 'Enter');
      await says('1 of 2');
      first = performance.now();
      type(field(), 'z');
      await pause(150);
      typed = performance.now();
    } while (typed - first >= 299);
    type(field(), 'zzz');
    await says('No match');
    check(performance.now() - typed >= 299, `after ${performance.now() - typed} ms`);
    check(
      find('.find-box .input').classList.contains('error') &&
        field().getAttribute('aria-invalid') === 'true',
      'the field is red',
    );
    type(field(), '');
    await waitUntil(
      () => !find('.find-box .input').classList.contains('error'),
      'a field that is not red',
    );
  });

  it('shows what is wrong with an expression, supports groups in replacements [D1]', async () => {
    await open([paragraph('a', 'let a = 1\nlet b = 2')]);
    await openBox('let (');
    button('Regular expression').click();
    await waitUntil(
      () => find('#find-error')?.textContent?.includes('Unterminated group'),
      'the message',
    );
    type(field(), String.raw`let (\w) = (\d)`);
    await says('1 of 2');
    type(find('.find-box input[aria-label="Replace with"]'), '$2 -> $1');
    button('Replace all').click();
    await says('No match');
    same(server.client.state.open['note']!.paragraphs['a']!.draft, '1 -> a\n2 -> b');
  });

  it('removes its marks on a click into an editor; the next action marks again', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'one'), paragraph('c', 'one one')]);
    await openBox('one');
    await says('1 of 4');
    article('b')
      .querySelector('.code-area')!
      .dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true }));
    await waitUntil(() => root().querySelectorAll('.find-match').length === 0, 'no marks');
    button('Previous').click();
    await says('4 of 4');
    same(marks('c'), ['one', '[one]']);
  });

  it('shows a hidden editor that contains a match, and hides it again unsaved', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'secret', { config: { editorHide: true } })]);
    check(!article('b').querySelector('.code-area'), 'the editor is hidden');
    await openBox('secret');
    await says('1 of 1');
    await waitUntil(() => marks('b').join() === '[secret]', 'the mark in the editor');
    press(field(), 'Escape');
    await waitUntil(() => !article('b').querySelector('.code-area'), 'a hidden editor');
    check(!server.received.some(({ op }) => op === 'COMMIT_PARAGRAPH'), 'a save');
  });

  it('replaces the current match and continues; the editor can undo it [D1]', async () => {
    await open([paragraph('a', 'one two one'), paragraph('b', 'one')]);
    await openBox('one');
    await says('1 of 3');
    type(find('.find-box input[aria-label="Replace with"]'), 'ones');
    button('Replace').click();
    await says('2 of 3');
    same(server.client.state.open['note']!.paragraphs['a']!.draft, 'ones two one');
    same(marks('a'), ['one', '[one]'], 'the replacement is not the next match');
    button('Replace').click();
    await says('3 of 3');
    const closed = article('a').querySelector<HTMLElement>('.code-closed')!;
    closed.focus();
    const content = await waitUntil(
      () => article('a').querySelector<HTMLElement>('.cm-content'),
      'the editor',
    );
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await waitUntil(
      () => server.client.state.open['note']!.paragraphs['a']!.draft === 'ones two one',
      'one step back',
    );
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await waitUntil(() => content.textContent === 'one two one', 'two steps back');
    // The search covers the open editor too.
    press(field(), 'Enter');
    await waitUntil(() => words()?.endsWith('of 3'), 'all matches again');
  });

  it('undoes a replacement in the open editor', async () => {
    await open([paragraph('a', 'one two')]);
    article('a').querySelector<HTMLElement>('.code-closed')!.focus();
    const content = await waitUntil(
      () => article('a').querySelector<HTMLElement>('.cm-content'),
      'the editor',
    );
    await openBox('two');
    await says('1 of 1');
    same(marks('a'), ['[two]']);
    type(find('.find-box input[aria-label="Replace with"]'), 'three');
    button('Replace').click();
    await waitUntil(() => content.textContent === 'one three', 'the replacement');
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await waitUntil(
      () =>
        content.textContent === 'one two' &&
        server.client.state.open['note']!.paragraphs['a']!.draft === undefined,
      'the text before',
    );
  });

  it('skips running paragraphs and says so', async () => {
    await open([paragraph('a', 'one one'), paragraph('b', 'one', { status: 'RUNNING' })]);
    await openBox('one');
    await says('1 of 3');
    type(find('.find-box input[aria-label="Replace with"]'), '1');
    button('Replace all').click();
    await waitUntil(
      () =>
        root()
          .querySelector('.toast')
          ?.textContent?.includes(
            '2 replaced in 1 paragraphs. Skipped because they are running: 1.',
          ),
      'the summary',
    );
    await says('1 of 1');
    same(
      [
        server.client.state.open['note']!.paragraphs['a']!.draft,
        server.client.state.open['note']!.paragraphs['b']!.draft,
      ],
      ['1 1', undefined],
    );
  });

  it('updates the matches while text is typed', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'one')]);
    await openBox('one');
    await says('1 of 2');
    const note = await server.client.open('note');
    note.paragraph('a').edit('x one one');
    await says('1 of 3');
    same(marks('a'), ['[one]', 'one']);
    note.close();
  });

  it('searches results on request, shows a hidden result, and marks text and cells', async () => {
    const done = (type: string, data: string) =>
      ({
        status: 'FINISHED',
        results: { code: 'SUCCESS', msg: [{ type, data }] },
      }) as Partial<Paragraph>;
    await open([
      paragraph('a', 'code', done('TEXT', 'first needle\nsecond needle\n')),
      paragraph('b', 'code', {
        ...done(
          'TABLE',
          `name\tn\n${Array.from({ length: 200 }, (_, n) => `row ${n}\t${n}`).join('\n')}\n` +
            `needle\t9`,
        ),
        config: { tableHide: true },
      }),
    ]);
    const highlighted = () => [...(CSS.highlights.get('tiding-find-current') ?? [])].map(String);
    await openBox('needle');
    await says('No match');
    find<HTMLInputElement>('.find-box input[type=checkbox]').click();
    await says('1 of 3');
    await waitUntil(() => highlighted().join() === 'needle', 'the mark in the text');
    same([...(CSS.highlights.get('tiding-find-match') ?? [])].map(String), ['needle']);
    button('Next').click();
    button('Next').click();
    await says('3 of 3');
    await waitUntil(() => article('b').querySelector('.data-grid'), 'the hidden table');
    const cell = await waitUntil(
      () =>
        [...article('b').querySelectorAll('.grid-cell')].find(
          (one) => one.textContent === 'needle',
        ),
      'the row outside the window',
    );
    await waitUntil(
      () =>
        [...CSS.highlights.get('tiding-find-current')!].some((range) =>
          cell.contains(range.startContainer),
        ),
      'the mark in the cell',
    );
    press(field(), 'Escape');
    await waitUntil(
      () => highlighted().length === 0 && !article('b').querySelector('.data-grid'),
      'no marks and no table',
    );
  });

  it('draws marks only near the window, in a note of any size', async function long() {
    this.timeout(60_000);
    await open(Array.from({ length: 1000 }, (_, n) => paragraph(`p${n}`, `%sh\necho needle ${n}`)));
    await openBox('needle');
    await waitUntil(() => words() === '1 of 1000', 'all of them');
    await pause(100);
    const drawn = root().querySelectorAll('.find-match').length;
    check(drawn > 0 && drawn < 60, `${drawn} marks are drawn`);
    button('Previous').click();
    await waitUntil(() => words() === '1000 of 1000', 'the last');
    await waitUntil(() => marks('p999').join() === '[needle]', 'its mark');
    await waitUntil(
      () => article('p999').getBoundingClientRect().top < innerHeight,
      'the last in the window',
    );
    await waitUntil(() => marks('p0').length === 0, 'no mark where nobody looks');
  });
});
