/** Dialogs that create a token and show it once. */

import type { AccessToken } from '@tiding/client/protocol';
import { useState } from 'react';
import { CopyField } from '../result/parts/copy-field.tsx';
import { fill } from '../text/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { AlertFrame, FormDialog } from '../ui/dialogs.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { daysLeft, expiryText } from './expiry.ts';
import { tokenTexts as t } from './texts.ts';
import { MAX_DESCRIPTION_LENGTH } from './token-row.tsx';

const DEFAULT_DAYS = 90;
const MAX_DAYS = 3650;

/** Request for a new token. `expiresInDays: null` means never. */
export interface NewToken {
  description: string;
  expiresInDays: number | null;
}

/**
 * Form for a new token. If `onCreate` rejects, the dialog says why and stays open with the typed
 * values.
 */
export function CreateTokenDialog({
  onCreate,
  onClose,
}: {
  onCreate: (wanted: NewToken) => Promise<void>;
  onClose: () => void;
}) {
  const [description, setDescription] = useState('');
  const [lasts, setLasts] = useState<'never' | 'day' | 'days'>('days');
  const [days, setDays] = useState(String(DEFAULT_DAYS));
  const { busy, problem, run } = useAction();
  const number = Number(days);
  const fits =
    lasts !== 'days' ||
    (days.trim() !== '' && Number.isInteger(number) && number >= 1 && number <= MAX_DAYS);
  const wanted = (): NewToken => ({
    description: description.trim(),
    expiresInDays: lasts === 'never' ? null : lasts === 'day' ? 1 : number,
  });
  return (
    <FormDialog
      title={t.createTitle}
      action={t.createAction}
      busy={busy}
      disabled={!fits}
      onSubmit={() => void run(() => onCreate(wanted()), t.saveFailed)}
      onClose={onClose}
    >
      <label className="field">
        <span className="label">{t.description}</span>
        <span className="input">
          <input
            value={description}
            autoFocus
            autoComplete="off"
            maxLength={MAX_DESCRIPTION_LENGTH}
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

interface CreatedTokenDialogProps {
  token: AccessToken;
  now: number;
  onClose: () => void;
}

/** Shows a token once. A click outside does not close the dialog. */
export function CreatedTokenDialog({ token, now, onClose }: CreatedTokenDialogProps) {
  return (
    <AlertFrame title={t.madeTitle} text={t.madeText} className="dialog" onClose={onClose}>
      <CopyField
        className="token-value"
        value={token.token ?? ''}
        label={t.token}
        copy={t.copy}
        autoFocus
      />
      <p className="hint">{fill(t.expiresThen, { when: expiryText(daysLeft(token, now)) })}</p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </AlertFrame>
  );
}
