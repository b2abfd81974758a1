import { type Client, createClient } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { press, same, waitUntil } from '../../result/test-support.tsx';
import { frames } from '../../runtime/test-page-errors.ts';
import { testPage } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';

describe('the panel of comments', () => {
  const page = testPage<{ note: string }>(notebook);
  const { root } = page;
  let ann: Client;
  let ben: Client;
  let memory: MemoryServer;
  const find = (selector: string) =>
    waitUntil(() => root().querySelector<HTMLElement>(selector), selector);
  const button = (name: string, within = '') =>
    waitUntil(
      () =>
        [...root().querySelectorAll<HTMLElement>(`${within} button`)].find(
          (each) => (each.getAttribute('aria-label') ?? each.textContent) === name,
        ),
      `the button ${name}`,
    );
  const isFocused = (selector: string) =>
    waitUntil(() => root().activeElement?.matches(selector), `the focus on ${selector}`);
  const write = async (text: string) => {
    const field = (await find('.comment-form textarea')) as HTMLTextAreaElement;
    field.setRangeText(text, field.value.length, field.value.length, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await frames();
    return field;
  };

  beforeEach(async () => {
    memory = memoryServer({
      users: { ann: 'x', ben: 'y' },
      notes: [
        {
          id: 'note',
          path: 'note',
          paragraphs: [
            { id: 'p1', text: 'a' },
            { id: 'p2', text: 'b' },
          ],
        },
      ],
    });
    const { server, transport, fetch } = memory;
    const connect = () => createClient({ server, transport, fetch });
    [ann, ben] = [connect(), connect()];
    await ann.session.login('ann', 'x');
    await ben.session.login('ben', 'y');
    await ben.comments.add('note', { paragraphId: 'p2', text: 'On the second', quote: 'b' });
    await ben.comments.add('note', { paragraphId: 'p1', text: 'On the first' });
    await page.show(ann, { note: 'note' }, 'article');
    (await button('Comments (2)')).click();
    await find('li.thread');
  });
  afterEach(async () => {
    await frames();
    ben.close();
    memory.close();
  });

  const threads = () =>
    [...root().querySelectorAll('li.thread')].map(
      (each) => each.querySelector('.comment-text')!.textContent,
    );

  it('lists threads in the order of the paragraphs, with those that others add', async () => {
    same(threads(), ['On the first', 'On the second']);
    same(root().querySelector('blockquote')!.textContent, 'b');
    await ben.comments.add('note', { paragraphId: 'p1', text: 'Another' });
    await waitUntil(() => threads().length === 3, 'the new thread');
    same(threads(), ['On the first', 'Another', 'On the second']);
  });

  it('moves the focus to the field of a reply and back', async () => {
    (await button('Reply', 'li.thread')).click();
    await isFocused('.comment-form textarea');
    press(await find('.comment-form textarea'), 'Escape');
    await isFocused('.button.reply');
    (await button('Reply', 'li.thread')).click();
    const field = await write('So be it.');
    (await button('Reply', '.comment-form')).click();
    await waitUntil(() => !field.isConnected, 'the end of the reply');
    await isFocused('.button.reply');
    const listed = await ben.comments.list('note');
    same(listed[1]!.comments[1]!.text, 'So be it.');
  });

  it('hides resolved threads until they are asked for', async () => {
    (await button('Resolve', 'li.thread')).click();
    await waitUntil(() => threads().length === 1, 'the other thread');
    (await find('.check input')).click();
    await waitUntil(() => threads().length === 2, 'both threads');
    (await button('Reopen', 'li.thread')).click();
    await waitUntil(() => root().querySelector('li.resolved') === null, 'the open thread');
  });
});
