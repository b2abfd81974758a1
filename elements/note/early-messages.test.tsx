import { check, same, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { notebook } from './notebook.tsx';
import { pageServer } from './test-server.ts';

describe('a message of the server that arrives before the view of its note', () => {
  const page = testPage<{ note: string }>(notebook);
  const { root } = page;

  /** Opens the note; the message follows directly after its content. */
  function open(op: string, data: object): Promise<void> {
    const server = pageServer([{ id: 'p1', text: '', status: 'READY', rev: 1 }]);
    const stop = server.client.on('NOTE', () => {
      stop();
      queueMicrotask(() => server.say(op, data));
    });
    server.client.on('event', ({ type }) => {
      if (type === op) check(!root().querySelector('article'), 'the view was there already');
    });
    return page.show(server.client, { note: 'note' }, null);
  }

  it('is shown when the view is there: the reader lost the right to read it', async () => {
    const errors: unknown[] = [];
    const listen = (event: Event) => errors.push((event as CustomEvent).detail);
    document.addEventListener('tiding-error', listen);
    await open('AUTH_INFO', { info: 'Readers: [ann].' });
    const dialog = await waitUntil(
      () => root().querySelector('[role=alertdialog]'),
      'the dialog of the refusal',
    );
    check(dialog.textContent!.includes('Readers: [ann].'), dialog.textContent!);
    same(errors, [{ code: 'forbidden', message: 'Readers: [ann].' }]);
    document.removeEventListener('tiding-error', listen);
  });

  it('is shown as a toast if it is a notice', async () => {
    await open('NOTICE', { notice: 'The server restarts at six.' });
    await page.textShown('The server restarts at six.');
  });
});
