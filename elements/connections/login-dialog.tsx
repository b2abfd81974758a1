import { useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { connectionTexts } from '../text/pages/connections.ts';
import { credentialTexts } from '../text/pages/credentials.ts';
import { Alert } from '../ui/alert.tsx';
import { FormDialog } from '../ui/dialogs.tsx';

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
      action={credentialTexts.save}
      cancel={commonTexts.cancel}
      busy={busy}
      disabled={typed.user.trim() === ''}
      small
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <p className="hint">{t.loginHint}</p>
      <label className="field">
        <span className="label">{t.user}</span>
        <span className="input">
          <input
            value={typed.user}
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={({ target }) => setTyped({ ...typed, user: target.value })}
          />
        </span>
      </label>
      <label className="field">
        <span className="label">{t.password}</span>
        <span className="input">
          <input
            type="password"
            value={typed.password}
            autoComplete="new-password"
            onChange={({ target }) => setTyped({ ...typed, password: target.value })}
          />
        </span>
      </label>
      {problem === undefined ? null : <Alert>{problem}</Alert>}
    </FormDialog>
  );
}
