/**
 * Repeats recorded REST calls of a Zeppelin and compares the answers: the status, and every field
 * with its type. The differences are listed with their reasons, as on the compatibility page of the
 * documentation.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Answer, request, startEmpty } from './support/raw.ts';
import { type Entry, recordings, recordingsOf } from './support/recorded.ts';
import { untilEnd } from './support/until-end.ts';

type Call = Entry & {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: unknown;
  readonly requestText?: string;
  readonly requestForm?: Readonly<Record<string, string>>;
};

/** Calls with another status, by method and path, with the reason. */
const otherStatus: readonly [RegExp, string][] = [
  [/^GET \/next\/api\//, 'the second interface of Zeppelin is not served'],
  [/^GET \/(ping|health\/\w+)?$/, 'monitoring asks /healthz; the page is not built here'],
  [/^PUT \/api\/version$/, 'a wrong method is an unknown call: 405 means signed out'],
  [/^OPTIONS |^GET \/api\/version Origin/, 'no other origin is allowed by default'],
  [/^(GET|POST) \/api\/admin\/$/, 'log levels belong to /log/level; the recorded call failed'],
  [/^POST \/api\/login(\/logout)?$/, 'the recorded server had no accounts and failed'],
  [/^PUT \/api\/credential\/$/, 'a credential may have an empty password'],
  [/^GET \/api\/cluster\/nodes$/, 'there are no clusters of servers; the recorded call failed'],
  [/^GET \/api\/notebook\/job\/\w+$/, 'the recorded call failed'],
  [/probe|sample-interpreter/, 'the recorded interpreter and packages are not installed'],
  [/sample-visualization%40/, 'the recorded package is not installed'],
];
/** Requests that Zeppelin answers 200, 404, 406 or 500 and this server refuses more precisely. */
const isRefusal = (recorded: number, { status }: Answer): boolean =>
  recorded >= 400 && [400, 404, 409, 423].includes(status);
/** Requests that a Zeppelin accepts and this server refuses, with the reason. */
const refused: readonly [RegExp, string][] = [
  [/import\?notePath=.*"paragraphs":\[\]/, 'a note has paragraphs'],
  [/^PUT \S+\/paragraph\/\S+ \{\}$/, 'a change has a text'],
  [/^PUT \S+\/permissions \{/, 'anonymous users set no permissions'],
  [/^GET \/api\/notebook\/nope\/permissions/, 'an unknown note is 404'],
  [/^DELETE \/api\/interpreter\/setting\/nope/, 'an unknown setting is 404'],
  [/^POST \/api\/interpreter\/repository \{\}$/, 'a repository has a name and an address'],
  [/^PUT \/api\/notebook-repositories \{"name":"nope"/, 'an unknown storage is 404'],
];
/** Fields that are missing, with the reason. */
const missing: readonly [RegExp, string][] = [
  [
    /^\/api\/interpreter body\.(kotlin|jdbc|probe|java|jupyter)$/,
    'other interpreters are installed',
  ],
  [/^\/api\/interpreter(\/setting)? .*\.properties\./, 'interpreters have other properties'],
  [/^\/api\/configurations\/all body\.zeppelin/, 'settings that the server does not have'],
  [/^\/api\/notebook\/job\/.*\bfinished$/, 'a new run has not finished yet'],
  [/^\/api\/helium\/package body\.(sample|probe)-/, 'the recorded packages are not installed'],
];

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;

/** Compares a value with a recorded one; a list is represented by its first entry. */
function differences(recorded: unknown, found: unknown, path: string): string[] {
  if (kindOf(recorded) !== kindOf(found))
    return [found === undefined ? path : `${path}: ${kindOf(found)}, not ${kindOf(recorded)}`];
  if (Array.isArray(recorded) && Array.isArray(found))
    return recorded.length > 0 && found.length > 0
      ? differences(recorded[0], found[0], `${path}[]`)
      : [];
  if (typeof recorded !== 'object' || recorded === null) return [];
  return Object.entries(recorded).flatMap(([key, value]) =>
    differences(value, (found as Record<string, unknown>)[key], path ? `${path}.${key}` : key),
  );
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Maps ids of the recordings to ids of this server. */
function learn(ids: Map<string, string>, recorded: unknown, found: unknown): void {
  if (typeof recorded === 'string' && typeof found === 'string') {
    if (/^(2[A-Z0-9]{8}|paragraph_\d+_\d+|sh_\d+)$/.test(recorded)) ids.set(recorded, found);
  } else if (Array.isArray(recorded) && Array.isArray(found))
    recorded.forEach((each, at) => learn(ids, each, found[at]));
  else if (kindOf(recorded) === 'object' && kindOf(found) === 'object')
    for (const key of ['body', 'id', 'paragraphs', 'sessionId', 'noteId'])
      learn(
        ids,
        (recorded as Record<string, unknown>)[key],
        (found as Record<string, unknown>)[key],
      );
}

/** What the recorder made over the live channel before the calls of a topic. */
const seeds: Readonly<Record<string, { note: string; paragraphs: [string, string][] }>> = {
  '04-paragraph': { note: '2NAQ4MMWJ', paragraphs: [['', '%md x']] },
  '05-job': {
    note: '2N8GCJJSB',
    paragraphs: [
      ['paragraph_1795246792834_2096535336', '%sh\necho ${name=Anna}'],
      ['paragraph_1795246792834_1699972230', '%sh\nsleep 1'],
    ],
  },
  '06-permissions': { note: '2N9KAVXVC', paragraphs: [['', '%md x']] },
};

const topics = recordingsOf(join(recordings, 'rest'))?.filter(({ name }) =>
  /^(0\d|10)-/.test(name),
);

describe.skipIf(topics === undefined)(
  `recorded calls${topics ? '' : ' (the recordings are not beside this checkout)'}`,
  () => {
    it.each(topics ?? [{ name: 'none', about: '', entries: [] }])('$name', async (topic) => {
      const { name, entries } = topic;
      const embedded = untilEnd(await startEmpty({ anonymous: true, logLevel: 'silent' }));
      const { url } = embedded.server;
      const ids = new Map<string, string>();
      const own = (text: string) =>
        [...ids].reduce((before, [from, to]) => before.replaceAll(from, to), text);
      const ask = (method: string, path: string, body?: string, headers: object = {}) =>
        request(url, method, path, {
          headers: {
            Accept: '*/*',
            ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
        });
      const seed = seeds[name.replace('.json', '')];
      if (seed) {
        const paragraphs = seed.paragraphs.map(([, text]) => ({ text }));
        const made = await ask(
          'POST',
          '/api/notebook',
          JSON.stringify({ name: `seed ${name}`, paragraphs }),
        );
        const { body: id } = made.json as { body: string };
        ids.set(seed.note, id);
        const note = (await ask('GET', `/api/notebook/${id}`)).json as {
          body: { paragraphs: { id: string }[] };
        };
        seed.paragraphs.forEach(([recorded], at) => {
          if (recorded) ids.set(recorded, note.body.paragraphs[at]!.id);
        });
      }
      const problems: string[] = [];
      for (const entry of entries as Call[]) {
        if (entry.method === undefined) continue;
        const { method, path, status, requestHeaders, requestBody, requestForm } = entry;
        const body =
          requestBody === undefined
            ? (entry.requestText ??
              (requestForm ? new URLSearchParams(requestForm).toString() : undefined))
            : JSON.stringify(requestBody);
        // The recorder waited for the end of a run before it asked for its outcome, or asked when
        // the first paragraph was done.
        const isDuring = JSON.stringify(entry.body).includes('"RUNNING"');
        if (seed && method !== 'DELETE' && status !== 500)
          await expect
            .poll(async () => (await ask('GET', `/api/notebook/job/${ids.get(seed.note)}`)).json)
            .toMatchObject({
              body: isDuring ? { paragraphs: [{ status: 'FINISHED' }, {}] } : { isRunning: false },
            });
        const answer = await ask(method, own(path), body && own(body), {
          ...(requestForm ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
          ...requestHeaders,
        });
        const label = `${method} ${path}`;
        const whole = `${label}${requestHeaders?.['Origin'] ? ' Origin' : ''}`;
        const sent = `${label}${body === undefined ? '' : ` ${body}`}`;
        if (answer.status !== status) {
          const known =
            otherStatus.some(([calls]) => calls.test(whole) || calls.test(sent)) ||
            (answer.status >= 400 && refused.some(([calls]) => calls.test(sent))) ||
            isRefusal(status, answer) ||
            (status === 500 && answer.status === 200 && /\/search$/.test(path));
          if (!known) problems.push(`${sent}: ${answer.status}, not ${status}: ${answer.text}`);
          continue;
        }
        if (status !== 200) continue;
        const found = parsed(answer.text);
        learn(ids, entry.body, found);
        if (typeof entry.body !== 'object') continue;
        for (const each of differences(entry.body, found, ''))
          if (!missing.some(([fields]) => fields.test(`${path} ${each}`)))
            problems.push(`${sent}: ${each}`);
      }
      expect(problems).toEqual([]);
    });
  },
);
