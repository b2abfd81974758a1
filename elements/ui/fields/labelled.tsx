/** Fields with their labels. */
import { type ReactNode, useId } from 'react';

export interface LabelledFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  hint?: string;
  type?: 'text' | 'password';
  /** Accepts digits only. */
  digits?: boolean;
  /** For addresses, which are left-to-right in every language. */
  ltr?: boolean;
  autoFocus?: boolean;
  onValue: (value: string) => void;
}

/** A text field with a label, and a hint below it. */
export function LabelledField({
  autoFocus,
  digits,
  hint,
  label,
  ltr,
  onValue,
  placeholder,
  type = 'text',
  value,
}: LabelledFieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="input">
        <input
          id={id}
          type={type}
          value={value}
          placeholder={placeholder}
          autoFocus={autoFocus}
          dir={ltr ? 'ltr' : undefined}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          autoCapitalize="off"
          spellCheck={false}
          inputMode={digits ? 'numeric' : undefined}
          aria-describedby={hint === undefined ? undefined : hintId}
          onChange={({ target }) =>
            onValue(digits ? target.value.replace(/\D/g, '') : target.value)
          }
        />
      </span>
      {hint === undefined ? null : (
        <span className="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** A field of several lines with a label and a hint, for names and addresses. */
export function LabelledLines({
  hint,
  label,
  onValue,
  ...field
}: {
  label: string;
  value: string;
  hint: string;
  rows: number;
  placeholder?: string;
  autoFocus?: boolean;
  onValue: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="input">
        <textarea
          id={id}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onValue(target.value)}
          {...field}
        />
      </span>
      <span className="hint" id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  );
}

/** A select with a label. An option shows its value, or a text of its own. */
export function LabelledChoice({
  label,
  value,
  options,
  onValue,
}: {
  label: ReactNode;
  value: string;
  options: readonly (string | readonly [value: string, text: string])[];
  onValue: (value: string) => void;
}) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select className="select" value={value} onChange={({ target }) => onValue(target.value)}>
        {options.map((option) => {
          const [key, text] = typeof option === 'string' ? [option, option] : option;
          return (
            <option key={key} value={key}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}

/** A checkbox with a label. */
export function LabelledCheckbox({
  checked,
  label,
  onChange,
}: {
  checked: boolean;
  label: string;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}
