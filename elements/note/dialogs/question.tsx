import { commonTexts } from '../../text/common.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import type { ConfirmRequest } from '../ui/dialogs.tsx';

/** Renders a confirmation dialog; Escape cancels. */
export function QuestionDialog({
  question,
  onClose,
}: {
  question: ConfirmRequest;
  onClose: (confirmed: boolean) => void;
}) {
  const { title, text: more, action, danger, cancel = commonTexts.cancel } = question;
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
