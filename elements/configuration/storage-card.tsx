import type { NoteStorage } from '@tiding/client/protocol';
import { Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import { fill } from '../text/fill.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { FormActions } from '../ui/dialogs.tsx';
import { onSubmit } from '../ui/fields/form-events.ts';
import { LabelledChoice, LabelledField } from '../ui/fields/labelled.tsx';
import { useAction } from '../ui/fields/use-action.ts';
import { storageFields } from './settings.ts';
import { configurationTexts as t } from './texts.ts';

/**
 * A note storage. If `onSave` rejects, the card says why, and its fields stay open with the typed
 * values.
 */
export function StorageCard({
  storage,
  onSave,
}: {
  storage: NoteStorage;
  onSave: (settings: Record<string, string>) => Promise<void>;
}) {
  const id = useId();
  const [draft, setDraft] = useState<Record<string, string>>();
  const { busy, problem, setProblem, run } = useAction();
  const fields = storageFields(storage);
  const close = (): void => {
    setDraft(undefined);
    setProblem(undefined);
  };
  const save = async (): Promise<void> => {
    await onSave(
      Object.fromEntries(fields.map(({ name, value }) => [name, draft?.[name] ?? value])),
    );
    close();
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
        <form className="dialog-form" onSubmit={onSubmit(() => run(save, t.saveFailed))}>
          {fields.map(({ name, value: stored, options }) => {
            const value = draft[name] ?? stored;
            const field = {
              label: name,
              value,
              onValue: (next: string) => setDraft({ ...draft, [name]: next }),
            };
            if (!options) return <LabelledField key={name} {...field} />;
            const choices = options.map((each) => [each.value, each.name] as const);
            // The current value may not be among the options.
            const isOption = options.some((each) => each.value === value);
            const all = isOption ? choices : [value, ...choices];
            return <LabelledChoice key={name} {...field} options={all} />;
          })}
          {problem === undefined ? null : <Alert>{problem}</Alert>}
          <FormActions action={t.save} busy={busy} onClose={close} />
        </form>
      )}
    </section>
  );
}
