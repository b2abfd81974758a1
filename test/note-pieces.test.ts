/** A note in pieces: its long outputs after the first ones follow behind it. */
import { createClient } from '@tiding/client';
import type { Note, Paragraph } from '@tiding/client/protocol';
import { expect, it } from 'vitest';
import { ADMIN_PASSWORD } from './support/embedded.ts';
import { asPage, login, openSocket, request, startEmpty } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const { url } = untilEnd(await startEmpty({ logLevel: 'silent' })).server;
const admin = await login(url);
const LENGTHS = [40_000, 10, 40_000, 40_000, 10, 1_024, 1_023, 200_000];
const paragraphs = LENGTHS.map((length, at) => ({
  id: `paragraph_${at}`,
  title: `Output ${at}`,
  text: `%md ${at}`,
  status: 'FINISHED',
  results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: `${at}`.repeat(length) }] },
}));
const imported = async (content: readonly object[]): Promise<string> => {
  const note = JSON.stringify({ name: `Outputs of ${content.length}`, paragraphs: content });
  const options = { headers: asPage(admin), body: note };
  const { json } = await request(url, 'POST', '/api/notebook/import', options);
  return (json as { body: string }).body;
};
const id = await imported(paragraphs);

interface Opened {
  note?: Note;
  following?: string[];
  paragraph?: Paragraph;
}
/** What a socket receives for a note. Requests are answered in order. */
async function opened(data: object) {
  const socket = await openSocket(url, { identity: admin.identity });
  socket.send({ op: 'GET_NOTE', data });
  socket.send({ op: 'LIST_NOTES', data: {} });
  const messages: { op: string; data: Opened }[] = [];
  for (;;) {
    const message = await socket.next('NOTE', 'PARAGRAPH', 'NOTES_INFO');
    if (message.op === 'NOTES_INFO') break;
    messages.push({ op: message.op, data: message.data as Opened });
  }
  socket.socket.terminate();
  return messages;
}

it('has its first outputs and the short ones; the others follow in order and whole', async () => {
  const [whole] = await opened({ id });
  expect(whole!.data.following).toBeUndefined();
  const [note, ...rest] = await opened({ id, inPieces: true });
  const ids = whole!.data.note!.paragraphs!.map((paragraph) => paragraph.id);
  const later = [3, 5, 7].map((at) => ids[at]!);
  expect(note!.data.following).toEqual(later);
  expect(rest.map(({ data }) => data.paragraph!.id)).toEqual(later);
  const behind = new Map(rest.map(({ data }) => [data.paragraph!.id, data.paragraph!]));
  expect(note!.data.note!.paragraphs!.map((each) => behind.get(each.id) ?? each)).toEqual(
    whole!.data.note!.paragraphs,
  );
  for (const each of note!.data.note!.paragraphs!)
    expect(each.results === undefined).toBe(later.includes(each.id));
});

it('is whole if its outputs are short, or for clients that do not ask for pieces', async () => {
  const short = await imported(paragraphs.slice(0, 2));
  for (const data of [{ id }, { id: short, inPieces: true }]) {
    const messages = await opened(data);
    expect(messages.map(({ op, data: { following } }) => [op, following])).toEqual([
      ['NOTE', undefined],
    ]);
  }
});

it('opens in the client with its first outputs, and is ready when all are there', async () => {
  const connect = async () => {
    const client = untilEnd(createClient({ server: url, autosave: 0 }));
    await client.session.login('admin', ADMIN_PASSWORD);
    return client;
  };
  const outputs = async (ready: boolean) => {
    const client = await connect();
    const note = await client.open(id, { inPieces: ready });
    if (ready) await note.ready();
    expect(note.isWhole).toBe(true);
    return note.paragraphs.map(({ outputs: all, state }) => [all, state.outputPhase]);
  };
  const whole = await outputs(false);
  expect(whole.map(([all]) => JSON.stringify(all).length)).toEqual(
    LENGTHS.map((length) => expect.toSatisfy((size: number) => size > length)),
  );
  expect(await outputs(true)).toEqual(whole);
  // A program that shares the note with a page waits for all of it.
  const client = await connect();
  const early = client.open(id, { inPieces: true });
  const note = await client.open(id);
  expect(note).toBe(await early);
  expect(note.paragraphs.map(({ outputs: all, state }) => [all, state.outputPhase])).toEqual(whole);
});
