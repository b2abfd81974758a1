import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { textFields } from '../ui/fields/labelled.tsx';
import { connectionTexts } from './texts.ts';

const t = connectionTexts;

/**
 * Form for the user's own login of a connection. `onSave` resolves to an error message if the login
 * was not stored; the dialog then stays open.
 */
export function LoginDialog({
  name,
  user,
  onSave,
  onClose,
}: {
  name: string;
  user: string;
  onSave: (user: string, password: string) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState({ user, password: '' });
  const field = textFields(typed, (part) => setTyped({ ...typed, ...part }));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (): Promise<void> => {
    setBusy(true);
    setProblem(await onSave(typed.user.trim(), typed.password));
    setBusy(false);
  };
  return (
    <FormDialog
      title={fill(t.loginNamed, { name })}
      action={t.save}
      busy={busy}
      disabled={typed.user.trim() === ''}
      size="small"
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="hint">{t.loginHint}</p>
      {field('user', t.user, { autoFocus: true })}
      {field('password', t.password, { type: 'password' })}
      {problem === undefined ? null : <Alert>{problem}</Alert>}
    </FormDialog>
  );
}
