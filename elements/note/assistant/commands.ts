/** Commands of the assistant. */

import { CircleQuestionMark, MessageCircleQuestion, Wrench } from 'lucide-react';
import { withTexts } from '../../text/areas.ts';
import type { ParagraphCommand } from '../commands/command.ts';
import { hasAssistant, openAsk } from './assistance.tsx';
import { assistantTexts as t } from './texts.ts';

const onError = (task: 'explain' | 'fix'): ParagraphCommand => ({
  id: `assistant-${task}`,
  label: t[task],
  icon: task === 'fix' ? Wrench : CircleQuestionMark,
  ...(task === 'explain' ? ({ right: 'runner' } as const) : {}),
  shown: (at) => hasAssistant(at.ui) && at.state.server.status === 'ERROR',
  run: ({ ui, paragraph: { id } }) => openAsk({ ui, task, paragraphId: id }),
});

export const assistantCommands = withTexts<ParagraphCommand>(() => [
  {
    id: 'assistant-write',
    label: t.ask,
    icon: MessageCircleQuestion,
    shown: (at) => hasAssistant(at.ui) && !at.ui.single,
    run: ({ ui, paragraph: { id } }) => openAsk({ ui, task: 'write', paragraphId: id }),
  },
  onError('explain'),
  onError('fix'),
]);
