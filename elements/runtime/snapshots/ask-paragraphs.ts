/**
 * What pages read of paragraphs without the code of the client: all that one page wants of a note
 * at the same time is one call, which is repeated for changes.
 */
import type { RowsJson } from '@tiding/client/model';
import type { TokenSource } from '../clients.ts';

/** How often the server is asked for changes while a paragraph is visible, in ms. */
const POLL_MS = 5_000;

/** Markup as data. */
export type MarkupNode = string | readonly [string, Readonly<Record<string, string>>, MarkupNode[]];
/** An output: a table with its first rows, or the text of another one. */
export type DataOutput =
  | { readonly type?: undefined; rows: RowsJson; total: number; isQueried: boolean }
  | { readonly type: string; readonly data: string };
/** What the server says of a paragraph. */
export interface ParagraphAnswer {
  readonly revision?: string;
  /** Index of its style sheet in the answer. */
  readonly css?: number;
  readonly body?: MarkupNode;
  /** Status and outputs, for the look `data`. */
  readonly status?: string;
  readonly outputs?: readonly DataOutput[];
}
/** The answer to one call. */
export interface ParagraphAnswers {
  readonly path: string;
  readonly sheets: readonly string[];
  readonly views: readonly ParagraphAnswer[];
}

/** The tokens that functions returned: elements that share a function ask once. */
const tokens = new WeakMap<() => unknown, Promise<string>>();
/** Returns a token, but not `refused`. */
function tokenOf(
  token: TokenSource | undefined,
  refused?: Promise<string>,
): Promise<string> | undefined {
  if (typeof token !== 'function') return token === undefined ? token : Promise.resolve(token);
  let given = tokens.get(token);
  if (!given || given === refused) tokens.set(token, (given = Promise.resolve().then(token)));
  return given;
}

/** Sends something with a token, and once more with another one if the server refuses it. */
async function withToken<T extends { readonly status: number }>(
  token: TokenSource | undefined,
  send: (token: string | undefined) => Promise<T>,
): Promise<T> {
  const given = tokenOf(token);
  const found = await send(await given);
  return found.status === 401 && typeof token === 'function'
    ? send(await tokenOf(token, given))
    : found;
}

/** Options of `fetch` for a caller: a token, or else the cookie of the page's own server. */
const asCaller = (token: string | undefined): RequestInit => ({
  headers: {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  },
  credentials: token === undefined ? 'same-origin' : 'omit',
  cache: 'no-store',
});

/** The address of a REST call. */
function addressOf(server: string, path: string): string {
  const { origin, pathname } = new URL(server, document.baseURI);
  return `${origin}${pathname.replace(/\/$/, '')}/api/magpie/${path}`;
}

/** Calls the server without the client, for an answer that is no JSON. */
export const fetchAnswer = (
  server: string,
  token: TokenSource | undefined,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<Response> =>
  withToken(token, (given) =>
    fetch(addressOf(server, path), {
      ...asCaller(given),
      signal,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    }),
  );

/** A view that a page asks for. */
export type ParagraphView = Readonly<Record<string, string | number | undefined>>;
/** An answer, or the status and the reason if the server refuses. */
export type Asked =
  | { readonly status: 200; answers: ParagraphAnswers; answer: ParagraphAnswer }
  | { readonly status: number; answer?: undefined; message: string | undefined };
interface Wanted {
  readonly view: ParagraphView;
  resolve(asked: Asked): void;
  reject(reason: unknown): void;
}
/** Paragraphs of one call, and those whose data is asked for. */
const MAX_WANTED = 100;
const MAX_DATA = 8;
const batches = new Map<string, Wanted[]>();

/** Asks for a paragraph, in one call for all of a note that the page wants at the same time. */
export const askParagraph = (
  server: string,
  token: TokenSource | undefined,
  note: string,
  view: ParagraphView,
): Promise<Asked> =>
  withToken(
    token,
    (given) =>
      new Promise((resolve, reject) => {
        const address = addressOf(server, `first-views/${encodeURIComponent(note)}`);
        const isData = view['look'] === 'data';
        const key = `${address} ${given} ${isData}`;
        const wanted = { view, resolve, reject };
        const others = batches.get(key);
        if (others && others.length < (isData ? MAX_DATA : MAX_WANTED))
          return void others.push(wanted);
        const batch = [wanted];
        batches.set(key, batch);
        setTimeout(() => {
          if (batches.get(key) === batch) batches.delete(key);
          void send(address, given, batch);
        });
      }),
  );

async function send(
  address: string,
  token: string | undefined,
  batch: readonly Wanted[],
): Promise<void> {
  try {
    const response = await fetch(address, {
      ...asCaller(token),
      method: 'POST',
      body: JSON.stringify({ views: batch.map(({ view }) => view) }),
    });
    const { ok, status } = response;
    const answer = (await (ok
      ? response.json()
      : response.json().catch(() => ({})))) as ParagraphAnswers & { message?: string };
    for (const [at, { resolve }] of batch.entries())
      resolve(
        ok
          ? { status: 200, answers: answer, answer: answer.views[at]! }
          : { status, message: answer.message },
      );
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** What is asked for changes at the same time. */
const followed = new Set<{ refresh(): void }>();
let isPolling = false;
function poll(): void {
  if (isPolling) return;
  isPolling = true;
  setTimeout(() => {
    isPolling = false;
    for (const view of followed) view.refresh();
    if (followed.size > 0) poll();
  }, POLL_MS);
}

/** Calls `refresh` at intervals. */
export function follow(view: { refresh(): void }): void {
  followed.add(view);
  poll();
}

/** Ends the calls of `refresh`. */
export const unfollow = (view: { refresh(): void }): void => void followed.delete(view);
