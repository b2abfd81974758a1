/**
 * What a page with the scope `results` receives: outputs, and neither code nor form values nor the
 * names of people, whatever others do and whatever it reads.
 */
import {
  type EndpointName,
  endpoints,
  includesScope,
  type Note,
  receivedOperations,
  type SentOp,
  sentOperations,
} from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { bodyOf, PASSWORD, twoPeople } from '../support/people.ts';
import {
  type Answer,
  type Frame,
  type Login,
  login,
  onlyFor,
  openSocket,
  type RawSocket,
  request,
} from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

/** Part of every code, title, value, name and error that the page must not see. */
const HIDDEN = 'hidden';
/** Part of every output. */
const SHOWN = 'shown';
const OWNER = `${HIDDEN}-owner`;

const people = untilEnd(await twoPeople({ newNotes: 'private', maxSockets: 5_000 }));
await new Users(people.data).set(OWNER, { password: PASSWORD });
const owner = await login(people.url, OWNER, PASSWORD);

const CODE = `%js(form=simple)\nconsole.log('${SHOWN}'.toUpperCase().toLowerCase()) // ${HIDDEN}`;
const FAILING =
  `%js\nconsole.log('before'); await new Promise((done) => setTimeout(done, 120));` +
  `\nthrow new Error('${HIDDEN}')`;
/** A note with something hidden in each field, and outputs. */
const contents = () => ({
  name: `results/${crypto.randomUUID()}`,
  config: { cron: HIDDEN, looknfeel: 'default' },
  noteParams: { [HIDDEN]: HIDDEN },
  noteForms: { [HIDDEN]: { name: HIDDEN, defaultValue: HIDDEN } },
  paragraphs: [
    {
      text: `${CODE} \${a=${HIDDEN}} $\${b=${HIDDEN}}`,
      title: HIDDEN,
      user: HIDDEN,
      config: { editorSetting: { language: HIDDEN }, editorMode: HIDDEN, lineNumbers: true },
      settings: { params: { a: HIDDEN }, forms: { a: { name: 'a', defaultValue: HIDDEN } } },
      results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: `${SHOWN}\n1` }] },
      status: 'FINISHED',
      errorMessage: HIDDEN,
      jobName: HIDDEN,
      apps: [{ id: HIDDEN }],
      runtimeInfos: { [HIDDEN]: HIDDEN },
    },
    {
      text: FAILING,
      results: { code: 'ERROR', msg: [{ type: 'TEXT', data: `at line 2: ${HIDDEN}` }] },
      status: 'ERROR',
    },
    { text: CODE, title: `${SHOWN} title`, config: { title: true } },
  ],
});
async function fresh(): Promise<{ id: string; paragraphs: string[] }> {
  const id = await bodyOf<string>(people.call(owner, 'POST', '/notebook/import', contents()));
  const note = await bodyOf<Note>(people.call(owner, 'GET', `/notebook/${id}`));
  return { id, paragraphs: note.paragraphs!.map((paragraph) => paragraph.id) };
}

const tokenOf = async (noteId: string, paragraphId?: string): Promise<string> => {
  const answer = await people.call(owner, 'POST', '/magpie/embed-token', {
    noteId,
    scope: 'results',
    ...(paragraphId === undefined ? {} : { paragraphId }),
    params: { a: HIDDEN },
    subject: HIDDEN,
  });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json as { token: string }).token;
};
const get = (token: string, path: string, method = 'GET'): Promise<Answer> =>
  request(people.url, method, `/api${path}`, { headers: { Authorization: `Bearer ${token}` } });
const socketOf = async (identity: Login['identity']): Promise<RawSocket> => {
  return openSocket(people.url, { identity });
};
/** A page that has the note open, and the note as it received it. */
async function watch(token: string, noteId: string) {
  const ticket = await get(token, '/security/ticket');
  const page = await socketOf((ticket.json as { body: Login['identity'] }).body);
  page.send({ op: 'GET_NOTE', data: { id: noteId } });
  return { page, note: (await page.next('NOTE')).data['note'] as Note, ticket };
}
/** The frames that the socket has received so far. */
async function received(socket: RawSocket): Promise<Frame[]> {
  socket.send({ op: 'GET_NOTE', data: { id: '2NOSUCHID' }, msgId: 'end' });
  const frames: Frame[] = [];
  for (;;) {
    const frame = await socket.any();
    if (frame.msgId === 'end') return frames;
    frames.push(frame);
  }
}

