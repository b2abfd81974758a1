import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { textFields } from '../ui/fields/labelled.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { connectionTexts as t } from './texts.ts';

interface LoginDialogProps {
  name: string;
  user: string;
  onSave: (user: string, password: string) => Promise<void>;
  onClose: () => void;
}

/**
 * Form for the user's own login of a connection. If `onSave` rejects, the dialog says why and stays
 * open.
 */
export function LoginDialog({ name, user, onSave, onClose }: LoginDialogProps) {
  const [typed, setTyped] = useState({ user, password: '' });
  const field = textFields(typed, (part) => setTyped({ ...typed, ...part }));
  const { busy, problem, run } = useAction();
  const save = () => onSave(typed.user.trim(), typed.password);
  return (
    <FormDialog
      title={fill(t.loginNamed, { name })}
      action={t.save}
      busy={busy}
      disabled={typed.user.trim() === ''}
      size="small"
      onSubmit={() => void run(save, t.loginFailed)}
      onClose={onClose}
    >
      <p className="hint">{t.loginHint}</p>
      {field('user', t.user, { autoFocus: true })}
      {field('password', t.password, { type: 'password' })}
      {problem === undefined ? null : <Alert>{problem}</Alert>}
    </FormDialog>
  );
}
