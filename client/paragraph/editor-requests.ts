import type { CallOptions } from '../core/abort.ts';
import { magicOf } from '../model/notes/magic.ts';
import type { Completion, EditorSetting } from '../protocol/index.ts';
import { paragraphOf } from '../state.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** Time limit for requests of an editor, in ms. */
const EDITOR_TIMEOUT_MS = 5_000;

/** Returns completions for a paragraph; see {@link Paragraph.complete}. */
export async function requestCompletions(
  { note, id }: ParagraphHandle,
  text: string,
  cursor: number,
  options: CallOptions,
): Promise<Completion[]> {
  try {
    return await note.request(
      'COMPLETION',
      { id, buf: text, cursor, noteId: note.id },
      (message) =>
        message.op === 'COMPLETION_LIST' && (message.data.id ?? id) === id
          ? (message.data.completions ?? [])
          : undefined,
      { timeout: EDITOR_TIMEOUT_MS, matchId: true, ...options },
    );
  } catch {
    // An interpreter without completion answers with an error, which is of no use to the user.
    return [];
  }
}

/** Returns editor settings of a paragraph; see {@link Paragraph.editorSetting}. */
export async function requestEditorSetting(
  paragraph: ParagraphHandle,
  { keep = false, ...options }: CallOptions & { keep?: boolean },
): Promise<EditorSetting | undefined> {
  const { note, id, text } = paragraph;
  const setting = await note.request(
    'EDITOR_SETTING',
    { paragraphId: id, magic: magicOf(text) ?? '', paragraphText: text },
    (message) =>
      message.op === 'EDITOR_SETTING' && message.data.paragraphId === id
        ? (message.data.editor ?? {})
        : undefined,
    { timeout: EDITOR_TIMEOUT_MS, unordered: true, ...options },
  );
  const now = keep && paragraphOf(note.state, id);
  if (now) {
    const config = {
      ...now.server.config,
      editorSetting: setting,
      editorMode: `ace/mode/${setting.language ?? 'text'}`,
    };
    note.context.emit({
      type: 'configured',
      noteId: note.id,
      paragraphId: id,
      config,
    });
  }
  return setting;
}
