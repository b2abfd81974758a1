/** Fields with their labels. */
import { type ComponentProps, type ReactNode, useId } from 'react';

export interface LabelledFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  value: string;
  hint?: string;
  type?: 'text' | 'password';
  /** Accepts digits only. */
  digits?: boolean;
  /** For addresses, which are left-to-right in every language. */
  ltr?: boolean;
  onValue: (value: string) => void;
}

interface LabelledProps {
  label: string;
  hint: string | undefined;
  children: (field: { id: string; 'aria-describedby': string | undefined }) => ReactNode;
}

/** A label above a field, and a hint below it. */
function Labelled({ label, hint, children }: LabelledProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="input">{children({ id, 'aria-describedby': hintId })}</span>
      {hint === undefined ? null : (
        <span className="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}

const plain = { autoComplete: 'off', autoCapitalize: 'off', spellCheck: false };

/** A text field with a label, and a hint below it. */
export function LabelledField(props: LabelledFieldProps) {
  const { digits, hint, label, ltr, onValue, type = 'text', ...field } = props;
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          {...plain}
          {...field}
          type={type}
          dir={ltr ? 'ltr' : undefined}
          autoComplete={type === 'password' ? 'new-password' : 'off'}
          inputMode={digits ? 'numeric' : undefined}
          onChange={({ target }) =>
            onValue(digits ? target.value.replace(/\D/g, '') : target.value)
          }
        />
      )}
    </Labelled>
  );
}

/**
 * Returns a function that renders the text field of a name among the values of a form. `change`
 * gets the part that was typed.
 */
export const textFields =
  <Name extends string>(
    values: Readonly<Record<Name, string>>,
    change: (part: Readonly<Record<string, string>>) => void,
  ) =>
  (name: Name, label: string, more: Partial<LabelledFieldProps> = {}) => (
    <LabelledField
      label={label}
      value={values[name]}
      onValue={(value) => change({ [name]: value })}
      {...more}
    />
  );

interface LabelledLinesProps {
  label: string;
  value: string;
  hint: string;
  rows: number;
  placeholder?: string;
  autoFocus?: boolean;
  onValue: (value: string) => void;
}

/** A field of several lines with a label and a hint, for names and addresses. */
export function LabelledLines({ hint, label, onValue, ...field }: LabelledLinesProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          {...plain}
          {...field}
          dir="ltr"
          onChange={({ target }) => onValue(target.value)}
        />
      )}
    </Labelled>
  );
}

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  value: string;
  options: readonly (string | readonly [value: string, text: string])[];
  onValue: (value: string) => void;
}

/** A select. An option shows its value, or a text of its own. */
export function Choice({ options, onValue, children, ...select }: ChoiceProps) {
  return (
    <select className="select" {...select} onChange={({ target }) => onValue(target.value)}>
      {children}
      {options.map((option) => {
        const [key, text] = typeof option === 'string' ? [option, option] : option;
        return (
          <option key={key} value={key}>
            {text}
          </option>
        );
      })}
    </select>
  );
}

/** A select with a label. */
export function LabelledChoice({
  label,
  className = 'field',
  ...choice
}: ChoiceProps & { label: ReactNode }) {
  const id = useId();
  return (
    <label className={className} htmlFor={id}>
      <span className="label">{label}</span>
      <Choice id={id} {...choice} />
    </label>
  );
}

interface LabelledCheckboxProps {
  checked: boolean;
  label: string;
  onChange: (checked: boolean) => void;
}

/** A checkbox with a label. */
export function LabelledCheckbox({ checked, label, onChange }: LabelledCheckboxProps) {
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
