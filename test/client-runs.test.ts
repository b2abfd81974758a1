/** Runs of a client against the embedded server: limits, cancellation and refusals. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, isTidingError, type Note, outputText } from '@tiding/client';
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../server/auth/tokens.ts';
import { SERVER_LIMITS } from '../server/base/limits.ts';
import { startEmbedded } from './support/embedded.ts';
import { failure } from './support/failure.ts';
import { startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const MAX_SOCKETS = 14;

const embedded = untilEnd(await startEmpty({ maxSockets: MAX_SOCKETS, logLevel: 'silent' }));
const token = (await new AccessTokenStore(embedded.data).create('admin', { expiresInDays: 1 }))
  .token!;
const client = untilEnd(createClient({ server: embedded.server.url, auth: { token } }));

let made = 0;
/** Opens a new note with these texts. */
async function noteOf(...texts: string[]): Promise<Note> {
  const id = await client.call('createNote', {
    body: { name: `runs/${(made += 1)}`, paragraphs: texts.map((text) => ({ text })) },
  });
  return client.open(id);
}
const WAIT = '%js\nconsole.log("started"); await new Promise((done) => setTimeout(done, 120_000));';
/** Status of the first paragraph as the server has stored it. */
const storedStatus = async ({ id }: Note) =>
  (await client.call('getNote', { params: { noteId: id } })).paragraphs![0]!.status;

describe.each([
  ['a paragraph', (note: Note, options: object) => note.paragraphs[0]!.run(options)],
  ['a note', (note: Note, options: object) => note.run(options)],
  ['a note in parallel', (note: Note, options: object) => note.run({ parallel: true, ...options })],
])('a run of %s', (_, start) => {
  it('is stopped on the server by its time limit, so that the next run starts', async () => {
    const note = await noteOf(WAIT);
    expect(await failure(start(note, { timeout: 700 }))).toMatchObject({ code: 'timeout' });
    expect(await storedStatus(note)).toBe('ABORT');
    note.paragraphs[0]!.edit('%md\nnext');
    await start(note, {});
    expect(note.paragraphs[0]!.status).toBe('FINISHED');
    note.close();
  });

  it('rejects as aborted when the server has stopped it', async () => {
    const note = await noteOf(WAIT);
    const abort = new AbortController();
    const run = start(note, { signal: abort.signal });
    const error = failure(run);
    const loop = failure(
      (async () => {
        for await (const event of run)
          if (event.type === 'append' || (event.type === 'output' && event.data)) abort.abort();
      })(),
    );
    expect(await loop).toMatchObject({ code: 'aborted' });
    expect(await error).toMatchObject({ code: 'aborted' });
    expect(await storedStatus(note)).toBe('ABORT');
    note.close();
  });

  it('has ended when its loop is left, so that the next run starts', async () => {
    const note = await noteOf(WAIT);
    for await (const event of start(note, {}))
      if (event.type === 'append' || (event.type === 'output' && event.data)) break;
    expect(note.paragraphs[0]!.status).toBe('ABORT');
    expect(await storedStatus(note)).toBe('ABORT');
    note.paragraphs[0]!.edit('%md\nnext');
    await start(note, {});
    expect(note.paragraphs[0]!.status).toBe('FINISHED');
    note.close();
  });

  it('that is aborted at once does not continue on the server', async () => {
    const note = await noteOf(WAIT);
    const abort = new AbortController();
    const error = failure(start(note, { signal: abort.signal }));
    abort.abort();
    expect(await error).toMatchObject({ code: 'aborted' });
    expect(await storedStatus(note)).not.toMatch(/RUNNING|PENDING/);
    note.close();
  });
});

it('a run can be used as a promise', async () => {
  const note = await noteOf('%md\none');
  const seen: string[] = [];
  const run: Promise<unknown> = note.run().finally(() => seen.push('ended'));
  await run;
  const refused = note.paragraphs[0]!.run({ params: { nothing: 1 } });
  expect(await refused.catch((error: unknown) => isTidingError(error, 'protocol'))).toBe(true);
  expect(seen).toEqual(['ended']);
  note.close();
});

