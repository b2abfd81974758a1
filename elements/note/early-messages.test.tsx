import { check, same, waitUntil } from '../result/test-support.tsx';
import { elementClass } from '../runtime/define-element.ts';
import { notebook } from './notebook.tsx';
import { type PageServer, pageServer } from './test-server.ts';

const tag = 'tiding-notebook-of-messages';

describe('a message of the server that arrives before the view of its note', () => {
  let server: PageServer;
  let shown: HTMLElement & { client: unknown; note: string };
  const root = () => shown.shadowRoot!;
  before(() =>
    customElements.define(tag, elementClass({ ...notebook, tag: tag as `tiding-${string}` })),
  );
  afterEach(() => {
    shown.remove();
    server.client.close();
  });

  /** Opens the note; the message follows directly after its content. */
  function open(op: string, data: object): void {
    server = pageServer([{ id: 'p1', text: '', status: 'READY', rev: 1 }]);
    const stop = server.client.on('NOTE', () => {
      stop();
      queueMicrotask(() => server.say(op, data));
    });
    server.client.on('event', ({ type }) => {
      if (type === op) check(!root().querySelector('article'), 'the view was there already');
    });
    shown = document.createElement(tag) as typeof shown;
    shown.client = server.client;
    shown.note = 'note';
    document.body.append(shown);
  }

  it('is shown when the view is there: the reader lost the right to read it', async () => {
    const errors: unknown[] = [];
    const listen = (event: Event) => errors.push((event as CustomEvent).detail);
    document.addEventListener('tiding-error', listen);
    open('AUTH_INFO', { info: 'Readers: [ann].' });
    const dialog = await waitUntil(
      () => root().querySelector('[role=alertdialog]'),
      'the dialog of the refusal',
    );
    check(dialog.textContent!.includes('Readers: [ann].'), dialog.textContent!);
    same(errors, [{ code: 'forbidden', message: 'Readers: [ann].' }]);
    document.removeEventListener('tiding-error', listen);
  });

  it('is shown as a toast if it is a notice', async () => {
    open('NOTICE', { notice: 'The server restarts at six.' });
    await waitUntil(() => root().textContent!.includes('The server restarts at six.'), 'the toast');
  });
});
