import { useState } from 'react';

import { isFreePath, NotePathField } from '../note-list/taken-name.tsx';
import { noteListTexts } from '../note-list/texts.ts';
import { FormDialog } from '../ui/dialogs.tsx';

interface NameDialogProps {
  title: string;
  action: string;
  value: string;
  /** Paths that other notes have. */
  taken?: readonly string[];
  /** Called with the name, or `undefined` if the dialog was cancelled. */
  onClose: (name: string | undefined) => void;
}

/** Asks for a full path. A blank one can't be confirmed. */
export function NameDialog({ title, action, value, taken = [], onClose }: NameDialogProps) {
  const [name, setName] = useState(value);

  return (
    <FormDialog
      size="small"
      title={title}
      action={action}
      disabled={!isFreePath(name, taken)}
      onSubmit={() => onClose(name.trim())}
      onClose={() => onClose(undefined)}
    >
      <NotePathField label={noteListTexts.name} name={name} taken={taken} onName={setName} />
    </FormDialog>
  );
}
