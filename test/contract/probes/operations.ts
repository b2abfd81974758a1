/** A probe for each live operation. */

import { outputText } from '@tiding/client';
import type { SentOp } from '@tiding/client/protocol';
import { expect } from 'vitest';
import { must, nextEvent, type Probe, run, stops, unique } from './lab.ts';

export const operations: { [Op in SentOp]: Probe } = {
  PING: async ({ open, client }) => {
    // Sent every ten seconds, and never answered: the connection stays open.
    const note = await open();
    note.channel.send('PING', {});
    await client.notes.list();
    must(note.state.connection === 'open', 'the connection is lost');
  },
  LIST_CONFIGURATIONS: async ({ client }) =>
    must(Object.keys(await client.notes.configurations()).length > 3, 'no settings'),
  LIST_NOTES: async ({ client, newNote }) => {
    const id = await newNote();
    must(
      (await client.notes.list()).some((note) => note.id === id),
      'the note is not listed',
    );
  },
  RELOAD_NOTES_FROM_REPO: async ({ client, newNote }) => {
    const id = await newNote();
    must(
      (await client.notes.reload()).some((note) => note.id === id),
      'the note is not listed',
    );
  },
  GET_NOTE: async ({ open }) => must((await open()).paragraphs.length === 1, 'no paragraph'),
  RELOAD_NOTE: async ({ open }) => (await open()).reload(),
  GET_HOME_NOTE: async ({ client }) => client.notes.home(),
  NEW_NOTE: async ({ newNote }) => must((await newNote()).length > 5, 'no id'),
  DEL_NOTE: async ({ client, newNote }) => client.notes.remove(await newNote()),
  REMOVE_FOLDER: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.removeFolder(folder);
  },
  CLONE_NOTE: async ({ open, client }) => {
    const note = await open('%md\ncloned');
    const path = unique('clone');
    const id = await note.clone(path);
    must(
      (await client.notes.get(id)).paragraphs?.[0]?.text === '%md\ncloned',
      'the copy has an unexpected text',
    );
    await client.notes.remove(id);
  },
  IMPORT_NOTE: async ({ client }) => {
    const path = unique('live-import');
    await client.notes.list();
    const id = await client.notes.importLive({
      name: path,
      paragraphs: [{ text: '%md\nx' }],
      config: {},
    });
    must((await client.notes.get(id)).paragraphs?.length !== 0, 'no paragraphs');
    await client.notes.remove(id);
  },
  NOTE_UPDATE: async ({ open }) => {
    const note = await open();
    await note.configure({ looknfeel: 'report' });
    must(note.state.config.looknfeel === 'report', 'the layout did not change');
  },
  NOTE_RENAME: async ({ open }) => {
    const note = await open();
    const path = unique('renamed');
    await note.rename(path);
    must(note.path === path, `the path is ${note.path}`);
  },
  FOLDER_RENAME: async ({ client, newNote }) => {
    const folder = unique('folder');
    const id = await newNote(`${folder}/a`);
    await client.notes.renameFolder(folder, `${folder}-new`);
    must(
      client.state.notes?.find((note) => note.id === id)?.path === `${folder}-new/a`,
      'unexpected path',
    );
  },
  UPDATE_PERSONALIZED_MODE: async ({ open }) => {
    const note = await open();
    await note.setPersonalized(true);
    must(note.state.config.personalizedMode === 'true', 'the mode did not change');
    await note.setPersonalized(false);
  },
  MOVE_NOTE_TO_TRASH: async ({ client, newNote }) => client.notes.trash(await newNote()),
  MOVE_FOLDER_TO_TRASH: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.trashFolder(folder);
  },
  RESTORE_NOTE: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.restore(id);
  },
  RESTORE_FOLDER: async ({ client, newNote }) => {
    const folder = unique('folder');
    await newNote(`${folder}/a`);
    await client.notes.trashFolder(folder);
    await client.notes.restoreFolder(`~Trash/${folder}`);
  },
  RESTORE_ALL: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.restoreAll();
    must(
      !client.state.notes?.find((note) => note.id === id)?.path.startsWith('~Trash'),
      'the note is in the trash',
    );
  },
  EMPTY_TRASH: async ({ client, newNote }) => {
    const id = await newNote();
    await client.notes.trash(id);
    await client.notes.emptyTrash();
    must(!client.state.notes?.some((note) => note.id === id), 'the note is still present');
  },
  PARAGRAPH_CLEAR_ALL_OUTPUT: async ({ open }) => {
    const note = await open();
    await run(note, '%sh\necho x');
    await note.clear();
    must(note.paragraphs[0]!.outputs.length === 0, 'unexpected output');
  },
  CONVERT_NOTE_NBFORMAT: async ({ open }) => {
    const notebook = JSON.parse(await (await open('%python\n1')).toNotebook()) as {
      nbformat?: number;
      cells?: unknown[];
    };
    must(
      notebook.nbformat === 4 && notebook.cells?.length === 1,
      `another notebook: ${JSON.stringify(notebook).slice(0, 200)}`,
    );
  },
  CANCEL_ALL_PARAGRAPHS: (lab) =>
    stops(lab, (note) =>
      note.cancelAll().catch(async (error: unknown) => {
        // If the operation is missing, the run must not continue: others need the interpreter.
        await note.paragraphs[0]!.cancel();
        throw error;
      }),
    ),
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
    await expect
      .poll(() => note.state.collaborative && there.state.collaborative, { timeout: 5_000 })
      .toBe(true);
    note.paragraphs[0]!.edit('%md\none two three');
    await expect
      .poll(() => there.paragraphs[0]!.text, { timeout: 5_000 })
      .toBe('%md\none two three');
    must(client.state.open[note.id], 'closed');
    there.close();
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
      .poll(
        () =>
          Object.values(note.state.presence).map(({ paragraphId, anchor, head }) => [
            paragraphId,
            anchor,
            head,
          ]),
        { timeout: 5_000 },
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
  CHECKPOINT_NOTE: async ({ open }) => {
    const note = await open('%md\ncheckpoint');
    const list = await note.revisions.checkpoint('first');
    must(
      list[0]?.id === 'Head' && list.some(({ message }) => message?.trim() === 'first'),
      'it is not listed',
    );
  },
  LIST_REVISION_HISTORY: async ({ open }) =>
    must((await (await open()).revisions.list())[0]?.id === 'Head', 'no head'),
  NOTE_REVISION: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    const revision = await note.revisions.get(list[1]!.id);
    must(revision.paragraphs?.[0]?.text === '%md\nold', 'unexpected text');
  },
  NOTE_REVISION_FOR_COMPARE: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    const { first, second } = await note.revisions.compare(list[1]!.id, 'Head');
    must(
      first.paragraphs?.[0]?.text === '%md\nold' && second.paragraphs?.[0]?.text === '%md\nnew',
      'other texts',
    );
  },
  SET_NOTE_REVISION: async ({ open }) => {
    const note = await open('%md\nold');
    const list = await note.revisions.checkpoint('old');
    note.paragraphs[0]!.edit('%md\nnew');
    await note.commit();
    await note.revisions.setHead(list[1]!.id);
    await expect.poll(() => note.paragraphs[0]!.text).toBe('%md\nold');
  },
  GET_INTERPRETER_BINDINGS: async ({ open }) =>
    must((await (await open()).bindings()).length > 0, 'no bindings'),
  SAVE_INTERPRETER_BINDINGS: async ({ open }) => {
    const note = await open();
    const last = (await note.bindings()).at(-1)!;
    must((await note.bind([last.id])).length > 0, 'no bindings');
  },
  GET_INTERPRETER_SETTINGS: async ({ client }) =>
    must((await client.interpreters.available()).length > 0, 'no settings'),
  LIST_NOTE_JOBS: async ({ client, open }) => {
    const note = await open();
    const { jobs, stop } = await client.jobs.watch();
    must(
      jobs.some(({ noteId }) => noteId === note.id),
      'the note is not listed',
    );
    stop();
  },
  UNSUBSCRIBE_UPDATE_NOTE_JOBS: async ({ client }) => (await client.jobs.watch()).stop(),
  LIST_UPDATE_NOTE_JOBS: async ({ client, isTiding }) => {
    const { stop } = await client.jobs.watch();
    const update = isTiding ? nextEvent(client, 'LIST_UPDATE_NOTE_JOBS') : undefined;
    client.jobs.refresh(0);
    // Upstream does not answer it, because its updates are sent automatically.
    await update;
    stop();
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
};
