import { useState } from 'react';
import { commonTexts } from '../../text/common.ts';
import { noteTexts } from '../../text/note-texts.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { LabelledCheckbox } from '../../ui/fields/labelled.tsx';
import type { ConfirmRequest } from '../ui/dialogs.tsx';

/** Renders a confirmation dialog; Escape cancels. */
export function QuestionDialog({
  question,
  onClose,
}: {
  question: ConfirmRequest;
  /** `always`: the user does not want to be asked again. */
  onClose: (confirmed: boolean, always: boolean) => void;
}) {
  const { title, text: more, action, danger, cancel = commonTexts.cancel, remember } = question;
  const [always, setAlways] = useState(false);
  return (
    <ConfirmDialog
      title={title}
      text={more}
      action={action}
      cancel={cancel}
      danger={danger}
      onClose={(confirmed) => onClose(confirmed, always)}
    >
      {remember ? (
        <LabelledCheckbox label={noteTexts.dontAskAgain} checked={always} onChange={setAlways} />
      ) : null}
    </ConfirmDialog>
  );
}
