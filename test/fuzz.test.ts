/**
 * Sends thousands of invalid frames to a real client with an open note and unsaved texts.
 * `SEED=… npx vitest run test/fuzz.test.ts` repeats a run.
 */

import { isTidingError } from '@tiding/client';
import {
  paragraph as paragraphSchema,
  type ReceivedOp,
  receivedOperations,
} from '@tiding/client/protocol';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { MAX_FRAME_DEPTH } from '../client/channel/decode.ts';
import { loadProtocol } from '../client/channel/lazy-protocol.ts';
import { outputText } from '../client/core/outputs.ts';
import { loadNoteModule } from '../client/note/lazy-note.ts';
import { fixtures, frameText, recording, recordingsOf } from './support/recorded.ts';
import { scripted, settle } from './support/scripted.ts';
import { generator, seedOfRun } from './support/seed.ts';

// Lazy modules load in real time, which fake timers do not cover.
beforeAll(async () => void (await Promise.all([loadNoteModule(), loadProtocol()])));

/** `npm run test:long` sends 100,000. */
const FRAMES = Number(process.env['FRAMES'] ?? 8_000);
const seed = seedOfRun(20261122);

const random = generator(seed);
const below = (n: number): number => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;

const base = (
  recording(fixtures, 'run.json').entries.find(({ op }) => op === 'NOTE')!.data as {
    note: { id: string; paragraphs: { id: string }[] };
  }
).note;
const [typed, free] = [base.paragraphs[0]!.id, 'paragraph_of_nobody_else'];
/** The open note: the recorded one, so that recorded frames apply to it, plus one paragraph. */
const note = {
  ...base,
  paragraphs: [
    { ...base.paragraphs[0]!, text: 'first' },
    { id: free, text: 'second', status: 'READY' },
  ],
};
const drafts = { [typed]: 'first, and typed-7f3a here', [free]: 'second, and typed-91bc here' };

// The end of the session is left out, because it signs the client out.
const recorded = recordingsOf(fixtures)!
  .flatMap(({ entries }) => entries)
  .filter(({ op }) => op !== 'SESSION_LOGOUT')
  .map(frameText)
  .filter((text) => text !== undefined);
const ops = Object.keys(receivedOperations).filter((op) => op !== 'SESSION_LOGOUT');
const traps = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'length',
  '0',
  '',
];
const ids = [typed, typed, free, ...traps, 'new-1', 'new-2', 'new-3', base.id];
const fields = [
  'id',
  'paragraphId',
  'noteId',
  'index',
  'data',
  'type',
  'progress',
  'note',
  'notes',
  'paragraph',
  'paragraphs',
  'config',
  'results',
  'msg',
  'code',
  'text',
  'title',
  'status',
  'settings',
  'params',
  'forms',
  'formsData',
  'info',
  'infos',
  'op',
  'path',
  'name',
  'rev',
  'users',
  ...traps,
];
const letters = [
  'a',
  ' ',
  '\n',
  '"',
  '\\',
  '\u0000',
  '\ud800',
  '\udfff',
  '\u2028',
  '😀',
  'ü',
  '<',
  '%',
  '{',
  '\ufeff',
];
const word = (): string => Array.from({ length: below(12) }, () => pick(letters)).join('');
const numbers = [0, -0, -1, 1, 0.5, 3, 100, 1e9, -1e9, 2 ** 53, 1e308, -1e308, 5e-324];

/**
 * A random value. Fields are defined as JSON.parse does it, including names of prototype members.
 */
