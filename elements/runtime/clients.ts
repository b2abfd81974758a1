/** Clients of the page. Elements with the same server and identity share one. */
import {
  type Client,
  type ClientAuth,
  createClient,
  type InitialAnswers,
  indexedDbJournal,
  memoryJournal,
} from '@tiding/client';
import { frameScheduler } from './frame-scheduler.ts';

/** An access token, or a function that returns one. */
export type TokenSource = string | (() => string | Promise<string>);

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

/** Creates a client with the settings that elements use. */
export function pageClient(server: string, token?: TokenSource, initial?: InitialAnswers): Client {
  const auth: ClientAuth = token === undefined ? 'cookie' : { token };
  const address = new URL(server, document.baseURI);
  // An empty or relative address is resolved against the page and may include its query and
  // fragment.
  address.search = address.hash = '';
  return createClient({
    server: address.href,
    auth,
    ...(initial ? { initial } : {}),
    scheduler: frameScheduler(),
    journal: typeof indexedDB === 'undefined' ? memoryJournal() : indexedDbJournal(),
  });
}

/** Returns a shared client and a function that releases it. */
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
      // An element that is moved or replaced returns soon, so keep the connection for a while.
      taken.closing = setTimeout(() => {
        shared.delete(key);
        taken.client.close();
      }, 2_000);
    },
  ];
}

/** Event dispatched by an element without a server; the nearest `<tiding-workbench>` answers. */
export class ClientRequest extends Event {
  /** Set by the element that answers. */
  client: Client | undefined = undefined;

  constructor() {
    super('tiding-client-request', { bubbles: true, composed: true });
  }
}
