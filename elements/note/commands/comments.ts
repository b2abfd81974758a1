/** Commands for comments. */

import { isAnonymous } from '@tiding/client/model';
import { MessageSquare } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { commentPanelTexts } from '../panels/texts.ts';
import type { NoteCommand, NoteTarget, ParagraphTarget } from './command.ts';

/** Whether the server has comments, and the user is signed in. */
const hasComments = ({ note, ui }: NoteTarget): boolean =>
  !ui.single &&
  note.revision === undefined &&
  ui.client.state.server?.tiding !== undefined &&
  !isAnonymous(ui.client.session.current?.principal);

export const commentNoteCommands: readonly NoteCommand[] = withTexts<NoteCommand>(() => [
  {
    id: 'comments',
    right: 'reader',
    report: true,
    label: ({ note }) => commentPanelTexts.count(note.state.openThreads ?? 0),
    icon: MessageSquare,
    shown: hasComments,
    checked: ({ ui }) => ui.panels.state.get().right === 'comments',
    run: ({ ui }) => ui.panels.toggle('comments'),
  },
]);

export const commentParagraphCommands: readonly NoteCommand<ParagraphTarget>[] = withTexts<
  NoteCommand<ParagraphTarget>
>(() => [
  {
    id: 'comment',
    right: 'reader',
    report: true,
    label: commentPanelTexts.add,
    icon: MessageSquare,
    shown: hasComments,
    run: async (at) => (await import('../comments/started-thread.ts')).startThread(at),
  },
]);
