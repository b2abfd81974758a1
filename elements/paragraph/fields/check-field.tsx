import { text } from '../../text/en.ts';
import type { FieldProps } from './contract.ts';
import { optionText, sameValue } from './options.ts';

/** Some of the options. Values keep their type and the order of the options. */
export function CheckField({
  name,
  label,
  form,
  value,
  busy,
  locked,
  acting,
  onValue,
}: FieldProps) {
  const { options = [] } = form;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const off = busy || locked;
  const toggle = (one: unknown, on: boolean) => {
    // A value that is no option stays: it was somebody's choice.
    const others = chosen.filter(
      (other) => !options.some((option) => sameValue(option.value, other)),
    );
    const kept = options
      .map((option) => option.value)
      .filter((own) => (sameValue(own, one) ? on : chosen.some((other) => sameValue(other, own))));
    onValue(name, [...others, ...kept], acting);
  };
  return (
    <fieldset
      className={off ? 'field form-field form-checks off' : 'field form-field form-checks'}
      aria-disabled={off || undefined}
      title={locked ? text.fields.locked : undefined}
    >
      <legend className="label">{label}</legend>
      {options.map((option, index) => (
        <label key={index} className="check">
          <input
            type="checkbox"
            aria-disabled={off || undefined}
            checked={chosen.some((one) => sameValue(one, option.value))}
            onChange={(event) => !off && toggle(option.value, event.target.checked)}
          />
          {optionText(option)}
        </label>
      ))}
    </fieldset>
  );
}
