import { type CallOptions, deferred } from '../../core/abort.ts';
import { paragraphOf } from '../../core/state.ts';
import { magicOf } from '../../model/notes/magic.ts';
import type { Completion, EditorSetting } from '../../protocol/index.ts';
import type { NoteConnection } from '../note-connection.ts';
import { hasStaleSetting } from './editor-config.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** Time limit for requests of an editor, in ms. */
const EDITOR_TIMEOUT_MS = 5_000;
/** Longest time that a run waits for the editor settings of its magic, in ms. */
const SETTING_WAIT_MS = 500;

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
        message.op === 'COMPLETION_LIST' &&
        (message.data.id ?? id) === id &&
        (message.data.completions ?? []),
      { timeout: EDITOR_TIMEOUT_MS, matchId: true, ...options },
    );
  } catch {
    // An interpreter without completion answers with an error, which is of no use to the user.
    return [];
  }
}

/** Returns documentation for a paragraph; see {@link Paragraph.inspect}. */
export async function requestInspection(
  { note, id }: ParagraphHandle,
  text: string,
  cursor: number,
  { hover = false, ...options }: CallOptions & { hover?: boolean },
): Promise<string | undefined> {
  if (!note.context.supports('TIDING_INSPECT')) return undefined;
  const { found } = await note.request(
    'TIDING_INSPECT',
    { id, noteId: note.id, buf: text, cursor, ...(hover ? { hover } : {}) },
    ({ op, data }) =>
      op === 'TIDING_INSPECTION' && data.id === id && { found: data.text ?? undefined },
    { timeout: EDITOR_TIMEOUT_MS, matchId: true, ...options },
  );
  return found;
}

/**
 * The last request of each paragraph. An answer of Zeppelin names only the paragraph, so the next
 * request waits for it: otherwise, settings of one magic would be taken for those of another.
 */
const lastRequests = new WeakMap<NoteConnection, Map<string, Promise<unknown>>>();

/** Returns editor settings of a paragraph; see {@link Paragraph.editorSetting}. */
export async function requestEditorSetting(
  paragraph: ParagraphHandle,
  { keep = false, ...options }: CallOptions & { keep?: boolean },
): Promise<EditorSetting | undefined> {
  const { note, id } = paragraph;
  let requests = lastRequests.get(note);
  if (!requests) lastRequests.set(note, (requests = new Map()));
  const before = note.context.store.get().server?.namesReplies ? undefined : requests.get(id);
  let magic: string | undefined;
  const request = (async () => {
    await before?.catch(() => {});
    const { text } = paragraph;
    magic = magicOf(text);
    return note.request(
      'EDITOR_SETTING',
      { paragraphId: id, magic: magic ?? '', paragraphText: text },
      (message) =>
        message.op === 'EDITOR_SETTING' &&
        message.data.paragraphId === id &&
        (message.data.editor ?? {}),
      { timeout: EDITOR_TIMEOUT_MS, unordered: true, matchId: true, ...options },
    );
  })();
  requests.set(id, request);
  const setting = await request;
  if (keep && paragraphOf(note.state, id))
    note.context.emit({
      type: 'editor-setting',
      noteId: note.id,
      paragraphId: id,
      magic,
      setting,
    });
  return setting;
}

/**
 * Requests the editor settings of a paragraph whose magic has changed, so that a run stores them.
 * Resolves when they are here, after a short time, or when `until` settles.
 */
export async function refreshEditorSetting(
  paragraph: ParagraphHandle,
  until: Promise<unknown>,
): Promise<void> {
  const state = paragraphOf(paragraph.note.state, paragraph.id);
  if (!state || !hasStaleSetting(state, paragraph.text)) return;
  const wait = deferred<void>('EDITOR_SETTING', { timeout: SETTING_WAIT_MS });
  requestEditorSetting(paragraph, { keep: true }).then(() => wait.resolve(), wait.reject);
  // Without settings, the paragraph runs with those that follow from its magic.
  await Promise.race([wait.promise.catch(() => {}), until.catch(() => {})]);
}
