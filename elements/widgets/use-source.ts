/** Finds the payload of a widget: its property, a script inside the element, or the server. */

import { type Client, isTidingError } from '@tiding/client';
import { useCallback, useEffect, useState } from 'react';
import type { ViewProps } from '../runtime/define-element.ts';

/** State of the payload. */
export interface PayloadSource {
  /** The raw payload. */
  readonly input: unknown;
  readonly loading: boolean;
  /** Why there is no payload, as an error message. */
  readonly error: string | undefined;
  /** Loads the payload again. */
  readonly reload: () => void;
}

/**
 * The current payload. Follows changes of the property, and of the script while the page is being
 * parsed. `isTaking`: whether the client will be there soon.
 */
export function useSource(
  { host, values }: ViewProps,
  client: Client | undefined,
  widget: string | undefined,
  isTaking: boolean,
): PayloadSource {
  const [written, setWritten] = useState<unknown>(() => scriptOf(host));
  useEffect(() => {
    const look = () => setWritten(scriptOf(host));
    look();
    const observer = new MutationObserver(look);
    observer.observe(host, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [host]);
  const given = values['data'] ?? written;
  const { object: own, portal } = values as { object?: string; portal?: string };
  const current = usePortalCluster(widget === 'cluster' ? portal : undefined);
  const object = given === undefined ? (own ?? current) : undefined;
  const [answer, setAnswer] = useState<{ input?: unknown; error?: string }>({});
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again at each reload
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
  const asks = client !== undefined || isTaking;
  const asked = asks && object !== undefined && widget !== undefined;
  return {
    input: given ?? answer.input,
    loading: asked && answer.input === undefined && answer.error === undefined,
    error: given === undefined ? answer.error : undefined,
    reload,
  };
}

/** Name of the current cluster of a portal. The code of portals is loaded if there is one. */
function usePortalCluster(name: string | undefined): string | undefined {
  const [cluster, setCluster] = useState<string>();
  useEffect(() => {
    if (!name) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    import('../runtime/portals/bus.ts').then(
      ({ portal }) => {
        if (isGone) return;
        const bus = portal(name);
        const read = () => {
          const signal = bus.get('cluster');
          setCluster(signal && (signal.name ?? signal.id));
        };
        read();
        stop = bus.subscribe(read);
      },
      () => {},
    );
    return () => {
      isGone = true;
      stop?.();
      setCluster(undefined);
    };
  }, [name]);
  return cluster;
}

const scriptOf = (host: HTMLElement): string | undefined =>
  host.querySelector(':scope > script[type="application/json"]')?.textContent ?? undefined;
