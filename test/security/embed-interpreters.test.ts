/**
 * A page that may edit runs code only in the interpreters that its token lists, whichever way it
 * starts the run and however the paragraph names its interpreter.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Note, Paragraph } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { bodyOf, twoPeople } from '../support/people.ts';
import {
  type Answer,
  callApi,
  type Frame,
  type Login,
  openSocket,
  request,
} from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';

const people = untilEnd(await twoPeople());

interface Page {
  readonly noteId: string;
  readonly ids: readonly string[];
  /** A REST call of the page. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Sends an operation and returns what the page receives until a frame that `isLast` accepts. */
  send(op: string, data: object, isLast?: (frame: Frame) => boolean): Promise<Frame[]>;
  /** The paragraph as its note has it now. */
  stored(id: string | undefined): Promise<Paragraph>;
}

/** A page with an edit token for a new note with these texts. */
async function open(interpreters: string[] | undefined, ...texts: string[]): Promise<Page> {
  const { id: noteId, paragraphs = [] } = await people.create(...texts);
  const made = await people.call(people.admin, 'POST', '/magpie/embed-token', {
    noteId,
    scope: 'edit',
    ...(interpreters ? { interpreters } : {}),
  });
  expect(made.status, made.text).toBe(201);
  const { token } = made.json as { token: string };
  const call: Page['call'] = (...args) => callApi(people.url, token, ...args);
  const ticket = await call('GET', '/security/ticket');
  const { body: identity } = ticket.json as { body: Login['identity'] };
  const socket = await openSocket(people.url, { identity });
  socket.send({ op: 'GET_NOTE', data: { id: noteId } });
  await socket.next('NOTE');
  return {
    noteId,
    ids: paragraphs.map(({ id }) => id),
    call,
    async send(op, data, isLast = ({ msgId }) => msgId === 'end') {
      socket.send({ op, data: { noteId, ...data } });
      // Its refusal follows all answers to the first message.
      socket.send({ op: 'GET_NOTE', data: { id: '2NOSUCHID' }, msgId: 'end' });
      const frames: Frame[] = [];
      for (;;) {
        const frame = await socket.any();
        if (isLast(frame)) return [...frames, frame];
        frames.push(frame);
      }
    },
    async stored(id) {
      const note = await bodyOf<Note>(people.call(people.admin, 'GET', `/notebook/${noteId}`));
      return note.paragraphs!.find((paragraph) => paragraph.id === id)!;
    },
  };
}

const refusals = (frames: readonly Frame[]) =>
  frames.filter(({ op, msgId }) => op === 'AUTH_INFO' && msgId !== 'end');
const message = (name: string) =>
  `The token of this page does not allow it to run code in the interpreter ${name}. ` +
  `Create the token with interpreters: ['${name}'].`;
const hasEnded = ({ op, data }: Frame) =>
  op === 'PARAGRAPH' && /FINISHED|ERROR/.test((data['paragraph'] as Paragraph).status ?? '');

it('a token without a list edits text and runs nothing, on every way', async () => {
  const { noteId, ids, call, send, stored } = await open(undefined, '%js\n1', '%md\nx');
  const [id] = ids;
  const edited = await send('COMMIT_PARAGRAPH', { id, paragraph: '%js\nconsole.log("edited")' });
  expect(refusals(edited)).toEqual([]);
  for (const [op, data] of [
    ['RUN_PARAGRAPH', { id }],
    ['RUN_PARAGRAPH', { id, paragraph: '%js\nconsole.log("edited again")' }],
    ['RUN_ALL_PARAGRAPHS', {}],
    ['RUN_ALL_PARAGRAPHS', { paragraphs: [{ id, paragraph: '%js\n2' }] }],
    ['PARAGRAPH_EXECUTED_BY_SPELL', { id, results: { code: 'SUCCESS', msg: [] } }],
  ] as const) {
    const frames = await send(op, data);
    expect(refusals(frames).map((frame) => frame.data['info'])).toEqual([message('js')]);
  }
  for (const path of [`run/${noteId}/${id}`, `job/${noteId}/${id}`, `job/${noteId}`]) {
    const { status, json } = await call('POST', `/notebook/${path}`, {});
    expect([status, (json as { message: string }).message]).toEqual([403, message('js')]);
  }
  const { text, status, results } = await stored(id);
  expect([text, status, results]).toEqual(['%js\nconsole.log("edited")', 'READY', undefined]);
});

