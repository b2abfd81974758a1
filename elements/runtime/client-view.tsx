import type { Client } from '@tiding/client';
import type { FunctionComponent } from 'react';
import { commonTexts } from '../text/common.ts';
import { takeNow } from './clients.ts';
import type { ViewProps } from './define-element.ts';
import { HostContext, useClientFrom } from './hooks.ts';

/**
 * Returns the client of an element: its own `client`, the one for its `server`, or that of the
 * surrounding workbench.
 */
export const useHostClient = (props: ViewProps): Client | undefined =>
  useClientFrom(takeNow, props);

export interface ClientViewProps extends ViewProps {
  readonly client: Client;
}

/** Creates the view of an element that needs only a client. Shows a message while there is none. */
export function clientView(
  Content: FunctionComponent<ClientViewProps>,
): FunctionComponent<ViewProps> {
  return function ClientView(props) {
    const client = useHostClient(props);
    if (!client) return <p className="element-note">{commonTexts.noServer}</p>;
    return (
      <HostContext value={props.host}>
        <Content {...props} client={client} />
      </HostContext>
    );
  };
}
