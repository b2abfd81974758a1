/** Dialogs that create a note, on the home page and in the navigation. */

import type { Client } from '@tiding/client';
import { useEffect } from 'react';
import { CodeBoundary, lazyCode } from '../runtime/lazy-code.tsx';

const CreateDialog = lazyCode(async () => (await import('./create-dialog.tsx')).CreateDialog);
const ImportDialog = lazyCode(async () => (await import('./import-dialog.tsx')).ImportDialog);

interface NoteDialogsProps {
  client: Client;
  which: 'create' | 'import' | undefined;
  /** Files that the import dialog imports at once. */
  files?: readonly File[] | undefined;
  onClose: (id: string | undefined) => void;
}

/**
 * Creates or imports a note. `onClose` receives the id of the new note, or `undefined` if the
 * dialog was cancelled.
 */
export function NoteDialogs({ client, which, files, onClose }: NoteDialogsProps) {
  // The import dialog needs the server's size limit.
  useEffect(() => {
    if (which === 'import' && !client.state.configurations)
      void client.notes.configurations().catch(() => {});
  }, [which, client]);
  return (
    <CodeBoundary fallback={null}>
      {which === 'create' ? <CreateDialog client={client} onClose={onClose} /> : null}
      {which === 'import' ? <ImportDialog client={client} files={files} onClose={onClose} /> : null}
    </CodeBoundary>
  );
}
