import type { Client, Note } from '@tiding/client';

/**
 * Downloads a note as a file named after its full path, in the server's format: `.zpln` for a
 * server of generation B, `.json` otherwise (as in Zeppelin).
 */
export async function exportNote(client: Client, note: Note): Promise<void> {
  const source = await client.notes.export(note.id);
  const address = URL.createObjectURL(new Blob([source], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download =
    `${note.path.replaceAll('/', '_')}.` +
    `${client.state.server?.generation === 'B' ? 'zpln' : 'json'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
