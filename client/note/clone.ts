/** Copies of notes. */
import type { CallOptions } from '../core/abort.ts';
import { normalizePath } from '../model/note-path.ts';
import type { Note } from './note.ts';

/** Makes a copy under a new path; see {@link Note.clone}. */
export async function cloneNote(note: Note, path: string, options: CallOptions): Promise<string> {
  const isB = note.context.store.get().server?.generation === 'B';
  // Upstream clones what the socket has open, and moves the socket to the copy: it must be one of its own.
  const channel = note.context.channel(undefined);
  try {
    channel.greeting = () => channel.send('GET_NOTE', { id: note.id }, { expect: true });
    channel.open();
    await channel.ready({ timeout: note.context.timeout, ...options });
    return await channel.request(
      'CLONE_NOTE',
      { id: note.id, name: isB ? `/${normalizePath(path)}` : normalizePath(path) },
      (message) => (message.op === 'NEW_NOTE' ? message.data.note.id : undefined),
      { exact: true, ...options },
    );
  } finally {
    channel.close();
  }
}
