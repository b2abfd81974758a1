import { X } from 'lucide-react';
import { useViewStore } from '../../runtime/store.ts';
import { fill } from '../../text/fill.ts';
import { Button } from '../../ui/button.tsx';
import { useEditInPlace } from '../../ui/edit-in-place.ts';
import { FormField } from '../paragraph/forms.tsx';
import { shownForms } from '../paragraph/typed-forms.ts';
import { useNoteState, useNoteUi } from '../ui/note-ui.ts';
import { useWhyNot } from '../ui/use-rights.ts';
import { formTexts as t } from './texts.ts';

const empty = {};

/**
 * Forms of the whole note. Changes take effect immediately. Renders nothing if the note has no
 * forms.
 */
export function NoteForms() {
  const ui = useNoteUi();
  const { note } = ui;
  const forms = useNoteState(ui, (now) => now?.forms ?? empty);
  const params = useNoteState(ui, (now) => now?.params ?? empty);
  const title = useNoteState(ui, (now) => now?.config.noteFormTitle ?? '');
  const locked = useViewStore(ui.locked, (state) => state.values);
  const mayNotChange = useWhyNot(ui, 'writer');
  const shown = shownForms(forms);
  if (shown.length === 0) return null;
  const editable = ui.layout.editable && mayNotChange === undefined;
  return (
    <section
      className="note-forms"
      aria-label={t.note}
      title={mayNotChange}
      aria-description={mayNotChange}
    >
      <FormTitle
        value={title}
        editable={editable}
        onSave={(noteFormTitle) => void ui.messages.act(() => note.configure({ noteFormTitle }))}
      />
      <div className="forms">
        {shown.map(({ name, form }) => (
          <div key={name} className="note-form">
            <FormField
              name={name}
              form={form}
              value={(params as Record<string, unknown>)[name] ?? form.defaultValue}
              busy={note.revision !== undefined || mayNotChange !== undefined}
              acting
              locked={locked}
              onValue={(_, value) => void ui.messages.act(() => note.setParams({ [name]: value }))}
            />
            {editable ? (
              <Button
                size="sm"
                icon={X}
                label={fill(t.remove, { name })}
                onClick={() => void ui.messages.act(() => note.removeForm(name))}
              />
            ) : null}
          </div>
        ))}
      </div>
    </section>
  );
}

interface FormTitleProps {
  value: string;
  editable: boolean;
  onSave: (title: string) => void;
}

function FormTitle({ value, editable, onSave }: FormTitleProps) {
  const { begin, field } = useEditInPlace(
    value,
    (typed) => typed.trim() !== value && onSave(typed.trim()),
  );
  if (field) return <input className="note-forms-title" aria-label={t.title} {...field} />;
  return (
    <h2 className="note-forms-title">
      {editable ? (
        <button type="button" className="bare" title={t.title} onClick={begin}>
          {value || t.untitled}
        </button>
      ) : (
        value || t.untitled
      )}
    </h2>
  );
}
