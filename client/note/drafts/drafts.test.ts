import { describe, expect, test, vi } from 'vitest';
import { type Scripted, scriptedClients, settle } from '../../../test/support/scripted.ts';
import { type Journal, memoryJournal } from '../../journal/journal.ts';
import type { ClientOptions } from '../../options.ts';
import type { Note } from '../note.ts';

const scripted = scriptedClients();

const paragraph = (id: string, more: object = {}) => ({
  id,
  text: 'one\n',
  title: 'T',
  status: 'READY',
  rev: 1,
  config: { colWidth: 6 },
  settings: { params: { a: 1 } },
  ...more,
});
const note = (...paragraphs: object[]) => ({ id: 'n', paragraphs });

async function setUp(options: Partial<ClientOptions> = {}, ...paragraphs: object[]) {
  const journal = options.journal ?? memoryJournal();
  const all = scripted({}, { journal, ...options });
  const open = await all.open(
    note(...(paragraphs.length > 0 ? paragraphs : [paragraph('p'), paragraph('q')])),
  );
  await settle();
  const commits = () => all.last().frames.filter(({ op }) => op === 'COMMIT_PARAGRAPH');
  const echo = (text: string, rev: number, more: object = {}) =>
    all
      .last()
      .say(
        'PARAGRAPH',
        { paragraph: paragraph('p', { text, rev, ...more }) },
        commits().at(-1)?.msgId,
      );
  const entries = async () =>
    (await journal.list('')).map(({ paragraphId, text, baseText, baseRev }) => ({
      paragraphId,
      text,
      baseText,
      baseRev,
    }));
  return { ...all, note: open, p: open.paragraph('p'), commits, echo, entries, journal };
}
function outcome(promise: Promise<unknown>) {
  const state: { error?: unknown; done: boolean } = { done: false };
  promise.then(
    () => (state.done = true),
    (error: unknown) => Object.assign(state, { error, done: true }),
  );
  return state;
}
/** Breaks the connection and opens the next one; the note is not reloaded yet. */
async function reconnected(all: Scripted) {
  all.last().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  all.last().open();
  await settle();
}
const read = async (all: Scripted, ...paragraphs: object[]) => (
  all.last().say('NOTE', { note: { ...note(...paragraphs), path: '/n' } }), settle()
);

