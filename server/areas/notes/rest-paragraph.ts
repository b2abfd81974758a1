/** Paragraphs as the REST API returns them. */
import { paragraphOnWire } from '@tiding/client/notebook';
import type { Paragraph } from '@tiding/client/protocol';
import type { StoredNote, StoredParagraph } from '../../notes/note.ts';
import type { ServerContext } from '../context.ts';

/**
 * Returns a paragraph with the fields that clients of Zeppelin's REST API read. Some fail if
 * `progress` is missing.
 */
export function restParagraph(
  note: StoredNote,
  paragraph: StoredParagraph,
  { runs }: ServerContext,
): Paragraph {
  const { settings = {}, ...rest } = paragraphOnWire(paragraph);
  const forms = Object.entries(settings.forms ?? {}).map(([name, form]) => [
    name,
    { displayName: name, hidden: false, ...form },
  ]);
  return {
    runtimeInfos: {},
    ...rest,
    settings: { ...settings, forms: Object.fromEntries(forms) },
    progress: runs.progress(note, paragraph),
  };
}
