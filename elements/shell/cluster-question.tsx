import { useEffect } from 'react';
import type { Client } from 'tiding/client';
import type { Cluster } from 'tiding/protocol';
import { useClusterActions, type ClusterAction } from '../clusters/actions.tsx';

/** What was chosen; each choice is an object of its own. */
export interface AskedAction {
  readonly action: ClusterAction;
  readonly cluster: Cluster;
}

/** The question before a choice of the menu, and what came of it. */
export default function ClusterQuestion({
  client,
  host,
  asked,
  onOpen,
}: {
  client: Client;
  host: HTMLElement;
  asked: AskedAction;
  onOpen: (open: boolean) => void;
}) {
  const { ask, asking, view } = useClusterActions(client, host);
  useEffect(() => ask(asked.action, asked.cluster), [ask, asked]);
  useEffect(() => {
    if (!asking) return undefined;
    onOpen(true);
    return () => onOpen(false);
  }, [asking]);
  return view;
}