it.each([
  // Without a magic: the default interpreter of the note.
  ['select 1', 'sql'],
  ['%javascript\n1', 'js'],
  ['%js.javascript\n1', 'js'],
  ['\n  %js(a=1)\n1', 'js'],
  ['%sql\nselect 1', 'sql'],
  ['%markdown\nx', undefined],
  ['%md.markdown\nx', undefined],
])('with a token for md, the text %j is run or refused by its interpreter', async (text, name) => {
  const { ids, send } = await open(['md'], '%md\nold');
  const [id] = ids;
  const frames = await send(
    'RUN_PARAGRAPH',
    { id, paragraph: text },
    name === undefined ? hasEnded : undefined,
  );
  expect(refusals(frames).map(({ data }) => data['info'])).toEqual(
    name === undefined ? [] : [message(name)],
  );
  expect(frames.some(hasEnded)).toBe(name === undefined);
});

it('a form value does not choose an interpreter that the token lacks', async () => {
  const { ids, send, stored } = await open(['sql'], '%sql\nold');
  const [id] = ids;
  await send(
    'RUN_PARAGRAPH',
    // Until the form is filled in, this text has no magic, and so the note's default, sql.
    { id, paragraph: '%${x=sql}\nconsole.log("ran")', params: { x: 'js' } },
    hasEnded,
  );
  const { status, results } = await stored(id);
  expect(status).toBe('ERROR');
  expect(results?.msg?.map(({ data }) => data)).toEqual([message('js')]);
});

it('follows a change of the default interpreter', async () => {
  const { noteId, ids, call } = await open(['sql'], "select 'ran'");
  const run = () => call('POST', `/notebook/run/${noteId}/${ids[0]}`, {});
  expect((await run()).text).toContain('ran');
  const other = await openSocket(people.url, { identity: people.admin.identity });
  other.send({
    op: 'SAVE_INTERPRETER_BINDINGS',
    data: { noteId, selectedSettingIds: ['js', 'sql'] },
  });
  other.send({ op: 'GET_INTERPRETER_BINDINGS', data: { noteId } });
  await other.next('INTERPRETER_BINDINGS');
  const refused = await run();
  expect([refused.status, (refused.json as { message: string }).message]).toEqual([
    403,
    message('js'),
  ]);
});

it('code that runs starts no other paragraph in another interpreter', async () => {
  const { noteId, ids, call, stored } = await open(
    ['js'],
    `%js\nawait z.run(1).catch((error) => console.log(error.message))`,
    '%sql\nselect 1',
  );
  const ran = await call('POST', `/notebook/run/${noteId}/${ids[0]}`, {});
  expect(ran.text).toContain(message('sql').slice(0, 60));
  expect((await stored(ids[1])).status).toBe('READY');
});

it('completes in listed interpreters only, and starts no other', async () => {
  const { noteId, ids, send } = await open(['md'], '%md\nx');
  const [id] = ids;
  const completions = async (buf: string, cursor = buf.length) => {
    const frames = await send('COMPLETION', { id, buf, cursor }, ({ op }) =>
      op.startsWith('COMPLETION'),
    );
    return frames.at(-1)!.data['completions'] as { name: string }[];
  };
  expect(await completions('%js\nMat')).toEqual([]);
  expect(await completions('%js\nconsole.')).toEqual([]);
  expect((await completions('%md\nx', 2)).map(({ name }) => name)).toEqual(['md']);
  const running = await people.call(people.admin, 'GET', '/session');
  expect(running.text).not.toContain(noteId);
});

it('a page with the scope run needs no list: it runs what is there', async () => {
  const { id, paragraphs = [] } = await people.create('%md\nx');
  const made = await people.call(people.admin, 'POST', '/magpie/embed-token', {
    noteId: id,
    scope: 'run',
  });
  const { token } = made.json as { token: string };
  const ran = await request(people.url, 'POST', `/api/notebook/run/${id}/${paragraphs[0]!.id}`, {
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect(ran.json).toMatchObject({ body: { code: 'SUCCESS' } });
});

it('the audit log names the account behind a page that ran code', async () => {
  const { noteId, ids, call } = await open(['md'], '%md\nx');
  await call('POST', `/notebook/run/${noteId}/${ids[0]}`, {});
  const log = await readFile(join(people.data, 'audit.log'), 'utf8').catch(() => '');
  expect(log).toContain('"embed:admin"');
});
