/** Probes for notes, folders, revisions and schedules. */
import { randomUUID } from 'node:crypto';
import { isHttpError } from '@tiding/client';
import { expect } from 'vitest';
import { INDEX_MS } from '../../support/zeppelin.ts';
import { type Lab, must, nextEvent, type Probes, refused, run, stops, unique } from './lab.ts';

/** Newer Zeppelins support schedules only with accounts, and report that. */
const schedules = (
  { isTiding, accounts, client, newNote }: Lab,
  call: 'setCron' | 'getCron' | 'deleteCron',
  act: () => Promise<void>,
) =>
  act().catch(async (error: unknown) => {
    if (isTiding || accounts || !isHttpError(error) || !/^Cron is not enabled/.test(error.message))
      throw error;
    const params = { noteId: await newNote() };
    if (call !== 'setCron') await refused('http', client.call(call, { params }), 403);
  });

export const notesProbes = {
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
    await client.jobs.refresh(0);
    // Upstream does not answer it, because its updates are sent automatically.
    await update;
    stop();
  },

  searchNotes: async ({ client, open }) => {
    const word = `w${randomUUID().slice(0, 8)}`;
    const note = await open(`%md\n${word}`);
    await expect
      .poll(async () => (await client.notes.search(word)).map(({ id }) => id.split('/')[0]), {
        timeout: INDEX_MS,
        interval: 200,
      })
      .toContain(note.id);
  },
  jobHistory: async ({ client, newNote }) => {
    const noteId = await newNote();
    must((await client.jobs.history(noteId)).length === 0, 'a run of a new note');
  },
  getAlerts: async ({ client, newNote }) =>
    must((await client.jobs.alerts(await newNote())).alerts.on.length === 0, 'alerts'),
  setAlerts: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.jobs.setAlerts(noteId, { on: [], mail: [], retries: 2 });
    must((await client.jobs.alerts(noteId)).alerts.retries === 2, 'unexpected value');
  },
  testAlerts: async ({ client, newNote }) => {
    const noteId = await newNote();
    const alerts = { on: [], mail: [], webhook: 'https://a:b@acme.org', retries: 0 };
    const sent = client.jobs.testAlerts(noteId, alerts);
    must((await sent.catch(({ status }) => status)) === 400, 'not refused');
  },
  createRunCopy: async ({ client, newNote }) => {
    const noteId = await newNote();
    const { id } = await client.call('createRunCopy', { params: { noteId } });
    must(id !== noteId, 'the note itself');
    await client.call('deleteNote', { params: { noteId: id } });
  },
  noteVariables: async ({ open }) =>
    must((await (await open('%md\nx')).variables()).length === 0, 'variables of Markdown'),
  noteDependencies: async ({ open }) => {
    const note = await open('%md\nx');
    must(
      (await note.dependencies()).every(({ reads }) => reads.length === 0),
      'names of Markdown',
    );
    must((await note.runStale()).length === 0, 'stale without a run');
  },
  listJobs: async ({ client }) => must(Array.isArray(await client.jobs.list()), 'no list'),
  listJobsSince: async ({ client }) => must(Array.isArray(await client.jobs.since(0)), 'no list'),
  capabilities: ({ client }) => client.call('capabilities'),
  getNoteByPath: async ({ client, newNote }) => {
    const path = unique('path');
    const id = await newNote(path);
    must((await client.notes.byPath(path)).id === id, 'unexpected note');
  },
  setCron: (lab) =>
    schedules(lab, 'setCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?');
      await refused('http', note.setSchedule('not a schedule'), 400);
    }),
  getCron: (lab) =>
    schedules(lab, 'getCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?', { releaseResource: true });
      must((await note.schedule())?.cron === '0 0 0 * * ?', 'unexpected value');
    }),
  deleteCron: (lab) =>
    schedules(lab, 'deleteCron', async () => {
      const note = await lab.open();
      await note.setSchedule('0 0 0 * * ?');
      await note.setSchedule(undefined);
      must((await note.schedule()) === undefined, 'still present');
    }),
  listNotes: async ({ client }) => must((await client.call('listNotes')).length > 0, 'none'),
  createNote: async ({ client }) => {
    const name = unique('rest');
    await client.notes.remove(await client.call('createNote', { body: { name, notePath: name } }));
  },
  importNote: async ({ client }) =>
    client.notes.remove(
      await client.notes.importNote({
        name: unique('import'),
        paragraphs: [{ text: 'x' }],
        config: {},
      }),
    ),
  fetchNoteFile: ({ client }) =>
    refused('http', client.call('fetchNoteFile', { body: { url: 'http://127.0.0.1/x' } }), 400),
  exportNote: async ({ client, newNote }) =>
    must(JSON.parse(await client.notes.export(await newNote())), 'nothing'),
  runNote: async ({ client, open }) => {
    const note = await open('%sh\necho rest');
    await client.jobs.start(note.id);
    await expect.poll(() => note.paragraphs[0]!.status).toBe('FINISHED');
  },
  stopNote: (lab) => stops(lab, (note) => note.stop()),
  noteJob: async ({ client, newNote }) =>
    client.call('noteJob', { params: { noteId: await newNote() } }),
  listRevisions: async ({ client, newNote }) =>
    client.call('listRevisions', { params: { noteId: await newNote() } }),
  checkpointNote: async ({ client, newNote }) =>
    client.call('checkpointNote', {
      params: { noteId: await newNote() },
      body: { commitMessage: 'm' },
    }),
  getRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(
      ({ id }) => id !== 'Head',
    );
    must(
      (await client.call('getRevision', { params: { noteId, revisionId: revision!.id } }))
        .paragraphs?.length === 1,
      'unexpected note',
    );
  },
  setRevision: async ({ client, newNote }) => {
    const noteId = await newNote();
    await client.call('checkpointNote', { params: { noteId }, body: { commitMessage: 'm' } });
    const [revision] = (await client.call('listRevisions', { params: { noteId } })).filter(
      ({ id }) => id !== 'Head',
    );
    await client.call('setRevision', { params: { noteId, revisionId: revision!.id } });
  },
  getNote: async ({ client, newNote }) =>
    must((await client.notes.get(await newNote())).paragraphs, 'no paragraphs'),
  deleteNote: async ({ client, newNote }) =>
    client.call('deleteNote', { params: { noteId: await newNote() } }),
  cloneNote: async ({ client, newNote }) =>
    client.notes.remove(await client.notes.clone(await newNote(), unique('clone'))),
  clearNote: async ({ client, newNote }) => client.notes.clear(await newNote()),
  renameNote: async ({ client, newNote }) =>
    client.call('renameNote', {
      params: { noteId: await newNote() },
      body: { name: unique('renamed') },
    }),
  getPermissions: async ({ open }) =>
    must(Array.isArray((await (await open()).permissions()).owners), 'no owners'),
  setPermissions: async ({ open, accounts, client }) => {
    const note = await open();
    const me = client.session.current!.principal;
    const all = { owners: [me], writers: [me], runners: [me], readers: [me] };
    if (accounts) await note.setPermissions(all);
    else await refused('http', note.setPermissions(all), 403).catch(() => note.setPermissions(all));
  },
} satisfies Probes;
