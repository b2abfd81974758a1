/**
 * Edits by clients of Zeppelin, which send the whole text of a paragraph without its base: nothing
 * that others have typed is lost.
 */
import { type Client, createClient, type Note } from '@tiding/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { login, openSocket } from './support/raw.ts';

let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let client: Client;
let note: Note;
let zeppelin: Awaited<ReturnType<typeof openSocket>>;
const id = () => note.paragraphs[0]!.id;
/** The stored text. */
const text = () => note.paragraphs[0]!.state.server.text;

beforeAll(async () => {
  embedded = await startEmbedded();
  client = createClient({ server: embedded.server.url, autosave: 0 });
  await client.session.login('admin', ADMIN_PASSWORD);
});
afterAll(async () => {
  client?.close();
  await embedded?.stop();
});
beforeEach(async () => {
  note = await client.open(await client.notes.create({ path: `edits/${crypto.randomUUID()}` }));
  await type('%md\none\ntwo\nthree');
  const { identity } = await login(embedded.server.url, 'admin', ADMIN_PASSWORD);
  zeppelin = await openSocket(embedded.server.url, { identity });
  zeppelin.send({ op: 'GET_NOTE', data: { id: note.id } });
  await zeppelin.next('NOTE');
});

/** Another user types, in this project's client. */
async function type(next: string): Promise<void> {
  note.paragraphs[0]!.edit(next);
  await note.paragraphs[0]!.commit();
}
/** The client of Zeppelin saves its text, and gets the paragraph as it is then. */
async function save(paragraph: string, op = 'COMMIT_PARAGRAPH'): Promise<string> {
  const data = { id: id(), title: '', paragraph, config: {}, params: {} };
  zeppelin.send({ op, data, msgId: paragraph });
  for (;;) {
    const { data: answer, msgId } = (await zeppelin.next('PARAGRAPH')) as {
      data: { paragraph?: { text: string } };
      msgId?: string;
    };
    if (msgId === paragraph) return answer.paragraph!.text;
  }
}

describe.each(['COMMIT_PARAGRAPH', 'RUN_PARAGRAPH'])('with %s', (op) => {
  it('keeps what others typed while its own text was unsaved', async () => {
    await type('%md\nONE\ntwo\nthree');
    await type('%md\nONE and more\ntwo\nthree');
    // Unsaved text stays on the page when the others' text arrives.
    expect(await save('%md\none\ntwo\nthree, mine', op)).toBe(
      '%md\nONE and more\ntwo\nthree, mine',
    );
  });
});

it('edits the text that it was sent last, also where others have typed', async () => {
  await type('%md\nONE\ntwo\nthree');
  expect(await save('%md\nONE!\ntwo')).toBe('%md\nONE!\ntwo');
  await expect.poll(text).toBe('%md\nONE!\ntwo');
  // Both continue.
  await type('%md\nONE!\ntwo\nfour');
  expect(await save('%md\nONE!\ntwo\nfour\nfive')).toBe('%md\nONE!\ntwo\nfour\nfive');
});

it('continues from its own text, before it has received what that was merged with', async () => {
  await type('%md\nfirst line\none\ntwo\nthree');
  expect(await save('%md\none\ntwo\nthree, mine')).toBe('%md\nfirst line\none\ntwo\nthree, mine');
  expect(await save('%md\none\ntwo\nthree, mine and more')).toBe(
    '%md\nfirst line\none\ntwo\nthree, mine and more',
  );
});

it('a saved display setting with an old text changes no text', async () => {
  await type('%md\nnew text');
  expect(await save('%md\none\ntwo\nthree')).toBe('%md\nnew text');
  expect(text()).toBe('%md\nnew text');
});

it('deletes what others typed if its user does so again', async () => {
  await type('%md\none\ntwo\nthree\nunwanted');
  expect(await save('%md\none\ntwo\nthree')).toBe('%md\none\ntwo\nthree\nunwanted');
  expect(await save('%md\none\ntwo\nthree\nunwanted')).toBe('%md\none\ntwo\nthree\nunwanted');
  expect(await save('%md\none\ntwo\nthree')).toBe('%md\none\ntwo\nthree');
});
