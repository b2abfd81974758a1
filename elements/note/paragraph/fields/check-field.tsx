import type { FieldProps } from './contract.ts';
import { optionText, sameOptionValue } from './options.ts';
import { fieldTexts } from './texts.ts';

/** A group of checkboxes. Values keep their type and the order of the options. */
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
    // A value that is not among the options is kept, because somebody chose it.
    const others = chosen.filter(
      (other) => !options.some((option) => sameOptionValue(option.value, other)),
    );
    const kept = options
      .map((option) => option.value)
      .filter((own) =>
        sameOptionValue(own, one) ? on : chosen.some((other) => sameOptionValue(other, own)),
      );
    onValue(name, [...others, ...kept], acting);
  };
  return (
    <fieldset
      className={off ? 'field form-field form-checks off' : 'field form-field form-checks'}
      aria-disabled={off || undefined}
      title={locked ? fieldTexts.locked : undefined}
    >
      <legend className="label">{label}</legend>
      {options.map((option, index) => (
        <label key={index} className="check">
          <input
            type="checkbox"
            aria-disabled={off || undefined}
            checked={chosen.some((one) => sameOptionValue(one, option.value))}
            onChange={(event) => !off && toggle(option.value, event.target.checked)}
          />
          {optionText(option)}
        </label>
      ))}
    </fieldset>
  );
}