function thing(depth = 2): unknown {
  const kind = below(depth > 0 ? 11 : 8);
  if (kind < 2) return pick([null, true, false]);
  if (kind < 4) return pick(numbers);
  if (kind < 6) return pick([...ids, ...ops, word(), word()]);
  if (kind === 6)
    return pick(['READY', 'RUNNING', 'FINISHED', 'ERROR', 'PENDING', 'TEXT', 'TABLE', 'HTML']);
  if (kind === 7) return kind % 2 === 0 ? [] : {};
  if (kind === 8) return Array.from({ length: below(4) }, () => thing(depth - 1));
  return made(below(5), depth - 1);
}
function set(target: object, key: string, value: unknown): void {
  if (Array.isArray(target) && !/^\d+$/.test(key)) return;
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
function made(count: number, depth: number): object {
  const result = {};
  for (let n = 0; n < count; n += 1) set(result, pick(fields), thing(depth));
  return result;
}

/** All fields of a frame, as object and key. */
function places(value: unknown, found: [object, string][] = []): [object, string][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places((value as Record<string, unknown>)[key], found);
  }
  return found;
}
function mutated(): string {
  const frame = JSON.parse(pick(recorded)) as object;
  for (let times = 1 + below(3); times > 0; times -= 1) {
    const [parent, key] = pick(places(frame));
    const how = below(6);
    if (how < 2) set(parent, key, thing());
    else if (how === 2) delete (parent as Record<string, unknown>)[key];
    else if (how === 3) set(parent, pick(fields), thing());
    else if (how === 4) set(parent, key, pick(ids));
    else if (Array.isArray(parent)) parent.push(...parent.slice(0, 50));
    else set(parent, pick(fields), (parent as Record<string, unknown>)[key]);
  }
  return JSON.stringify(frame);
}

/**
 * A frame with valid types but hostile content: wrong ids, duplicate paragraphs, missing indexes.
 */
function hostile(): string {
  const id = pick(ids);
  const paragraph = () => ({
    id: pick(ids),
    text: pick(['first', 'second', word(), 'first\nof another']),
    status: pick(['READY', 'RUNNING', 'FINISHED', 'ERROR', undefined]),
    rev: pick([...numbers, undefined]),
    results: pick([
      undefined,
      { code: 'SUCCESS', msg: [{ type: 'TEXT', data: word() }] },
      { msg: [] },
    ]),
    config: made(2, 1),
  });
  const data = {
    NOTE: {
      note: {
        ...base,
        id: pick([base.id, base.id, ...traps]),
        paragraphs: Array.from({ length: below(6) }, paragraph),
        info: { isRunning: pick([true, false, 'yes']) },
      },
    },
    NOTE_UPDATED: { config: { looknfeel: word() }, info: made(3, 2) },
    PARAGRAPH: { paragraph: paragraph() },
    PARAGRAPH_ADDED: { paragraph: paragraph(), index: pick(numbers) },
    PARAGRAPH_MOVED: { id, index: pick(numbers) },
    PARAGRAPH_REMOVED: { id },
    PARAGRAPH_UPDATE_OUTPUT: {
      paragraphId: id,
      index: pick(numbers),
      type: pick(['TEXT', '__proto__', word()]),
      data: word(),
    },
    PARAGRAPH_APPEND_OUTPUT: { paragraphId: id, index: pick(numbers), data: word() },
    PROGRESS: { id, progress: pick(numbers) },
    PARAS_INFO: { id, infos: made(3, 2) },
    PARAGRAPH_CONFLICT: { id, noteId: base.id, rev: pick(numbers), text: word() },
    SAVE_NOTE_FORMS: { formsData: { params: made(3, 2), forms: { [word()]: { name: word() } } } },
    NOTE_RUNNING_STATUS: { status: pick([true, false]) },
    COLLABORATIVE_MODE_STATUS: { status: true, users: [word(), word()] },
    NOTES_INFO: {
      notes: [{ id: pick([base.id, ...traps]), path: pick(['/', '//a', '__proto__', word()]) }],
    },
    ERROR_INFO: { info: word(), op: pick(['COMMIT_PARAGRAPH', 'GET_NOTE', undefined]), id },
    AUTH_INFO: { info: word(), op: pick(['COMMIT_PARAGRAPH', 'GET_NOTE', undefined]) },
  };
  const op = pick(Object.keys(data) as (keyof typeof data)[]);
  return JSON.stringify({ op, data: data[op] });
}
const paragraphFrame = (config: string): string =>
  `{"op":"PARAGRAPH","data":{"paragraph":{"id":"${free}","text":"second","config":${config}}}}`;

