import type { Client, Note } from 'tiding/client';

/** Saves a note as a file under its whole name, as the server stores it: `.zpln` for a server of generation B, else `.json` (upstream). */
export async function exportNote(client: Client, note: Note): Promise<void> {
  const source = await client.notes.export(note.id);
  const address = URL.createObjectURL(new Blob([source], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${note.path.replaceAll('/', '_')}.${client.state.server?.generation === 'B' ? 'zpln' : 'json'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
