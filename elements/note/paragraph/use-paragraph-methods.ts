import type { Client } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { useMemo } from 'react';
import { useMethods } from '../../runtime/methods.ts';
import { runHere } from '../commands/run-one.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** Implements the methods for host pages. They do the same as the buttons and fields. */
export function useParagraphMethods(ui: NoteUi, id: string): void {
  const { client, note, host } = ui;
  const methods = useMemo(
    () => ({
      run: (params?: Readonly<Record<string, unknown>>) => runHere(ui, note.paragraph(id), params),
      cancel: () => note.paragraph(id).cancel(),
      setParams: (params: Readonly<Record<string, unknown>>) =>
        note.paragraph(id).setParams({ ...params }),
      result: async () => {
        const paragraph = note.paragraph(id);
        await until(client, () => !isRunning(paragraph.state.server.status));
        return paragraph.result;
      },
    }),
    [ui, client, note, id],
  );
  useMethods(host, methods);
}

/** Resolves once the client's state fulfils a condition. */
function until(client: Client, isFulfilled: () => boolean): Promise<void> {
  if (isFulfilled()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = client.subscribe(() => {
      if (!isFulfilled()) return;
      unsubscribe();
      resolve();
    });
  });
}