function nested(): string {
  const depth = pick([
    3,
    50,
    MAX_FRAME_DEPTH - 10,
    MAX_FRAME_DEPTH + 10,
    1_000,
    5_000,
    random() < 0.05 ? 100_000 : 2_000,
  ]);
  const opening = pick(['[', '{"a":', '{"note":', '{"__proto__":']);
  const inner = `${opening.repeat(depth)}1${(opening === '[' ? ']' : '}').repeat(depth)}`;
  return pick([
    `{"op":${JSON.stringify(pick(ops))},"data":${inner}}`,
    `{"op":"NOTE_UPDATED","data":{"config":${inner},"info":{"x":${inner}}}}`,
    `{"op":"SAVE_NOTE_FORMS","data":{"formsData":{"params":{"p":${inner}},"forms":{}}}}`,
    paragraphFrame(`{"x":${inner}}`),
    `{"op":"PARAS_INFO","data":{"id":"${typed}","infos":{"x":${inner}}}}`,
    inner,
  ]);
}
function encoded(): unknown {
  const text = pick(recorded);
  const kind = below(8);
  if (kind === 0) return new TextEncoder().encode(text);
  if (kind === 1) return new TextEncoder().encode(text).buffer;
  if (kind === 2) return Buffer.from(text, 'utf8').toString('latin1');
  if (kind === 3) return Buffer.from(text, 'utf16le').toString('utf8');
  if (kind === 4) return `\ufeff${text}`;
  if (kind === 5) return text.replace(/[a-z]/, pick(letters));
  if (kind === 6)
    return pick<unknown>([undefined, null, 7, {}, [], Symbol('frame'), () => 1, Number.NaN]);
  return text + pick([' ', '}', ',', '\u0000', text]);
}
const beyond = (): string =>
  `{"op":"${pick(ops)}","data":${JSON.stringify(thing()).replace(/-?\b\d[\d.e+-]*\b/g, '1e999')}}`;
const infinite = (): string =>
  pick([
    `{"op":"PROGRESS","data":{"id":"${typed}","progress":1e999}}`,
    `{"op":"NOTE_UPDATED","data":{"config":{"zoom":-1E+400}}}`,
    paragraphFrame('{"mine":[1,1e4000]}'),
    paragraphFrame('{"colWidth":123e400}'),
  ]);
function huge(): string {
  const text = pick(['x', 'line\n', '😀', '"']).repeat(20_000 + below(200_000));
  return JSON.stringify(
    pick<object>([
      { op: 'PARAGRAPH_APPEND_OUTPUT', data: { paragraphId: typed, index: 0, data: text } },
      {
        op: 'PARAGRAPH',
        data: {
          paragraph: {
            id: pick(ids),
            text: pick(['first', text]),
            results: { msg: [{ type: 'TEXT', data: text }] },
          },
        },
      },
      { op: text, data: {} },
      { op: 'ERROR_INFO', data: { info: text } },
      { op: 'PROGRESS', data: { id: text, progress: 1 } },
      { op: 'NOTES_INFO', data: { notes: [{ id: 'a', path: text }] } },
    ]),
  );
}
function frame(): unknown {
  const kind = random();
  if (kind < 0.5) return mutated();
  if (kind < 0.6) return pick(recorded).slice(0, below(2_000));
  if (kind < 0.68)
    return (
      `{"op":${JSON.stringify(pick([...ops, ...traps]))},` +
      `"data":${JSON.stringify(thing(3))},"__proto__":{"polluted":true}}`
    );
  if (kind < 0.92) return hostile();
  if (kind < 0.93) return nested();
  if (kind < 0.97) return encoded();
  if (kind < 0.98) return beyond();
  if (kind < 0.99) return infinite();
  return random() < 0.2 ? huge() : word();
}

