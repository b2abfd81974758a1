import type { Paragraph } from 'tiding/protocol';
import { elementClass } from '../../runtime/define-element.ts';
import { check, pause, press, same, until } from '../../result/test-kit.tsx';
import { notebook } from '../notebook.tsx';
import { pageServer, type PageServer } from '../test-server.ts';

const tag = 'tiding-notebook-searched';
let shown: HTMLElement & { client: unknown; note: string };
let server: PageServer;

const paragraph = (id: string, text: string, more: Partial<Paragraph> = {}): Paragraph => ({
  id,
  text,
  status: 'READY',
  config: {},
  settings: { params: {}, forms: {} },
  rev: 1,
  ...more,
});
const root = (): ShadowRoot => shown.shadowRoot!;
const article = (id: string) => root().querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;
const find = <Found extends HTMLElement = HTMLElement>(selector: string): Found =>
  root().querySelector<Found>(selector)!;
const field = () => find<HTMLInputElement>('.find-box input[aria-label="Find"]');
const button = (label: string) =>
  [...root().querySelectorAll<HTMLButtonElement>('.find-box button')].find(
    (one) => one.getAttribute('aria-label') === label || one.textContent === label,
  )!;
const words = () => find('.find-count')?.textContent;
/** What is marked in a paragraph, the current one in brackets. */
const marks = (id: string) =>
  [...article(id).querySelectorAll('.find-match')].map((one) =>
    one.classList.contains('find-current') ? `[${one.textContent}]` : one.textContent,
  );
const says = (text: string) => until(() => words() === text, `'${text}', not '${words()}'`);

/** Types as a person does, for a field that React controls. */
function type(input: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
const toggle = () =>
  press(
    article(root().querySelector<HTMLElement>('[data-paragraph]')!.dataset['paragraph']!),
    'f',
    { code: 'KeyF', ctrlKey: true, altKey: true },
  );

async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  shown = document.createElement(tag) as typeof shown;
  shown.client = server.client;
  shown.note = 'note';
  document.body.append(shown);
  await until(() => article(paragraphs[0]!.id), 'the first paragraph');
}
async function openBox(text: string): Promise<void> {
  // The page hears keys a moment after it is shown.
  await until(
    () => {
      if (!find('.find-slot')) toggle();
      return field() && root().activeElement === field();
    },
    'the field with the focus',
    15_000,
  );
  await pause(30);
  type(field(), text);
}

