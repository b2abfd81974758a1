/** Brings a paragraph of a revision back into the note as it stands. */
import type { Paragraph } from 'tiding/protocol';
import { fill, text } from '../../text/en.ts';
import type { NoteView } from '../view.tsx';

const t = text.revisions;

/** Asks, then gives the note's paragraph the text, title and settings of `version`; one that is gone is added at `index`. Answers whether that was done. */
export async function restoreParagraph(view: NoteView, version: Paragraph, index: number, name: string): Promise<boolean> {
  const there = view.paragraph(version.id) !== undefined;
  if (!await view.ask({ title: fill(t.confirmRestore, { name }), text: there ? t.restoreHint : t.insertHint, action: t.restore })) return false;
  let done = false;
  await view.act(async () => {
    const source = version.text ?? '';
    let paragraph = view.paragraph(version.id);
    if (paragraph) {
      paragraph.edit(source);
      await paragraph.commit();
    } else {
      const place = Math.min(index, view.note.state.order.length);
      await view.insert(place, source);
      paragraph = view.note.paragraphs[place];
    }
    if (!paragraph) return;
    if ((version.title ?? '') !== paragraph.title) await paragraph.setTitle(version.title ?? '');
    if (version.config) await paragraph.configure(version.config);
    done = true;
    view.say(t.restored);
  });
  return done;
}
