/** Saves the title, display settings and form values of a paragraph with its text as saved. */
import type { CallOptions } from '../core/abort.ts';
import { resultSource } from '../model/notes/paragraph-status.ts';
import type { NoteConnection } from '../note/note-connection.ts';
import type { Paragraph as ServerParagraph } from '../protocol/index.ts';
import { isZeppelin } from '../server-support.ts';
import { configForText } from './editor-config.ts';
import type { Paragraph } from './paragraph.ts';

/** A change of settings, without those that stay as they are. */
export type SettingsChange = Pick<ServerParagraph, 'title' | 'config'> & {
  readonly params?: Record<string, unknown>;
};

/** Changes that the server has not answered, oldest first. */
const unanswered = new WeakMap<NoteConnection, Set<{ id: string; change: SettingsChange }>>();

/** Shows a change, which the server may not know yet. */
function show(paragraph: Paragraph, { config, params }: SettingsChange): void {
  if (config) paragraph.present(config);
  if (params) paragraph.presentParams(params);
}

/**
 * Applies a change and saves it. Resolves with the answer to this change. Meanwhile, every
 * paragraph that the server sends has the settings from before it, so the change is shown again.
 */
export async function commitSettings(
  paragraph: Paragraph,
  change: SettingsChange,
  options: CallOptions,
): Promise<void> {
  const { id, note } = paragraph;
  note.assertEditable('COMMIT_PARAGRAPH');
  show(paragraph, change);
  const changes = unanswered.get(note) ?? new Set();
  unanswered.set(note, changes);
  const entry = { id, change };
  changes.add(entry);
  const mine = () => [...changes].filter((each) => each.id === id).map((each) => each.change);
  const { state } = paragraph;
  const { title, text = '', settings, rev } = state.server;
  const resultOf =
    isZeppelin(note.context) && !change.params ? resultSource(state.server) : undefined;
  try {
    await note.request(
      'COMMIT_PARAGRAPH',
      {
        id,
        noteId: note.id,
        title: mine().findLast((each) => each.title !== undefined)?.title ?? title ?? '',
        paragraph: text,
        params: settings?.params ?? {},
        ...(rev === undefined ? {} : { baseRev: rev }),
        config: { ...configForText(state, text), ...(resultOf && { resultOf }) },
      },
      (message, isReply) => {
        if (message.op !== 'PARAGRAPH' || message.data.paragraph.id !== id) return undefined;
        if (isReply) changes.delete(entry);
        for (const each of mine()) show(paragraph, each);
        return isReply || undefined;
      },
      options,
    );
  } finally {
    changes.delete(entry);
  }
}