describe('the search of a note', () => {
  before(() =>
    customElements.define(tag, elementClass({ ...notebook, tag: tag as `tiding-${string}` })),
  );
  afterEach(() => {
    shown.remove();
    server.client.close();
  });

  it('marks every hit, goes round them in the order of the paragraphs, and closes without a trace', async () => {
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
    await until(() => !find('.find-box'), 'no box');
    same([marks('a'), marks('c')], [[], []]);
  });

  it('is as wide as told, inside the window, and opens and closes by its keys', async () => {
    await open([paragraph('a', 'one')]);
    await openBox('one');
    const box = find('.find-box').getBoundingClientRect();
    same(Math.round(box.width), 350);
    check(
      box.left >= 0 && box.right <= document.documentElement.clientWidth,
      'it leaves the window',
    );
    press(field(), 'f', { code: 'KeyF', ctrlKey: true, altKey: true });
    await until(() => !find('.find-box'), 'no box');
    toggle();
    await until(() => field()?.value === 'one', 'what was looked for last');
  });

  it('is open with a term that the page names, at the hit in the paragraph that it names', async () => {
    server = pageServer([
      paragraph('a', 'one one'),
      paragraph('b', 'two'),
      paragraph('c', 'x One'),
    ]);
    shown = document.createElement(tag) as typeof shown;
    shown.client = server.client;
    for (const [name, value] of [
      ['note', 'note'],
      ['paragraph', 'c'],
      ['term', 'one'],
    ] as const)
      shown.setAttribute(name, value);
    document.body.append(shown);
    await until(() => words() === '3 of 3', 'the hit there');
    same([field().value, marks('c')], ['one', ['[One]']]);
    press(field(), 'Enter');
    await says('1 of 3');
    type(field(), 'on');
    await says('1 of 3');
    same(marks('a'), ['[on]', 'on'], 'the next search begins at the top');
  });

  it('waits for further keys, searches at once on Enter, and says that there is nothing', async () => {
    await open([paragraph('a', 'one two')]);
    await openBox('o');
    same(words(), '');
    press(field(), 'Enter');
    await says('1 of 2');
    type(field(), 'zzz');
    await says('No match');
    check(
      find('.find-box .input').classList.contains('error') &&
        field().getAttribute('aria-invalid') === 'true',
      'the field is red',
    );
    type(field(), '');
    await until(
      () => !find('.find-box .input').classList.contains('error'),
      'a field that is not red',
    );
  });

  it('says at the field what is wrong with an expression, and knows groups in a replacement', async () => {
    await open([paragraph('a', 'let a = 1\nlet b = 2')]);
    await openBox('let (');
    button('Regular expression').click();
    await until(
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

  it('loses its marks by a click into an editor; the next action marks again, backwards from the last paragraph', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'one'), paragraph('c', 'one one')]);
    await openBox('one');
    await says('1 of 4');
    article('b')
      .querySelector('.code-area')!
      .dispatchEvent(new PointerEvent('click', { bubbles: true, composed: true }));
    await until(() => root().querySelectorAll('.find-match').length === 0, 'no marks');
    button('Previous').click();
    await says('4 of 4');
    same(marks('c'), ['one', '[one]']);
  });

  it('shows a hidden editor at a hit, and hides it again without telling the server', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'secret', { config: { editorHide: true } })]);
    check(!article('b').querySelector('.code-area'), 'the editor is hidden');
    await openBox('secret');
    await says('1 of 1');
    await until(() => marks('b').join() === '[secret]', 'the mark in the editor');
    press(field(), 'Escape');
    await until(() => !article('b').querySelector('.code-area'), 'a hidden editor');
    check(!server.received.some(({ op }) => op === 'COMMIT_PARAGRAPH'), 'nothing was saved');
  });

  it('replaces the current hit and goes on; the editor undoes it', async () => {
    await open([paragraph('a', 'one two one'), paragraph('b', 'one')]);
    await openBox('one');
    await says('1 of 3');
    type(find('.find-box input[aria-label="Replace with"]'), 'ones');
    button('Replace').click();
    await says('2 of 3');
    same(server.client.state.open['note']!.paragraphs['a']!.draft, 'ones two one');
    same(marks('a'), ['one', '[one]'], 'what was put in is not the next hit');
    button('Replace').click();
    await says('3 of 3');
    const closed = article('a').querySelector<HTMLElement>('.code-closed')!;
    closed.focus();
    const content = await until(
      () => article('a').querySelector<HTMLElement>('.cm-content'),
      'the editor',
    );
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await until(
      () => server.client.state.open['note']!.paragraphs['a']!.draft === 'ones two one',
      'one step back',
    );
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await until(() => content.textContent === 'one two one', 'two steps back');
    // Now in the open editor.
    press(field(), 'Enter');
    await until(() => words()?.endsWith('of 3'), 'all hits again');
  });

  it('undoes in the open editor what was replaced there', async () => {
    await open([paragraph('a', 'one two')]);
    article('a').querySelector<HTMLElement>('.code-closed')!.focus();
    const content = await until(
      () => article('a').querySelector<HTMLElement>('.cm-content'),
      'the editor',
    );
    await openBox('two');
    await says('1 of 1');
    same(marks('a'), ['[two]']);
    type(find('.find-box input[aria-label="Replace with"]'), 'three');
    button('Replace').click();
    await until(() => content.textContent === 'one three', 'the replacement');
    press(content, 'z', { code: 'KeyZ', ctrlKey: true });
    await until(
      () =>
        content.textContent === 'one two' &&
        server.client.state.open['note']!.paragraphs['a']!.draft === undefined,
      'the text before',
    );
  });

  it('leaves what runs as it is, and says so', async () => {
    await open([paragraph('a', 'one one'), paragraph('b', 'one', { status: 'RUNNING' })]);
    await openBox('one');
    await says('1 of 3');
    type(find('.find-box input[aria-label="Replace with"]'), '1');
    button('Replace all').click();
    await until(
      () =>
        root()
          .querySelector('.toast')
          ?.textContent?.includes('2 replaced in 1 paragraphs. 1 that run were left as they are.'),
      'what was done',
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

  it('follows the text while it is typed', async () => {
    await open([paragraph('a', 'one'), paragraph('b', 'one')]);
    await openBox('one');
    await says('1 of 2');
    const note = await server.client.open('note');
    note.paragraph('a').edit('x one one');
    await says('1 of 3');
    same(marks('a'), ['[one]', 'one']);
    note.close();
  });

  it('searches results when told to, shows one that is hidden, and marks text and cells', async () => {
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
          `name\tn\n${Array.from({ length: 200 }, (_, n) => `row ${n}\t${n}`).join('\n')}\nneedle\t9`,
        ),
        config: { tableHide: true },
      }),
    ]);
    const highlighted = () => [...(CSS.highlights.get('tiding-find-current') ?? [])].map(String);
    await openBox('needle');
    await says('No match');
    find<HTMLInputElement>('.find-box input[type=checkbox]').click();
    await says('1 of 3');
    await until(() => highlighted().join() === 'needle', 'the mark in the text');
    same([...(CSS.highlights.get('tiding-find-match') ?? [])].map(String), ['needle']);
    button('Next').click();
    button('Next').click();
    await says('3 of 3');
    await until(() => article('b').querySelector('.data-grid'), 'the hidden table');
    const cell = await until(
      () =>
        [...article('b').querySelectorAll('.grid-cell')].find(
          (one) => one.textContent === 'needle',
        ),
      'the row that was not in the window',
    );
    await until(
      () =>
        [...CSS.highlights.get('tiding-find-current')!].some((range) =>
          cell.contains(range.startContainer),
        ),
      'the mark in the cell',
    );
    press(field(), 'Escape');
    await until(
      () => highlighted().length === 0 && !article('b').querySelector('.data-grid'),
      'no marks and no table',
    );
  });

  it('draws marks only near the window, however many paragraphs there are', async function long() {
    this.timeout(60_000);
    await open(Array.from({ length: 1000 }, (_, n) => paragraph(`p${n}`, `%sh\necho needle ${n}`)));
    await openBox('needle');
    await until(() => words() === '1 of 1000', 'all of them', 20_000);
    await pause(100);
    const drawn = root().querySelectorAll('.find-match').length;
    check(drawn > 0 && drawn < 60, `${drawn} marks are drawn`);
    button('Previous').click();
    await until(() => words() === '1000 of 1000', 'the last', 20_000);
    await until(() => marks('p999').join() === '[needle]', 'its mark', 20_000);
    await until(
      () => article('p999').getBoundingClientRect().top < innerHeight,
      'the last in the window',
      20_000,
    );
    await until(() => marks('p0').length === 0, 'no mark where nobody looks', 20_000);
  });
});
