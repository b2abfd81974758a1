/** Clients of the page. Elements with the same server and identity share one. */
import {
  type Client,
  type ClientAuth,
  createClient,
  type InitialAnswers,
  indexedDbJournal,
  memoryJournal,
} from '@tiding/client';
import { type FrameScheduler, frameScheduler } from './frame-scheduler.ts';

/** An access token, or a function that returns one. */
export type TokenSource = string | (() => string | Promise<string>);

interface Shared {
  client: Client;
  users: number;
  closing: ReturnType<typeof setTimeout> | undefined;
}

const shared = new Map<string, Shared>();
const schedulers = new WeakMap<Client, FrameScheduler>();
type TokenFunction = Extract<TokenSource, () => unknown>;
/** Functions that count as one token. The latest is asked. */
interface Identity {
  readonly id: number;
  latest: TokenFunction;
}
const identities = new WeakMap<TokenFunction, Identity>();
let nextId = 1;

function identityOf(token: TokenFunction): Identity {
  let identity = identities.get(token);
  if (!identity) identities.set(token, (identity = { id: nextId++, latest: token }));
  return identity;
}

/**
 * Makes a function count as the one that it replaces in an element, unless it is in use already:
 * pages that write it inline make a new one at each render. It is asked at the next renewal.
 */
export function replaceToken(
  previous: TokenSource | undefined,
  token: TokenSource | undefined,
): void {
  if (typeof previous !== 'function' || typeof token !== 'function' || identities.has(token))
    return;
  const identity = identityOf(previous);
  identity.latest = token;
  identities.set(token, identity);
}

function keyOf(server: string, token: TokenSource | undefined): string {
  return `${server}\n${typeof token === 'function' ? `#${identityOf(token).id}` : (token ?? '')}`;
}

/** Creates a client with the settings that elements use. */
export function pageClient(server: string, token?: TokenSource, initial?: InitialAnswers): Client {
  const auth: ClientAuth = token === undefined ? 'cookie' : { token };
  const address = new URL(server, document.baseURI);
  // An empty or relative address is resolved against the page and may include its query and
  // fragment.
  address.search = address.hash = '';
  const scheduler = frameScheduler();
  const client = createClient({
    server: address.href,
    auth,
    ...(initial ? { initial } : {}),
    scheduler,
    journal: typeof indexedDB === 'undefined' ? memoryJournal() : indexedDbJournal(),
  });
  schedulers.set(client, scheduler);
  return client;
}

/** Holds back what a client of this page shows; see {@link FrameScheduler.hold}. */
export const holdChanges = (client: Client): (() => void) =>
  schedulers.get(client)?.hold() ?? (() => {});

/** Returns a shared client and a function that releases it. */
export function takeClient(server: string, token?: TokenSource): [Client, () => void] {
  const key = keyOf(server, token);
  let entry = shared.get(key);
  if (!entry) {
    const identity = typeof token === 'function' ? identityOf(token) : undefined;
    const client = pageClient(server, identity ? () => identity.latest() : token);
    shared.set(key, (entry = { client, users: 0, closing: undefined }));
  }
  const taken = entry;
  taken.users += 1;
  clearTimeout(taken.closing);
  let given = false;
  return [
    taken.client,
    () => {
      if (given) return;
      given = true;
      taken.users -= 1;
      if (taken.users > 0) return;
      // An element that is moved or replaced returns soon, so keep the connection for a while.
      taken.closing = setTimeout(() => {
        shared.delete(key);
        taken.client.close();
      }, 2_000);
    },
  ];
}

/**
 * Takes the shared client of a server and passes it to `onClient`, at once or later. `replaced` is
 * the token that this one replaces in the element. Returns a function that releases the client.
 */
export type ClientTaker = (
  server: string,
  tokens: Readonly<Record<'token' | 'replaced', TokenSource | undefined>>,
  onClient: (client: Client) => void,
) => () => void;

/** Passes on a shared client at once. */
export const takeNow: ClientTaker = (server, { token, replaced }, onClient) => {
  replaceToken(replaced, token);
  const [client, giveBack] = takeClient(server, token);
  onClient(client);
  return giveBack;
};
