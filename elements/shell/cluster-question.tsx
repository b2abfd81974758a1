import type { Client } from '@tiding/client';
import type { Cluster } from '@tiding/client/protocol';
import { useEffect } from 'react';
import { type ClusterAction, useClusterActions } from '../clusters/actions.tsx';
import { useEvent } from '../runtime/hooks.ts';

/** An action chosen in the menu; each choice is a new object. */
export interface RequestedAction {
  readonly action: ClusterAction;
  readonly cluster: Cluster;
}

/** Asks for confirmation of an action and shows its result. */
export default function ClusterQuestion({
  client,
  host,
  asked,
  onOpen,
}: {
  client: Client;
  host: HTMLElement;
  asked: RequestedAction;
  onOpen: (open: boolean) => void;
}) {
  const { ask, asking, view } = useClusterActions(client, host);
  useEffect(() => {
    ask(asked.action, asked.cluster);
  }, [ask, asked]);
  const tellOpen = useEvent(onOpen);
  useEffect(() => {
    if (!asking) return undefined;
    tellOpen(true);
    return () => tellOpen(false);
  }, [asking, tellOpen]);
  return view;
}
