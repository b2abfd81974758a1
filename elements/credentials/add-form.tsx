import { useState } from 'react';
import { FormActions } from '../ui/dialogs.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { LabelledField } from '../ui/fields/labelled.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import type { CredentialEntry } from './credential-row.tsx';
import { EntityField } from './entity-field.tsx';
import { credentialTexts as t } from './texts.ts';

interface AddFormProps {
  names: readonly string[];
  taken: ReadonlySet<string>;
  onAdd: (credential: CredentialEntry) => Promise<boolean>;
  onClose: () => void;
}

/**
 * Form that adds a credential. `onAdd` resolves to whether it was added; the typed values stay
 * until then.
 */
export function AddForm({ names, taken, onAdd, onClose }: AddFormProps) {
  const [entity, setEntity] = useState('');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { busy, run } = useAction();
  return (
    <form
      className="card credential-form"
      aria-label={t.addTitle}
      onSubmit={onSubmit(() =>
        run(async () => (await onAdd({ entity, username, password })) && onClose()),
      )}
    >
      <h2>{t.addTitle}</h2>
      <div className="credential-fields">
        <EntityField
          value={entity}
          names={names}
          hint={taken.has(entity.trim()) ? t.replaces : ''}
          onValue={setEntity}
        />
        <LabelledField label={t.username} value={username} onValue={setUsername} />
        <LabelledField label={t.password} type="password" value={password} onValue={setPassword} />
      </div>
      <FormActions action={t.save} busy={busy} onClose={onClose} />
    </form>
  );
}
