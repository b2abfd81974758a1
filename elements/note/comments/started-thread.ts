import { COMMENT_LIMITS } from '@tiding/client/model';
import { createViewStore, type ViewStore } from '../../runtime/store.ts';
import type { ParagraphTarget } from '../commands/command.ts';
import type { NoteUi } from '../ui/note-ui.ts';

/** What a new thread is about. */
interface ThreadTarget {
  readonly paragraphId: string;
  /** The code that was selected. */
  readonly quote?: string;
}

const stores = new WeakMap<NoteUi, ViewStore<{ readonly target: ThreadTarget | undefined }>>();

/** The thread that the user is about to start on a note page. */
export function startedThread(
  ui: NoteUi,
): ViewStore<{ readonly target: ThreadTarget | undefined }> {
  let store = stores.get(ui);
  if (!store) stores.set(ui, (store = createViewStore({ target: undefined })));
  return store;
}

/** Opens the panel of comments with a new thread on a paragraph, and on the code selected in it. */
export async function startThread({ ui, paragraph }: ParagraphTarget): Promise<void> {
  const selection = ui.editors.get(paragraph.id)?.selection();
  const quote = selection
    ? paragraph.text.slice(selection.from, selection.to).slice(0, COMMENT_LIMITS.quoteCharacters)
    : '';
  startedThread(ui).set({
    target: { paragraphId: paragraph.id, ...(quote.trim() === '' ? {} : { quote }) },
  });
  await ui.panels.show('comments');
}
