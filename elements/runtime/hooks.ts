/** Hooks shared by all views. */

import {
  type Client,
  type ClientState,
  isTidingError,
  type Note,
  type ReceivedEvent,
  TidingError,
} from '@tiding/client';
import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ClientTaker, TokenSource } from './clients.ts';
import { emitEvent, type ViewProps } from './define-element.ts';

/** Event dispatched by an element without a server; the nearest `<tiding-workbench>` answers. */
export class ClientRequest extends Event {
  /** Set by the element that answers. */
  client: Client | undefined = undefined;

  constructor() {
    super('tiding-client-request', { bubbles: true, composed: true });
  }
}

/** Like `useHostClient`, for views that don't need the code of clients at once. */
export function useClientFrom(take: ClientTaker, { host, values }: ViewProps): Client | undefined {
  const { client, server, token } = values as {
    client?: Client;
    server?: string;
    token?: TokenSource;
  };
  const [found, setFound] = useState<Client | undefined>(client);
  const usedToken = useRef<TokenSource>(undefined);
  // A layout effect, so that an element with a client does not show 'no server' for a frame.
  useLayoutEffect(() => {
    if (client) {
      setFound(client);
      return undefined;
    }
    if (server !== undefined) {
      const address = URL.canParse(server, document.baseURI)
        ? new URL(server, document.baseURI)
        : undefined;
      // Cookies are not sent to another origin, so without a token there is no identity. The host
      // page may set the token later.
      if (
        !address ||
        !/^https?:$/.test(address.protocol) ||
        (token === undefined && address.origin !== location.origin)
      ) {
        setFound(undefined);
        return undefined;
      }
      const replaced = usedToken.current;
      usedToken.current = token;
      return take(server, { token, replaced }, setFound);
    }
    const ask = () => {
      const request = new ClientRequest();
      host.dispatchEvent(request);
      setFound(request.client);
    };
    ask();
    // The workbench may be defined, or get its server or another client, after the elements inside
    // it.
    document.addEventListener('tiding-workbench-ready', ask);
    return () => document.removeEventListener('tiding-workbench-ready', ask);
  }, [take, host, client, server, token]);
  return found;
}

const nothing = { subscribe: () => () => {}, state: undefined };

/** Selects part of a client's state; renders again only when the selected part changes. */
export function useSelect<T>(
  client: Client | undefined,
  select: (state: ClientState) => T,
  empty: T,
): T {
  const source = client ?? nothing;
  return useSyncExternalStore(
    source.subscribe,
    () => (client ? select(client.state) : empty),
    () => empty,
  );
}

/** An open note, or the reason why it can't be opened. */
interface OpenNote {
  note: Note | undefined;
  error: TidingError | undefined;
  retry: () => void;
  /** Messages about the note that arrived before its view, which shows them first. */
  early: ServerMessage[];
}

/** A message of the server that may concern the user without being asked for. */
export type ServerMessage =
  | ReceivedEvent<'AUTH_INFO'>
  | ReceivedEvent<'ERROR_INFO'>
  | ReceivedEvent<'NOTICE'>;

/**
 * Calls `listener` for each message of the server that answers no request and concerns a note, or
 * the lists if `noteId` is `undefined`. Returns an unsubscribe function.
 */
