/** Schedules and the job list, over REST and the live channel, and notes as Jupyter notebooks. */

import type { JobEntry, JsonObject, Note } from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { bodyOf, twoPeople } from './support/people.ts';
import { type Login, onlyFor, openSocket, type RawSocket } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());
const { url, admin, bob, call, create } = people;
const open = async (who = admin, noteId?: string) =>
  openSocket(url, { identity: who.identity, note: noteId });
const noteOf = (id: string) => bodyOf<Note>(call(admin, 'GET', `/notebook/${id}`));
const close = (note: Note, readers: string[]) =>
  call(admin, 'PUT', `/notebook/${note.id}/permissions`, { ...onlyFor('admin'), readers });

describe('a schedule over REST', () => {
  it('is set, read and deleted, and viewers of the note are notified', async () => {
    const note = await create('one');
    const path = `/notebook/cron/${note.id}`;
    const socket = await open(admin, note.id);
    expect(await bodyOf(call(admin, 'GET', path))).toEqual({});
    expect(
      (await call(admin, 'POST', path, { cron: '0 0 0 1 1 ?', releaseResource: true })).json,
    ).toEqual({ status: 'OK', message: '' });
    expect((await socket.next('NOTE_UPDATED')).data).toMatchObject({
      config: {
        cron: '0 0 0 1 1 ?',
        releaseresource: true,
        cronExecutingUser: 'admin',
        isZeppelinNotebookCronEnable: true,
      },
      info: {},
    });
    expect(await bodyOf(call(admin, 'GET', path))).toEqual({
      cron: '0 0 0 1 1 ?',
      releaseResource: true,
    });
    const alerts = { on: ['missed'], mail: [], retries: 0, webhook: 'https://example.com/hook' };
    expect((await call(admin, 'PUT', `/magpie/jobs/${note.id}/alerts`, alerts)).status).toBe(204);
    const { jobs } = await bodyOf<{ jobs: JobEntry[] }>(
      call(admin, 'GET', '/notebook/jobmanager/'),
    );
    const year = new Date().getFullYear() + 1;
    expect(jobs.find(({ noteId }) => noteId === note.id)).toMatchObject({
      noteType: 'cron',
      cron: '0 0 0 1 1 ?',
      unixTimeNextRun: new Date(year, 0, 1).getTime(),
      alerts: ['missed'],
    });
    expect((await call(admin, 'DELETE', path)).status).toBe(200);
    expect((await socket.next('NOTE_UPDATED')).data['config']).not.toHaveProperty(
      'cronExecutingUser',
    );
    expect(await bodyOf(call(admin, 'GET', path))).toEqual({});
  });

  it("is refused with upstream's message if it is invalid", async () => {
    const note = await create('one');
    for (const cron of ['nope', '', '0 0 0 * * *']) {
      const answer = await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron });
      expect([answer.status, answer.json]).toEqual([
        400,
        { status: 'BAD_REQUEST', message: 'wrong cron expressions.' },
      ]);
    }
    expect((await noteOf(note.id)).config!.cron).toBeUndefined();
  });

  it('is not copied when a note is cloned or imported, and ends in the trash', async () => {
    const note = await create('one');
    await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' });
    const exported = JSON.parse(
      await bodyOf<string>(call(admin, 'GET', `/notebook/export/${note.id}`)),
    ) as Note;
    expect(exported.config!.cron).toBe('0 0 0 1 1 ?');
    const clone = await bodyOf<string>(
      call(bob, 'POST', `/notebook/${note.id}`, { name: `clone/${note.id}` }),
    );
    const imported = await bodyOf<string>(
      call(bob, 'POST', '/notebook/import', { ...exported, name: `imported/${note.id}` }),
    );
    for (const id of [clone, imported]) {
      const { config } = await bodyOf<Note>(call(bob, 'GET', `/notebook/${id}`));
      expect([config!.cron, config!.cronExecutingUser]).toEqual([undefined, undefined]);
    }
    const socket = await open();
    socket.send({ op: 'MOVE_NOTE_TO_TRASH', data: { id: note.id } });
    await socket.next('NOTES_INFO');
    expect(await bodyOf(call(admin, 'GET', `/notebook/cron/${note.id}`))).toEqual({});
    expect(
      (await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' })).status,
    ).toBe(409);
  });
});

