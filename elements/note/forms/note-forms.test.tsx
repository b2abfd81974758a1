import { type Client, createClient, outputText } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { check, press, same, waitUntil } from '../../result/test-support.tsx';
import { elementClass } from '../../runtime/define-element.ts';
import { type } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';

const tag = 'tiding-notebook-with-forms';

describe('the forms of a note', () => {
  let shown: HTMLElement & { client: Client; note: string };
  let client: Client;
  let memory: MemoryServer;
  const find = <Found extends HTMLElement>(selector: string) =>
    shown.shadowRoot!.querySelector<Found>(selector);
  const sent = (op: string) => memory.frames.filter((frame) => frame.op === op);

  before(() =>
    customElements.define(tag, elementClass({ ...notebook, tag: tag as `tiding-${string}` })),
  );
  afterEach(() => {
    shown.remove();
    client.close();
  });

  it('are saved with the note, used by runs, and removed', async () => {
    memory = memoryServer({
      notes: [{ id: 'note', path: 'note', paragraphs: ['%text from $${city=Oslo}'] }],
    });
    const { server, transport, fetch } = memory;
    client = createClient({ server, transport, fetch });
    const note = await client.open('note');
    await note.run();
    shown = document.createElement(tag) as typeof shown;
    shown.client = client;
    shown.note = 'note';
    document.body.append(shown);
    const field = await waitUntil(
      () => find<HTMLInputElement>('.note-forms input'),
      'the form of the note',
    );
    same(field.value, 'Oslo');
    type(field, 'Bergen');
    press(field, 'Enter');
    await waitUntil(() => sent('SAVE_NOTE_FORMS').length === 1, 'the saved value');
    same(sent('SAVE_NOTE_FORMS')[0]!.data, { noteId: 'note', noteParams: { city: 'Bergen' } });
    await waitUntil(() => note.state.params['city'] === 'Bergen', 'the value in the note');
    same(outputText((await note.run())[0]!.outputs[0]!).trim(), 'from Bergen');

    const remove = find<HTMLButtonElement>('.note-form button')!;
    same(remove.getAttribute('aria-label'), 'Remove city');
    remove.click();
    await waitUntil(() => !find('.note-forms'), 'no form');
    same(sent('REMOVE_NOTE_FORMS')[0]!.data, { noteId: 'note', formName: 'city' });
    check(!('city' in note.state.forms), 'the form is still there');
    note.close();
  });
});