describe('the server', () => {
  it('says in the result that it ended a run, with its interpreter or itself', async () => {
    const other = await startEmpty({ logLevel: 'silent' });
    const { data, server } = other;
    const made = await new AccessTokenStore(data).create('admin', { expiresInDays: 1 });
    const own = createClient({ server: server.url, auth: { token: made.token! } });
    const id = await own.call('createNote', { body: { name: 'n', paragraphs: [{ text: WAIT }] } });
    const note = await own.open(id);
    let again: Awaited<ReturnType<typeof startEmbedded>> | undefined;
    try {
      const ends = [
        [
          () => own.interpreters.restart('js', id),
          'The interpreter was restarted or stopped while this paragraph ran.',
        ],
        [
          async () => {
            await server.close();
            again = await startEmbedded({ data, port: Number(new URL(server.url).port) });
          },
          'The server stopped while this paragraph ran.',
        ],
      ] as const;
      for (const [end, error] of ends) {
        const run = note.paragraphs[0]!.run();
        let ended: Promise<unknown> | undefined;
        for await (const event of run) if (event.type === 'append') ended ??= end();
        await ended;
        expect(await run).toMatchObject({ status: 'ABORT', error });
      }
    } finally {
      own.close();
      await again?.stop();
      await other.stop();
    }
  });

  it('says in an event of the run, not in its output, that variables are lost', async () => {
    const other = untilEnd(await startEmpty({ logLevel: 'silent', maxIdleMs: 1_000 }));
    const made = await new AccessTokenStore(other.data).create('admin', { expiresInDays: 1 });
    const own = untilEnd(createClient({ server: other.server.url, auth: { token: made.token! } }));
    const body = { name: 'n', paragraphs: [{ text: '%js\nn = 1' }] };
    const note = await own.open(await own.call('createNote', { body }));
    const ended = new Promise((resolve) => own.on('NOTICE', resolve));
    await note.paragraphs[0]!.run();
    await ended;
    const run = note.paragraphs[0]!.run();
    const notices: string[] = [];
    for await (const event of run) if (event.type === 'notice') notices.push(event.message);
    expect(notices).toEqual([
      'Interpreter js ended after 1 seconds without a run, and its variables are lost. ' +
        'This run has started it again.',
    ]);
    expect((await run).outputs.map(outputText).join()).not.toContain('Interpreter');
  });
});

it('stores the start of a run that has no new text and takes longer', async () => {
  const note = await noteOf(WAIT);
  const run = note.paragraphs[0]!.run({ timeout: 0 });
  await expect
    .poll(async () => {
      const file = join(embedded.data, 'notebook', note.id, 'note.json');
      return (
        JSON.parse(await readFile(file, 'utf8')) as {
          paragraphs: { status: string }[];
        }
      ).paragraphs[0]!.status;
    })
    .toMatch(/^(PENDING|RUNNING)$/);
  run.cancel();
  expect((await run).status).toBe('ABORT');
});

describe('a refusal that is known', () => {
  it('of a token is reported as signed-out by every call', async () => {
    const other = createClient({ server: embedded.server.url, auth: { token: 'tdg_wrong' } });
    const calls = [other.connect(), other.open('n'), other.notes.list(), other.call('version')];
    for (const error of await Promise.all(calls.map(failure)))
      expect(error).toMatchObject({ code: 'signed-out' });
    other.close();
  });

  it('of a connection, because too many are open, lets calls wait for another one', async () => {
    const other = createClient({ server: embedded.server.url, auth: { token } });
    const ids = (await other.notes.list()).map(({ id }) => id);
    while (ids.length < MAX_SOCKETS)
      ids.push(await client.notes.create({ path: `runs/many ${ids.length}` }));
    const timeout = 3_000;
    const errors = await Promise.all(ids.map((id) => failure(other.open(id, { timeout }))));
    const refused = ids.filter((_id, at) => errors[at] !== undefined);
    expect(refused).not.toEqual([]);
    for (const error of errors.filter(Boolean))
      expect(error).toMatchObject({
        code: 'too-many-connections',
        retryable: true,
        message:
          'The server closed the connection: too many connections of this user, at most ' +
          `${MAX_SOCKETS}. Close notes or pages that you no longer need.`,
      });
    const late = untilEnd(createClient({ server: embedded.server.url, auth: { token } }));
    const path = 'runs/made at the limit';
    const made = late.notes.create({ path }, { timeout: 60_000 });
    expect(await failure(late.notes.list({ timeout }))).toMatchObject({
      code: 'too-many-connections',
    });
    const waiting = client.open(refused[0]!, { timeout: 60_000 });
    other.close();
    expect((await waiting).id).toBe(refused[0]);
    expect((await client.call('getNote', { params: { noteId: await made } })).name).toBe(path);
  });
});

it('eighty notes of a program and three pages of the same user are open at a time', async () => {
  const other = await startEmpty({ maxSockets: SERVER_LIMITS.maxSockets.default });
  const auth = {
    token: (await new AccessTokenStore(other.data).create('admin', { expiresInDays: 1 })).token!,
  };
  const clients = Array.from({ length: 4 }, () =>
    createClient({ server: other.server.url, auth, timeout: 60_000 }),
  );
  const [program, ...pages] = clients;
  const ids: string[] = [];
  while (ids.length < 80)
    ids.push(await program!.call('createNote', { body: { name: `many/${ids.length}` } }));
  const opened = await Promise.all([
    ...ids.map((id) => program!.open(id)),
    ...pages.map((page) => page.notes.list().then(() => page.open(ids[0]!))),
  ]);
  expect(opened.map(({ id }) => id)).toEqual([...ids, ids[0], ids[0], ids[0]]);
  for (const each of clients) each.close();
  await other.stop();
});