describe('a schedule on the live channel', () => {
  const update = (socket: RawSocket, note: Note, config: JsonObject) =>
    socket.send({ op: 'NOTE_UPDATE', data: { id: note.id, name: note.name, config } });

  it('runs the note as the user who set it, until it is removed [W57]', async () => {
    const note = await create('%js\nprocess.stdout.write("ran")', '%md\n# second');
    const socket = await open(admin, note.id);
    update(socket, note, { ...note.config, cron: '* * * * * ?' });
    expect((await socket.next('NOTE_UPDATED')).data['config']).toMatchObject({
      cron: '* * * * * ?',
      cronExecutingUser: 'admin',
    });
    await socket.next('NOTE_RUNNING_STATUS');
    for (;;) {
      const { data } = await socket.next('NOTE_RUNNING_STATUS');
      if (data['status'] === false) break;
    }
    const ran = await noteOf(note.id);
    expect(ran.paragraphs!.map(({ user }) => user)).toEqual(['admin', 'admin']);
    expect(ran.paragraphs![1]!.dateStarted).toBeDefined();
    update(socket, note, { ...note.config });
    for (;;) {
      const { data } = await socket.next('NOTE_UPDATED');
      if (!(data['config'] as JsonObject)['cron']) break;
    }
  });

  it('that is invalid is stored and reported', async () => {
    const note = await create('one');
    const socket = await open(admin, note.id);
    update(socket, note, { ...note.config, cron: 'bad cron' });
    expect((await socket.next('NOTE_UPDATED')).data).toMatchObject({
      config: { cron: 'bad cron' },
      info: { cron: "CronExpression 'bad cron' is invalid." },
    });
    socket.send({ op: 'GET_NOTE', data: { id: note.id } });
    expect((await socket.next('NOTE')).data).toMatchObject({
      note: { info: { cron: "CronExpression 'bad cron' is invalid." } },
    });
    update(socket, note, { ...note.config, cron: '0 0 0 1 1 ?' });
    expect((await socket.next('NOTE_UPDATED')).data['info']).not.toHaveProperty('cron');
  });

  it('is possible on every note, whatever settings a client sends', async () => {
    const note = await create('one');
    expect(note.config).toMatchObject({ isZeppelinNotebookCronEnable: true });
    const socket = await open(admin, note.id);
    update(socket, note, { looknfeel: 'report' });
    expect((await socket.next('NOTE_UPDATED')).data['config']).toMatchObject({
      looknfeel: 'report',
      isZeppelinNotebookCronEnable: true,
    });
    socket.send({ op: 'NEW_NOTE', data: { name: `new/${note.id}` } });
    expect((await socket.next('NEW_NOTE')).data).toMatchObject({
      note: { config: { isZeppelinNotebookCronEnable: true } },
    });
  });

  it('of another owner runs as the user who changed it last', async () => {
    const note = await create('one');
    await call(admin, 'PUT', `/notebook/${note.id}/permissions`, {
      owners: ['admin', 'bob'],
      writers: [],
      runners: [],
      readers: [],
    });
    await call(admin, 'POST', `/notebook/cron/${note.id}`, { cron: '0 0 0 1 1 ?' });
    const { config } = await noteOf(note.id);
    const socket = await open(bob, note.id);
    update(socket, note, { ...config, cron: '0 0 0 2 2 ?' });
    expect((await socket.next('NOTE_UPDATED')).data['config']).toMatchObject({
      cronExecutingUser: 'bob',
    });
  });
});

