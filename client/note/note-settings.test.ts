import { expect, test } from 'vitest';
import { scriptedClients, settle } from '../../test/support/scripted.ts';

const scripted = scriptedClients();
const version = { version: '0.8.2', tiding: { version: '1', namesReplies: true } };

test('a change is sent with earlier ones that were not yet answered', async () => {
  const all = scripted({ 'GET /version': version });
  const note = await all.open({ id: 'n', paragraphs: [], config: { looknfeel: 'default' } });
  const done = [
    note.configure({ noteFormTitle: 'Region' }),
    note.configure({ looknfeel: 'report' }),
    note.setParams({ city: 'Bern' }),
    note.setParams({ year: 2026 }),
  ];
  await settle();
  const sent = all.last().frames.slice(-4);
  expect(sent[1]!.data).toMatchObject({
    config: { noteFormTitle: 'Region', looknfeel: 'report' },
  });
  expect(sent[3]!.data).toMatchObject({ noteParams: { city: 'Bern', year: 2026 } });
  for (const { op, data, msgId } of sent) {
    const { config, noteParams } = data as Record<string, object>;
    if (op === 'NOTE_UPDATE')
      all.last().say('NOTE_UPDATED', { config, info: {}, name: 'n' }, msgId);
    else all.last().say('SAVE_NOTE_FORMS', { formsData: { params: noteParams, forms: {} } }, msgId);
  }
  await Promise.all(done);
  expect(note.state.config).toMatchObject({ noteFormTitle: 'Region', looknfeel: 'report' });
  expect(note.state.params).toEqual({ city: 'Bern', year: 2026 });
});
