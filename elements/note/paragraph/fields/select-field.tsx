import type { KeyboardEvent } from 'react';
import { CodeBoundary, lazyCode } from '../../../runtime/lazy-code.tsx';
import type { FieldProps } from './contract.ts';
import { indexOfValue, optionText, valueText } from './options.ts';
import { fieldTexts } from './texts.ts';

/** Longer lists use a searchable list instead of a native select. */
const MAX_NATIVE_OPTIONS = 200;
const OptionSearch = lazyCode(() => import('./option-search.tsx'));

/** A select field. A value that is not among the options is kept and shown. */
export function SelectField(props: FieldProps) {
  const { name, label, form, value, busy, locked, acting, onValue } = props;
  const { options = [] } = form;
  const at = indexOfValue(options, value);
  const off = busy || locked;
  const choose = (index: number) =>
    options[index] && !off && onValue(name, options[index].value, acting);
  if (options.length > MAX_NATIVE_OPTIONS && !locked) {
    return (
      <div className="field form-field">
        <CodeBoundary
          fallback={
            <>
              <span className="label">{label}</span>
              <span className="input">{at < 0 ? valueText(value) : optionText(options[at]!)}</span>
            </>
          }
        >
          <OptionSearch
            {...{ label, options, at, off }}
            other={valueText(value)}
            onChoose={choose}
          />
        </CodeBoundary>
      </div>
    );
  }
  // A native select has no read-only state, and a disabled one would lose the focus. So block the
  // events that would open it.
  const held = off ? { onMouseDown: hold, onKeyDown: holdKey } : {};
  return (
    <label className="field form-field">
      <span className="label">{label}</span>
      <select
        className={off ? 'select off' : 'select'}
        aria-disabled={off || undefined}
        title={locked ? fieldTexts.locked : undefined}
        value={String(at)}
        {...held}
        onChange={(event) => choose(Number(event.target.value))}
      >
        {at < 0 ? <option value="-1">{valueText(value)}</option> : null}
        {options.map((option, index) => (
          <option key={index} value={String(index)}>
            {optionText(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

const hold = (event: { preventDefault(): void }): void => event.preventDefault();
const holdKey = (event: KeyboardEvent): void => {
  if (
    event.key !== 'Tab' &&
    event.key !== 'Escape' &&
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey
  )
    event.preventDefault();
};