describe('the job list', () => {
  const since = async (time: number, who = admin) =>
    bodyOf<{ lastResponseUnixTime: number; jobs: JobEntry[] }>(
      call(who, 'GET', `/notebook/jobmanager/${time}/`),
    );

  it('contains changes since a given time, over REST and live [W93]', async () => {
    const note = await create('%md\nx');
    const all = await bodyOf<{ lastResponseUnixTime: number; jobs: JobEntry[] }>(
      call(admin, 'GET', '/notebook/jobmanager/'),
    );
    expect(all.jobs.map(({ noteId }) => noteId)).toContain(note.id);
    expect(Math.abs(all.lastResponseUnixTime - Date.now())).toBeLessThan(60_000);
    expect((await since(all.lastResponseUnixTime + 100_000)).jobs).toEqual([]);
    expect((await since(0)).jobs.map(({ noteId }) => noteId)).toContain(note.id);
    const socket = await open();
    socket.send({ op: 'LIST_UPDATE_NOTE_JOBS', data: { lastUpdateUnixTime: 0 } });
    const { noteRunningJobs } = (await socket.next('LIST_UPDATE_NOTE_JOBS')).data as {
      noteRunningJobs: { jobs: JobEntry[] };
    };
    expect(noteRunningJobs.jobs.find(({ noteId }) => noteId === note.id)).toMatchObject({
      noteName: note.name,
      isRunningJob: false,
      paragraphs: [{ status: 'READY' }],
    });
    socket.send({
      op: 'LIST_UPDATE_NOTE_JOBS',
      data: { lastUpdateUnixTime: Date.now() + 100_000 },
    });
    expect((await socket.next('LIST_UPDATE_NOTE_JOBS')).data).toMatchObject({
      noteRunningJobs: { jobs: [] },
    });
    expect((await call(admin, 'GET', '/notebook/jobmanager/soon/')).status).toBe(400);
  });

  it('reports removed notes, but none that the user may not read [S12]', async () => {
    const [seen, hidden] = [await create('x'), await create('y')];
    await close(hidden, ['admin']);
    const before = Date.now();
    const jobsOf = async (who: Login) =>
      (await since(before, who)).jobs.filter(
        ({ noteId }) => noteId === seen.id || noteId === hidden.id,
      );
    for (const note of [seen, hidden])
      expect((await call(admin, 'DELETE', `/notebook/${note.id}`)).status).toBe(200);
    expect(await jobsOf(admin)).toHaveLength(2);
    expect(await jobsOf(bob)).toEqual([
      { noteId: seen.id, isRunningJob: false, unixTimeLastRun: 0, isRemoved: true, paragraphs: [] },
    ]);
  });

  it('stops the running paragraphs of a note', async () => {
    const note = await create(
      '%js\nawait new Promise((resolve) => setTimeout(resolve, 60_000));',
      '%md\nnever',
    );
    const socket = await open(admin, note.id);
    socket.send({ op: 'RUN_ALL_PARAGRAPHS', data: { noteId: note.id } });
    await socket.next('PARAGRAPH');
    socket.send({ op: 'CANCEL_ALL_PARAGRAPHS', data: { noteId: note.id } });
    for (;;) if ((await socket.next('NOTE_RUNNING_STATUS')).data['status'] === false) break;
    expect((await noteOf(note.id)).paragraphs!.map(({ status }) => status)).toEqual([
      'ABORT',
      'READY',
    ]);
  });
});

describe('the runs of a note', () => {
  const history = (id: string, who = admin) => call(who, 'GET', `/magpie/jobs/${id}/history`);

  it('as a whole are recorded with times, status and user, for its readers [W33]', async () => {
    const note = await create(
      '%js\nconsole.log(1)',
      '%js\nif (new Date() > 0) throw new Error("no")',
      '%md\nnever',
    );
    expect((await history(note.id)).json).toEqual([]);
    const before = Date.now();
    await call(admin, 'POST', `/notebook/job/${note.id}?blocking=true`);
    // The run of a single paragraph is not a run of the note.
    await call(admin, 'POST', `/notebook/run/${note.id}/${note.paragraphs![0]!.id}`);
    await call(bob, 'POST', `/notebook/job/${note.id}?blocking=true`);
    const runs = (await history(note.id)).json as {
      start: number;
      end: number;
      status: string;
      who: string;
    }[];
    expect(runs.map(({ status, who }) => [status, who])).toEqual([
      ['ERROR', 'admin'],
      ['ERROR', 'bob'],
    ]);
    expect(
      runs.every(({ start, end }) => start >= before && end >= start && end <= Date.now()),
    ).toBe(true);
    await close(note, ['admin']);
    expect((await history(note.id, bob)).status).toBe(403);
    // An empty note does not run.
    const empty = await create('');
    await call(admin, 'POST', `/notebook/job/${empty.id}?blocking=true`);
    expect((await history(empty.id)).json).toEqual([]);
  });
});

