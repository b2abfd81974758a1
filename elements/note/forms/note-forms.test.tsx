import { createClient, outputText } from '@tiding/client';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { check, press, same, type, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { notebook } from '../notebook.tsx';

describe('the forms of a note', () => {
  const page = testPage<{ note: string }>(notebook);
  let memory: MemoryServer;
  const find = <Found extends HTMLElement>(selector: string) =>
    page.root().querySelector<Found>(selector);
  const sent = (op: string) => memory.frames.filter((frame) => frame.op === op);

  it('are saved with the note, used by runs, and removed', async () => {
    memory = memoryServer({
      notes: [{ id: 'note', path: 'note', paragraphs: ['%text from $${city=Oslo}'] }],
    });
    const { server, transport, fetch } = memory;
    const client = createClient({ server, transport, fetch });
    const note = await client.open('note');
    await note.run();
    await page.show(client, { note: 'note' }, '.note-forms input');
    const field = find<HTMLInputElement>('.note-forms input')!;
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
