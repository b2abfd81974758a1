import type { Paragraph } from '@tiding/client';
import type { ParagraphConfig } from '@tiding/client/protocol';
import type { NoteUi } from '../ui/note-ui.ts';

/**
 * Changes the presentation of a paragraph: for everybody, or only on this page if the user may not
 * change the note, and in a revision.
 */
export async function present(
  { note, rights }: NoteUi,
  paragraph: Paragraph,
  change: ParagraphConfig,
): Promise<void> {
  if (note.revision === undefined && rights.allows('writer')) await paragraph.configure(change);
  else paragraph.present(change);
}
