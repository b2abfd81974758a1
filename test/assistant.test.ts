/** The assistant against a model on this machine, through the client and the embedded server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Note } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { resolveOptions } from '../server/base/options.ts';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { type ModelServer, sendChunk, startModel } from './support/model-server.ts';

const KEY = 'sk-only-for-tests';
let model: ModelServer;
let running: Awaited<ReturnType<typeof startEmbedded>>;
let client: Client;
let note: Note;

beforeAll(async () => {
  model = await startModel(() => 'SELECT 1');
  running = await startEmbedded({
    assistant: { url: model.url, model: 'tiny', key: KEY, sends: 'schemas' },
  });
  client = await adminClient(running.server.url);
  const id = await client.notes.create({ path: 'Sales' });
  note = await client.open(id);
  const [first] = note.paragraphs;
  first!.edit('%sql\nCREATE TABLE "Daily sales" AS SELECT 42 AS amount, now() AS "at"');
  await first!.run();
});
afterAll(async () => {
  client?.close();
  await running?.stop();
  await model?.stop();
});

const write = { task: 'write', magic: 'sql', question: 'Sales by month' } as const;
/** The text that the model got last, without the instructions. */
const told = () => model.asked.at(-1)!.body.messages.at(-1)!.content;

test('code streams, comes without fences, and its tokens are counted', async () => {
  model.reply = () => 'Here it is:\n```sql\nSELECT sum(amount)\nFROM "Daily sales"\n```\nDone.';
  const pieces: string[] = [];
  const { answer, tokens } = await client.assistant.ask(note.id, write, {
    onText: (piece) => pieces.push(piece),
  });
  expect(answer).toBe('SELECT sum(amount)\nFROM "Daily sales"');
  expect(pieces.length).toBeGreaterThan(3);
  expect(pieces.join('')).toBe(model.reply(model.asked[0]!, undefined as never));
  expect(tokens).toEqual({ read: 120, written: pieces.join('').length });
  const metrics = await (await fetch(`${running.server.url}/metrics`)).text();
  expect(metrics).toContain('tiding_assistant_tokens_total{kind="read"} 120');
});

test('what is sent is what the preview shows: names and types, not rows', async () => {
  model.reply = () => 'SELECT 1';
  const { messages, model: name, host } = await client.assistant.preview(note.id, write);
  await client.assistant.ask(note.id, write);
  expect([name, host]).toEqual(['tiny', new URL(model.url).host]);
  const { headers, body } = model.asked.at(-1)!;
  expect(body).toMatchObject({ model: 'tiny', stream: true, messages });
  expect(headers.authorization).toBe(`Bearer ${KEY}`);
  expect(told()).toContain('"Daily sales" (amount INTEGER, at TIMESTAMP WITH TIME ZONE)');
  expect(told()).toMatch(/^Language: SQL of DuckDB \(%sql\)\n\n.*CREATE TABLE/s);
  expect(told()).toMatch(/Question:\nSales by month$/);
  expect(JSON.stringify(await client.call('version'))).not.toContain(KEY);
});

describe('an error', () => {
  let id: string;
  beforeAll(async () => {
    const paragraph = await note.insert({ text: '%sql\nSELECT amuont FROM "Daily sales"' });
    id = paragraph.id;
    await paragraph.run();
  });

  test('is explained and mended with its code and message', async () => {
    model.reply = ({ body }) =>
      body.messages[0]!.content.includes('explain') ? 'A typo. ' : 'SELECT 2';
    const explained = await client.assistant.ask(note.id, { task: 'explain', paragraphId: id });
    expect(explained.answer).toBe('A typo.');
    expect(told()).toMatch(/Code:\nSELECT amuont FROM "Daily sales"\n\nError:\n.*amuont/s);
    expect((await client.assistant.ask(note.id, { task: 'fix', paragraphId: id })).answer).toBe(
      'SELECT 2',
    );
  });

  test('that is not there is not asked about', async () => {
    const asked = model.asked.length;
    const first = note.paragraphs[0]!.id;
    await expect(
      client.assistant.ask(note.id, { task: 'explain', paragraphId: first }),
    ).rejects.toMatchObject({
      status: 409,
      message: 'The last run of this paragraph did not fail.',
    });
    expect(model.asked.length).toBe(asked);
  });
});

