import { memo, useEffect, useState } from 'react';
import { normalizeForm } from 'tiding/model';
import type { Form } from 'tiding/protocol';
import { CheckField } from './fields/check-field.tsx';
import type { FieldProps, OnValue, ShownForm } from './fields/contract.ts';
import { SelectField } from './fields/select-field.tsx';
import { TextField } from './fields/text-field.tsx';

interface FormsProps {
  forms: Readonly<Record<string, Form>>;
  params: Readonly<Record<string, unknown>>;
  /** The paragraph runs or waits. */
  busy: boolean;
  /** 'Run on selection change' is on. */
  acting: boolean;
  /** Values given from outside, by name. */
  locked?: Readonly<Record<string, unknown>> | undefined;
  /** See {@link OnValue}. */
  onValue: OnValue;
  /** The forms are there, with these values: those without one get their default. */
  onShow: () => void;
}

/** The forms that are shown, in the one notation. */
export function shownForms(
  forms: Readonly<Record<string, Form>>,
): { name: string; form: ShownForm }[] {
  return Object.entries(forms)
    .map(([name, form]) => ({ name, form: normalizeForm(form) }))
    .filter(({ form }) => !form.hidden);
}

/** The dynamic forms of a paragraph. */
export const Forms = memo(function Forms({
  forms,
  params,
  busy,
  acting,
  locked,
  onValue,
  onShow,
}: FormsProps) {
  const shown = shownForms(forms);
  useEffect(() => {
    if (shown.length > 0) onShow();
    // `shown` follows from `forms`.
  }, [forms, params, onShow]);
  if (shown.length === 0) return null;
  return (
    <div className="forms" part="forms">
      {shown.map(({ name, form }) => (
        <FormField
          key={name}
          {...{ name, form, busy, acting, locked, onValue }}
          value={params[name] ?? form.defaultValue}
        />
      ))}
    </div>
  );
});

interface FormFieldProps extends Omit<FieldProps, 'label' | 'locked'> {
  locked?: FormsProps['locked'];
}

/** One field of a form. */
export function FormField({ name, form, value, locked, onValue, ...rest }: FormFieldProps) {
  const isLocked = locked !== undefined && Object.hasOwn(locked, name);
  // The store has it a moment later: until then React would put a choice back to what it was.
  const [choice, setChoice] = useState<{ instead: unknown; value: unknown }>();
  const now = choice && choice.instead === value ? choice.value : value;
  const choose: OnValue = (which, chosen, act) => {
    setChoice({ instead: value, value: chosen });
    onValue(which, chosen, act);
  };
  const props: FieldProps = {
    ...rest,
    name,
    form,
    onValue: form.type === 'Select' || form.type === 'CheckBox' ? choose : onValue,
    label: form.displayName ?? form.name ?? name,
    value: isLocked ? locked[name] : now,
    locked: isLocked,
  };
  if (form.type === 'Select') return <SelectField {...props} />;
  return form.type === 'CheckBox' ? <CheckField {...props} /> : <TextField {...props} />;
}
