/** Clients of the page: one a server and identity, shared by the elements that name the same. */
import {
  createClient,
  indexedDbJournal,
  memoryJournal,
  type Auth,
  type Client,
  type Scheduler,
} from 'tiding/client';

/** A token, or a function that answers one. */
export type TokenSource = string | (() => string | Promise<string>);

const frameScheduler: Scheduler = (flush) => {
  // A hidden page gets no frames, but its state must not stand still for those who await it.
  if (document.visibilityState === 'visible') requestAnimationFrame(flush);
  else setTimeout(flush, 50);
};

interface Shared {
  client: Client;
  users: number;
  closing: ReturnType<typeof setTimeout> | undefined;
}

const shared = new Map<string, Shared>();
const sourceIds = new WeakMap<() => unknown, number>();
let nextSourceId = 1;

function keyOf(server: string, token: TokenSource | undefined): string {
  if (typeof token !== 'function') return `${server}\n${token ?? ''}`;
  let id = sourceIds.get(token);
  if (id === undefined) sourceIds.set(token, (id = nextSourceId++));
  return `${server}\n#${id}`;
}

/** Makes a client as the elements use it. */
export function pageClient(server: string, token?: TokenSource): Client {
  const auth: Auth = token === undefined ? 'cookie' : { token };
  const address = new URL(server, document.baseURI);
  // An empty or relative address may bring what the page's own has behind its path.
  address.search = address.hash = '';
  return createClient({
    server: address.href,
    auth,
    scheduler: frameScheduler,
    journal: typeof indexedDB === 'undefined' ? memoryJournal() : indexedDbJournal(),
  });
}

/** Takes a shared client; call the second part of the answer to give it back. */
export function takeClient(server: string, token?: TokenSource): [Client, () => void] {
  const key = keyOf(server, token);
  let entry = shared.get(key);
  if (!entry)
    shared.set(key, (entry = { client: pageClient(server, token), users: 0, closing: undefined }));
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
      // An element that is moved or replaced comes back at once: keep the connection for it.
      taken.closing = setTimeout(() => {
        shared.delete(key);
        taken.client.close();
      }, 2_000);
    },
  ];
}

/** Asked of the elements above by one that names no server; the nearest <tiding-workbench> answers. */
export class ClientRequest extends Event {
  /** Set by who answers. */
  client: Client | undefined = undefined;

  constructor() {
    super('tiding-client-request', { bubbles: true, composed: true });
  }
}
