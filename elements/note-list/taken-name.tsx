import type { Client } from '@tiding/client';
import { freeNotePath, normalizePath } from '@tiding/client/model';
import { fill } from '../text/fill.ts';
import { createNoteTexts } from './dialog-texts.ts';
import { noteListTexts } from './texts.ts';

/** Returns the paths of all notes that the list shows. */
export const notePaths = (client: Client): string[] =>
  client.state.notes?.map(({ path }) => path) ?? [];

/** Says that a note has the typed name, and offers the next free one. Shows nothing otherwise. */
export function TakenName({
  name,
  taken,
  onUse,
}: {
  name: string;
  taken: readonly string[];
  onUse: (name: string) => void;
}) {
  const path = normalizePath(name.trim());
  if (!taken.includes(path)) return null;
  const free = freeNotePath(path, taken);
  return (
    <p className="hint error" role="alert">
      {fill(createNoteTexts.taken, { name: path })}{' '}
      <button type="button" className="link" onClick={() => onUse(free)}>
        {fill(noteListTexts.useName, { name: free })}
      </button>
    </p>
  );
}
