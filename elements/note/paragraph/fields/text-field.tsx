import { Lock } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Icon } from '../../../ui/button.tsx';
import { useTypedText } from '../../../ui/use-typed-text.ts';
import type { FieldProps } from './contract.ts';
import { valueText } from './options.ts';
import { fieldTexts } from './texts.ts';

/** Delay after the last key before a text takes effect, in ms (specification). */
const INPUT_DELAY_MS = 1_000;

/** Whether a text is a date such as `2024-01-31`, which a date field can show. */
const isIsoDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** A text, date or password field. */
export function TextField({ name, label, form, value, busy, locked, acting, onValue }: FieldProps) {
  const shown = valueText(value);
  const { typed, setTyped, told } = useTypedText(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = (now: string, act: boolean) => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (now === told.current && !act) return;
    told.current = now;
    onValue(name, now, act);
  };
  const latest = useRef({ tell, busy });
  latest.current = { tell, busy };
  /**
   * Sends the value after the delay. If the paragraph starts running meanwhile, the value is sent
   * afterwards.
   */
  const soon = (now: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => (latest.current.busy ? soon(now) : latest.current.tell(now, true)),
      INPUT_DELAY_MS,
    );
  };
  const off = busy || locked;
  const isDate =
    form.type !== 'Password' &&
    isIsoDate(valueText(form.defaultValue)) &&
    (shown === '' || isIsoDate(shown));
  return (
    <label className="field form-field">
      <span className="label">{label}</span>
      <span className={off ? 'input off' : 'input'}>
        <input
          type={form.type === 'Password' ? 'password' : isDate ? 'date' : 'text'}
          autoComplete={form.type === 'Password' ? 'new-password' : 'off'}
          value={locked ? shown : typed}
          readOnly={off}
          aria-disabled={off || undefined}
          title={locked ? fieldTexts.locked : undefined}
          onChange={(event) => {
            const now = event.target.value;
            setTyped(now);
            if (acting) soon(now);
          }}
          // A pending value is still sent after its delay. Without one, blur saves the value.
          onBlur={({ target }) => timer.current === undefined && !off && tell(target.value, false)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            if (!off) tell(event.currentTarget.value, true);
          }}
        />
        {locked ? <Icon of={Lock} size="xs" className="dim" /> : null}
      </span>
    </label>
  );
}
