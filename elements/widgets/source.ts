/** Where the payload of a widget comes from: its property, a script inside it, or the server. */
import { useCallback, useEffect, useState } from 'react';
import { isTidingError, type Client } from 'tiding/client';
import type { ViewProps } from '../runtime/define-element.ts';

/** What is there of a payload. */
export interface Source {
  /** As it came, not read yet. */
  readonly input: unknown;
  readonly loading: boolean;
  /** Why there is none, as a sentence. */
  readonly error: string | undefined;
  /** Asks again. */
  readonly reload: () => void;
}

/** The payload as it is now; follows the property, and the script while the page is still read. */
export function useSource(
  { host, values }: ViewProps,
  client: Client | undefined,
  widget: string | undefined,
): Source {
  const [written, setWritten] = useState<unknown>(() => scriptOf(host));
  useEffect(() => {
    const look = () => setWritten(scriptOf(host));
    look();
    const observer = new MutationObserver(look);
    observer.observe(host, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [host]);
  const given = values['data'] ?? written;
  const object = given === undefined ? (values['object'] as string | undefined) : undefined;
  const [answer, setAnswer] = useState<{ input?: unknown; error?: string }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    setAnswer((before) => (before.input === undefined && before.error === undefined ? before : {}));
    if (!client || object === undefined || widget === undefined) return undefined;
    const gone = new AbortController();
    client.objects.get(widget, object, { signal: gone.signal }).then(
      (input) => !gone.signal.aborted && setAnswer({ input }),
      (error: unknown) =>
        !gone.signal.aborted &&
        setAnswer({ error: isTidingError(error) ? error.message : String(error) }),
    );
    return () => gone.abort();
  }, [client, object, widget, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const asked = client !== undefined && object !== undefined && widget !== undefined;
  return {
    input: given ?? answer.input,
    loading: asked && answer.input === undefined && answer.error === undefined,
    error: given === undefined ? answer.error : undefined,
    reload,
  };
}

const scriptOf = (host: HTMLElement): string | undefined =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? undefined;