describe('small calls', () => {
  it('a note is found by its path, by users who may read it', async () => {
    const note = await create('x');
    for (const notePath of [note.name, `/${note.name!}`])
      expect(
        (await bodyOf<Note>(call(admin, 'POST', '/notebook/getByPath', { notePath }))).id,
      ).toBe(note.id);
    await close(note, ['admin']);
    expect((await call(bob, 'POST', '/notebook/getByPath', { notePath: note.name })).status).toBe(
      404,
    );
    expect(
      (await call(admin, 'POST', '/notebook/getByPath', { notePath: '/no/where' })).json,
    ).toEqual({ status: 'NOT_FOUND', message: 'No such note: /no/where' });
  });

  it('a next paragraph is empty and last; the oldest are removed above the limit', async () => {
    const note = await create('one', 'two');
    const path = `/notebook/${note.id}/paragraph/next`;
    const socket = await open(admin, note.id);
    const first = await bodyOf<string>(call(admin, 'POST', path));
    expect((await socket.next('PARAGRAPH_ADDED')).data).toMatchObject({
      index: 2,
      paragraph: { id: first, text: '' },
    });
    const second = await bodyOf<string>(call(admin, 'POST', `${path}?maxParagraph=2`));
    expect((await noteOf(note.id)).paragraphs!.map(({ id }) => id)).toEqual([first, second]);
    for (const wrong of ['0', '-1', 'x', '1.5'])
      expect((await call(admin, 'POST', `${path}?maxParagraph=${wrong}`)).status, wrong).toBe(400);
  });

  it('revisions are listed as a capability of the server', async () => {
    expect(await bodyOf(call(admin, 'GET', '/notebook/capabilities'))).toEqual({
      isRevisionSupported: true,
    });
    const socket = await open();
    socket.send({ op: 'LIST_CONFIGURATIONS' });
    expect((await socket.next('CONFIGURATIONS_INFO')).data).toMatchObject({
      configurations: { isRevisionSupported: 'true' },
    });
  });
});

describe('Jupyter notebooks', () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# md'] },
      {
        cell_type: 'code',
        execution_count: 1,
        metadata: {},
        source: ['print(1)'],
        outputs: [
          { output_type: 'stream', name: 'stdout', text: ['1\n'] },
          { output_type: 'display_data', metadata: {}, data: { 'image/png': 'iVBORw0KGgo=\n' } },
        ],
      },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 2,
  };
  const paragraphs = [
    {
      text: '%md\n# md',
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [{ type: 'HTML', data: '<div class="markdown-body">\n<h1>md</h1>\n</div>' }],
      },
    },
    {
      text: '%python\nprint(1)',
      status: 'FINISHED',
      results: {
        code: 'SUCCESS',
        msg: [
          { type: 'TEXT', data: '1\n' },
          { type: 'IMG', data: 'iVBORw0KGgo=' },
        ],
      },
    },
  ];

  it('are imported over REST and live', async () => {
    const id = await bodyOf<string>(
      call(admin, 'POST', '/notebook/import?notePath=/jupyter/rest', notebook),
    );
    expect(await noteOf(id)).toMatchObject({ name: 'jupyter/rest', paragraphs });
    const socket = await open();
    socket.send({ op: 'IMPORT_NOTE', data: { note: { name: 'jupyter/live', ...notebook } } });
    expect((await socket.next('IMPORT_NOTE', 'ERROR_INFO')).data).toMatchObject({
      note: { name: 'jupyter/live', paragraphs },
    });
    for (const junk of [{ cells: [] }, { cells: [7] }, { ...notebook, nbformat: 3 }])
      expect((await call(admin, 'POST', '/notebook/import', junk)).status).toBe(400);
  });

  it('are the format a note is converted to, for the caller', async () => {
    const id = await bodyOf<string>(
      call(admin, 'POST', '/notebook/import?notePath=/jupyter/there', notebook),
    );
    const socket = await open();
    socket.send({ op: 'CONVERT_NOTE_NBFORMAT', data: { noteId: id, noteName: 'there' } });
    const { data } = await socket.next('CONVERTED_NOTE_NBFORMAT', 'ERROR_INFO');
    expect(data['noteName']).toBe('there');
    const back = JSON.parse(data['nbformat'] as string) as typeof notebook;
    expect(back).toMatchObject({
      nbformat: 4,
      cells: [
        { cell_type: 'markdown', source: ['# md'] },
        {
          cell_type: 'code',
          source: ['print(1)'],
          outputs: [
            { output_type: 'stream', text: ['1\n'] },
            { data: { 'image/png': 'iVBORw0KGgo=\n' } },
          ],
        },
      ],
    });
    const again = await bodyOf<string>(
      call(admin, 'POST', '/notebook/import?notePath=/jupyter/back', back),
    );
    expect((await noteOf(again)).paragraphs).toMatchObject(paragraphs);
  });
});
