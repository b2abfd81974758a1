/** Probes for paragraphs, their results and shared values. */
import { outputText, type Paragraph } from '@tiding/client';
import { expect } from 'vitest';
import {
  type Lab,
  must,
  nextEvent,
  type Probes,
  paragraphOf,
  refused,
  run,
  stops,
  tableNote,
} from './lab.ts';

/** Checks that a message to a terminal that doesn't run is answered with the paragraph. */
async function withoutTerminal(
  { open, client }: Lab,
  act: (paragraph: Paragraph) => Promise<void>,
): Promise<void> {
  const [paragraph] = (await open('%md\nx')).paragraphs;
  const [answer] = await Promise.all([nextEvent(client, 'PARAGRAPH'), act(paragraph!)]);
  must(JSON.stringify(answer).includes(paragraph!.id), 'another paragraph');
}

export const paragraphsProbes = {
  COMMIT_PARAGRAPH: async ({ open }) =>
    must(
      (await open('%md\ncommitted')).paragraphs[0]!.state.server.text === '%md\ncommitted',
      'unexpected text',
    ),
  RUN_PARAGRAPH: async ({ open }) => {
    const result = await run(await open(), '%sh\necho ran');
    must(
      result.status === 'FINISHED' && result.outputs.map(outputText).join('').trim() === 'ran',
      result.status,
    );
  },
  RUN_ALL_PARAGRAPHS: async ({ open }) => {
    const note = await open('%sh\necho all');
    const results = await note.run();
    must(results[0]?.status === 'FINISHED', 'it did not finish');
  },
  CANCEL_PARAGRAPH: (lab) => stops(lab, (note) => note.paragraphs[0]!.cancel()),
  INSERT_PARAGRAPH: async ({ open }) =>
    must((await (await open()).insert({ index: 0 })).index === 0, 'unexpected place'),
  COPY_PARAGRAPH: async ({ open }) => {
    const copy = await (await open('%md\ncopied')).paragraphs[0]!.copy();
    await expect.poll(() => copy.text).toBe('%md\ncopied');
  },
  MOVE_PARAGRAPH: async ({ open }) => {
    const note = await open();
    const added = await note.insert();
    await added.move(0);
    must(added.index === 0, 'unexpected place');
  },
  PARAGRAPH_REMOVE: async ({ open }) => {
    const note = await open();
    await (await note.insert()).remove();
    must(note.paragraphs.length === 1, 'still present');
  },
  PARAGRAPH_CLEAR_OUTPUT: async ({ open }) => {
    const note = await open();
    await run(note, '%sh\necho x');
    await note.paragraphs[0]!.clear();
    must(note.paragraphs[0]!.outputs.length === 0, 'unexpected output');
  },
  COMPLETION: async ({ open }) => (await open('%sh\nec')).paragraphs[0]!.complete('%sh\nec', 6),
  TIDING_INSPECT: async ({ open }) => {
    const note = await open('%sh\necho');
    const [paragraph] = note.paragraphs;
    // Other servers are not asked; a direct request is refused.
    if (!note.context.supports('TIDING_INSPECT')) {
      const request = { id: paragraph!.id, noteId: note.id, buf: '%sh\necho', cursor: 6 };
      await note.request('TIDING_INSPECT', request, () => undefined);
    }
    must((await paragraph!.inspect('%sh\necho', 6)) === undefined, 'unexpected documentation');
  },
  EDITOR_SETTING: async ({ open }) =>
    must((await (await open('%sh\nx')).paragraphs[0]!.editorSetting())?.language, 'no language'),
  SAVE_NOTE_FORMS: async ({ open }) => {
    const note = await open();
    await note.setParams({ name: 'value' });
    must(note.state.params['name'] === 'value', 'unexpected value');
  },
  REMOVE_NOTE_FORMS: async ({ open }) => {
    const note = await open();
    await note.setParams({ name: 'value' });
    await note.removeForm('name');
    must(!('name' in note.state.forms), 'the form is still present');
  },
  PATCH_PARAGRAPH: async ({ open, client, fresh, target }) => {
    const note = await open('%md\none two');
    const other = fresh();
    await target.signIn(other);
    const there = await other.open(note.id);
    await expect.poll(() => note.state.collaborative && there.state.collaborative).toBe(true);
    note.paragraphs[0]!.edit('%md\none two three');
    await expect.poll(() => there.paragraphs[0]!.text).toBe('%md\none two three');
    must(client.state.open[note.id], 'closed');
    there.close();
  },
  TIDING_TERMINAL_INPUT: (lab) =>
    withoutTerminal(lab, async (paragraph) => paragraph.typeInTerminal('x')),
  TIDING_TERMINAL_SIZE: (lab) =>
    withoutTerminal(lab, async (paragraph) => paragraph.resizeTerminal(100, 30)),
  TIDING_ANSWER: (lab) => withoutTerminal(lab, (paragraph) => paragraph.answer({ id: 'q' }, 'yes')),
  TIDING_COMM_STATE: async ({ open }) => {
    const note = await open('%md\nx');
    const [paragraph] = note.paragraphs;
    // Other servers are not asked; a direct request is refused.
    if (!note.context.supports('TIDING_COMM_STATE')) {
      const request = { id: paragraph!.id, noteId: note.id, kernel: 'k', model: 'm' };
      await note.request('TIDING_COMM_STATE', request, () => undefined);
    }
    const { status } = await (await paragraph!.comms('k')).load('m');
    must(status === 'ended', status);
  },
  TIDING_COMM: async ({ open }) => {
    const [paragraph] = (await open('%md\nx')).paragraphs;
    const request = { message: 'one', type: 'comm_msg', comm: 'm', data: {} } as const;
    await refused('conflict', (await paragraph!.comms('k')).send(request));
  },
  TIDING_PRESENCE: async ({ open, fresh, target }) => {
    const note = await open('%md\none two');
    // Other servers do not announce presence; a direct request is refused.
    if (!note.context.supports('TIDING_PRESENCE'))
      await note.request('TIDING_PRESENCE', { noteId: note.id }, () => undefined);
    const other = fresh();
    await target.signIn(other);
    const there = await other.open(note.id);
    there.announce({ paragraphId: there.paragraphs[0]!.id, anchor: 1, head: 4 });
    await expect
      .poll(() =>
        Object.values(note.state.presence).map(({ paragraphId, anchor, head }) => [
          paragraphId,
          anchor,
          head,
        ]),
      )
      .toEqual([[note.paragraphs[0]!.id, 1, 4]]);
    there.close();
    await expect.poll(() => Object.values(note.state.presence)).toEqual([]);
  },
  TIDING_RESTORE_PARAGRAPH: async ({ open }) => {
    const note = await open('%md\none');
    // On other servers a removed paragraph is inserted again without this operation; a direct
    // request is refused.
    if (!note.context.supports('TIDING_RESTORE_PARAGRAPH'))
      await note.request(
        'TIDING_RESTORE_PARAGRAPH',
        { noteId: note.id, index: 0, paragraph: note.paragraphs[0]!.state.server },
        () => undefined,
      );
    await note.insert({ text: '%md\ntwo' });
    const removed = await note.paragraphs[0]!.remove();
    const { paragraph, whole } = await note.restore(removed);
    must(
      whole &&
        paragraph.id === removed.id &&
        paragraph.index === 0 &&
        paragraph.text === '%md\none',
      'another paragraph',
    );
  },
  PARAGRAPH_EXECUTED_BY_SPELL: async ({ open, fresh, target }) => {
    const note = await open('%spell\nx');
    const other = fresh();
    await target.signIn(other);
    await other.open(note.id);
    const update = nextEvent(other, 'RUN_PARAGRAPH_USING_SPELL');
    await note.paragraphs[0]!.propagate({
      code: 'FINISHED',
      msg: [{ type: 'TEXT', data: 'from a spell' }],
    });
    must(JSON.stringify(await update).includes('from a spell'), 'unexpected result');
  },
  ANGULAR_OBJECT_CLIENT_BIND: async ({ open }) => {
    const note = await open();
    await note.z.set('bound', 7, note.paragraphs[0]!.id);
    must(note.z.get('bound', note.paragraphs[0]!.id) === 7, 'unexpected value');
  },
  ANGULAR_OBJECT_UPDATED: async ({ open }) => {
    const note = await open();
    await note.z.set('changed', 1, note.paragraphs[0]!.id);
    await note.z.put('changed', 2, note.paragraphs[0]!.id);
    must(note.z.get('changed', note.paragraphs[0]!.id) === 2, 'unexpected value');
  },
  ANGULAR_OBJECT_CLIENT_UNBIND: async ({ open }) => {
    const note = await open();
    await note.z.set('gone', 7, note.paragraphs[0]!.id);
    await note.z.unset('gone', note.paragraphs[0]!.id);
    must(note.z.get('gone', note.paragraphs[0]!.id) === undefined, 'still present');
  },
  checkResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    must(
      (await lab.client.results.check(`${note.id}.${id}.0`)).contentType.startsWith('text/csv'),
      'unexpected type',
    );
  },
  getResult: async (lab) => {
    const { note, id } = await tableNote(lab);
    const { response, name } = await lab.client.results.get(`${note.id}.${id}.0`);
    must(
      (await response.text()).replaceAll('\r', '') === 'a,b\n1,2\n' && name === 'magpie_export.csv',
      name,
    );
  },
  queryResult: ({ client }) =>
    refused(
      'http',
      client.call('queryResult', {
        params: { resultId: 'unknown.unknown.0' },
        body: { question: { kind: 'rows', offset: 0, limit: 1 } },
      }),
      404,
    ),
  getObject: async ({ client }) =>
    must((await client.objects.get('cluster', 'local')).widget === 'cluster', 'unexpected widget'),
  getFirstViews: async ({ client, open }) => {
    const note = await open();
    const view = { paragraphId: note.paragraphs[0]!.id, look: 'report', width: 400 };
    const answer = await client.call('getFirstViews', {
      params: { noteId: note.id },
      body: { views: [view] },
    });
    // Only pages with an embed token have one.
    must((await answer.text()) === '{"sheets":[],"views":[{}]}', 'unexpected view');
  },
  putFile: async ({ client }) =>
    must(
      (await client.files.upload('contract.csv', new TextEncoder().encode('a,b\n1,2\n'))).path,
      'no path',
    ),
  listFiles: async ({ client }) => must(Array.isArray(await client.files.list()), 'no list'),
  renameFile: ({ client }) =>
    refused('http', client.files.rename('shared/nowhere.csv', 'elsewhere.csv'), 404),
  readTables: ({ client }) => refused('http', client.files.readTables('shared/nowhere.xlsx'), 404),
  getNoteImage: async ({ client, open }) =>
    refused('http', client.files.image((await open('%md\nx')).id, 'nowhere.png'), 404),
  removeFile: ({ client }) => refused('http', client.files.remove('shared/nowhere.csv'), 404),
  getFile: ({ client }) => refused('http', client.files.download('/nowhere.csv'), 404),
  paragraphJob: async (lab) =>
    must(
      (await lab.client.call('paragraphJob', { params: await paragraphOf(lab) })).status,
      'no status',
    ),
  startParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho started');
    await client.call('startParagraph', {
      params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      body: {},
    });
    await expect.poll(() => note.paragraphs[0]!.status).toBe('FINISHED');
  },
  stopParagraph: (lab) =>
    stops(lab, (note) =>
      lab.client.call('stopParagraph', {
        params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      }),
    ),
  runParagraph: async ({ client, open }) => {
    const note = await open('%sh\necho waited');
    const results = await client.call('runParagraph', {
      params: { noteId: note.id, paragraphId: note.paragraphs[0]!.id },
      body: {},
    });
    must(
      results.code === 'SUCCESS' && results.msg?.[0]?.data.trim() === 'waited',
      JSON.stringify(results),
    );
  },
  nextParagraph: async ({ client, newNote }) =>
    must(
      (
        await client.call('nextParagraph', {
          params: { noteId: await newNote() },
          query: { maxParagraph: 10 },
        })
      ).length > 5,
      'no id',
    ),
  insertParagraph: async ({ client, newNote }) =>
    must(
      (
        await client.call('insertParagraph', {
          params: { noteId: await newNote() },
          body: { title: 't', text: 'x', index: 0 },
        })
      ).length > 5,
      'no id',
    ),
  getParagraph: async (lab) =>
    must((await lab.client.call('getParagraph', { params: await paragraphOf(lab) })).id, 'no id'),
  // Nobody waits for ruff here: it may be missing, and Markdown is not its language.
  checkCode: async (lab) => {
    const body = { text: '%md\n# Not Python' };
    const params = await paragraphOf(lab);
    must(!(await lab.client.call('checkCode', { params, body })).ready, 'not Python');
  },
  formatCode: async (lab) =>
    refused(
      'http',
      lab.client.call('formatCode', {
        params: await paragraphOf(lab),
        body: { text: '%md\n# Not Python' },
      }),
      404,
    ),
  updateParagraph: async (lab) => {
    const params = await paragraphOf(lab);
    await lab.client.call('updateParagraph', { params, body: { text: 'updated', title: 't' } });
    must((await lab.client.call('getParagraph', { params })).text === 'updated', 'unexpected text');
  },
  configureParagraph: async (lab) =>
    must(
      (
        await lab.client.call('configureParagraph', {
          params: await paragraphOf(lab),
          body: { colWidth: 6 },
        })
      ).config?.colWidth === 6,
      'unexpected width',
    ),
  moveParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('moveParagraph', {
      params: { noteId: note.id, paragraphId: added.id, index: 0 },
    });
    await expect.poll(() => added.index).toBe(0);
  },
  deleteParagraph: async ({ client, open }) => {
    const note = await open();
    const added = await note.insert();
    await client.call('deleteParagraph', { params: { noteId: note.id, paragraphId: added.id } });
    await expect.poll(() => note.paragraphs.length).toBe(1);
  },
} satisfies Probes;
