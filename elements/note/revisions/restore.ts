/** Brings a paragraph of a revision back into the note as it stands. */
import type { Paragraph } from 'tiding/protocol';
import { fill, text } from '../../text/en.ts';
import type { NoteView } from '../view.tsx';

const t = text.revisions;

/** Settings of a paragraph, as they are where nothing is set. */
const defaults = {
  colWidth: 12,
  fontSize: 9,
  enabled: true,
  editorHide: false,
  tableHide: false,
  title: false,
  lineNumbers: false,
};

/** Asks, then gives the note's paragraph the text, title and settings of `version`; one that is gone is added at `index`. Answers whether that was done. */
export async function restoreParagraph(
  view: NoteView,
  version: Paragraph,
  index: number,
  name: string,
): Promise<boolean> {
  const there = view.paragraph(version.id) !== undefined;
  if (
    !(await view.ask({
      title: fill(t.confirmRestore, { name }),
      text: there ? t.restoreHint : t.insertHint,
      action: t.restore,
    }))
  )
    return false;
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
    // What was set since then goes back to what it is unset: a server may keep what it is not told of.
    const now = paragraph.state.server.config ?? {};
    const unset = Object.fromEntries(Object.entries(defaults).filter(([key]) => key in now));
    await paragraph.configure({ ...unset, ...version.config });
    done = true;
    view.say(t.restored);
  });
  return done;
}
