import type { FunctionComponent } from 'react';
import type { Client } from 'tiding/client';
import { text } from '../text/en.ts';
import type { ViewProps } from './define-element.ts';
import { HostContext, useClient } from './hooks.ts';

/** The view of an element that needs nothing but a client: says that there is none until there is one. */
export function clientView(
  Content: FunctionComponent<{ client: Client; host: HTMLElement }>,
): FunctionComponent<ViewProps> {
  return function ClientView(props) {
    const client = useClient(props);
    if (!client) return <p className="element-note">{text.noServer}</p>;
    return (
      <HostContext value={props.host}>
        <Content client={client} host={props.host} />
      </HostContext>
    );
  };
}