it('reads outputs, and nothing else of the note, live and over REST', async () => {
  const { id, paragraphs } = await fresh();
  for (const only of [undefined, paragraphs[0]]) {
    const token = await tokenOf(id, only);
    const { note, ticket } = await watch(token, id);
    const called = await bodyOf<Note>(get(token, `/notebook/${id}`));
    const first = await bodyOf(get(token, `/notebook/${id}/paragraph/${paragraphs[0]}`));
    for (const seen of [note, called, first, ticket.json, token]) {
      const text = JSON.stringify(seen);
      expect(text).not.toContain(HIDDEN);
      expect(text).not.toContain('console.log');
    }
    expect(called).toMatchObject(note);
    expect(note.paragraphs![0]).toEqual({
      id: paragraphs[0],
      status: 'FINISHED',
      config: { editorHide: true },
      results: { code: 'SUCCESS', msg: [{ type: 'TABLE', data: `${SHOWN}\n1` }] },
      dateCreated: expect.any(String),
      dateUpdated: expect.any(String),
    });
    expect(note.paragraphs!.slice(1)).toMatchObject(
      only === undefined
        ? [
            {
              results: { code: 'ERROR', msg: [{ data: expect.stringMatching(/^The run failed/) }] },
            },
            { title: `${SHOWN} title` },
          ]
        : [],
    );
    const table = await get(token, `/magpie/result/${id}.${paragraphs[0]}.0?format=csv`);
    expect([table.status, table.text.trim()]).toEqual([200, `${SHOWN}\r\n1`]);
    expect(table.headers['content-disposition']).not.toContain(HIDDEN);
  }
});

it.each(
  (Object.keys(endpoints) as EndpointName[]).filter((name) => endpoints[name].embed !== undefined),
)('the answer of %s has no code', async (name) => {
  const { id, paragraphs } = await fresh();
  const token = await tokenOf(id);
  const { method, path, embed } = endpoints[name];
  const target = path
    .replace(':noteId', id)
    .replace(':resultId', `${id}.${paragraphs[0]}.0`)
    .replace(':paragraphId', paragraphs[1]!)
    .replace(/:(\w+)/g, 'x');
  const answer = await get(token, target, method);
  if (!includesScope('results', embed![0])) expect(answer.status).toBe(403);
  expect(method === 'HEAD' ? '' : answer.text).not.toMatch(new RegExp(`${HIDDEN}|console.log`));
});

/** Operations that remove the note, or end the server's work on it. */
const ends: ReadonlySet<string> = new Set(['DEL_NOTE', 'MOVE_NOTE_TO_TRASH'] satisfies SentOp[]);
it.each(
  (Object.keys(sentOperations) as SentOp[]).filter(
    (op) => sentOperations[op].right !== 'none' && !ends.has(op),
  ),
)('%s by another user sends a page no code', async (op) => {
  const { id, paragraphs } = await fresh();
  const { page } = await watch(await tokenOf(id), id);
  const other = await socketOf(owner.identity);
  other.send({ op: 'GET_NOTE', data: { id } });
  await other.next('NOTE');
  const filled = JSON.stringify(sentOperations[op].sample)
    .replaceAll('$note', id)
    .replaceAll('$paragraph', paragraphs[0]!)
    .replace(/"(changed|copy|back|x|c|f)"/g, `"${HIDDEN}"`);
  const data = JSON.parse(filled) as { name?: string };
  // The name of a note is shown with its results.
  if (op === 'NOTE_UPDATE' || op === 'NOTE_RENAME') data.name = `${SHOWN} name`;
  other.send({ op, data: { noteId: id, ...data } });
  await received(other);
  for (const frame of await received(page)) {
    expect(JSON.stringify(frame), frame.op).not.toMatch(new RegExp(`${HIDDEN}|console.log`));
    const [scope] = receivedOperations[frame.op as keyof typeof receivedOperations].embed ?? [];
    expect([frame.op, scope]).toEqual([frame.op, 'results']);
  }
});

