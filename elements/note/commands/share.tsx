/** Commands that share a note or a paragraph. */
import { Share2 } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { paragraphTexts } from '../paragraph/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import type { NoteCommand, NoteTarget, ParagraphTarget } from './command.ts';

const isShareable = ({ note, ui }: NoteTarget): boolean =>
  note.revision === undefined && ui.client.state.server?.tiding !== undefined;

async function openShare(ui: NoteUi, paragraphId?: string): Promise<void> {
  const { ShareDialog } = await import('../dialogs/share.tsx');
  ui.dialogs.open((close) => <ShareDialog paragraphId={paragraphId} onClose={close} />);
}

export const shareNoteCommands: readonly NoteCommand[] = withTexts<NoteCommand>(() => [
  {
    id: 'share',
    right: 'reader',
    report: true,
    label: noteTexts.share,
    icon: Share2,
    shown: isShareable,
    run: ({ ui }) => openShare(ui),
  },
]);

export const shareParagraphCommands: readonly NoteCommand<ParagraphTarget>[] = withTexts<
  NoteCommand<ParagraphTarget>
>(() => [
  {
    id: 'share-paragraph',
    label: paragraphTexts.share,
    icon: Share2,
    reading: true,
    shown: isShareable,
    run: ({ ui, paragraph }) => openShare(ui, paragraph.id),
  },
]);
