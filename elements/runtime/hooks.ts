/** The hooks that views build on. */
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
import { isTidingError, type Client, type ClientState, type Note } from 'tiding/client';
import { ClientRequest, takeClient, type TokenSource } from './clients.ts';
import type { ViewProps } from './define-element.ts';

/** The client of an element: its own property, its server's, or that of the workbench around it. */
export function useClient({ host, values }: ViewProps): Client | undefined {
  const { client, server, token } = values as {
    client?: Client;
    server?: string;
    token?: TokenSource;
  };
  const [found, setFound] = useState<Client | undefined>(client);
  // Before anything is painted: who has a client must not say for one frame that he has none.
  useLayoutEffect(() => {
    if (client) {
      setFound(client);
      return undefined;
    }
    if (server !== undefined) {
      const address = URL.canParse(server, document.baseURI)
        ? new URL(server, document.baseURI)
        : undefined;
      // No cookie of another origin travels here: without a token there is nobody to ask as. The host sets it when it has it.
      if (
        !address ||
        !/^https?:$/.test(address.protocol) ||
        (token === undefined && address.origin !== location.origin)
      ) {
        setFound(undefined);
        return undefined;
      }
      const [taken, giveBack] = takeClient(server, token);
      setFound(taken);
      return giveBack;
    }
    const ask = () => {
      const request = new ClientRequest();
      host.dispatchEvent(request);
      setFound(request.client);
    };
    ask();
    // The workbench may be defined, or get its server or another client, after the elements inside it.
    document.addEventListener('tiding-workbench-ready', ask);
    return () => document.removeEventListener('tiding-workbench-ready', ask);
  }, [host, client, server, token]);
  return found;
}

const nothing = { subscribe: () => () => {}, state: undefined };

/** What a selector picks from a client's state; renders again only when that changed. */
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

/** An open note, or why there is none. */
export interface OpenNote {
  note: Note | undefined;
  error: { code: string; message: string } | undefined;
  retry: () => void;
}

/** Opens a note, or a revision of it, for as long as the view is there. */
export function useNote(
  client: Client | undefined,
  noteId: string | undefined,
  revision?: string,
): OpenNote {
  const [opened, setOpened] = useState<{ note?: Note; error?: OpenNote['error'] }>({});
  const [attempt, setAttempt] = useState(0);
  const phase = useSelect(client, (state) => state.session.phase, 'unknown');
  useEffect(() => {
    if (!client || !noteId) return undefined;
    let gone = false;
    let mine: Note | undefined;
    (revision === undefined ? client.open(noteId) : client.openRevision(noteId, revision)).then(
      (note) => {
        if (gone) return note.close();
        mine = note;
        setOpened({ note });
        return undefined;
      },
      (error: unknown) => {
        if (!gone)
          setOpened({
            error: isTidingError(error)
              ? { code: error.code, message: error.message }
              : { code: 'server', message: String(error) },
          });
      },
    );
    return () => {
      gone = true;
      setOpened({});
      mine?.close();
    };
    // Who signs in again gets another try; the first sign-in is part of the first.
  }, [client, noteId, revision, attempt, phase === 'signed-out']);
  return {
    note: opened.note,
    error: opened.error,
    retry: () => setAttempt((before) => before + 1),
  };
}

/** The element's shadow root, for what must be drawn at its top (menus, dialogs). */
export const HostContext = createContext<HTMLElement | undefined>(undefined);

/** Where menus and dialogs of this view are put: inside the same shadow root, where the sheets are. */
export function usePortal(): ShadowRoot | undefined {
  const host = useContext(HostContext);
  return host?.shadowRoot ?? undefined;
}

/** A function whose identity stays and whose body is the newest. */
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
