/** Commands for comments. */

import { isAnonymous } from '@tiding/client/model';
import { MessageSquare } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import { commentPanelTexts } from '../panels/texts.ts';
import {
  isOnTiding,
  type NoteCommand,
  type NoteTarget,
  ofPanel,
  type ParagraphCommand,
} from './command.ts';

/** Whether the server has comments, and the user is signed in. */
const hasComments = (at: NoteTarget): boolean =>
  !at.ui.single && isOnTiding(at) && !isAnonymous(at.ui.client.session.current?.principal);

export const commentNoteCommands = withTexts<NoteCommand>(() => [
  {
    right: 'reader',
    label: ({ note }) => commentPanelTexts.count(note.state.openThreads ?? 0),
    icon: MessageSquare,
    shown: hasComments,
    ...ofPanel('comments'),
  },
]);

export const commentParagraphCommands = withTexts<ParagraphCommand>(() => [
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
