import type { NoteStorage } from '@tiding/client/protocol';
import { Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import { commonTexts } from '../text/common.ts';
import { fill } from '../text/fill.ts';
import { configurationTexts } from '../text/pages/configuration.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { type StorageField, storageFields } from './settings.ts';

const t = configurationTexts;

/**
 * A note storage. `onSave` resolves to an error message if the change was rejected; the fields then
 * stay open with the typed values.
 */
export function StorageCard({
  storage,
  onSave,
}: {
  storage: NoteStorage;
  onSave: (settings: Record<string, string>) => Promise<string | undefined>;
}) {
  const id = useId();
  const [draft, setDraft] = useState<Record<string, string>>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const fields = storageFields(storage);
  const close = (): void => {
    setDraft(undefined);
    setProblem(undefined);
  };
  const save = async (): Promise<void> => {
    if (!draft || busy) return;
    setBusy(true);
    setProblem(undefined);
    const refused = await onSave(
      Object.fromEntries(fields.map(({ name, value }) => [name, draft[name] ?? value])),
    );
    setBusy(false);
    if (refused === undefined) close();
    else setProblem(refused);
  };
  return (
    <section className="card storage" aria-labelledby={id}>
      <div className="storage-head">
        <h3 id={id}>{storage.name}</h3>
        <span className="grow" />
        {draft || fields.length === 0 ? null : (
          <Button
            kind="secondary"
            icon={Pencil}
            label={fill(t.editOf, { name: storage.name })}
            onClick={() => setDraft({})}
          >
            {t.edit}
          </Button>
        )}
      </div>
      {storage.className ? <p className="storage-class">{storage.className}</p> : null}
      {fields.length === 0 ? (
        <p className="hint">{t.noSettings}</p>
      ) : draft === undefined ? (
        <dl className="storage-settings">
          {fields.map(({ name, value, options }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{options?.find((each) => each.value === value)?.name ?? value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <form
          className="dialog-form"
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          {fields.map((field) => (
            <StorageInput
              key={field.name}
              field={field}
              value={draft[field.name] ?? field.value}
              onValue={(value) => setDraft({ ...draft, [field.name]: value })}
            />
          ))}
          {problem === undefined ? null : <Alert>{problem}</Alert>}
          <div className="dialog-actions">
            <Button kind="secondary" onClick={close}>
              {commonTexts.cancel}
            </Button>
            <Button kind="primary" type="submit" busy={busy}>
              {t.save}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}

function StorageInput({
  field: { name, options },
  value,
  onValue,
}: {
  field: StorageField;
  value: string;
  onValue: (value: string) => void;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: each branch has a control
    <label className="field">
      <span className="label">{name}</span>
      {options ? (
        <select className="select" value={value} onChange={({ target }) => onValue(target.value)}>
          {/* The current value may not be among the options. */}
          {options.some((each) => each.value === value) ? null : (
            <option value={value}>{value}</option>
          )}
          {options.map((each) => (
            <option key={each.value} value={each.value}>
              {each.name}
            </option>
          ))}
        </select>
      ) : (
        <span className="input">
          <input
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onValue(target.value)}
          />
        </span>
      )}
    </label>
  );
}
