/**
 * Edits by clients of Zeppelin, which send the whole text of a paragraph without its base: what
 * they show is stored and run, and changes by others that were still on their way are kept.
 */
import type { Socket } from 'node:net';
import type { Note } from '@tiding/client';
import { makeTextPatch } from '@tiding/client/changes';
import { beforeEach, describe, expect, it } from 'vitest';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { login, openSocket } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

let note: Note;
let zeppelin: Awaited<ReturnType<typeof openSocket>>;
const id = () => note.paragraphs[0]!.id;
/** The stored text. */
const text = () => note.paragraphs[0]!.state.server.text;

const embedded = untilEnd(await startEmbedded());
const client = untilEnd(await adminClient(embedded.server.url, { autosave: 0 }));

beforeEach(async () => {
  note = await client.open(await client.notes.create({ path: `edits/${crypto.randomUUID()}` }));
  await type('%md\none\ntwo\nthree');
  const { identity } = await login(embedded.server.url);
  zeppelin = await openSocket(embedded.server.url, { identity, note: note.id });
});

/** Another user types, in this project's client. */
async function type(next: string): Promise<void> {
  note.paragraphs[0]!.edit(next);
  await note.paragraphs[0]!.commit();
}
/** The client of Zeppelin sends its text, by default to save it. */
function send(paragraph: string, op = 'COMMIT_PARAGRAPH'): void {
  const data = { id: id(), title: '', paragraph, config: {}, params: {} };
  zeppelin.send({ op, data, msgId: paragraph.slice(0, 100) });
}
/** Returns the text of the next paragraph that the client of Zeppelin receives. */
async function received(): Promise<string> {
  const { data } = await zeppelin.next('PARAGRAPH');
  return (data as { paragraph: { text: string } }).paragraph.text;
}
/** The client of Zeppelin sends its text, and gets the paragraph as it is then. A run ends. */
async function save(paragraph: string, op?: string): Promise<string> {
  send(paragraph, op);
  let answer: string | undefined;
  for (;;) {
    const { data, msgId } = await zeppelin.next('PARAGRAPH');
    const { text: found, status } = (data as { paragraph: { text: string; status: string } })
      .paragraph;
    if (msgId === paragraph) answer = found;
    if (answer !== undefined && !/PENDING|RUNNING/.test(status)) return answer;
  }
}
/** Sends a patch from one text to another, as is done for each letter while others are there. */
const patch = (from: string, to: string) =>
  zeppelin.send({
    op: 'PATCH_PARAGRAPH',
    data: { id: id(), noteId: note.id, patch: makeTextPatch(from, to) },
  });
/** Messages to the client of Zeppelin stay on their way until it resumes. */
const hold = () => zeppelin.socket.pause();
const resume = () => zeppelin.socket.resume();

describe.each(['COMMIT_PARAGRAPH', 'RUN_PARAGRAPH'])('with %s', (op) => {
  it('keeps what others typed and it has not received', async () => {
    hold();
    await type('%md\nONE\ntwo\nthree');
    await type('%md\nONE and more\ntwo\nthree');
    send('%md\none\ntwo\nthree, mine', op);
    await expect.poll(text).toBe('%md\nONE and more\ntwo\nthree, mine');
    // It deletes its own words again, before it has received anything.
    send('%md\none\ntwo\nthree');
    await expect.poll(text).toBe('%md\nONE and more\ntwo\nthree');
    resume();
  });

  it.each([
    ['a line of others that it has received', ['%md\none\ntwo\nthree\nDROP', '%md\none\ntwo']],
    ['a text of others, and returns to the one before', ['%md\nother', '%md\none\ntwo\nthree']],
  ])('deletes %s', async (_name, [theirs = '', own = '']) => {
    await type(theirs);
    expect(await received()).toBe(theirs);
    expect(await save(own, op)).toBe(own);
    expect(text()).toBe(own);
  });

  it('deletes what it has sent as a patch', async () => {
    const before = '%md\none\ntwo\nthree';
    patch(before, `${before}\nsecret`);
    expect(await save(before, op)).toBe(before);
    patch(before, `${before}\nsecret`);
    expect(await save('%md\nnew', op)).toBe('%md\nnew');
  });
});

it('has not received a long text of which a part has arrived', async () => {
  const long = `%md\none\ntwo\n${'long '.repeat(40_000)}`;
  await type(long);
  expect(await received()).toBe(long);
  // Another page sends whole texts as well; nothing but the text itself shows what it changes.
  const { identity } = await login(embedded.server.url);
  const other = await openSocket(embedded.server.url, { identity, note: note.id });
  // The last bytes of its edit stay on their way.
  const stream = (zeppelin.socket as unknown as { _socket: Socket })._socket;
  const [read] = stream.listeners('data') as ((chunk: Buffer) => void)[];
  let bytes = 0;
  stream.off('data', read!);
  stream.on('data', (chunk: Buffer) => {
    if (bytes < 150_000) read!.call(stream, chunk.subarray(0, 150_000 - bytes));
    bytes += chunk.length;
  });
  const theirs = { id: id(), title: '', paragraph: long.replace('one', 'ONE and more') };
  other.send({ op: 'COMMIT_PARAGRAPH', data: { ...theirs, config: {}, params: {} } });
  await expect.poll(() => bytes).toBeGreaterThan(long.length);
  send(long.replace('two', 'mine'));
  await expect.poll(text).toBe(long.replace('one', 'ONE and more').replace('two', 'mine'));
});

it('rebases a patch over what it has not received', async () => {
  hold();
  await type('%md\nwords before\none\ntwo\nthree');
  patch('%md\none\ntwo\nthree', '%md\none\n2\nthree');
  await expect.poll(text).toBe('%md\nwords before\none\n2\nthree');
  send('%md\none\n2');
  await expect.poll(text).toBe('%md\nwords before\none\n2');
  resume();
});

it('replaces what it has received, although more is on its way', async () => {
  await type('%md\none\ntwo\nthree\nDROP');
  await received();
  hold();
  await type('%md\nfirst\none\ntwo\nthree\nDROP');
  send('%md\none\ntwo\nthree');
  await expect.poll(text).toBe('%md\nfirst\none\ntwo\nthree');
  resume();
});

it('edits the text that it was sent last, also where others have typed', async () => {
  await type('%md\nONE\ntwo\nthree');
  await received();
  expect(await save('%md\nONE!\ntwo')).toBe('%md\nONE!\ntwo');
  await expect.poll(text).toBe('%md\nONE!\ntwo');
  // Both continue.
  await type('%md\nONE!\ntwo\nfour');
  await received();
  expect(await save('%md\nONE!\ntwo\nfour\nfive')).toBe('%md\nONE!\ntwo\nfour\nfive');
});

it('counts a refused edit as never made', async () => {
  hold();
  await type('%md\nfirst\none\ntwo\nthree');
  send(`%md\none\ntwo\nthree ${'x'.repeat(2 ** 20)}`);
  send('%md\none\ntwo\nthree, mine');
  await expect.poll(text).toBe('%md\nfirst\none\ntwo\nthree, mine');
  resume();
});
