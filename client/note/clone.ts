import type { CallOptions } from '../core/abort.ts';
import { normalizePath } from '../model/notes/note-path.ts';
import type { NoteConnection } from './note-connection.ts';

/** Clones an open note under a new path; see {@link Note.clone}. */
export async function cloneNote(
  note: NoteConnection,
  path: string,
  options: CallOptions,
): Promise<string> {
  const isB = note.context.store.get().server?.generation === 'B';
  // Apache Zeppelin clones the note that the socket has open and moves the socket to the copy, so
  // the clone needs a channel of its own.
  const channel = note.context.channel(undefined);
  try {
    channel.greeting = () => channel.send('GET_NOTE', { id: note.id }, { expect: true });
    channel.open();
    await channel.ready({ timeout: note.context.timeout, ...options });
    return await channel.request(
      'CLONE_NOTE',
      { id: note.id, name: isB ? `/${normalizePath(path)}` : normalizePath(path) },
      (message) => (message.op === 'NEW_NOTE' ? message.data.note.id : undefined),
      { matchId: true, ...options },
    );
  } finally {
    channel.close();
  }
}
