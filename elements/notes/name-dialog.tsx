import { checkNotePath } from '@tiding/client/model';
import { useState } from 'react';
import { text } from '../text/en.ts';
import { FormDialog } from '../ui/dialogs.tsx';

interface NameDialogProps {
  title: string;
  action: string;
  value: string;
  /** Called with the name, or `undefined` if the dialog was cancelled. */
  onClose: (name: string | undefined) => void;
}

/** Asks for a full path. A blank one can't be confirmed. */
export function NameDialog({ title, action, value, onClose }: NameDialogProps) {
  const [name, setName] = useState(value);
  const problem = name.trim() === '' ? undefined : checkNotePath(name.trim());
  return (
    <FormDialog
      small
      title={title}
      action={action}
      cancel={text.cancel}
      disabled={name.trim() === '' || problem !== undefined}
      onSubmit={() => onClose(name.trim())}
      onClose={() => onClose(undefined)}
    >
      <label className="field">
        <span className="label">{text.list.name}</span>
        <span className={problem ? 'input error' : 'input'}>
          <input
            value={name}
            autoFocus
            onChange={(event) => setName(event.target.value)}
            onFocus={(event) => event.target.select()}
            aria-invalid={problem !== undefined}
          />
        </span>
        <span className={problem ? 'hint error' : 'hint'}>{problem ?? text.create.hint}</span>
      </label>
    </FormDialog>
  );
}
