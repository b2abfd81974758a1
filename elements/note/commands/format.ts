/** The command that formats the code of a paragraph. */
import { paragraphText } from '@tiding/client';
import { isRunning } from '@tiding/client/model';
import { WandSparkles } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { paragraphTexts } from '../paragraph/texts.ts';
import { isOnTiding, type ParagraphCommand, type ParagraphTarget } from './command.ts';

/** Only this server formats, and only Python. */
const isFormattable = (at: ParagraphTarget): boolean =>
  isOnTiding(at) &&
  (at.state.server.config?.editorSetting?.language === 'python' ||
    /^\s*%(?:i?python|pyspark)\b(?!\.)/.test(paragraphText(at.state)));

async function format({ ui, note, paragraph }: ParagraphTarget): Promise<void> {
  const { id, text } = paragraph;
  const params = { noteId: note.id, paragraphId: id };
  const { text: formatted } = await ui.client.call('formatCode', { params, body: { text } });
  // The user has typed meanwhile.
  if (formatted === text || paragraph.text !== text) return;
  // In an open editor, it can be undone.
  if (ui.editors.get(id)?.replace(formatted)) return;
  paragraph.edit(formatted);
  await paragraph.commit();
}

export const formatCommands = withTexts<ParagraphCommand>(() => [
  {
    id: 'format-code',
    label: paragraphTexts.format,
    icon: WandSparkles,
    shown: isFormattable,
    enabled: ({ state }) =>
      !isRunning(state.server.status) && !state.conflict && paragraphText(state).trim() !== '',
    run: format,
  },
]);
