/**
 * Recorded messages of a real server are understood completely: the schemas reject nothing and lose
 * no field.
 */
import { join } from 'node:path';
import {
  type EndpointName,
  type EndpointParams,
  endpoints,
  receivedOperations,
  sentOperations,
} from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../client/channel/decode.ts';
import { isHttpError } from '../client/core/errors.ts';
import { createRestClient } from '../client/rest/rest-client.ts';
import {
  type Entry,
  fixtures,
  frameText,
  type Recording,
  recordings,
  recordingsOf,
  responseOf,
} from './support/recorded.ts';

/** A value in the protocol's sense: a field that is `null` is absent. */
function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null && entry !== undefined)
      .map(([name, entry]) => [name, present(entry)]),
  );
}

/** Removes the marks where the recorder cut a long list. */
function whole(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .filter((entry) => !(typeof entry === 'string' && entry.startsWith('…<')))
      .map(whole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, whole(entry)]));
}

/** Explains what is wrong with how a frame is read; `undefined` if nothing is. */
function fault(cut: Entry): string | undefined {
  const entry = { ...cut, ...('data' in cut ? { data: whole(cut.data) } : {}) };
  const text = frameText(entry);
  if (text === undefined) return undefined;
  const decoded = decodeFrame(text);
  const known = Object.hasOwn(receivedOperations, entry.op ?? '');
  if (decoded.kind === 'error')
    return entry.op === undefined
      ? undefined
      : `${entry.op} at ${entry.ms} ms: ` +
          (decoded.error.issues.join('; ') || decoded.error.message);
  if (decoded.kind !== (known ? 'message' : 'unknown'))
    return `${entry.op} at ${entry.ms} ms is read as ${decoded.kind}`;
  const [before, after] = [present(entry.data ?? {}), present(decoded.message.data)];
  return JSON.stringify(sorted(after)) === JSON.stringify(sorted(before))
    ? undefined
    : `${entry.op} at ${entry.ms} ms: ${JSON.stringify(before)} became ${JSON.stringify(after)}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}

/** Ids as this server generates them, or invented by the recorder. */
const parameter = {
  noteId: '(?:2[A-Z0-9]{8}|nope|x)',
  settingId: '[^/]+',
  index: '[^/]+',
} as Readonly<Record<string, string>>;
const routes = Object.entries(endpoints).map(([name, { method, path }]) => {
  const names: string[] = [];
  const pattern = path.replace(/:(\w+)/g, (_, key: string) => {
    names.push(key);
    return `(${parameter[key] ?? '[^/]+'})`;
  });
  return { name: name as EndpointName, method, names, pattern: new RegExp(`^/api${pattern}/?$`) };
});

/** The client's call that an entry answers. */
function callOf({
  method,
  path = '',
}: Entry): { name: EndpointName; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path.split('?')[0]!) : null;
    if (match)
      return {
        name: route.name,
        params: Object.fromEntries(
          route.names.map((name, at) => [name, decodeURIComponent(match[at + 1]!)]),
        ),
      };
  }
  return undefined;
}

/** Makes the call against the recorded answer. Returns a description of what was wrong. */
async function restFault(entry: Entry): Promise<string | undefined> {
  const call = callOf(entry);
  // The platform follows redirects; the final answer has its own entry.
  if (!call || entry.status === 302) return undefined;
  const request = createRestClient({
    server: 'http://recorded',
    auth: 'cookie',
    timeout: 60_000,
    fetch: async () => responseOf({ ...entry, body: whole(entry.body) }),
    onError: () => {},
  });
  try {
    await request(call.name, { params: call.params as EndpointParams<EndpointName> });
    return entry.status === 200
      ? undefined
      : `${entry.method} ${entry.path}: ${entry.status} is no success`;
  } catch (error) {
    if (isHttpError(error, entry.status))
      return entry.status === 200 ? `${entry.path} fails` : undefined;
    const issues = JSON.stringify((error as { issues?: unknown }).issues ?? '');
    return `${entry.method} ${entry.path} ${entry.status}: ${String(error)} ${issues}`;
  }
}

function suite(title: string, live: readonly Recording[], rest: readonly Recording[]): void {
  describe(title, () => {
    for (const { name, about, entries } of live) {
      it(`${name}: ${about}`, () => {
        expect(entries.length).toBeGreaterThan(0);
        expect(entries.map(fault).filter((each) => each !== undefined)).toEqual([]);
      });
    }
    for (const { name, about, entries } of rest) {
      it(`${name}: ${about}`, async () => {
        const faults = await Promise.all(
          entries.filter(({ path }) => path !== undefined).map(restFault),
        );
        expect(faults.filter((each) => each !== undefined)).toEqual([]);
      });
    }
  });
}

const selected = recordingsOf(fixtures)!;
suite(
  'recorded, in this package',
  selected.filter(({ name }) => name !== 'rest.json'),
  selected.filter(({ name }) => name === 'rest.json'),
);

const live = recordingsOf(join(recordings, 'ws'));
const rest = recordingsOf(join(recordings, 'rest'));
if (live && rest) suite('recorded, all of it', live, rest);
else it.skip(`recorded, all of it: there is nothing at ${recordings}`);

describe('the selection', () => {
  const frames = selected.flatMap(({ entries }) => entries);

  it('contains every operation that a real server sent', () => {
    const known = Object.keys(receivedOperations);
    const seen = new Set(
      frames.filter(({ direction }) => direction === 'recv').map(({ op }) => op!),
    );
    // Sent only by Tiding or other generations, or only with settings that the recorded server
    // lacked.
    const elsewhere = (
      'TIDING_PRESENCE TIDING_COMMENTS TIDING_INSPECTION TIDING_COMM_STATE ' +
      'TIDING_COMM PARAGRAPH_CONFLICT REPO_SYNC_SUCCESS REPO_SYNC_ERROR IMPORT_NOTE ' +
      'RUN_PARAGRAPH_USING_SPELL NOTICE JOB_MANAGER_DISABLED ' +
      'INTERPRETER_INSTALL_STARTED INTERPRETER_INSTALL_RESULT'
    ).split(' ');
    expect(known.filter((op) => !seen.has(op) && !elsewhere.includes(op))).toEqual([]);
  });

  it('contains answers of most REST calls, including failures', () => {
    const answers = selected.find(({ name }) => name === 'rest.json')!.entries;
    const calls = new Set(answers.map((entry) => callOf(entry)?.name));
    expect(calls.size).toBeGreaterThan(25);
    expect(new Set(answers.map(({ status }) => status))).toEqual(
      new Set([200, 302, 400, 401, 403, 404, 500]),
    );
  });

  it('contains requests that match the schemas of sent operations', () => {
    const refused = frames
      .filter(
        ({ direction, op }) =>
          direction === 'send' && op !== undefined && Object.hasOwn(sentOperations, op),
      )
      .flatMap(({ op, data = {} }) => {
        const schema = sentOperations[op as keyof typeof sentOperations].data as {
          safeParse(value: unknown): { success: boolean };
        };
        return schema.safeParse(data).success ? [] : [op];
      });
    expect(refused).toEqual([]);
  });
});

describe('an answer that matches no schema', () => {
  it('is rejected for a field that is missing or has a wrong type', () => {
    expect(
      fault({ direction: 'recv', ms: 0, op: 'NOTES_INFO', data: { notes: [{ path: '/a' }] } }),
    ).toMatch(/^NOTES_INFO at 0 ms: notes\.0\.id/);
    expect(
      fault({ direction: 'recv', ms: 0, op: 'PROGRESS', data: { id: 'p', progress: '10' } }),
    ).toMatch(/progress/);
  });

  it('is rejected over REST too', async () => {
    expect(
      await restFault({
        method: 'GET',
        path: '/api/notebook',
        status: 200,
        body: { status: 'OK', body: { notes: [] } },
      }),
    ).toMatch(/does not match the protocol/);
  });
});
