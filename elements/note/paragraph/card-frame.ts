/** What the frame of a paragraph shows, whatever is in it. */
import { type ParagraphState, paragraphText } from '@tiding/client';
import type { Paragraph } from '@tiding/client/protocol';
import { fill } from '../../text/fill.ts';
import { paragraphTexts } from '../../text/note/paragraph.ts';
import { statusLabel } from '../../ui/status.tsx';
import { isProse } from '../commands/run-one.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import type { Look } from './look.ts';

/** Name of a paragraph for screen readers. */
export const cardName = (ui: NoteUi, { id, status, title }: Paragraph): string =>
  fill(paragraphTexts.name, {
    name: title || ui.paragraphs.labelOf(id),
    status: statusLabel(status ?? 'READY'),
  });

/** CSS classes of a paragraph. `showCode`: a search shows its hidden code. */
export function cardClasses(
  paragraph: ParagraphState,
  {
    look,
    focused = false,
    showCode = false,
  }: { look: Look; focused?: boolean; showCode?: boolean },
): string {
  const { outputs, server } = paragraph;
  const config = server.config ?? {};
  const proseLook =
    config.editorHide === true &&
    !showCode &&
    isProse({ state: paragraph }) &&
    !config.title &&
    outputs.length > 0;
  const blank = outputs.length === 0 && paragraphText(paragraph).trim() === '';
  return [
    'paragraph',
    look,
    focused && 'focused',
    config.enabled === false && 'disabled',
    proseLook && 'prose-look',
    blank && 'blank',
  ]
    .filter(Boolean)
    .join(' ');
}
