/** What a server says that answers nothing anybody here has asked: a notice, a refusal, an error. */
import { lazy, Suspense, useLayoutEffect, useState, type ReactNode } from 'react';
import type { Client, ReceivedEvent } from 'tiding/client';
import { tell } from '../runtime/define-element.ts';
import { useEvent } from '../runtime/hooks.ts';
import { text } from '../text/en.ts';

const OutrightDialog = lazy(() =>
  import('./dialogs.tsx').then((module) => ({ default: module.OutrightDialog })),
);

type Kind = 'AUTH_INFO' | 'ERROR_INFO' | 'NOTICE';
type Said = ReceivedEvent<'AUTH_INFO'> | ReceivedEvent<'ERROR_INFO'> | ReceivedEvent<'NOTICE'>;

interface Manner {
  host: HTMLElement;
  toast: (message: string) => void;
  /** 'Login' was chosen where a right is missing. */
  onLogin: (message: string) => void;
  /** 'Cancel' was: there is nothing to see here. */
  onCancel: () => void;
  /** 'Close' of the details: every open dialog goes with it. */
  onClose: () => void;
}

/** Events that an element has shown: where several show the same note, one is enough. */
const shown = new WeakSet<object>();

/** Shows what the server says of a note (`undefined`: of the lists). An answer to a request is shown by who has asked. */
export function useServerWords(
  client: Client | undefined,
  noteId: string | undefined,
  { host, toast, onLogin, onCancel, onClose }: Manner,
): ReactNode {
  const [dialog, setDialog] = useState<{ kind: Kind; message: string }>();
  const hear = useEvent((event: Said) => {
    if (event.noteId !== noteId || event.msgId !== undefined || shown.has(event)) return;
    // What an open of a note is refused with is shown in its place.
    if (noteId !== undefined && client?.state.open[noteId]?.phase === 'loading') return;
    shown.add(event);
    const message = (event.type === 'NOTICE' ? event.data.notice : event.data.info) ?? '';
    if (message === '') return;
    if (event.type === 'NOTICE') return toast(message);
    if (tell(host, 'tiding-error', { message })) setDialog({ kind: event.type, message });
  });
  // Before anything is painted: what is said a moment after the note is seen must be heard.
  useLayoutEffect(() => {
    if (!client) return undefined;
    const undo = [
      client.on('AUTH_INFO', hear),
      client.on('ERROR_INFO', hear),
      client.on('NOTICE', hear),
    ];
    return () => undo.forEach((stop) => stop());
  }, [client, hear]);
  if (!dialog) return null;
  const close = () => setDialog(undefined);
  if (dialog.kind === 'ERROR_INFO') {
    const closeAll = () => {
      close();
      onClose();
    };
    return (
      <Suspense fallback={null}>
        <OutrightDialog
          title={text.refused.details}
          message={dialog.message}
          choices={[{ label: text.close, onChoose: closeAll }]}
        />
      </Suspense>
    );
  }
  const login = () => {
    close();
    onLogin(dialog.message);
  };
  const cancel = () => {
    close();
    onCancel();
  };
  // Who has no roles has nothing else to sign in as (specification).
  const plain = (client?.session.current?.roles ?? '[]') === '[]';
  return (
    <Suspense fallback={null}>
      <OutrightDialog
        title={text.insufficient}
        message={dialog.message}
        choices={
          plain
            ? [{ label: text.close, onChoose: close }]
            : [
                { label: text.cancel, onChoose: cancel },
                { label: text.refused.login, onChoose: login },
              ]
        }
      />
    </Suspense>
  );
}
