import type { Paragraph } from 'tiding/protocol';
import { elementClass } from '../runtime/define-element.ts';
import { check, pause, same, until } from '../result/test-kit.tsx';
import { notebook } from './notebook.tsx';
import { pageServer, type PageServer } from './test-server.ts';

interface Fiber {
  type: unknown;
  flags: number;
  memoizedProps: { id?: string } | null;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

/** Names of paragraphs whose card React has rendered since the last look; told by React's own hook for tools. */
const rendered = new Set<string>();
const performedWork = 1;
/** Looks only where this commit made new fibers: an untouched one still carries the marks of its own last render. */
const walk = (next: Fiber, before: Fiber | null): void => {
  if (next.child === before?.child) return;
  for (let each = next.child; each; each = each.sibling) {
    const type = each.type as { type?: { name?: string }; name?: string } | null;
    const name = typeof each.type === 'function' ? type?.name : type?.type?.name;
    if (name?.startsWith('ParagraphCard') && each.alternate && (each.flags & performedWork) !== 0 && each.memoizedProps?.id) rendered.add(each.memoizedProps.id);
    walk(each, each.alternate);
  }
};

const tag = 'tiding-notebook-under-test';
let shown: HTMLElement & { client: unknown; note: string };
let server: PageServer;

const paragraph = (id: string, text: string): Paragraph => ({ id, text, status: 'READY', config: {}, settings: { params: {}, forms: {} }, rev: 1 });
const article = (id: string) => shown.shadowRoot!.querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;

/** Shows a note of the given paragraphs. */
async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  shown = document.createElement(tag) as typeof shown;
  shown.client = server.client;
  shown.note = 'note';
  document.body.append(shown);
  await until(() => article(paragraphs[0]!.id), 'the first paragraph');
}

before(() => {
  (window as unknown as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: { onCommitFiberRoot: unknown } }).__REACT_DEVTOOLS_GLOBAL_HOOK__!.onCommitFiberRoot =
    (_renderer: number, root: { current: Fiber }) => walk(root.current, root.current.alternate);
  customElements.define(tag, elementClass({ ...notebook, tag: tag as `tiding-${string}` }));
});
afterEach(() => {
  shown.remove();
  server.client.close();
});

describe('a notebook', () => {
  it('renders one paragraph alone for a keystroke, a piece of output and its progress', async () => {
    await open(Array.from({ length: 20 }, (_, n) => paragraph(`p${n}`, `%sh\necho ${n}`)));
    await pause(200);
    rendered.clear();
    const note = await server.client.open('note');
    note.paragraph('p3').edit('%sh\necho changed');
    await until(() => rendered.size > 0, 'a render');
    same([...rendered], ['p3']);
    rendered.clear();
    server.say('PARAGRAPH', { paragraph: { ...paragraph('p7', '%sh\necho 7'), status: 'RUNNING' } });
    await until(() => rendered.size > 0, 'a render');
    rendered.clear();
    for (let n = 0; n < 50; n += 1) server.say('PARAGRAPH_APPEND_OUTPUT', { noteId: 'note', paragraphId: 'p7', index: 0, data: `line ${n}\n` });
    server.say('PROGRESS', { id: 'p7', progress: 40 });
    await until(() => article('p7').textContent!.includes('line 49'), 'the output');
    same([...rendered], ['p7']);
    note.close();
  });

  it('keeps what is typed while the connection is away, says so, and saves it when it is back', async () => {
    await open([paragraph('a', '%sh\necho a')]);
    const note = await server.client.open('note');
    server.down();
    note.paragraph('a').edit('%sh\necho typed while away');
    await until(() => article('a').textContent!.includes('kept in this browser'), 'the strip');
    check(article('a').querySelector<HTMLButtonElement>('.run')!.disabled, 'running waits for the connection');
    server.up();
    await until(() => server.received.some(({ op, data }) => op === 'COMMIT_PARAGRAPH' && data['paragraph'] === '%sh\necho typed while away'), 'the commit');
    await until(() => !article('a').textContent!.includes('kept in this browser'), 'no strip');
    note.close();
  });

  it('shows both texts of a conflict, and takes the one that is chosen', async () => {
    await open([paragraph('a', 'one')]);
    const note = await server.client.open('note');
    server.acknowledge = false;
    note.paragraph('a').edit('mine');
    server.say('PARAGRAPH', { paragraph: { ...paragraph('a', 'theirs'), rev: 2 } });
    await until(() => article('a').querySelector('.strip.warning'), 'the strip');
    check(article('a').querySelector('.strip-theirs')!.textContent!.includes('theirs'), 'their text');
    same(note.paragraph('a').text, 'mine');
    const take = [...article('a').querySelectorAll('button')].find((button) => button.textContent === 'Take theirs')!;
    take.click();
    await until(() => !article('a').querySelector('.strip.warning'), 'no strip');
    same(note.paragraph('a').text, 'theirs');
    note.close();
  });

  it('says what a server refused, and keeps the text', async () => {
    await open([paragraph('a', 'one')]);
    const note = await server.client.open('note');
    server.acknowledge = false;
    note.paragraph('a').edit('two');
    void note.commit().catch(() => {});
    const sent = await until(() => server.received.find(({ op }) => op === 'COMMIT_PARAGRAPH'), 'the commit');
    server.say('AUTH_INFO', { info: 'Insufficient privileges to write note.', op: 'COMMIT_PARAGRAPH', id: sent.data['id'] });
    await until(() => article('a').textContent!.includes('Not saved: Insufficient privileges to write note.'), 'the reason');
    same(note.paragraph('a').text, 'two');
    note.close();
  });

  it('lays paragraphs out in twelve columns', async () => {
    await open([{ ...paragraph('a', 'x'), config: { colWidth: 6 } }, { ...paragraph('b', 'y'), config: { colWidth: 6 } }]);
    shown.style.width = '1000px';
    await until(() => Math.abs(article('a').getBoundingClientRect().top - article('b').getBoundingClientRect().top) < 2, 'side by side');
    shown.style.width = '500px';
    await until(() => article('b').getBoundingClientRect().top > article('a').getBoundingClientRect().bottom, 'one below the other');
  });
});
