import { parseDate } from '../../model/text/date-parser.ts';
import type { Results } from '../../protocol/index.ts';
import { configForText } from './editor-config.ts';
import type { ParagraphHandle } from './paragraph-handle.ts';

/** Result of a spell, which runs in this client. */
export interface SpellResult {
  readonly results: Results;
  readonly status: 'FINISHED' | 'ERROR' | 'ABORT';
  readonly errorMessage: string;
}

/** Sends the result of a spell to the server; see {@link Paragraph.propagate}. */
export async function sendSpellResult(
  { id, note, text, state }: ParagraphHandle,
  { results, status, errorMessage }: SpellResult,
): Promise<void> {
  note.assertEditable('PARAGRAPH_EXECUTED_BY_SPELL');
  const { title = '', settings, dateStarted } = state.server;
  await note.channel.ready({ timeout: note.context.timeout });
  note.channel.send(
    'PARAGRAPH_EXECUTED_BY_SPELL',
    {
      id,
      noteId: note.id,
      title,
      paragraph: text,
      results,
      status,
      errorMessage,
      config: configForText(state, text),
      params: settings?.params ?? {},
      dateStarted: (parseDate(dateStarted) ?? new Date()).toISOString(),
      dateFinished: new Date().toISOString(),
    },
    { expect: true },
  );
}
