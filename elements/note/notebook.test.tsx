import type { Paragraph } from '@tiding/client/protocol';
import { check, pause, same, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { testPage } from '../ui/testing/test-page.ts';
import { errors } from '../ui/testing/test-setup.ts';
import { notebook } from './notebook.tsx';
import { type PageServer, pageServer, paragraph } from './test-server.ts';

interface Fiber {
  type: unknown;
  flags: number;
  memoizedProps: { id?: string } | null;
  child: Fiber | null;
  sibling: Fiber | null;
  alternate: Fiber | null;
}

/**
 * Ids of paragraphs whose card React has rendered since the set was last cleared, reported by
 * React's DevTools hook.
 */
const rendered = new Set<string>();
const performedWork = 1;
/**
 * Descends only where this commit created new fibers: an untouched fiber still carries the flags of
 * its own last render.
 */
const walk = (next: Fiber, before: Fiber | null): void => {
  if (next.child === before?.child) return;
  for (let each = next.child; each; each = each.sibling) {
    const type = each.type as { type?: { name?: string }; name?: string } | null;
    const name = typeof each.type === 'function' ? type?.name : type?.type?.name;
    if (
      name !== undefined &&
      /^(Paragraph)?Card\d*$/.test(name) &&
      (each.flags & performedWork) !== 0 &&
      each.memoizedProps?.id
    )
      rendered.add(each.memoizedProps.id);
    walk(each, each.alternate);
  }
};

const page = testPage<{ note: string; locked: unknown; paragraph: string }>(notebook);
const { root } = page;
let server: PageServer;

const article = (id: string) => root().querySelector<HTMLElement>(`[data-paragraph="${id}"]`)!;

/** Shows a note with the given paragraphs. */
async function open(paragraphs: Paragraph[]): Promise<void> {
  server = pageServer(paragraphs);
  await page.show(server.client, { note: 'note' }, '[data-paragraph]');
}

/** Paragraphs with text output; every tenth also has a table. */
const many = (count: number): Paragraph[] =>
  Array.from({ length: count }, (_, n) => ({
    ...paragraph(`p${n}`, `%sh\necho ${n}\n# end`),
    status: 'FINISHED',
    results: {
      code: 'SUCCESS',
      msg: [
        { type: 'TEXT', data: `said ${n}.\n` },
        ...(n % 10 === 0 ? [{ type: 'TABLE', data: `name\tvalue\na${n}\t1\nb${n}\t2\n` }] : []),
      ],
    },
  }));

/** Waits until all paragraphs are on the page and those near the window are rendered in full. */
async function settled(count: number): Promise<void> {
  await waitUntil(
    () => root().querySelectorAll('[data-paragraph]').length === count,
    'all paragraphs',
  );
  let before = -1;
  await waitUntil(() => {
    const now = root().querySelectorAll('.run, .tok-magic').length;
    const same = now === before;
    before = now;
    return same;
  }, 'rest');
  do {
    rendered.clear();
    await new Promise((resolve) => requestIdleCallback(resolve));
    await pause(200);
  } while (rendered.size > 0);
}

function textNode(root: Element, part: string): Node {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (walker.currentNode.nodeValue!.includes(part)) return walker.currentNode;
  throw new Error(`no text has ${part}`);
}

before(() => {
  (window as unknown as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: { onCommitFiberRoot: unknown } })
    .__REACT_DEVTOOLS_GLOBAL_HOOK__!.onCommitFiberRoot = (
    _renderer: number,
    root: { current: Fiber },
  ) => walk(root.current, root.current.alternate);
});

