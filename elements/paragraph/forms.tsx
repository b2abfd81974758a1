import { memo, useEffect, useState } from 'react';
import { normalizeForm } from 'tiding/model';
import type { Form } from 'tiding/protocol';

interface FormsProps {
  forms: Readonly<Record<string, Form>>;
  params: Readonly<Record<string, unknown>>;
  disabled: boolean;
  /** A value changed; `commit` is true when it is to take effect (Enter, a choice). */
  onChange: (name: string, value: unknown, commit: boolean) => void;
}

/** The forms that are shown, in the one notation. */
export function shownForms(forms: Readonly<Record<string, Form>>): { name: string; form: ReturnType<typeof normalizeForm<Form>> }[] {
  return Object.entries(forms).map(([name, form]) => ({ name, form: normalizeForm(form) })).filter(({ form }) => !form.hidden);
}

/** The dynamic forms of a paragraph. */
export const Forms = memo(function Forms({ forms, params, disabled, onChange }: FormsProps) {
  const shown = shownForms(forms);
  if (shown.length === 0) return null;
  return (
    <div className="forms" part="forms">
      {shown.map(({ name, form }) => (
        <FormField key={name} name={name} form={form} value={params[name] ?? form.defaultValue} disabled={disabled} onChange={onChange} />
      ))}
    </div>
  );
});

interface FieldProps {
  name: string;
  form: ReturnType<typeof normalizeForm<Form>>;
  value: unknown;
  disabled: boolean;
  onChange: FormsProps['onChange'];
}

/** One field of a form. */
export function FormField({ name, form, value, disabled, onChange }: FieldProps) {
  const label = form.displayName ?? form.name ?? name;
  const options = form.options ?? [];
  if (form.type === 'Select') {
    return (
      <label className="field form-field">
        <span className="label">{label}</span>
        <select className="select" disabled={disabled} value={String(value ?? '')} onChange={(event) => onChange(name, options.find((option) => String(option.value) === event.target.value)?.value ?? event.target.value, true)}>
          {options.some((option) => String(option.value) === String(value ?? '')) ? null : <option value={String(value ?? '')}>{String(value ?? '')}</option>}
          {options.map((option) => <option key={String(option.value)} value={String(option.value)}>{option.displayName ?? String(option.value)}</option>)}
        </select>
      </label>
    );
  }
  if (form.type === 'CheckBox') {
    const chosen = Array.isArray(value) ? value.map(String) : [];
    return (
      <fieldset className="field form-field form-checks" disabled={disabled}>
        <legend className="label">{label}</legend>
        {options.map((option) => {
          const own = String(option.value);
          return (
            <label key={own} className="check">
              <input type="checkbox" checked={chosen.includes(own)} onChange={(event) => onChange(name, event.target.checked ? [...chosen, own] : chosen.filter((other) => other !== own), true)} />
              {option.displayName ?? own}
            </label>
          );
        })}
      </fieldset>
    );
  }
  return <TextField name={name} label={label} type={form.type === 'Password' ? 'password' : 'text'} value={String(value ?? '')} disabled={disabled} onChange={onChange} />;
}

function TextField({ name, label, type, value, disabled, onChange }: { name: string; label: string; type: string; value: string; disabled: boolean; onChange: FormsProps['onChange'] }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <label className="field form-field">
      <span className="label">{label}</span>
      <span className="input">
        <input
          type={type} value={text} disabled={disabled}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => text !== value && onChange(name, text, false)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.stopPropagation();
            onChange(name, text, true);
          }}
        />
      </span>
    </label>
  );
}
