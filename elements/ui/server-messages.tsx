/**
 * Shows server messages that are not the answer to a request on this page: notices, refusals and
 * errors.
 */

import type { Client } from '@tiding/client';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { emitEvent } from '../runtime/define-element.ts';
import { onServerMessage, type ServerMessage, useEvent } from '../runtime/hooks.ts';
import { commonTexts } from '../text/common.ts';
import { ForcedChoice, InsufficientDialog } from './refusal-dialogs.tsx';
import { refusedTexts } from './refusal-texts.ts';

interface Manner {
  host: HTMLElement;
  toast: (message: string) => void;
  /** The user chose Login in the dialog about missing privileges. */
  onLogin: (message: string) => void;
  /** The user chose Cancel: they can't see this content. */
  onCancel: () => void;
  /** The user closed the details dialog; all open dialogs close with it. */
  onClose: () => void;
  /** Messages that arrived before this view. */
  early?: ServerMessage[];
}

/** Events already shown, so that several elements with the same note show each one once. */
const shown = new WeakSet<object>();

/**
 * Shows server messages about a note, or about the lists if `noteId` is `undefined`. Answers to
 * requests are shown by the code that sent them.
 */
export function useServerMessages(
  client: Client | undefined,
  noteId: string | undefined,
  { host, toast, onLogin, onCancel, onClose, early }: Manner,
): ReactNode {
  const [dialog, setDialog] = useState<{ kind: ServerMessage['type']; message: string }>();
  const hear = useEvent((event: ServerMessage) => {
    if (shown.has(event)) return;
    shown.add(event);
    const message = (event.type === 'NOTICE' ? event.data.notice : event.data.info) ?? '';
    if (message === '') return;
    if (event.type === 'NOTICE') return toast(message);
    const code = event.type === 'AUTH_INFO' ? 'forbidden' : 'server';
    if (emitEvent(host, 'tiding-error', { code, message }))
      setDialog({ kind: event.type, message });
  });
  // Subscribe before paint, so that a message right after the note appears is not missed.
  useLayoutEffect(() => {
    if (!client) return undefined;
    early?.splice(0).forEach(hear);
    return onServerMessage(client, noteId, hear);
  }, [client, noteId, hear, early]);
  if (!dialog) return null;
  const close = () => setDialog(undefined);
  if (dialog.kind === 'ERROR_INFO') {
    const closeAll = () => {
      close();
      onClose();
    };
    return (
      <ForcedChoice
        title={refusedTexts.details}
        message={dialog.message}
        choices={[{ label: commonTexts.close, onChoose: closeAll }]}
      />
    );
  }
  return (
    <InsufficientDialog
      client={client}
      message={dialog.message}
      onClose={close}
      onLogin={onLogin}
      onCancel={onCancel}
    />
  );
}
