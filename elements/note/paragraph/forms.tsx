import type { Form } from '@tiding/client/protocol';
import { memo, useEffect, useState } from 'react';
import { CheckField } from './fields/check-field.tsx';
import type { FieldProps, OnValue } from './fields/contract.ts';
import { SelectField } from './fields/select-field.tsx';
import { TextField } from './fields/text-field.tsx';
import { shownForms } from './typed-forms.ts';

interface FormsProps {
  forms: Readonly<Record<string, Form>>;
  params: Readonly<Record<string, unknown>>;
  /** Whether the paragraph is running or pending. */
  busy: boolean;
  /** Why the user may not set values; disables the fields. */
  disabledReason?: string | undefined;
  /** Whether 'Run on selection change' is on. */
  acting: boolean;
  /** Values set by the host page, by name. */
  locked?: Readonly<Record<string, unknown>> | undefined;
  onValue: OnValue;
  /** Called when forms are shown; fields without a value then get their default. */
  onShow: () => void;
}

export const Forms = memo(function Forms({
  forms,
  params,
  busy,
  disabledReason,
  acting,
  locked,
  onValue,
  onShow,
}: FormsProps) {
  const shown = shownForms(forms);
  const isShown = shown.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: reports changed forms and values
  useEffect(() => {
    if (isShown) onShow();
  }, [isShown, forms, params, onShow]);
  if (shown.length === 0) return null;
  return (
    <div
      className="forms"
      part="forms"
      role={disabledReason === undefined ? undefined : 'group'}
      title={disabledReason}
      aria-description={disabledReason}
    >
      {shown.map(({ name, form }) => (
        <FormField
          key={name}
          {...{ name, form, acting, locked, onValue }}
          busy={busy || disabledReason !== undefined}
          value={params[name] ?? form.defaultValue}
        />
      ))}
    </div>
  );
});

interface FormFieldProps extends Omit<FieldProps, 'label' | 'locked'> {
  locked?: FormsProps['locked'];
}

export function FormField({ name, form, value, locked, onValue, ...rest }: FormFieldProps) {
  const isLocked = locked !== undefined && Object.hasOwn(locked, name);
  // The store is updated asynchronously. Until then, React would reset the field to its old value.
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
