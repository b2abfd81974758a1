/** What asks for a new token, and what shows it once. */
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import type { AccessToken } from 'tiding/protocol';
import { useCopy } from '../result/copy.ts';
import { usePortal } from '../runtime/hooks.ts';
import { Alert } from '../session/fields.tsx';
import { fill, text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialogs.tsx';
import { daysLeft, expiryWords } from './expiry.ts';
import { DESCRIPTION_LIMIT } from './token-row.tsx';

const t = text.tokens;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 3650;

/** What a new token shall be. `expiresInDays`: null is never. */
export interface NewToken {
  description: string;
  expiresInDays: number | null;
}

/** Asks for a new token. `onCreate` resolves to why it was refused, and stays open then with all that was typed. */
export function CreateTokenDialog({
  onCreate,
  onClose,
}: {
  onCreate: (wanted: NewToken) => Promise<string | undefined>;
  onClose: () => void;
}) {
  const [description, setDescription] = useState('');
  const [lasts, setLasts] = useState<'never' | 'day' | 'days'>('days');
  const [days, setDays] = useState(String(DEFAULT_DAYS));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const number = Number(days);
  const fits =
    lasts !== 'days' ||
    (days.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= MAX_DAYS);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    setProblem(
      await onCreate({
        description: description.trim(),
        expiresInDays: lasts === 'never' ? null : lasts === 'day' ? 1 : number,
      }),
    );
    setBusy(false);
  };
  return (
    <FormDialog
      title={t.createTitle}
      action={t.createAction}
      cancel={text.cancel}
      busy={busy}
      disabled={!fits}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <label className="field">
        <span className="label">{t.description}</span>
        <span className="input">
          <input
            value={description}
            autoFocus
            autoComplete="off"
            maxLength={DESCRIPTION_LIMIT}
            aria-describedby="description-hint"
            onChange={({ target }) => setDescription(target.value)}
          />
        </span>
        <span className="hint" id="description-hint">
          {t.descriptionHint}
        </span>
      </label>
      <fieldset className="choices">
        <legend className="label">{t.expiresIn}</legend>
        {(
          [
            ['never', t.never],
            ['day', t.afterOneDay],
            ['days', t.afterSome],
          ] as const
        ).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="lasts"
              value={value}
              checked={lasts === value}
              onChange={() => setLasts(value)}
            />
            {label}
          </label>
        ))}
        {lasts === 'days' ? (
          <label>
            <span className="label">{t.daysField}</span>
            <span className={fits ? 'input' : 'input error'}>
              <input
                inputMode="numeric"
                value={days}
                autoComplete="off"
                aria-invalid={!fits || undefined}
                aria-describedby="lasts-hint"
                onChange={({ target }) => setDays(target.value)}
              />
            </span>
          </label>
        ) : null}
        <span className={fits ? 'hint' : 'hint error'} id="lasts-hint" role="status">
          {lasts === 'never' ? t.neverHint : lasts === 'days' ? t.daysHint : ''}
        </span>
      </fieldset>
      {problem === undefined ? null : <Alert>{problem}</Alert>}
    </FormDialog>
  );
}

/** Shows a token, once. A click beside it does not close it. */
export function MadeTokenDialog({
  made,
  now,
  onClose,
}: {
  made: AccessToken;
  now: number;
  onClose: () => void;
}) {
  const portal = usePortal();
  const [label, copy] = useCopy(t.copy);
  const value = made.token ?? '';
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal container={portal}>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title">{t.madeTitle}</AlertDialog.Title>
          <AlertDialog.Description className="dialog-text">{t.madeText}</AlertDialog.Description>
          <div className="token-value">
            <span className="input">
              <input
                readOnly
                value={value}
                aria-label={t.token}
                spellCheck={false}
                autoComplete="off"
                onFocus={({ target }) => target.select()}
              />
            </span>
            <Button kind="secondary" icon={Copy} autoFocus onClick={() => copy(value)}>
              <span aria-live="polite">{label}</span>
            </Button>
          </div>
          <p className="hint">{fill(t.expiresThen, { when: expiryWords(daysLeft(made, now)) })}</p>
          <div className="dialog-actions">
            <Button kind="primary" onClick={onClose}>
              {t.done}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
