import { Check, Pencil, Trash2, X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { fill, text } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { Dotted } from '../ui/dotted.tsx';
import type { Credential } from './add-form.tsx';

const t = text.credentials;

/** A stored credential. `password`: as the server lists it, stars or (upstream) in clear; it is sent back where it is not changed and never shown. */
export interface Entry {
  readonly entity: string;
  readonly username: string;
  readonly password: string;
}

interface CredentialRowProps {
  entry: Entry;
  /** Told when its fields open. */
  onEdit: () => void;
  /** Answers whether it is stored; until then the fields stay as they are. */
  onSave: (credential: Credential) => Promise<boolean>;
  onRemove: () => void;
}

/** A credential, changed where it stands: its name and password, never its entity. */
export function CredentialRow({ entry, onEdit, onSave, onRemove }: CredentialRowProps) {
  const { entity } = entry;
  const [draft, setDraft] = useState<{ username: string; password: string | undefined }>();
  const [busy, setBusy] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const close = (): void => {
    setDraft(undefined);
    // The button stands there again when React has drawn it.
    requestAnimationFrame(() =>
      row.current?.querySelector<HTMLElement>('.row-actions button')?.focus(),
    );
  };
  const save = async (): Promise<void> => {
    if (!draft || busy) return;
    setBusy(true);
    const done = await onSave({
      entity,
      username: draft.username,
      password: draft.password ?? entry.password,
    });
    setBusy(false);
    if (done) close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    else close();
  };
  return (
    <tr ref={row} data-entity={entity}>
      <th scope="row">
        <Dotted>{entity}</Dotted>
      </th>
      {draft ? (
        <>
          <td>
            <span className="input">
              <input
                value={draft.username}
                autoFocus
                autoComplete="off"
                spellCheck={false}
                aria-label={fill(t.usernameOf, { entity })}
                onKeyDown={onKeyDown}
                onChange={({ target }) => setDraft({ ...draft, username: target.value })}
              />
            </span>
          </td>
          <td>
            <span className="input">
              <input
                type="password"
                value={draft.password ?? ''}
                placeholder={draft.password === undefined ? t.unchanged : undefined}
                autoComplete="new-password"
                aria-label={fill(t.passwordOf, { entity })}
                onKeyDown={onKeyDown}
                onChange={({ target }) => setDraft({ ...draft, password: target.value })}
              />
            </span>
          </td>
          <td className="row-actions">
            <Button
              icon={Check}
              busy={busy}
              label={fill(t.saveEntity, { entity })}
              onClick={() => void save()}
            />
            <Button icon={X} label={fill(t.cancelEntity, { entity })} onClick={close} />
          </td>
        </>
      ) : (
        <>
          <td>{entry.username}</td>
          <td>{entry.password === '' ? <span className="dim">{t.noPassword}</span> : t.hidden}</td>
          <td className="row-actions">
            <Button
              icon={Pencil}
              label={fill(t.edit, { entity })}
              onClick={() => {
                setDraft({ username: entry.username, password: undefined });
                onEdit();
              }}
            />
            <Button icon={Trash2} label={fill(t.remove, { entity })} onClick={onRemove} />
          </td>
        </>
      )}
    </tr>
  );
}
