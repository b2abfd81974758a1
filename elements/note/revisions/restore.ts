/** Restores a paragraph from a revision into the current note. */
import type { Paragraph } from '@tiding/client/protocol';
import { fill } from '../../text/fill.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { revisionTexts as t } from './texts.ts';

/** Default settings of a paragraph. */
const defaults = {
  colWidth: 12,
  fontSize: 9,
  enabled: true,
  editorHide: false,
  tableHide: false,
  title: false,
  lineNumbers: false,
};

/**
 * After confirmation, gives the note's paragraph the text, title and settings of `version`; a
 * deleted paragraph is added at `index`. Resolves to whether it was restored.
 */
export async function restoreParagraph(
  ui: NoteUi,
  version: Paragraph,
  index: number,
  name: string,
): Promise<boolean> {
  const there = ui.paragraphs.get(version.id) !== undefined;
  if (
    !(await ui.dialogs.ask({
      title: fill(t.confirmRestore, { name }),
      text: there ? t.restoreHint : t.insertHint,
      action: t.restore,
    }))
  )
    return false;
  let done = false;
  await ui.messages.act(async () => {
    const source = version.text ?? '';
    let paragraph = ui.paragraphs.get(version.id);
    if (paragraph) {
      paragraph.edit(source);
      await paragraph.commit();
    } else {
      const place = Math.min(index, ui.note.state.order.length);
      await ui.paragraphs.insert(place, source);
      paragraph = ui.note.paragraphs[place];
    }
    if (!paragraph) return;
    if ((version.title ?? '') !== paragraph.title) await paragraph.setTitle(version.title ?? '');
    // Settings added since then are reset explicitly, because a server may keep settings that are
    // not sent.
    const now = paragraph.state.server.config ?? {};
    const unset = Object.fromEntries(Object.entries(defaults).filter(([key]) => key in now));
    await paragraph.configure({ ...unset, ...version.config });
    done = true;
    ui.messages.success(t.restored);
  });
  return done;
}
