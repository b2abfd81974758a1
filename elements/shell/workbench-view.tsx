import { useEffect, useLayoutEffect, useRef } from 'react';
import { useHostClient } from '../runtime/client-view.tsx';
import { emitEvent, type ViewProps } from '../runtime/define-element.ts';
import { ClientRequest, HostContext } from '../runtime/hooks.ts';
import { useServerMessages } from '../ui/server-messages.tsx';
import { useToasts } from '../ui/toasts.tsx';

/** Provides the client for the elements inside it and answers their requests. */
export default function WorkbenchView(props: ViewProps) {
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
  const [toast, toasts, clear] = useToasts();
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