describe('a notebook', () => {
  it('renders only the affected paragraph for a key, an output chunk and progress', async () => {
    await open(Array.from({ length: 20 }, (_, n) => paragraph(`p${n}`, `%sh\necho ${n}`)));
    await settled(20);
    rendered.clear();
    const note = await server.client.open('note');
    note.paragraph('p3').edit('%sh\necho changed');
    await waitUntil(() => rendered.size > 0, 'a render');
    same([...rendered], ['p3']);
    rendered.clear();
    server.say('PARAGRAPH', {
      paragraph: { ...paragraph('p7', '%sh\necho 7'), status: 'RUNNING' },
    });
    await waitUntil(() => rendered.size > 0, 'a render');
    rendered.clear();
    for (let n = 0; n < 50; n += 1)
      server.say('PARAGRAPH_APPEND_OUTPUT', {
        noteId: 'note',
        paragraphId: 'p7',
        index: 0,
        data: `line ${n}\n`,
      });
    server.say('PROGRESS', { id: 'p7', progress: 40 });
    await waitUntil(() => article('p7').textContent!.includes('line 49'), 'the output');
    same([...rendered], ['p7']);
    note.close();
  });

  it('can be left while its last paragraph runs', async () => {
    await open([paragraph('p0', '%sh\necho 0')]);
    await settled(1);
    article('p0').querySelector<HTMLElement>('[role=textbox]')!.focus();
    article('p0').querySelector<HTMLElement>('.run')!.click();
    await waitUntil(() => server.received.some(({ op }) => op === 'RUN_PARAGRAPH'), 'the run');
    page.shown.remove();
    await waitUntil(() => !server.client.state.open['note'], 'the end of the note');
    await frames();
  });

  it('renders two paragraphs on a focus move, one for its settings or when added', async () => {
    await open(Array.from({ length: 20 }, (_, n) => paragraph(`p${n}`, `%sh\necho ${n}`)));
    await settled(20);
    const note = await server.client.open('note');
    article('p2').focus();
    await pause(50);
    rendered.clear();
    article('p5').focus();
    await waitUntil(() => article('p5').classList.contains('focused'), 'the focus');
    same([...rendered].sort(), ['p2', 'p5']);
    rendered.clear();
    server.say('PARAGRAPH', {
      paragraph: { ...paragraph('p4', '%sh\necho 4'), config: { colWidth: 6 }, rev: 2 },
    });
    await waitUntil(() => rendered.size > 0, 'a render');
    same([...rendered], ['p4']);
    rendered.clear();
    server.say('PARAGRAPH_ADDED', { paragraph: paragraph('new', '%sh\necho new'), index: 3 });
    await waitUntil(() => root().querySelector('[data-paragraph="new"] .run'), 'the new one');
    same([...rendered], ['new']);
    // Paragraphs below have new numbers, also in their labels.
    same(
      ['p2', 'new', 'p3', 'p19'].map((id) => article(id).ariaLabel),
      [
        'Code of paragraph 3, READY',
        'Code of paragraph 4, READY',
        'Code of paragraph 5, READY',
        'Code of paragraph 21, READY',
      ],
    );
    same(article('p3').querySelector('[role=textbox]')!.ariaLabel, 'Code of paragraph 5');
    // The response with the editor setting renders it once more.
    await pause(300);
    rendered.clear();
    note.paragraph('p6').edit('%sh\necho six');
    await waitUntil(() => rendered.size > 0, 'a render');
    same([...rendered], ['p6']);
    same(article('p6').ariaLabel, 'Code of paragraph 8, READY');
    server.say('PARAGRAPH_REMOVED', { id: 'new' });
    await waitUntil(
      () => article('p6').ariaLabel === 'Code of paragraph 7, READY',
      'the number before',
    );
    note.close();
  });

  it('shows the text of every paragraph, and renders those near the window in full', async () => {
    await open(many(150));
    check(root().querySelectorAll('[data-paragraph]').length < 150, 'not all at once');
    await settled(150);
    const content = root().textContent!;
    for (let n = 0; n < 150; n += 1)
      check(
        content.includes(`echo ${n}\n# end`) && content.includes(`said ${n}.`),
        `the text of ${n}`,
      );
    check(article('p0').querySelector('.run'), 'the first in full');
    const far = article('p140');
    check(
      !far.querySelector('.run') &&
        far.querySelector('.result-distant')!.textContent!.includes('a140'),
      'the far one as text',
    );
    const { height } = far.querySelector('.code-part')!.getBoundingClientRect();
    far.scrollIntoView();
    await waitUntil(
      () => article('p140').querySelector('.run') && article('p140').querySelector('[role=grid]'),
      'the far one in full',
    );
    check(!article('p140').querySelector('.result-distant'), 'no text instead of the table');
    same(article('p140').querySelector('.code-part')!.getBoundingClientRect().height, height);
  });

  it("keeps a text that the browser's find has marked until the user returns", async () => {
    document.hasFocus = () => true;
    try {
      await open(many(60));
      await settled(60);
      document.hasFocus = () => false;
      const said = textNode(article('p50'), 'said 50.');
      article('p50').scrollIntoView();
      await pause(500);
      check(!article('p50').querySelector('.run') && article('p50').contains(said), 'as it was');
      // The browser may report only now that the paragraph is near.
      await waitUntil(() => {
        window.dispatchEvent(new PointerEvent('pointermove'));
        return article('p50').querySelector('.run');
      }, 'the paragraph in full');
    } finally {
      Reflect.deleteProperty(document, 'hasFocus');
    }
  });

  it('renders a far paragraph in full when the keyboard reaches it', async () => {
    await open(many(60));
    await settled(60);
    const code = () => article('p59').querySelector<HTMLElement>('[role=textbox]')!;
    check(!article('p59').querySelector('.run'), 'text before');
    code().focus({ preventScroll: true });
    check(article('p59').querySelector('.run'), 'in full');
    check(root().activeElement === code(), 'the focus is in it');
  });

  it('shows changes of far paragraphs with a delay, and near ones immediately', async () => {
    await open(many(60));
    await settled(60);
    const note = await server.client.open('note');
    server.say('PARAGRAPH', {
      paragraph: { ...paragraph('p50', '%sh\necho 50'), status: 'RUNNING', rev: 2 },
    });
    for (let n = 0; n < 50; n += 1)
      server.say('PARAGRAPH_APPEND_OUTPUT', {
        noteId: 'note',
        paragraphId: 'p50',
        index: 0,
        data: `line ${n}\n`,
      });
    await waitUntil(() => note.paragraph('p50').state.outputs.length > 0, 'the output here');
    check(!article('p50').textContent!.includes('line 49'), 'not for each message');
    await waitUntil(() => article('p50').textContent!.includes('line 49'), 'the output there');
    article('p50').scrollIntoView();
    await waitUntil(
      () => article('p50').querySelector('.run')?.ariaLabel?.startsWith('Cancel'),
      'all of it',
    );
    note.close();
  });

  it('renders paragraphs that were passed as text again, unless they were used', async () => {
    await open(many(200));
    await settled(200);
    const count = (): number => root().querySelectorAll('*').length;
    const before = count();
    const show = async (id: string): Promise<void> => {
      article(id).scrollIntoView();
      await waitUntil(() => article(id).querySelector('.run'), `${id} in full`);
      const isTable = Number(id.slice(1)) % 10 === 0;
      if (isTable) await waitUntil(() => article(id).querySelector('[role=grid]'), 'its table');
    };
    const pass = async (): Promise<void> => {
      for (let n = 0; n < 200; n += 5) await show(`p${n}`);
      for (let n = 195; n >= 0; n -= 5) await show(`p${n}`);
      await waitUntil(() => !article('p100').querySelector('.run'), 'a far one as text');
    };
    await show('p30');
    article('p30')
      .querySelector('.run')!
      .parentElement!.dispatchEvent(
        new PointerEvent('pointerdown', { bubbles: true, composed: true }),
      );
    await pass();
    const height = document.documentElement.scrollHeight;
    await waitUntil(() => count() < before * 1.5, 'those far away as text');
    check(article('p100').textContent!.includes('said 100.'), 'its text');
    check(!article('p100').querySelector('.tok-comment'), 'no colours');
    check(article('p30').querySelector('.run'), 'what was used is still rendered in full');
    check(article('p30').querySelector('.tok-comment'), 'its colours');
    await pass();
    const change = document.documentElement.scrollHeight - height;
    // On a busy machine, some are passed before their results are there. As text, all would be
    // much lower.
    check(Math.abs(change) < height / 40, `the page is ${change} px higher after the second pass`);
    await show('p100');
    await waitUntil(() => article('p100').querySelector('.tok-comment'), 'colours again');
    await waitUntil(
      () => article('p100').closest<HTMLElement>('.cell')!.style.minHeight === '',
      'its own height',
    );
  });

  it('draws passed paragraphs as text while the page is still scrolling', async () => {
    await open(many(200));
    await settled(200);
    article('p10').scrollIntoView();
    await waitUntil(() => article('p10').querySelector('.run'), 'p10 in full');
    for (let n = 10; n < 200; n += 2) {
      article(`p${n}`).scrollIntoView();
      await pause(30);
    }
    check(!article('p10').querySelector('.run'), 'as text');
  });

  it('keeps far paragraphs with selected text, a scrolled part or the focus', async () => {
    await open(many(120));
    await settled(120);
    const show = async (id: string): Promise<void> => {
      article(id).scrollIntoView();
      await waitUntil(() => article(id).querySelector('.run'), `${id} in full`);
    };
    await show('p20');
    await waitUntil(() => article('p20').querySelector('[role=grid]'), 'its table');
    article('p20').querySelector('[role=grid]')!.dispatchEvent(new Event('scroll'));
    await show('p30');
    article('p30').focus({ preventScroll: true });
    article('p30').blur();
    await show('p40');
    await show('p41');
    const [start, end] = ['40', '41'].map((n) => textNode(article(`p${n}`), `said ${n}.`));
    getSelection()!.setBaseAndExtent(start!, 0, end!, 4);
    await show('p70');
    await show('p119');
    await waitUntil(() => !article('p70').querySelector('.run'), 'a far one as text');
    for (const id of ['p20', 'p30', 'p40', 'p41'])
      check(article(id).querySelector('.run'), `${id} is still rendered in full`);
    check(article('p41').contains(end!), 'the selected text is the same node');
    getSelection()!.removeAllRanges();
    await show('p80');
    await show('p0');
    await waitUntil(() => !article('p41').querySelector('.run'), 'released without the selection');
  });

  it('releases no paragraph while the page is printed', async () => {
    await open(many(80));
    await settled(80);
    window.dispatchEvent(new Event('beforeprint'));
    const inFull = (): number => root().querySelectorAll('[data-paragraph] .run').length;
    article('p79').scrollIntoView();
    await pause(1_200);
    same(inFull(), 80, 'all stay');
    window.dispatchEvent(new Event('afterprint'));
    article('p0').scrollIntoView();
    await waitUntil(() => inFull() < 80, 'far ones as text');
  });

  it('renders everything before printing', async () => {
    await open(many(80));
    window.dispatchEvent(new Event('beforeprint'));
    same(root().querySelectorAll('[data-paragraph] .run').length, 80);
    // A view whose code is still loading shows text until then.
    await waitUntil(() => root().querySelectorAll('[role=grid]').length === 8, 'the tables');
  });

  it('scrolls to a paragraph that is not rendered yet', async () => {
    server = pageServer(many(400));
    await page.show(
      server.client,
      { note: 'note', paragraph: 'p390' },
      '[data-paragraph="p390"].focused',
    );
    await waitUntil(
      () => article('p390').getBoundingClientRect().top < window.innerHeight,
      'the paragraph in the window',
    );
    await waitUntil(() => article('p390').querySelector('.run'), 'all of it');
    // The paragraphs above get their real heights only now, and the target stays at the top.
    const place = Number.parseFloat(getComputedStyle(article('p390')).scrollMarginTop);
    await waitUntil(
      () => Math.abs(article('p390').getBoundingClientRect().top - place) < 2,
      'the paragraph at the top',
    );
  });

  it('keeps the other paragraphs and typed text when one stops working', async () => {
    const field = (name: string) => ({ type: 'TextBox', name, defaultValue: '' });
    await open([
      paragraph('a', '%sh\necho a'),
      {
        ...paragraph('b', '%sh\necho ${city=} ${word=}'),
        settings: { params: {}, forms: { city: field('city'), word: field('word') } },
      },
    ]);
    const input = await waitUntil(
      () => article('b')?.querySelectorAll<HTMLInputElement>('.form-field input')[1],
      'the field',
    );
    input.value = 'half a sentence';
    const fail = () => {
      throw new Error('no such city');
    };
    page.shown.locked = { city: { toString: fail, toJSON: fail } };
    const cell = () => [...root().querySelectorAll('.cell')].at(-1)!;
    const message = await waitUntil(() => cell().querySelector('.element-message'), 'the message');
    check(message.textContent!.includes('no such city'), message.textContent!);
    await waitUntil(() => cell().textContent!.includes('half a sentence'), 'the typed text');
    same([article('a') !== null, article('b')], [true, null]);
    page.shown.locked = {};
    // The element passes the new values on after it is rendered.
    await waitUntil(() => {
      cell().querySelector<HTMLElement>('[role=alert] > button')?.click();
      return article('b');
    }, 'the paragraph');
    check(cell().textContent!.includes('half a sentence'), 'the typed text is lost');
    check(
      errors.splice(0).every((error) => /no such city/.test(error)),
      'another error',
    );
  });

  it('keeps text typed while offline, says so, and saves it after reconnecting', async () => {
    await open([paragraph('a', '%sh\necho a')]);
    const note = await server.client.open('note');
    server.down();
    note.paragraph('a').edit('%sh\necho typed while away');
    await waitUntil(() => article('a').textContent!.includes('kept in this browser'), 'the strip');
    check(
      article('a').querySelector<HTMLButtonElement>('.run')!.disabled,
      'running waits for the connection',
    );
    server.up();
    await waitUntil(
      () =>
        server.received.some(
          ({ op, data }) =>
            op === 'COMMIT_PARAGRAPH' && data['paragraph'] === '%sh\necho typed while away',
        ),
      'the commit',
    );
    await waitUntil(() => !article('a').textContent!.includes('kept in this browser'), 'no strip');
    note.close();
  });

  it('makes the browser ask before unsaved text is lost, and only then [W111]', async () => {
    await open([paragraph('a', 'one')]);
    await settled(1);
    const unload = () => {
      const event = document.createEvent('BeforeUnloadEvent') as BeforeUnloadEvent;
      event.initEvent('beforeunload', false, true);
      window.dispatchEvent(event);
      return [event.defaultPrevented, event.returnValue];
    };
    same(unload(), [false, '']);
    server.acknowledge = false;
    const note = await server.client.open('note');
    note.paragraph('a').edit('two');
    same(unload(), [true, 'Do you want to reload this site?']);
    server.acknowledge = true;
    note.discard();
    same(unload(), [false, '']);
    note.close();
  });

  it('shows both texts of a conflict and applies the chosen one', async () => {
    // A server that does not number its texts can't put edits in order.
    const unnumbered = (text: string) => ({ ...paragraph('a', text), rev: undefined });
    await open([unnumbered('one')]);
    const note = await server.client.open('note');
    server.acknowledge = false;
    note.paragraph('a').edit('mine');
    server.say('PARAGRAPH', { paragraph: unnumbered('theirs') });
    await waitUntil(() => article('a').querySelector('.strip.warning'), 'the strip');
    check(
      article('a').querySelector('.strip-theirs')!.textContent!.includes('theirs'),
      'their text',
    );
    same(note.paragraph('a').text, 'mine');
    const take = [...article('a').querySelectorAll('button')].find(
      (button) => button.textContent === 'Take theirs',
    )!;
    take.click();
    await waitUntil(() => !article('a').querySelector('.strip.warning'), 'no strip');
    same(note.paragraph('a').text, 'theirs');
    note.close();
  });

  it('shows why the server refused a save, and keeps the text', async () => {
    await open([paragraph('a', 'one')]);
    const note = await server.client.open('note');
    server.acknowledge = false;
    note.paragraph('a').edit('two');
    void note.commit().catch(() => {});
    const sent = await waitUntil(
      () => server.received.find(({ op }) => op === 'COMMIT_PARAGRAPH'),
      'the commit',
    );
    server.say('AUTH_INFO', {
      info: 'Insufficient privileges to write note.',
      op: 'COMMIT_PARAGRAPH',
      id: sent.data['id'],
    });
    await waitUntil(
      () => article('a').textContent!.includes('Not saved: Insufficient privileges to write note.'),
      'the reason',
    );
    same(note.paragraph('a').text, 'two');
    note.close();
  });

  it('shows the duration of a run once', async () => {
    const run = {
      ...paragraph('a', '%sh\necho x'),
      status: 'FINISHED',
      dateStarted: '2026-01-02T03:04:05.000Z',
      dateFinished: '2026-01-02T03:04:05.600Z',
      tookMs: 600,
      results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'x' }] },
    } as const;
    await open([run, { ...run, id: 'b', config: { tableHide: true } }] as unknown as Paragraph[]);
    const part = (id: string, name: string) =>
      article(id).querySelector(`[part="${name}"]`)?.textContent ?? '';
    same(part('a', 'footer').startsWith('Took 0 sec.'), true);
    check(!part('a', 'header').includes('0.6 s'), 'twice, with different digits');
    same(part('b', 'footer'), '');
    check(part('b', 'header').includes('0.6 s'), 'not at all');
  });

  it('lays paragraphs out in twelve columns [W42]', async () => {
    await open([
      { ...paragraph('a', 'x'), config: { colWidth: 6 } },
      { ...paragraph('b', 'y'), config: { colWidth: 6 } },
    ]);
    page.shown.style.width = '1000px';
    await waitUntil(
      () =>
        Math.abs(
          article('a').getBoundingClientRect().top - article('b').getBoundingClientRect().top,
        ) < 2,
      'side by side',
    );
    page.shown.style.width = '500px';
    await waitUntil(
      () => article('b').getBoundingClientRect().top > article('a').getBoundingClientRect().bottom,
      'one below the other',
    );
  });
});
