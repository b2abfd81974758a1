import { useEffect, useLayoutEffect, useRef } from 'react';
import { useHostClient } from '../runtime/client-view.tsx';
import {
  commonProperties,
  type ElementSpec,
  emitEvent,
  type ViewProps,
} from '../runtime/define-element.ts';
import { ClientRequest, HostContext } from '../runtime/hooks.ts';
import { useServerMessages } from '../ui/server-messages.tsx';
import { useToasts } from '../ui/toasts.tsx';
import sheet from './workbench.css';

/** Provides the client for the elements inside it and answers their requests. */
function WorkbenchView(props: ViewProps) {
  const { host } = props;
  const client = useHostClient(props);
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
  const [toast, toasts, clear] = useToasts(6_000, 'corner');
  const slot = useRef<HTMLSlotElement>(null);
  // Another page starts without the previous page's messages.
  useEffect(() => {
    const { current } = slot;
    current?.addEventListener('slotchange', clear);
    return () => current?.removeEventListener('slotchange', clear);
  }, [clear]);
  const words = useServerMessages(client, undefined, {
    host,
    toast: (message) => toast('info', message),
    onLogin: (message) => emitEvent(host, 'tiding-sign-in-wanted', { message }),
    onCancel: () => emitEvent(host, 'tiding-home-wanted'),
    onClose: () => {},
  });
  return (
    <HostContext value={host}>
      <div className="own">
        <slot ref={slot} />
        {words}
        {toasts}
      </div>
    </HostContext>
  );
}

/** `<tiding-workbench>`: provides a client for the elements inside it. */
export const workbench: ElementSpec = {
  tag: 'tiding-workbench',
  doc: 'Provides one client for all elements inside it.',
  view: WorkbenchView,
  properties: { ...commonProperties },
  events: [
    {
      name: 'tiding-sign-in-wanted',
      doc: "The user lacks a permission and chose 'Login'; detail {message}.",
    },
    { name: 'tiding-home-wanted', doc: "The user lacks a permission and chose 'Cancel'." },
    {
      name: 'tiding-error',
      doc:
        'The server reported an error outside of any pending request; detail {message, code}. ' +
        'Call preventDefault() to suppress the message.',
    },
  ],
  sheets: [sheet],
};
