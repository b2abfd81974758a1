/**
 * Clients and servers of different versions work together. `test/fixtures/frames/tiding-0.1.0` is
 * the traffic between a client and a server of version 0.1.0: this client reads what that server
 * sent, and this server answers what that client sent. `TIDING_RECORD=1` records it again, for a
 * release: keep those of older versions.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Client,
  createClient,
  outputText,
  type Transport,
  webSocketTransport,
} from '@tiding/client';
import { endpoints } from '@tiding/client/protocol';
import {
  formatRecording,
  parseRecording,
  type RecordedEntry,
  recordFetch,
  recordTransport,
} from '@tiding/client/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { decodeFrame } from '../client/channel/decode.ts';
import { createRestClient, type RestCall } from '../client/rest/rest-client.ts';
import { adminClient, startEmbedded } from './support/embedded.ts';
import { untilEnd } from './support/until-end.ts';

const file = join(import.meta.dirname, 'fixtures/frames/tiding-0.1.0/session.jsonl');
/** The recorded server is then the one under test, which answers no message twice. */
const isRecording = Boolean(process.env['TIDING_RECORD']);
/** How long the server may take to answer, in ms. */
const LIMIT_MS = 60_000;

/** Lists, creates, edits, runs and exports: what most programs and pages do. */
async function session(client: Client): Promise<string> {
  const id = await client.notes.create({ path: 'Versions/Note' });
  await client.notes.list();
  const note = await client.open(id);
  const first = note.paragraphs[0]!;
  first.edit('%js\nconsole.log("rows")');
  await first.commit();
  const second = await note.insert({
    title: 'Table',
    text: "%js(form=simple)\nconsole.log('%table\\nkind\\tcount\\n${kind=a}\\t1')",
  });
  expect((await second.run({ params: { kind: 'b' } })).status).toBe('FINISHED');
  await second.configure({ results: { 0: { graph: { mode: 'multiBarChart' } } } });
  await second.move(0);
  const results = await note.run();
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['FINISHED']));
  expect(outputText(first.state.outputs[0]!)).toBe('rows\n');
  await note.rename('Versions/Renamed');
  await client.notes.search('rows');
  await client.jobs.list();
  await client.files.list();
  await client.notes.export(id);
  await client.interpreters.list();
  note.close();
  return id;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds a field that no version knows to an object, or to each object of a list. */
function extended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extended);
  return isObject(value) ? { ...value, newerField: { value: [1] } } : value;
}

/** A frame of a newer server: fields of its own, in the envelope and in its objects. */
function newerFrame(text: unknown): string {
  const frame = JSON.parse(String(text)) as { op: string; data?: Json };
  const data = { ...frame.data };
  for (const name of ['note', 'paragraph', 'noteJobs'])
    if (name in data) data[name] = extended(data[name]);
  if (isObject(data['note']) && Array.isArray(data['note']['paragraphs']))
    data['note'] = { ...data['note'], paragraphs: extended(data['note']['paragraphs']) };
  return JSON.stringify(extended({ ...frame, data: extended(data) }));
}

const newerTransport: Transport = (url, events, options) =>
  webSocketTransport(
    url,
    {
      ...events,
      onMessage(text) {
        events.onMessage(JSON.stringify({ op: 'NEWER_OPERATION', data: { id: 1 } }));
        events.onMessage(newerFrame(text));
      },
    },
    options,
  );

const newerFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (!response.headers.get('content-type')?.includes('json')) return response;
  const json = (await response.json()) as Json;
  return Response.json(
    extended(isObject(json) && 'body' in json ? { ...json, body: extended(json['body']) } : json),
    { status: response.status },
  );
};

/** Ids and dates differ between two sessions; the fields of an object don't. */
const ID = /^(?:2[A-Z0-9]{8}|\d{8}-\d{6}_\d+|paragraph_\d+_\d+)$/;

/** Collects the paths of an object's fields, with the types of their values. */
function fieldsOf(value: unknown, path: string, into: Set<string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) for (const each of value) fieldsOf(each, `${path}[]`, into);
  else if (isObject(value))
    for (const [name, each] of Object.entries(value))
      fieldsOf(each, `${path}.${ID.test(name) ? '*' : name}`, into);
  else into.add(`${path}: ${typeof value}`);
}