/**
 * Whether a value is nested deeper than a client accepts or contains a non-finite number. This
 * deliberately differs from the client's own check.
 */
function unsound(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (level.some((each) => typeof each === 'number' && !Number.isFinite(each))) return true;
    level = level
      .filter((each) => typeof each === 'object' && each !== null)
      .flatMap((each) => Object.values(each as object));
    if (level.length > 0 && depth >= MAX_FRAME_DEPTH) return true;
  }
  return false;
}
/** Classifies a frame by the protocol's description alone. */
function kindOf(text: unknown): 'message' | 'unknown' | 'error' {
  if (typeof text !== 'string') return 'error';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'error';
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json) || unsound(json))
    return 'error';
  const { op, data, msgId } = json as { op?: unknown; data?: unknown; msgId?: unknown };
  if (
    typeof op !== 'string' ||
    (msgId !== undefined && msgId !== null && typeof msgId !== 'string')
  )
    return 'error';
  if (!Object.hasOwn(receivedOperations, op)) return 'unknown';
  const fits = (value: unknown): boolean =>
    receivedOperations[op as ReceivedOp].data.safeParse(value ?? {}).success;
  return fits(data) || fits(withoutDamaged(data)) ? 'message' : 'error';
}

/** A message without the paragraphs of its note that do not fit: a client shows them as damaged. */
function withoutDamaged(data: unknown): unknown {
  const { note } = (data ?? {}) as { note?: { paragraphs?: unknown } };
  if (!Array.isArray(note?.paragraphs)) return data;
  const paragraphs = note.paragraphs.filter((each) => paragraphSchema.safeParse(each).success);
  return { ...(data as object), note: { ...note, paragraphs } };
}

/** Non-finite numbers and foreign prototypes in a state. */
function blemishes(value: unknown, path = 'state', found: string[] = []): string[] {
  if (typeof value === 'number' && !Number.isFinite(value)) found.push(`${path} is ${value}`);
  if (typeof value !== 'object' || value === null) return found;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null)
    found.push(`${path} has a foreign prototype`);
  for (const [key, inner] of Object.entries(value)) blemishes(inner, `${path}.${key}`, found);
  return found;
}

afterEach(() => void vi.useRealTimers());