describe('an edit', () => {
  test('is in the journal immediately, on the server after ten seconds [W51 W132]', async () => {
    const { p, commits, entries } = await setUp();
    p.edit('one\nt');
    await vi.advanceTimersByTimeAsync(6_000);
    p.edit('one\ntwo');
    expect(await entries()).toEqual([
      { paragraphId: 'p', text: 'one\ntwo', baseText: 'one\n', baseRev: 1 },
    ]);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(commits()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(commits().map(({ data }) => data)).toEqual([
      {
        id: 'p',
        noteId: 'n',
        title: 'T',
        paragraph: 'one\ntwo',
        config: { colWidth: 6 },
        params: { a: 1 },
        baseRev: 1,
        changes: [4, [0, 'two']],
        author: expect.any(String),
        authorSeq: expect.any(Number),
      },
    ]);
  });

  test('is sent only by commit if autosave is off', async () => {
    const { p, commits } = await setUp({ autosave: 0 });
    p.edit('x');
    await vi.advanceTimersByTimeAsync(1e6);
    expect(commits()).toEqual([]);
    void p.commit().catch(() => {});
    expect(commits()).toHaveLength(1);
  });

  test("that restores the server's text needs no commit and leaves the journal [W51]", async () => {
    const { p, commits, entries, note: open } = await setUp();
    p.edit('x');
    p.edit('one\n');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(open.dirty).toBe(false);
    expect(commits()).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  test('is kept in memory if the journal fails', async () => {
    const broken: Journal = {
      put: () => Promise.reject(new Error('full')),
      delete: () => Promise.reject(new Error('full')),
      list: () => Promise.reject(new Error('full')),
    };
    const { p, echo } = await setUp({ journal: broken });
    p.edit('x');
    const commit = outcome(p.commit());
    echo('x', 2);
    await settle();
    expect(commit).toEqual({ done: true });
  });
});

describe('a commit', () => {
  test('resolves when the server has the text, which then leaves the journal', async () => {
    const { p, echo, entries, last } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit());
    last().say('PARAGRAPH', { paragraph: paragraph('p', { status: 'RUNNING' }) });
    await settle();
    expect([commit.done, (await entries()).length]).toEqual([false, 1]);
    echo('x', 2);
    await settle();
    expect([commit, await entries(), p.state.draft]).toEqual([{ done: true }, [], undefined]);
  });

  test('of nothing resolves immediately', async () => {
    const { p, commits } = await setUp();
    await p.commit();
    expect(commits()).toEqual([]);
  });

  test('is one at a time and resolves when everything typed meanwhile is saved', async () => {
    const { p, commits, echo } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit());
    p.edit('xy');
    const second = outcome(p.commit());
    expect(commits()).toHaveLength(1);
    echo('x', 2);
    await settle();
    expect(commits().map(({ data }) => [data['paragraph'], data['baseRev']])).toEqual([
      ['x', 1],
      ['xy', 2],
    ]);
    expect([commit.done, second.done]).toEqual([false, false]);
    echo('xy', 3);
    await settle();
    expect([commit.done, second.done]).toEqual([true, true]);
  });

  test('waits for the connection; the server puts it in order with changes by others', async () => {
    const all = await setUp();
    all.last().drop();
    all.p.edit('one\ntwo\n');
    const commit = outcome(all.p.commit({ timeout: 60_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    all.last().open();
    await settle();
    // The server knows what happened since the base.
    void all.p.commit().catch(() => {});
    expect(all.last().ops).toEqual(['GET_NOTE']);
    await read(all, paragraph('p', { text: 'zero\none\n', rev: 7 }), paragraph('q'));
    expect(all.commits().map(({ data }) => [data['paragraph'], data['baseRev']])).toEqual([
      ['one\ntwo\n', 1],
    ]);
    all.echo('zero\none\ntwo\n', 8);
    await settle();
    expect(commit).toEqual({ done: true });
  });

  test('lost with the connection is sent again, unless it had arrived', async () => {
    const all = await setUp();
    all.p.edit('x');
    const commit = outcome(all.p.commit({ timeout: 60_000 }));
    await reconnected(all);
    await read(all, paragraph('p'), paragraph('q'));
    expect(all.commits()).toHaveLength(1);
    await reconnected(all);
    await read(all, paragraph('p', { text: 'x', rev: 2 }), paragraph('q'));
    expect(all.commits()).toEqual([]);
    expect(commit).toEqual({ done: true });
  });

  test('that takes too long rejects with `timeout`; the text is kept and saved later', async () => {
    const { p, echo, entries } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit({ timeout: 100 }));
    await vi.advanceTimersByTimeAsync(100);
    expect(commit.error).toMatchObject({ code: 'timeout' });
    expect([p.state.draft, (await entries()).length]).toEqual(['x', 1]);
    echo('x', 2);
    await settle();
    expect([p.state.draft, await entries()]).toEqual([undefined, []]);
  });

  test.each([
    ['AUTH_INFO', 'forbidden'],
    ['ERROR_INFO', 'server'],
  ])('that is refused by %s rejects with the reason and keeps the text', async (op, code) => {
    const { p, last, entries } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit());
    last().say(op, { info: 'not for you' });
    await settle();
    expect(commit.error).toMatchObject({
      code,
      message: 'not for you',
      operation: 'COMMIT_PARAGRAPH',
    });
    expect(p.state).toMatchObject({ draft: 'x', commitError: 'not for you', inFlight: [] });
    expect(await entries()).toHaveLength(1);
  });

  test('that is never answered is sent once more and does not block later edits', async () => {
    const all = await setUp();
    const { p, commits } = all;
    const alive = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 1_000) {
        await vi.advanceTimersByTimeAsync(1_000);
        all.last().say('CONFIGURATIONS_INFO', { configurations: {} });
      }
    };
    p.edit('one\nlost');
    await alive(10_000);
    expect(commits()).toHaveLength(1);
    await alive(100_000);
    expect(commits().map(({ data }) => data['paragraph'])).toEqual(['one\nlost', 'one\nlost']);
    // The server may or may not have it: the next edit sends it again unchanged, and later text is
    // based on its reply.
    p.edit('one\nlost and found');
    await alive(11_000);
    const seqs = commits().map(({ data }) => data['authorSeq']);
    expect([commits().at(-1)?.data['paragraph'], seqs.length, new Set(seqs).size]).toEqual([
      'one\nlost',
      3,
      1,
    ]);
    all.echo('one\nlost', 2);
    await alive(11_000);
    expect(commits().at(-1)?.data).toMatchObject({ paragraph: 'one\nlost and found', baseRev: 2 });
    all.echo('one\nlost and found', 3);
    await settle();
    expect([all.note.dirty, all.ends.length, await all.entries()]).toEqual([false, 1, []]);
  });

  test('is rejected by an error that names it, not by one about another message', async () => {
    const { note: open, p, last } = await setUp();
    p.edit('x');
    open.paragraph('q').edit('y');
    const [one, two] = [outcome(p.commit()), outcome(open.paragraph('q').commit())];
    last().say('ERROR_INFO', { info: 'of a run', op: 'RUN_PARAGRAPH', id: 'p' });
    await settle();
    expect([one.done, two.done]).toEqual([false, false]);
    last().say('ERROR_INFO', { info: 'of q', op: 'COMMIT_PARAGRAPH', id: 'q' });
    await settle();
    expect([one.done, two.error]).toEqual([false, expect.objectContaining({ message: 'of q' })]);
  });

  test('over the size limit is refused before it is sent, and the text is kept', async () => {
    const { p, commits, entries } = await setUp();
    p.edit('x'.repeat(10_300_000));
    await expect(p.commit()).rejects.toMatchObject({ code: 'too-large' });
    expect(commits()).toEqual([]);
    expect(p.state.draft).toHaveLength(10_300_000);
    expect(p.state.commitError).toMatch(/10\d{6} bytes/);
    expect(await entries()).toHaveLength(1);
  });

  test('is held back while the note runs paragraph by paragraph, and sent afterwards', async () => {
    const { p, commits, last } = await setUp();
    last().say('NOTE_RUNNING_STATUS', { status: true });
    p.edit('x');
    void p.commit().catch(() => {});
    expect(commits()).toEqual([]);
    last().say('NOTE_RUNNING_STATUS', { status: false });
    await settle();
    expect(commits()).toHaveLength(1);
  });

  test('that was refused because of such a run has not failed', async () => {
    const { p, commits, echo, last } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit());
    last().say('NOTE_RUNNING_STATUS', { status: true });
    last().say('ERROR_INFO', {
      info: 'Note is now running sequentially. Can not be performed: COMMIT_PARAGRAPH',
    });
    await settle();
    expect([commit.done, p.state.commitError]).toEqual([false, undefined]);
    last().say('NOTE_RUNNING_STATUS', { status: false });
    await settle();
    expect(commits()).toHaveLength(2);
    echo('x', 2);
    await settle();
    expect(commit).toEqual({ done: true });
  });

  test('rejects with `closed` when the note is closed; the text stays in the journal', async () => {
    const { note: open, p, entries } = await setUp();
    p.edit('x');
    const commit = outcome(p.commit());
    open.close();
    await settle();
    expect(commit.error).toMatchObject({ code: 'closed' });
    expect(await entries()).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a conflict with a text whose history is unknown', () => {
  const theirs = { id: 'p', noteId: 'n', rev: 5, text: 'theirs\n', baseText: 'one\n' };
  const clash = async () => {
    const all = await setUp();
    all.p.edit('mine\n');
    const commit = outcome(all.p.commit());
    all.last().say('PARAGRAPH_CONFLICT', theirs);
    await settle();
    return { ...all, commit };
  };

  test('rejects the commit and every later one, and keeps both texts', async () => {
    const { p, commit, commits, entries } = await clash();
    expect(commit.error).toMatchObject({ code: 'conflict' });
    await expect(p.commit()).rejects.toMatchObject({ code: 'conflict' });
    expect(p.state).toMatchObject({
      draft: 'mine\n',
      conflict: { theirs: 'theirs\n' },
      server: { text: 'theirs\n', rev: 5 },
    });
    expect([commits().length, (await entries())[0]?.text]).toEqual([1, 'mine\n']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(commits()).toHaveLength(1);
  });

  test('is emitted as an event', async () => {
    const all = await setUp();
    const told: unknown[] = [];
    all.client.on('conflict', ({ paragraphId, conflict }) =>
      told.push([paragraphId, conflict.theirs]),
    );
    all.p.edit('mine\n');
    void all.p.commit().catch(() => {});
    all.last().say('PARAGRAPH_CONFLICT', theirs);
    await settle();
    expect(told).toEqual([['p', 'theirs\n']]);
  });

  test('can be resolved with the own text, saved over the other from its revision', async () => {
    const { p, commits, echo } = await clash();
    const kept = outcome(p.keepMine());
    expect(commits().at(-1)?.data).toMatchObject({ paragraph: 'mine\n', baseRev: 5 });
    echo('mine\n', 6);
    await settle();
    expect([kept, p.state.conflict]).toEqual([{ done: true }, undefined]);
  });

  test('can be resolved with the other text, which drops the own', async () => {
    const { p, commits, entries } = await clash();
    p.discard();
    await settle();
    expect([p.text, p.state.conflict, await entries(), commits().length]).toEqual([
      'theirs\n',
      undefined,
      [],
      1,
    ]);
  });

  test("of a run stores the server's text, so that the own text can be kept", async () => {
    const { p, last, commits } = await setUp();
    p.edit('mine\n');
    const run = outcome(Promise.resolve(p.run()));
    await settle();
    last().say('PARAGRAPH_CONFLICT', theirs);
    await settle();
    expect(run.error).toMatchObject({ code: 'conflict' });
    expect(p.state).toMatchObject({
      draft: 'mine\n',
      server: { text: 'theirs\n', rev: 5, status: 'READY' },
      conflict: { theirs: 'theirs\n' },
    });
    void p.keepMine().catch(() => {});
    expect(commits().at(-1)?.data).toMatchObject({ paragraph: 'mine\n', baseRev: 5 });
  });
});

describe('a later session', () => {
  const entry = async (journal: Journal) => {
    const first = await setUp({ journal });
    first.p.edit('one\ntwo\n');
    first.client.close();
    return (await journal.list(''))[0]!;
  };

  test('restores drafts of the previous one, with what was typed', async () => {
    const journal = memoryJournal();
    const { author } = await entry(journal);
    const { p, commits } = await setUp(
      { journal },
      paragraph('p', { text: 'zero\none\n', rev: 4 }),
    );
    expect(p.state).toMatchObject({ draft: 'one\ntwo\n', author });
    // The server puts it in order with what happened since.
    expect(commits()[0]?.data).toMatchObject({
      paragraph: 'one\ntwo\n',
      baseRev: 1,
      changes: [4, [0, 'two\n']],
      author,
    });
  });

  test('recognizes that the text had arrived', async () => {
    const journal = memoryJournal();
    await entry(journal);
    const { note: open, entries } = await setUp(
      { journal },
      paragraph('p', { text: 'one\ntwo\n', rev: 2 }),
    );
    expect([open.dirty, await entries()]).toEqual([false, []]);
  });

  test('of another user does not see them', async () => {
    const journal = memoryJournal();
    await entry(journal);
    const all = scripted(
      { 'GET /security/ticket': { principal: 'bob', ticket: 't' } },
      { journal },
    );
    const open = await all.open(note(paragraph('p')));
    await settle();
    expect(open.dirty).toBe(false);
    expect(await journal.list('')).toHaveLength(1);
  });
});

test('text typed after the session ended belongs to the user who typed before', async () => {
  const { p, client, journal, last } = await setUp();
  p.edit('x');
  const [before] = await journal.list('');
  client.on('session_logout', () => p.edit('xy'));
  last().say('SESSION_LOGOUT', { info: 'over' });
  await settle();
  const after = await journal.list('');
  expect(after.map(({ key, text }) => [key, text])).toEqual([[before!.key, 'xy']]);
});

test('a draft of a removed paragraph stays visible and in the journal, with a reason', async () => {
  const { p, last, commits, entries, note: open } = await setUp();
  p.edit('mine\n');
  const commit = outcome(p.commit());
  last().say('PARAGRAPH_REMOVED', { id: 'p' });
  await settle();
  expect(commit.error).toMatchObject({ code: 'not-found', message: 'The paragraph was removed.' });
  expect([open.state.order, p.text, (await entries()).length]).toEqual([['p', 'q'], 'mine\n', 1]);
  await expect(p.commit()).rejects.toMatchObject({ code: 'not-found' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(commits()).toHaveLength(1);
  await p.remove();
  expect([open.state.order, await entries()]).toEqual([['q'], []]);
});

test('note.commit() saves every draft of the note', async () => {
  const { note: open, last, commits } = await setUp();
  const all: Note = open;
  all.paragraph('p').edit('x');
  all.paragraph('q').edit('y');
  const commit = outcome(all.commit());
  expect(commits().map(({ data }) => data['id'])).toEqual(['p', 'q']);
  last().say('PARAGRAPH', { paragraph: paragraph('p', { text: 'x' }) });
  await settle();
  expect(commit.done).toBe(false);
  last().say('PARAGRAPH', { paragraph: paragraph('q', { text: 'y' }) });
  await settle();
  expect([commit.done, all.dirty]).toEqual([true, false]);
});
