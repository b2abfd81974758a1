import { useState } from 'react';
import { checkNotePath } from 'tiding/model';
import { text } from '../text/en.ts';
import { FormDialog } from '../ui/dialogs.tsx';

interface NameDialogProps {
  title: string;
  action: string;
  value: string;
  /** The name, or `undefined` when nothing is to happen. */
  onClose: (name: string | undefined) => void;
}

/** Asks for a whole path. A blank one cannot be confirmed. */
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
