/**
 * Reads frames and REST answers recorded from a real server. The README beside the recordings
 * explains the format.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One entry of a recording: a frame, a REST call, or a remark of the recorder. */
export interface Entry {
  readonly ms?: number;
  readonly direction?: 'send' | 'recv' | 'open' | 'close' | 'refused';
  readonly client?: string;
  readonly op?: string;
  readonly data?: unknown;
  /** Unusual fields of the frame's envelope. */
  readonly envelope?: Readonly<Record<string, unknown>>;
  /** A raw frame. */
  readonly text?: string;
  /** Refers to an identical long frame that was recorded earlier. */
  readonly same?: string;
  readonly note?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
}

/** A file of entries. */
export interface Recording {
  readonly name: string;
  readonly about: string;
  readonly entries: readonly Entry[];
}

/** The selection that is part of this repository. */
export const fixtures = join(import.meta.dirname, '../fixtures/frames/zeppelin-0.10.0');
/** All recordings, if they are beside this checkout. */
export const recordings = join(import.meta.dirname, '../../../shared/traces/zeppelin-0.10.0');

export function recording(folder: string, name: string): Recording {
  const { about, entries } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
    about: string;
    entries: Entry[];
  };
  return { name, about, entries };
}

/** Every file of a folder; `undefined` if the folder does not exist. */
export function recordingsOf(folder: string): Recording[] | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => recording(folder, name));
}

/**
 * The text of a received frame; `undefined` if the entry is not a frame or refers to an earlier
 * one.
 */
export function frameText({
  direction,
  op,
  data,
  envelope,
  text,
  same,
}: Entry): string | undefined {
  if (direction !== 'recv' || same !== undefined) return undefined;
  if (text !== undefined) return text;
  return JSON.stringify({
    op,
    data,
    ticket: 'anonymous',
    principal: 'anonymous',
    roles: '',
    ...envelope,
  });
}

/** A recorded answer as `fetch` returns it. */
export function responseOf({ status = 200, headers = {}, body }: Entry): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const empty = text === undefined || text === '' || status === 204 || status === 304;
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, each] as [string, string]),
  );
  return new Response(empty ? null : text, { status, headers: pairs });
}