it('sees output as it is printed, and of a failed run only that it failed', async () => {
  const { id, paragraphs } = await fresh();
  const { page } = await watch(await tokenOf(id), id);
  const other = await socketOf(owner.identity);
  other.send({ op: 'GET_NOTE', data: { id } });
  await other.next('NOTE');
  const ended = async (socket: RawSocket) => {
    const frames: Frame[] = [];
    for (;;) {
      const frame = await socket.next(
        'PARAGRAPH',
        'PARAGRAPH_UPDATE_OUTPUT',
        'PARAGRAPH_APPEND_OUTPUT',
      );
      frames.push(frame);
      const { status } = (frame.data['paragraph'] ?? {}) as { status?: string };
      if (status === 'FINISHED' || status === 'ERROR') return frames;
    }
  };
  const streamed = (frames: Frame[]) =>
    frames.flatMap(({ op, data }) => (op === 'PARAGRAPH_APPEND_OUTPUT' ? [data['data']] : []));
  for (const [paragraph, output, status] of [
    [paragraphs[2], `${SHOWN}\n`, 'FINISHED'],
    [paragraphs[1], 'before\n', 'ERROR'],
  ] as const) {
    other.send({ op: 'RUN_PARAGRAPH', data: { id: paragraph, noteId: id } });
    const [told, seen] = [await ended(other), await ended(page)];
    // The owner does see why it failed.
    expect(JSON.stringify(told).includes(`Error: ${HIDDEN}`)).toBe(status === 'ERROR');
    expect(JSON.stringify(seen)).not.toContain(HIDDEN);
    expect(streamed(seen)).toEqual([output]);
    expect(seen.at(-1)!.data['paragraph']).toMatchObject({ status });
  }
});

it('shows others, and stores, an opaque name of a page that edits', async () => {
  const { id, paragraphs } = await fresh();
  const made = await people.call(owner, 'POST', '/magpie/embed-token', {
    noteId: id,
    scope: 'edit',
    interpreters: ['js'],
    subject: 'visitor-real-name',
  });
  const { page } = await watch((made.json as { token: string }).token, id);
  await people.call(owner, 'PUT', `/notebook/${id}/permissions`, {
    ...onlyFor('bob'),
    owners: [OWNER],
  });
  const bob = await socketOf(people.bob.identity);
  bob.send({ op: 'GET_NOTE', data: { id } });
  await bob.next('NOTE');
  const [target] = paragraphs;
  const about = { id: target, noteId: id, paragraphId: target };
  for (const [op, data] of [
    ['COMMIT_PARAGRAPH', { paragraph: CODE }],
    ['PATCH_PARAGRAPH', { patch: '' }],
    ['INSERT_PARAGRAPH', { index: 0 }],
    ['COPY_PARAGRAPH', { index: 0, paragraph: 'copy' }],
    ['RUN_PARAGRAPH', { id: paragraphs[2] }],
  ] as const)
    page.send({ op, data: { ...about, ...data } });
  page.send({ op: 'RUN_ALL_PARAGRAPHS', data: { noteId: id, paragraphs: [{ id: target }] } });
  const frames: Frame[] = [];
  for (const done = new Set(); !done.has(target) || !done.has(paragraphs[2]); ) {
    const frame = await bob.any();
    frames.push(frame);
    const { id: about_, status } = (frame.data['paragraph'] ?? {}) as Record<string, unknown>;
    if (status === 'FINISHED') done.add(about_);
  }
  const note = await bodyOf<Note>(people.call(people.bob, 'GET', `/notebook/${id}`));
  const history = await people.call(people.bob, 'GET', `/magpie/jobs/${id}/history`);
  const text = JSON.stringify([frames, note, history.json]);
  expect(text).not.toMatch(new RegExp(`embed:${OWNER}|visitor-real-name`));
  const names = note.paragraphs!.map(({ user }) => user);
  expect(names.filter((name) => /^embed:[\w-]{16}$/.test(name ?? '')).length).toBeGreaterThan(3);
  for (const frame of await received(page)) expect(JSON.stringify(frame)).not.toContain(OWNER);
});
