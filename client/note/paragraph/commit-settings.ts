/** Saves the title, display settings and form values of a paragraph with its text as saved. */
import type { CallOptions } from '../../core/abort.ts';
import { isZeppelin } from '../../core/server-support.ts';
import { resultSource } from '../../model/notes/paragraph-status.ts';
import type { SettingsChange } from '../note-connection.ts';
import { configForText } from './editor-config.ts';
import type { Paragraph } from './paragraph.ts';

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
  const { unanswered } = note;
  note.assertEditable('COMMIT_PARAGRAPH');
  show(paragraph, change);
  const entry = { id, ...change };
  unanswered.add(entry);
  const mine = () => [...unanswered].filter((each) => each.id === id);
  const { state } = paragraph;
  const { title = '', text = '', settings, rev } = state.server;
  const resultOf =
    isZeppelin(note.context) && !change.params ? resultSource(state.server) : undefined;
  try {
    await note.request(
      'COMMIT_PARAGRAPH',
      {
        id,
        noteId: note.id,
        title: mine().reduce((before, each) => each.title ?? before, title),
        paragraph: text,
        params: settings?.params ?? {},
        ...(rev === undefined ? {} : { baseRev: rev }),
        config: { ...configForText(state, text), ...(resultOf && { resultOf }) },
      },
      (message, isReply) => {
        if (message.op !== 'PARAGRAPH' || message.data.paragraph.id !== id) return false;
        if (isReply) unanswered.delete(entry);
        for (const each of mine()) show(paragraph, each);
        return isReply;
      },
      options,
    );
  } finally {
    unanswered.delete(entry);
  }
}
