import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { newNote, newParagraph, type StoredNote } from '../notes/note.ts';
import { ScheduleService, type SchedulesOptions } from './schedules.ts';

const at = (hour: number, minute: number, second = 0, ms = 0) =>
  new Date(2026, 0, 14, hour, minute, second, ms);

let data: string;
let notes: StoredNote[];
let started: { note: string; principal: string }[];
let running: Set<string>;
let restarted: string[];
let logged: Record<string, unknown>[];
/** Outcomes of runs, as the alerts hear of them; '' is a success. */
let reported: string[];
/** How the next runs end; without an entry they succeed. */
let outcomes: string[];
let retries: number;
let schedules: ScheduleService;

const ended = (status = 'FINISHED') => ({ start: 0, end: 1, status, who: 'ana' });

function make(): ScheduleService {
  const log = pino(
    { level: 'info', base: null },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const options: SchedulesOptions = {
    data,
    log,
    retryMs: 0,
    alerts: {
      of: () => ({ alerts: { on: [], mail: [], retries }, sendsMail: false }),
      runEnded: async (_note, failure = '') => void reported.push(failure),
      missed: (_note, reason) => void reported.push(`missed: ${reason}`),
      sweep: () => {},
      close: async () => {},
    },
    notes: {
      broken: new Map(),
      all: () => notes,
      runCopies: () => [],
      find: (id) => notes.find((note) => note.id === id),
    },
    runs: {
      isSequential: (id) => running.has(id),
      startNote: (note, _contents, { principal }) => {
        started.push({ note: note.id, principal });
        const [status, ...rest] = outcomes;
        outcomes = rest;
        if (status === 'crash') throw new Error('no process');
        return {
          end: status === 'never' ? new Promise(() => {}) : Promise.resolve(ended(status)),
        };
      },
    },
    pool: {
      lookup: {
        find: (magic) =>
          ({ name: magic ?? 'sql' }) as ReturnType<SchedulesOptions['pool']['lookup']['find']>,
      },
      isShared: (id) => id !== 'md',
      restart: async (id, caller) => {
        restarted.push(caller ? `${id} of ${caller.noteId} and ${caller.principal}` : id);
        return undefined;
      },
    },
    users: {
      refresh: async () => {},
      get: (name) => (name === 'gone' || name === '' ? undefined : { name, roles: [] }),
    },
    permissions: { has: (person) => person.principal !== 'mallory' },
  };
  return new ScheduleService(options);
}
const add = (cron: string, config: object = {}, name = 'scheduled'): StoredNote => {
  const note = newNote(name, [newParagraph({ text: '%js\n1' })]);
  note.config = { cron, cronExecutingUser: 'ana', ...config };
  notes.push(note);
  return note;
};
/** Advances the clock to a time and returns the runs. */
const tick = async (now: Date) => {
  schedules.tick(now);
  await new Promise((resolve) => setImmediate(resolve));
};
/** Checks the notes, and again when the next hour begins. */
const passHour = async () => {
  await tick(at(10, 1));
  await tick(at(11, 0));
};
const events = () => logged.map(({ event }) => event);

beforeEach(async () => {
  data = temporaryFolder();
  [notes, started, restarted, logged, running] = [[], [], [], [], new Set()];
  [reported, outcomes, retries] = [[], [], 0];
  schedules = make();
});
afterEach(async () => {
  await schedules.close();
});

describe('schedules', () => {
  test('run a note once when it is due, in the name of the user who scheduled it', async () => {
    const note = add('0 0/5 * * * ?');
    await tick(at(10, 1));
    await tick(at(10, 4, 59, 999));
    expect(started).toEqual([]);
    await tick(at(10, 5));
    await tick(at(10, 5, 1));
    expect(started).toEqual([{ note: note.id, principal: 'ana' }]);
    await tick(at(10, 10, 0, 3));
    expect(started).toHaveLength(2);
  });

  test('follow a changed expression, and end with the expression or the note', async () => {
    const [changed, emptied, removed, trashed] = Array.from({ length: 4 }, () =>
      add('0 0 * * * ?'),
    );
    await tick(at(10, 1));
    changed!.config = { ...changed!.config, cron: '0 30 * * * ?' };
    emptied!.config = { cronExecutingUser: 'ana' };
    notes = notes.filter((note) => note !== removed);
    trashed!.name = '~Trash/scheduled';
    await tick(at(10, 2));
    await tick(at(10, 30));
    expect(started).toEqual([{ note: changed!.id, principal: 'ana' }]);
    await tick(at(11, 0));
    expect(started).toHaveLength(1);
  });

  test('skip a note that is still running, whole or in part', async () => {
    const [whole, part] = [add('0 0 * * * ?'), add('0 0 * * * ?')];
    await tick(at(10, 1));
    running.add(whole!.id);
    part!.paragraphs[0]!.status = 'RUNNING';
    await tick(at(11, 0));
    expect(started).toEqual([]);
    expect(events()).toEqual(['schedule-skipped', 'schedule-skipped']);
  });

  test.each([
    ['a deleted user', 'gone'],
    ['a user without permission', 'mallory'],
    ['an empty name', ''],
  ])('do not run in the name of %s', async (_, cronExecutingUser) => {
    add('0 0 * * * ?', { cronExecutingUser });
    await passHour();
    expect(started).toEqual([]);
    expect(events()).toEqual(['schedule-refused']);
  });

  test('do not catch up on starts missed while the machine slept', async () => {
    const note = add('0 0/10 * * * ?');
    await tick(at(10, 1));
    await tick(at(10, 35));
    expect(started).toEqual([]);
    expect(logged).toMatchObject([
      { event: 'schedule-missed', level: 40, note: note.id, count: 3 },
    ]);
    await tick(at(10, 40));
    expect(started).toHaveLength(1);
  });

  test('survive a restart; log missed starts without running them', async () => {
    const note = add('0 0/10 * * * ?');
    await schedules.start(at(10, 1));
    await schedules.close();
    expect(JSON.parse(await readFile(join(data, 'schedules.json'), 'utf8'))).toEqual({
      [note.id]: { cron: '0 0/10 * * * ?', next: at(10, 10).toISOString() },
    });
    schedules = make();
    await schedules.start(at(10, 45));
    expect(started).toEqual([]);
    expect(logged).toMatchObject([
      { event: 'schedule-missed', note: note.id, since: at(10, 10).toISOString(), count: 4 },
    ]);
    await tick(at(10, 50));
    expect(started).toHaveLength(1);
  });

  test('start although the file is damaged', async () => {
    await writeFile(join(data, 'schedules.json'), '{');
    add('0 0 * * * ?');
    await schedules.start(at(10, 1));
    await tick(at(11, 0));
    expect(started).toHaveLength(1);
  });

  test('report an invalid expression until it is corrected', async () => {
    const note = add('bad cron');
    await tick(at(10, 1));
    expect(note.info).toEqual({ cron: "CronExpression 'bad cron' is invalid." });
    note.config = { ...note.config, cron: '0 0 * * * ?' };
    schedules.check(note, at(10, 2));
    expect(note.info).toEqual({});
    await tick(at(11, 0));
    expect(started).toHaveLength(1);
  });

  test("end the note's interpreters afterwards on request, except shared ones in use", async () => {
    const note = add('0 0 * * * ?', { releaseresource: true });
    note.paragraphs.push(newParagraph({ text: '%python\n1' }));
    const other = newNote('other', [newParagraph({ text: '%python\n1' })]);
    other.paragraphs.push(newParagraph({ text: '%md\n1' }));
    for (const paragraph of other.paragraphs) paragraph.status = 'RUNNING';
    note.paragraphs.push(newParagraph({ text: '%md\n1' }));
    notes.push(other);
    await passHour();
    const own = `md of ${note.id} and ana`;
    await vi.waitFor(() => expect(restarted).toEqual(['js', own]), 60_000);
  });

  test('repeat a failed run before it is reported', async () => {
    retries = 2;
    const note = add('0 0 * * * ?');
    const paragraph = note.paragraphs[0]!;
    [paragraph.status, paragraph.errorMessage] = ['ABORT', 'The run was stopped after 1 hour.'];
    outcomes = ['ERROR', 'ABORT', 'FINISHED', 'ERROR', 'ERROR', 'ERROR'];
    await passHour();
    await vi.waitFor(() => expect(reported).toEqual(['']), 60_000);
    expect(started).toHaveLength(3);
    [paragraph.status, paragraph.errorMessage] = ['ERROR', undefined];
    await tick(at(12, 0));
    await vi.waitFor(() => expect(reported).toHaveLength(2), 60_000);
    expect([reported[1], started.length]).toEqual(['Paragraph 1 failed. The note shows why.', 6]);
  });

  test('do not repeat a run that a user has stopped', async () => {
    retries = 2;
    add('0 0 * * * ?').paragraphs[0]!.status = 'ABORT';
    outcomes = ['ABORT'];
    await passHour();
    await vi.waitFor(() => expect(reported).toHaveLength(1), 60_000);
    expect([reported[0], started.length]).toEqual([
      'Paragraph 1 was stopped. The note shows why.',
      1,
    ]);
  });

  test('report runs that could not start', async () => {
    const note = add('0 0 * * * ?');
    await tick(at(10, 1));
    outcomes = ['crash'];
    await tick(at(11, 0));
    note.paragraphs[0]!.status = 'RUNNING';
    await tick(at(12, 0));
    note.paragraphs[0]!.status = 'READY';
    note.config.cronExecutingUser = 'mallory';
    await tick(at(13, 0));
    await tick(at(15, 30));
    expect(reported).toEqual([
      "The run could not be started. The server's log shows why.",
      'missed: The note was still running when the next run was due.',
      'mallory, who scheduled the note, may not run it.',
      `missed: Number of runs that did not take place since ${at(14, 0).toISOString()}: 2. ` +
        'The server was off or asleep.',
    ]);
  });

  test('report a run that the end of the server interrupted', async () => {
    add('0 0 * * * ?');
    await schedules.start(at(10, 1));
    outcomes = ['never'];
    await tick(at(11, 0));
    expect(started).toHaveLength(1);
    await schedules.close();
    schedules = make();
    await schedules.start(at(11, 1));
    expect(reported).toEqual(['The server was stopped during the run.']);
  });
});
