/** Commands that share a note or a paragraph. */
import { Share2 } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { paragraphTexts } from '../paragraph/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { isOnTiding, type NoteCommand, type ParagraphCommand } from './command.ts';

async function openShare(ui: NoteUi, paragraphId?: string): Promise<void> {
  const { ShareDialog } = await import('../dialogs/share.tsx');
  ui.dialogs.open((close) => <ShareDialog paragraphId={paragraphId} onClose={close} />);
}

export const shareNoteCommands = withTexts<NoteCommand>(() => [
  {
    id: 'share',
    right: 'reader',
    report: true,
    label: noteTexts.share,
    icon: Share2,
    shown: isOnTiding,
    run: ({ ui }) => openShare(ui),
  },
]);

export const shareParagraphCommands = withTexts<ParagraphCommand>(() => [
  {
    id: 'share-paragraph',
    label: paragraphTexts.share,
    icon: Share2,
    reading: true,
    shown: isOnTiding,
    run: ({ ui, paragraph }) => openShare(ui, paragraph.id),
  },
]);
