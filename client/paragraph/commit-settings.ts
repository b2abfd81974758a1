/** Saves settings of a paragraph: its title, config and values of its forms. */

import type { CallOptions } from '../core/abort.ts';
import { resultSource } from '../model/notes/paragraph-status.ts';
import { isZeppelin } from '../server-support.ts';
import type { SettingsChange } from '../state.ts';
import { configForText } from './editor-config.ts';
import type { Paragraph } from './paragraph.ts';

/** Matches a PARAGRAPH message with this paragraph. */
export const answersWith =
  (id: string) =>
  (message: { op: string; data: unknown }): true | undefined =>
    message.op === 'PARAGRAPH' &&
    (message.data as { paragraph: { id: string } }).paragraph.id === id
      ? true
      : undefined;

/**
 * Sends the paragraph with the server's text and a change of its settings. Until the server has
 * answered, the change stays shown over answers to earlier ones.
 */
export async function commitSettings(
  { id, note, state }: Paragraph,
  change: SettingsChange & { title?: string },
  options: CallOptions,
): Promise<void> {
  const { title, text = '', settings, rev } = state.server;
  const resultOf = isZeppelin(note.context) && !change.params && resultSource(state.server);
  const event = { noteId: note.id, paragraphId: id, change };
  note.context.emit({ type: 'settings-sent', ...event });
  try {
    await note.request(
      'COMMIT_PARAGRAPH',
      {
        id,
        noteId: note.id,
        title: change.title ?? title ?? '',
        paragraph: text,
        params: settings?.params ?? {},
        ...(rev === undefined ? {} : { baseRev: rev }),
        config: { ...configForText(state, text), ...(resultOf && { resultOf }) },
      },
      answersWith(id),
      options,
    );
  } finally {
    note.context.emit({ type: 'settings-answered', ...event });
  }
}
