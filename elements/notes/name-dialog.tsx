import { checkNotePath, normalizePath } from '@tiding/client/model';
import { useState } from 'react';
import { createNoteTexts } from '../note-list/dialog-texts.ts';
import { TakenName } from '../note-list/taken-name.tsx';
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
  const problem = name.trim() === '' ? undefined : checkNotePath(name.trim());
  const isTaken = taken.includes(normalizePath(name.trim()));
  return (
    <FormDialog
      size="small"
      title={title}
      action={action}
      disabled={name.trim() === '' || problem !== undefined || isTaken}
      onSubmit={() => onClose(name.trim())}
      onClose={() => onClose(undefined)}
    >
      <label className="field">
        <span className="label">{noteListTexts.name}</span>
        <span className={problem || isTaken ? 'input error' : 'input'}>
          <input
            value={name}
            autoFocus
            onChange={(event) => setName(event.target.value)}
            onFocus={(event) => event.target.select()}
            aria-invalid={problem !== undefined || isTaken}
          />
        </span>
        <span className={problem ? 'hint error' : 'hint'}>{problem ?? createNoteTexts.hint}</span>
      </label>
      <TakenName name={name} taken={taken} onUse={setName} />
    </FormDialog>
  );
}