test.each([
  ['without a question', { task: 'write', question: ' ' }, 400, /question is missing/],
  ['without a paragraph', { task: 'fix' }, 400, /paragraphId is missing/],
  [
    'that sends results',
    { task: 'describe', paragraphId: 'x', chart: 'a' },
    403,
    /TIDING_ASSISTANT_SENDS=results/,
  ],
  ['for an unknown interpreter', { task: 'write', question: 'x', magic: 'cobol' }, 400, /cobol/],
  ['of many characters', { task: 'write', question: 'x'.repeat(4_001) }, 400, /question/],
  [
    'with an unknown field',
    { task: 'write', question: 'x', temperature: 2 },
    400,
    /Unknown field temperature/,
  ],
] as const)(
  'a request %s is refused before the model is asked',
  async (_, request, status, message) => {
    const asked = model.asked.length;
    await expect(client.assistant.ask(note.id, request)).rejects.toMatchObject({
      status,
      message: expect.stringMatching(message),
    });
    expect(model.asked.length).toBe(asked);
  },
);

test('pages with an embed token, and those who may not run the note, are refused', async () => {
  const { token } = await client.embedTokens.create({ noteId: note.id, scope: 'edit' });
  const answer = await fetch(`${running.server.url}/api/magpie/assistant/${note.id}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(write),
  });
  expect(answer.status).toBe(403);
});

test.each<[string, Parameters<typeof startModel>[0], RegExp]>([
  [
    'refuses',
    (_, response) => void response.writeHead(401).end('{"error":{"message":"Invalid\\nkey"}}'),
    /answered with status 401. Invalid key$/,
  ],
  [
    'sends another page',
    (_, response) => void response.writeHead(302, { Location: '/' }).end(),
    /can't be reached/,
  ],
  [
    'fails within its answer',
    (_, response) => {
      sendChunk(response, { choices: [{ delta: { content: 'SELECT' } }] });
      sendChunk(response, { error: { message: 'out of memory' } });
      response.end();
      return undefined;
    },
    /failed. out of memory/,
  ],
  [
    'speaks another protocol',
    (_, response) => {
      sendChunk(response, 'hello');
      response.end();
      return undefined;
    },
    /does not answer as OpenAI's protocol says/,
  ],
  [
    'breaks off',
    (_, response) => {
      sendChunk(response, { choices: [{ delta: { content: 'SELECT' } }] });
      setTimeout(() => response.destroy(), 20);
      return undefined;
    },
    /can't be reached/,
  ],
])('a model that %s is reported in a sentence without the key', async (_, reply, message) => {
  model.reply = reply;
  const error = await client.assistant.ask(note.id, write).catch((one: Error) => one);
  expect(error).toMatchObject({ code: 'server', message: expect.stringMatching(message) });
  expect(JSON.stringify(error)).not.toContain(KEY);
});

test('ending the call ends the call to the model', async () => {
  model.reply = (_, response) => {
    sendChunk(response, { choices: [{ delta: { content: 'SELECT' } }] });
    return undefined;
  };
  const { left } = model;
  const stop = new AbortController();
  const asked = client.assistant.ask(note.id, write, {
    signal: stop.signal,
    onText: () => stop.abort(),
  });
  await expect(asked).rejects.toMatchObject({ code: 'aborted' });
  await vi.waitFor(() => expect(model.left).toBe(left + 1), 10_000);
});

test('questions are limited per user and audited without their text', async () => {
  model.reply = () => 'SELECT 1';
  const until429 = async (): Promise<number> => {
    for (let count = 1; ; count += 1) {
      const error = await client.assistant.ask(note.id, write).then(
        () => undefined,
        (one) => one,
      );
      if (error) {
        expect(error).toMatchObject({ status: 429 });
        return count;
      }
    }
  };
  expect(await until429()).toBeLessThanOrEqual(21);
  const log = await readFile(join(running.data, 'audit.log'), 'utf8');
  expect(log).toMatch(/"event":"assistant-asked","principal":"admin"/);
  expect(log).not.toContain('Sales by month');
});

test.each([
  [{ TIDING_ASSISTANT_URL: 'http://models.acme.org/v1' }, /not an https URL/],
  [{ TIDING_ASSISTANT_URL: 'https://a:b@models.acme.org' }, /not an https URL/],
  [{ TIDING_ASSISTANT_URL: 'https://models.acme.org' }, /Set TIDING_ASSISTANT_MODEL/],
  [
    {
      TIDING_ASSISTANT_URL: 'https://models.acme.org',
      TIDING_ASSISTANT_MODEL: 'm',
      TIDING_ASSISTANT_SENDS: 'all',
    },
    /schemas or results, not 'all'/,
  ],
])('%j stops the server at its start', (env, message) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    expect(() => resolveOptions()).toThrow(message);
  } finally {
    vi.unstubAllEnvs();
  }
});