export function onServerMessage(
  client: Client,
  noteId: string | undefined,
  listener: (message: ServerMessage) => void,
): () => void {
  const hear = (event: ServerMessage) => {
    if (event.noteId !== noteId || event.msgId !== undefined) return;
    // A rejected attempt to open the note is shown in place of the note.
    if (noteId === undefined || client.state.open[noteId]?.phase !== 'loading') listener(event);
  };
  const stops = [
    client.on('AUTH_INFO', hear),
    client.on('ERROR_INFO', hear),
    client.on('NOTICE', hear),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Emits `tiding-error` when the token of the element's client can't be used any more. */
function useTokenFailure(host: HTMLElement, client: Client | undefined): void {
  const reason = useSelect(client, ({ session }) => session.reason, undefined);
  useEffect(() => {
    if (reason)
      emitEvent(host, 'tiding-error', {
        code: 'signed-out',
        reason,
        message: client?.state.session.info ?? reason,
      });
  }, [host, client, reason]);
}

/**
 * Opens the note of an element, or one of its revisions, while the component is mounted. With
 * `inPieces`, as soon as its first outputs are there.
 */
export function useHostNote(
  host: HTMLElement,
  client: Client | undefined,
  noteId: string | undefined,
  options?: { revision?: string | undefined; inPieces?: boolean | undefined },
): OpenNote {
  useTokenFailure(host, client);
  return useOpenNote(client, noteId, options);
}

/** Whether the user has to sign in again. False while the ticket is being renewed. */
export function useSignedOut(client: Client | undefined): boolean {
  return useSelect(
    client,
    ({ session }) => session.phase === 'signed-out' && !session.renewing,
    false,
  );
}

/** The client's error of what a caught value reports. */
export const asTidingError = (caught: unknown): TidingError =>
  isTidingError(caught) ? caught : new TidingError('server', String(caught), { cause: caught });

/** Opens a note or one of its revisions while the component is mounted. */
export function useOpenNote(
  client: Client | undefined,
  noteId: string | undefined,
  { revision, inPieces }: { revision?: string | undefined; inPieces?: boolean | undefined } = {},
): OpenNote {
  const [opened, setOpened] = useState<{
    note?: Note;
    error?: OpenNote['error'];
    /** Ends the collection of early messages. */
    stop?: () => void;
  }>({});
  const [attempt, setAttempt] = useState(0);
  const early = useRef<ServerMessage[]>([]);
  // While the ticket is renewed, the note stays open: its channel reconnects with the new one.
  const signedOut = useSignedOut(client);
  // Retry after the user signs in again. The initial sign-in is part of the first attempt.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry or sign-in opens it again
  useEffect(() => {
    if (!client || !noteId) return undefined;
    let gone = false;
    let mine: Note | undefined;
    const waiting: ServerMessage[] = [];
    early.current = waiting;
    const stop = onServerMessage(client, noteId, (message) => waiting.push(message));
    (revision === undefined
      ? client.open(noteId, { inPieces })
      : client.openRevision(noteId, revision)
    ).then(
      (note) => {
        if (gone) return note.close();
        mine = note;
        setOpened({ note, stop });
        return undefined;
      },
      (error: unknown) => {
        if (!gone) setOpened({ error: asTidingError(error) });
      },
    );
    return () => {
      gone = true;
      setOpened({});
      stop();
      mine?.close();
    };
  }, [client, noteId, revision, attempt, signedOut]);
  // The view, which is a child, has subscribed by now.
  useEffect(() => {
    opened.stop?.();
  }, [opened]);
  return {
    note: opened.note,
    error: opened.error,
    retry: () => {
      // A new session opens the note again.
      if (signedOut) client?.session.renew().catch(() => {});
      else setAttempt((before) => before + 1);
    },
    early: early.current,
  };
}

/** The host element of a view; its shadow root contains menus and dialogs. */
export const HostContext = createContext<HTMLElement | undefined>(undefined);

/** Name of the portal whose signals filter the results; see `elements/portal`. */
export const PortalNameContext = createContext<string | undefined>(undefined);

/**
 * Returns the container for menus and dialogs: the shadow root of the view's element, which has the
 * style sheets.
 */
export function useOverlayContainer(): ShadowRoot | undefined {
  const host = useContext(HostContext);
  return host?.shadowRoot ?? undefined;
}

/** Returns a function with stable identity that always calls the latest `act`. */
export function useEvent<Args extends unknown[], Result>(
  act: (...args: Args) => Result,
): (...args: Args) => Result {
  const newest = useRef(act);
  newest.current = act;
  return useMemo(
    () =>
      (...args: Args) =>
        newest.current(...args),
    [],
  );
}

/**
 * Returns the value of the render in which a key last changed. Hooks can depend on it if the value
 * is a new object or function on every render and only the keys tell whether it differs.
 */
export function useStableValue<T>(value: T, keys: readonly unknown[]): T {
  const kept = useRef({ value, keys });
  if (!keys.every((key, at) => Object.is(key, kept.current.keys[at])))
    kept.current = { value, keys };
  return kept.current.value;
}
