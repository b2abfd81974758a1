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

interface ClusterQuestionProps {
  client: Client;
  host: HTMLElement;
  requested: RequestedAction;
  onOpen: (open: boolean) => void;
}

/** Asks for confirmation of an action and shows its result. */
export default function ClusterQuestion({ client, host, requested, onOpen }: ClusterQuestionProps) {
  const { confirm, isConfirming, view } = useClusterActions(client, host);
  useEffect(() => {
    void confirm(requested.action, requested.cluster);
  }, [confirm, requested]);
  const notifyOpen = useEvent(onOpen);
  useEffect(() => {
    if (!isConfirming) return undefined;
    notifyOpen(true);
    return () => notifyOpen(false);
  }, [isConfirming, notifyOpen]);
  return view;
}
