import { useLayoutEffect } from 'react';
import { ClientRequest } from './clients.ts';
import { commonProperties, type ElementSpec, type ViewProps } from './define-element.ts';
import { useClient } from './hooks.ts';
import sheet from './workbench.css';

/** Holds the client of the elements inside it, and answers when they ask. */
function WorkbenchView(props: ViewProps) {
  const { host } = props;
  const client = useClient(props);
  useLayoutEffect(() => {
    if (!client) return undefined;
    const answer = (event: Event) => {
      if (!(event instanceof ClientRequest) || event.target === host) return;
      event.stopPropagation();
      event.client = client;
    };
    host.addEventListener('tiding-client-request', answer);
    document.dispatchEvent(new Event('tiding-workbench-ready'));
    const wake = () => client.wake();
    window.addEventListener('online', wake);
    return () => {
      host.removeEventListener('tiding-client-request', answer);
      window.removeEventListener('online', wake);
    };
  }, [host, client]);
  return <slot />;
}

/** `<tiding-workbench>` */
export const workbench: ElementSpec = {
  tag: 'tiding-workbench',
  doc: 'Holds one client for all elements inside it.',
  view: WorkbenchView,
  properties: { ...commonProperties },
  sheets: [sheet],
};
