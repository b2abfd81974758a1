import type { AccessToken } from '@tiding/client/protocol';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { useEditInPlace } from '../ui/edit-in-place.ts';
import { useAction } from '../ui/fields/use-action.ts';
import { Switch } from '../ui/page.tsx';
import { daysLeft, expiryText } from './expiry.ts';
import { tokenTexts as t } from './texts.ts';

/** Maximum length of a description in characters (protocol). */
export const MAX_DESCRIPTION_LENGTH = 255;
/** An expiry at least this many days away is not highlighted. */
const EXPIRY_WARNING_DAYS = 7;

/** Display name of a token: its description, otherwise its id. */
export const tokenName = (token: AccessToken): string => token.description?.trim() || token.tokenId;

interface TokenRowProps {
  token: AccessToken;
  /** Epoch time in ms. */
  now: number;
  /** Whether the table shows the last use. */
  used: boolean;
  /** Resolves to whether it succeeded. Both handlers report errors to the user themselves. */
  onStatus: (enabled: boolean) => Promise<boolean>;
  onDescribe: (description: string) => Promise<boolean>;
  onRemove: () => void;
}

/** Table row of an access token. */
export function TokenRow({ token, now, used, onStatus, onDescribe, onRemove }: TokenRowProps) {
  const { busy, run } = useAction();
  const days = daysLeft(token, now);
  const name = tokenName(token);

  return (
    <tr data-token={token.tokenId}>
      <td className="token-what">
        <Description token={token} onDescribe={onDescribe} />
        <span className="token-since secondary">
          {t.created} <Day time={token.createdAt} />
        </span>
        {token.lastUsedAt ? (
          <span className="token-since secondary">
            {t.lastUsed} <Day time={token.lastUsedAt} />
          </span>
        ) : null}
      </td>
      <td className="token-id">{token.tokenId}</td>
      <td className="token-when token-past">
        <Day time={token.createdAt} />
      </td>
      {used ? (
        <td className="token-when token-past">
          {token.lastUsedAt ? (
            <Day time={token.lastUsedAt} />
          ) : (
            <span className="dim">{t.neverUsed}</span>
          )}
        </td>
      ) : null}
      <td
        className={
          'token-when' +
          (days === 0 ? ' over' : days !== undefined && days < EXPIRY_WARNING_DAYS ? ' soon' : '')
        }
      >
        <time
          dateTime={token.expiresAt ?? undefined}
          title={token.expiresAt ? exact(token.expiresAt) : undefined}
        >
          {expiryText(days)}
        </time>
      </td>
      <td>
        {days === 0 ? (
          <span className="badge">{t.expiredBadge}</span>
        ) : (
          <span className="token-state">
            <Switch
              hidden
              label={fill(t.isEnabled, { name })}
              checked={token.disabled !== true}
              disabled={busy}
              onChange={(enabled) => void run(() => onStatus(enabled))}
            />
            <span aria-hidden="true">{token.disabled ? t.disabled : t.enabled}</span>
          </span>
        )}
      </td>
      <td className="row-actions">
        <Button icon={Trash2} label={fill(t.remove, { name })} onClick={onRemove} />
      </td>
    </tr>
  );
}

/**
 * The description, edited in place. A rejected text stays visible and is where the next edit
 * starts.
 */
function Description({ token, onDescribe }: Pick<TokenRowProps, 'token' | 'onDescribe'>) {
  const [unsaved, setUnsaved] = useState<string>();
  const stored = token.description ?? '';
  const save = async (typed: string): Promise<void> => {
    const wanted = typed.trim();
    if (wanted === stored) return setUnsaved(undefined);
    setUnsaved(wanted);
    if (await onDescribe(wanted)) setUnsaved(undefined);
    else setFailed(true);
  };
  const [failed, setFailed] = useState(false);
  const shown = unsaved ?? stored;
  const { begin, field } = useEditInPlace(shown, (typed) => {
    setFailed(false);
    void save(typed);
  });
  const label = fill(t.editDescription, { name: tokenName(token) });
  if (field)
    return (
      <span className="input">
        <input aria-label={label} maxLength={MAX_DESCRIPTION_LENGTH} {...field} />
      </span>
    );
  return (
    <span className="token-name">
      <button
        type="button"
        className={shown === '' ? 'none' : undefined}
        title={label}
        onClick={begin}
      >
        {shown === '' ? t.noDescription : shown}
      </button>
      {failed && unsaved !== undefined ? <span className="badge danger">{t.notSaved}</span> : null}
      <Button size="sm" icon={Pencil} label={label} onClick={begin} />
    </span>
  );
}

/** A date, with the time in its tooltip. */
function Day({ time }: { time: string | undefined }) {
  if (!time || Number.isNaN(Date.parse(time))) return null;
  return (
    <time dateTime={time} title={exact(time)}>
      {new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' })}
    </time>
  );
}

function exact(time: string): string {
  return Number.isNaN(Date.parse(time))
    ? time
    : new Date(time).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' });
}
