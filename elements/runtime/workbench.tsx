import { useEffect, useLayoutEffect, useRef } from 'react';
import { ClientRequest } from './clients.ts';
import { useServerWords } from '../ui/server-words.tsx';
import { useToasts } from '../ui/toasts.tsx';
import { commonProperties, tell, type ElementSpec, type ViewProps } from './define-element.ts';
import { HostContext, useClient } from './hooks.ts';
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
  const [toast, toasts, clear] = useToasts(6_000, 'corner');
  const slot = useRef<HTMLSlotElement>(null);
  // Another page starts without the messages of the one before.
  useEffect(() => {
    const { current } = slot;
    current?.addEventListener('slotchange', clear);
    return () => current?.removeEventListener('slotchange', clear);
  }, [clear]);
  const words = useServerWords(client, undefined, {
    host,
    toast: (message) => toast('info', message),
    onLogin: (message) => tell(host, 'tiding-sign-in-wanted', { message }),
    onCancel: () => tell(host, 'tiding-home-wanted'),
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

/** `<tiding-workbench>` */
export const workbench: ElementSpec = {
  tag: 'tiding-workbench',
  doc: 'Holds one client for all elements inside it.',
  view: WorkbenchView,
  properties: { ...commonProperties },
  events: [
    {
      name: 'tiding-sign-in-wanted',
      doc: "A right is missing, and 'Login' was chosen; detail {message}.",
    },
    { name: 'tiding-home-wanted', doc: "A right is missing, and 'Cancel' was chosen." },
    {
      name: 'tiding-error',
      doc: 'The server refused something that nobody here waits for; detail {message}. Prevent it to show nothing.',
    },
  ],
  sheets: [sheet],
};