/** Learns from two answers which of the new ids stands for which of the recorded ones. */
function pairIds(recorded: unknown, now: unknown, ids: Map<string, string>): void {
  if (typeof recorded === 'string' && typeof now === 'string') {
    if (ID.test(recorded) && ID.test(now) && !ids.has(recorded)) ids.set(recorded, now);
  } else if (Array.isArray(recorded) && Array.isArray(now))
    for (const [at, each] of recorded.entries()) pairIds(each, now[at], ids);
  else if (isObject(recorded) && isObject(now))
    for (const [name, each] of Object.entries(recorded)) pairIds(each, now[name], ids);
}

interface Frame extends Json {
  op: string;
  data?: Json;
  msgId?: string;
}

/** Frames of runs that last long enough to be reported. */
const timed = new Set(['PROGRESS', 'PARAGRAPH_APPEND_OUTPUT', 'PARAGRAPH_UPDATE_OUTPUT']);

const routes = Object.entries(endpoints).map(([name, { method, path }]) => ({
  name: name as keyof typeof endpoints,
  method,
  pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/?]+')}/?(?:\\?|$)`),
}));
const routeOf = (method: string, path: string) =>
  routes.find((each) => each.method === method && each.pattern.test(path));

/** What a session showed: the fields of each kind of frame and of each answer. */
class Fields {
  readonly #fields = new Map<string, Set<string>>();
  add(kind: string, value: unknown): void {
    const into = this.#fields.get(kind) ?? new Set();
    this.#fields.set(kind, into);
    fieldsOf(value, '', into);
  }
  /** Fields that are here, but not there. */
  missingIn(other: Fields): string[] {
    return [...this.#fields].flatMap(([kind, fields]) =>
      [...fields]
        .filter((field) => !other.#fields.get(kind)?.has(field))
        .map((field) => `${kind} ${field}`),
    );
  }
}

/** Plays what a recorded client sent to a server. Returns the fields of the server's answers. */
async function play(
  entries: readonly RecordedEntry[],
  server: string,
  identity: { token: string; principal: string; ticket: string; roles: string },
): Promise<Fields> {
  const ids = new Map<string, string>();
  const fields = new Fields();
  const current = <T>(value: T): T => {
    let text = JSON.stringify(value);
    for (const [old, now] of ids) text = text.replaceAll(old, now);
    return JSON.parse(text) as T;
  };
  const sockets = new Map<number, { socket: WebSocket; frames: Frame[] }>();
  for (const [at, entry] of entries.entries()) {
    if (entry.direction === 'rest') {
      const { method, path, request, body, status } = entry;
      const response = await fetch(server + current(path), {
        method,
        headers: {
          Authorization: `Bearer ${identity.token}`,
          ...(request === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(request === undefined ? {} : { body: JSON.stringify(current(request)) }),
      });
      const answer = (await response.json()) as unknown;
      expect(response.status, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(status);
      pairIds(body, answer, ids);
      fields.add(`${method} ${routeOf(method, path)?.name}`, answer);
    } else if (entry.direction === 'open') {
      const socket = new WebSocket(`${server.replace('http', 'ws')}/ws`);
      const frames: Frame[] = [];
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as Frame;
        frames.push(frame);
        fields.add(frame.op, frame.data);
      });
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      sockets.set(entry.channel, { socket, frames });
    } else if (entry.direction === 'send') {
      const { socket, frames } = sockets.get(entry.channel)!;
      frames.length = 0;
      const { ticket, principal, roles } = identity;
      socket.send(JSON.stringify({ ...current(entry.frame), ticket, principal, roles }));
      // Wait for what the recorded client waited for: replies, and ends of runs.
      const rest = entries.slice(at + 1);
      const next = rest.findIndex(({ direction }) => direction === 'send' || direction === 'rest');
      for (const each of rest.slice(0, next < 0 ? undefined : next)) {
        if (each.direction !== 'recv' || each.channel !== entry.channel) continue;
        const frame = each.frame as Frame;
        const status = (value: Frame) =>
          (value.data?.['paragraph'] as Json | undefined)?.['status'];
        const isEnd = status(frame) === 'FINISHED';
        if (!isEnd && (frame.msgId === undefined || frame.msgId !== entry.frame['msgId'])) continue;
        const match = (other: Frame) =>
          other.op === frame.op &&
          (isEnd ? status(other) === 'FINISHED' : other.msgId === frame.msgId);
        await expect.poll(() => frames.some(match), { timeout: LIMIT_MS }).toBe(true);
        pairIds(frame.data, frames.find(match)!.data, ids);
      }
    } else if (entry.direction === 'close') sockets.get(entry.channel)?.socket.close();
  }
  for (const { socket } of sockets.values()) socket.close();
  return fields;
}

describe('clients and servers of different versions', () => {
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let token: string;
  let recorded: readonly RecordedEntry[];

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded());
    const owner = await adminClient(embedded.server.url);
    token = (await owner.tokens.create({ description: 'versions' })).token!;
    owner.close();
    if (isRecording) {
      const entries: RecordedEntry[] = [];
      const sink = (entry: RecordedEntry) => void entries.push(entry);
      const client = createClient({
        server: embedded.server.url,
        auth: { token },
        transport: recordTransport(webSocketTransport, sink),
        fetch: recordFetch(fetch, sink),
      });
      await client.notes.remove(await session(client));
      client.close();
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, formatRecording(entries));
    }
    recorded = parseRecording(await readFile(file, 'utf8')).entries;
  });

  it.skipIf(isRecording)(
    'a client reads every frame and answer of a server of version 0.1.0',
    async () => {
      const answers = recorded.filter((entry) => entry.direction === 'rest');
      expect(answers.length).toBeGreaterThan(5);
      const frames = recorded.filter((entry) => entry.direction === 'recv');
      expect(frames.length).toBeGreaterThan(10);
      const read = frames.map(({ frame }) => decodeFrame(JSON.stringify(frame)));
      expect(read.filter(({ kind }) => kind !== 'message')).toEqual([]);
      for (const { method, path, status, body } of answers) {
        const call: RestCall = createRestClient({
          server: 'http://recorded.test',
          auth: 'cookie',
          timeout: LIMIT_MS,
          fetch: async () => Response.json(body, { status }),
          onError: () => {},
        });
        const { name } = routeOf(method, path)!;
        const params = new Proxy({}, { get: () => 'x', has: () => true }) as never;
        await expect(call(name, { params }), `${method} ${path}`).resolves.not.toThrow();
      }
    },
  );

  it.skipIf(isRecording)(
    'a server answers a client of version 0.1.0 with all fields that it knows',
    async () => {
      const response = await fetch(`${embedded.server.url}/api/security/ticket`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      const { body } = (await response.json()) as {
        body: { principal: string; ticket: string; roles: string };
      };
      const then = new Fields();
      for (const entry of recorded)
        if (entry.direction === 'rest')
          then.add(`${entry.method} ${routeOf(entry.method, entry.path)?.name}`, entry.body);
        else if (entry.direction === 'recv' && !timed.has((entry.frame as Frame).op))
          then.add((entry.frame as Frame).op, (entry.frame as Frame).data);
      const now = await play(recorded, embedded.server.url, { token, ...body });
      expect(then.missingIn(now)).toEqual([]);
    },
  );

  it('a client works with a newer server, whatever that adds to frames and answers', async () => {
    const client = createClient({
      server: embedded.server.url,
      auth: { token },
      transport: newerTransport,
      fetch: newerFetch,
    });
    const problems: unknown[] = [];
    client.on('protocol-error', (error) => problems.push(error));
    await client.notes.remove(await session(client));
    expect(problems).toEqual([]);
    client.close();
  });

  it('a newer client is told that the server lacks an operation or a call', async () => {
    const client = createClient({ server: embedded.server.url, auth: { token } });
    const note = await client.open(await client.notes.create({ path: 'Versions/Lacks' }));
    await expect(
      note.channel.request('NEWER_OPERATION' as 'GET_NOTE', {} as never, () => undefined),
    ).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(
        /^Unknown operation: NEWER_OPERATION\. .*upgrade the server\.$/,
      ),
    });
    const response = await fetch(`${embedded.server.url}/api/newer/call`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      message: expect.stringMatching(/^There is no such call\. .*upgrade the server\.$/),
    });
    await client.notes.remove(note.id);
    client.close();
  });
});
