import { Check, Pencil, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { fill } from '../text/fill.ts';
import { Button } from '../ui/button.tsx';
import { DottedName } from '../ui/dotted-name.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { credentialTexts as t } from './texts.ts';

/**
 * A stored credential. `password` is what the server lists: asterisks, or the password itself
 * (Zeppelin). It is sent back unchanged if it was not edited, and is never shown.
 */
export interface CredentialEntry {
  readonly entity: string;
  readonly username: string;
  readonly password: string;
}

interface CredentialRowProps {
  entry: CredentialEntry;
  /** Called when the row's fields open. */
  onEdit: () => void;
  /** Resolves to whether the change was stored; until then the fields stay open. */
  onSave: (credential: CredentialEntry) => Promise<boolean>;
  onRemove: () => void;
}

/** A credential whose username and password can be edited in place. The entity can't be changed. */
export function CredentialRow({ entry, onEdit, onSave, onRemove }: CredentialRowProps) {
  const { entity } = entry;
  const [draft, setDraft] = useState<{ username: string; password: string | undefined }>();
  const { busy, run } = useAction();
  const row = useRef<HTMLTableRowElement>(null);
  const close = (): void => {
    setDraft(undefined);
    // The button exists again only after React has rendered.
    requestAnimationFrame(() =>
      row.current?.querySelector<HTMLElement>('.row-actions button')?.focus(),
    );
  };
  const save = () =>
    run(async () => {
      if (!draft) return;
      const { username, password = entry.password } = draft;
      if (await onSave({ entity, username, password })) close();
    });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.stopPropagation();
    if (event.key === 'Enter') void save();
    else close();
  };
  return (
    <tr ref={row} data-entity={entity}>
      <th scope="row">
        <DottedName>{entity}</DottedName>
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
