/** The dialogs that make a note, on the home page and in the navigation. */
import { lazy, Suspense, useEffect } from 'react';
import type { Client } from 'tiding/client';

const CreateDialog = lazy(() =>
  import('./create-dialogs.tsx').then((module) => ({ default: module.CreateDialog })),
);
const ImportDialog = lazy(() =>
  import('./create-dialogs.tsx').then((module) => ({ default: module.ImportDialog })),
);

/** Makes a note, empty or of a file; `onClose` has its id, or `undefined` where there is none. */
export function NoteDialogs({
  client,
  which,
  onClose,
}: {
  client: Client;
  which: 'create' | 'import' | undefined;
  onClose: (id: string | undefined) => void;
}) {
  // The import dialog needs the server's limit.
  useEffect(() => {
    if (which === 'import' && !client.state.configurations)
      void client.notes.configurations().catch(() => {});
  }, [which, client]);
  return (
    <Suspense fallback={null}>
      {which === 'create' ? <CreateDialog client={client} onClose={onClose} /> : null}
      {which === 'import' ? <ImportDialog client={client} onClose={onClose} /> : null}
    </Suspense>
  );
}
