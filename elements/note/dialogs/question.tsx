import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { text } from '../../text/en.ts';
import type { Question } from '../view.tsx';

/** Shows a question; Escape is the safe choice. */
export function QuestionDialog({
  question,
  onClose,
}: {
  question: Question;
  onClose: (confirmed: boolean) => void;
}) {
  const { title, text: more, action, danger, cancel = text.cancel } = question;
  return (
    <ConfirmDialog
      title={title}
      text={more}
      action={action}
      cancel={cancel}
      danger={danger}
      onClose={onClose}
    />
  );
}
