/** Finds the payload of a widget: its property, a script inside the element, or the server. */

import { type Client, isTidingError } from '@tiding/client';
import { useCallback, useEffect, useState } from 'react';
import type { PortalCluster } from '../portal/cluster.ts';
import type { ViewProps } from '../runtime/define-element.ts';
import { useScriptText } from '../runtime/script-text.ts';

interface PayloadSource {
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
  const written = useScriptText(host);
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
    const { signal } = gone;
    const asking =
      typeof object === 'string'
        ? client.objects.get(widget, object, { signal })
        : describeCluster(client, object, signal);
    asking.then(
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

/** The cluster of a portal. The code of portals is loaded if there is one. */
function usePortalCluster(name: string | undefined): PortalCluster | undefined {
  const [cluster, setCluster] = useState<PortalCluster>();
  useEffect(() => {
    if (!name) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    import('../portal/bus.ts').then(
      ({ portal }) => {
        if (isGone) return;
        const bus = portal(name);
        const read = () => setCluster(bus.get('cluster'));
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

/** The description of the cluster that a portal names, if the server has that cluster. */
const describeCluster = async (
  client: Client,
  cluster: PortalCluster,
  signal: AbortSignal,
): Promise<unknown> =>
  (await import('./clusters/chosen-cluster.ts')).describeCluster(client, cluster, signal);