test(`${FRAMES.toLocaleString('en')} random frames are reported once each; nothing is lost [S13]`, {
  timeout: 240_000,
}, async () => {
  console.log(`seed of the frames: ${seed}`);
  vi.useFakeTimers();
  const complaints: unknown[] = [];
  const spies = (['error', 'warn'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...args) => void complaints.push(args)),
  );
  const complain = (reason: unknown) => void complaints.push(reason);
  process.on('unhandledRejection', complain);
  process.on('uncaughtException', complain);

  const { client, open, last, ends } = scripted({}, { autosave: 0 });
  const opened = await open(note);
  await settle();
  const reported = { message: 0, unknown: 0, error: 0 };
  const seen = { message: 0, unknown: 0, error: 0 };
  client.on('event', (event) => {
    if (event.type === 'protocol-error') {
      reported.error += 1;
      expect(
        isTidingError(event.error, 'protocol') &&
          event.error.message !== '' &&
          event.error.message.length < 2_000,
      ).toBe(true);
    } else if (event.type === 'unknown-operation') reported.unknown += 1;
    else if (Object.hasOwn(receivedOperations, event.type)) reported.message += 1;
  });
  client.subscribe(() => void client.state);
  const prototypes = () =>
    [Object.prototype, Array.prototype, String.prototype, Function.prototype].map((each) =>
      Object.getOwnPropertyNames(each).join(),
    );
  const before = prototypes();
  const renew = async () => {
    last().say('NOTE', { note });
    seen.message += 1;
    for (const [id, text] of Object.entries(drafts)) {
      opened.drafts.discard(id);
      opened.paragraph(id).edit(text);
    }
    await settle();
  };
  await renew();

  const check = (at: number, text: unknown) => {
    const now = client.state.open[base.id]!;
    const hint = () => `frame ${at} of seed ${seed}: ${String(text).slice(0, 2_000)}`;
    const known = Object.keys(now.paragraphs);
    if (
      new Set(now.order).size !== now.order.length ||
      known.length !== now.order.length ||
      !now.order.every((id) => Object.hasOwn(now.paragraphs, id) && now.paragraphs[id]!.id === id)
    ) {
      expect.fail(
        `the order ${JSON.stringify(now.order)} is not that of ${JSON.stringify(known)}: ${hint()}`,
      );
    }
    for (const [id, draft] of Object.entries(drafts)) {
      const kept = Object.hasOwn(now.paragraphs, id) ? now.paragraphs[id]!.draft : undefined;
      // A valid text from the server is merged with the draft; typed text must still be in it.
      if (!kept?.includes(draft.split(' ').find((part) => part.startsWith('typed'))!))
        expect.fail(`the draft of ${id} is ${JSON.stringify(kept)}: ${hint()}`);
    }
    if ('polluted' in {} || !Number.isFinite(now.order.length))
      expect.fail(`a prototype was modified: ${hint()}`);
  };

  let state = client.state;
  for (let at = 0; at < FRAMES; at += 1) {
    const text = frame();
    const kind = kindOf(text);
    const { ...expected } = reported;
    expected[kind] += 1;
    seen[kind] += 1;
    try {
      last().raw(text);
    } catch (error) {
      expect.fail(
        `frame ${at} of seed ${seed} threw ` +
          `${error instanceof Error ? error.stack : String(error)}: ` +
          String(text).slice(0, 2_000),
      );
    }
    if (
      reported.message !== expected.message ||
      reported.unknown !== expected.unknown ||
      reported.error !== expected.error
    ) {
      expect.fail(
        `frame ${at} of seed ${seed} was reported as ${JSON.stringify(reported)} ` +
          `instead of ${JSON.stringify(expected)}: ${String(text).slice(0, 2_000)}`,
      );
    }
    if (client.state !== state) check(at, text);
    state = client.state;
    if (at % 100 === 0) {
      await settle();
      expect(blemishes(client.state), `after frame ${at} of seed ${seed}`).toEqual([]);
      for (const paragraph of opened.paragraphs)
        for (const output of paragraph.outputs) expect(typeof outputText(output)).toBe('string');
    }
    if (at % 400 === 399) {
      await renew();
      state = client.state;
    }
  }

  expect(reported).toEqual(seen);
  // Many frames of each kind are needed; otherwise only the first check was exercised.
  expect(Math.min(seen.message, seen.error)).toBeGreaterThan(FRAMES / 5);
  expect(seen.unknown).toBeGreaterThan(FRAMES / 100);
  expect(prototypes()).toEqual(before);
  expect(ends).toHaveLength(1);

  // The client still works.
  last().say('NOTE', { note: { ...note, path: '/after' } });
  last().say('PARAGRAPH', {
    paragraph: {
      id: free,
      text: 'second',
      title: 'after',
      status: 'FINISHED',
      results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'out' }] },
    },
  });
  last().say('NOTE_RUNNING_STATUS', { status: false });
  await settle();
  expect(opened.path).toBe('after');
  expect([
    opened.paragraph(free).title,
    opened.paragraph(free).status,
    opened.paragraph(free).outputs.map(outputText),
  ]).toEqual(['after', 'FINISHED', ['out']]);
  opened.drafts.discard(typed);
  opened.paragraph(typed).edit('the last words');
  const saved = opened.paragraph(typed).commit();
  await settle();
  last().say('PARAGRAPH', { paragraph: { id: typed, text: 'the last words', status: 'READY' } });
  await saved;
  expect(opened.paragraph(typed).text).toBe('the last words');
  client.close();
  await settle();
  vi.useRealTimers();
  // Unhandled rejections are reported after the current turn.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(complaints).toEqual([]);
  process.off('unhandledRejection', complain);
  process.off('uncaughtException', complain);
  for (const spy of spies) spy.mockRestore();
});
