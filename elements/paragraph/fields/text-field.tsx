import { Lock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { text } from '../../text/en.ts';
import { Icon } from '../../ui/button.tsx';
import type { FieldProps } from './contract.ts';
import { valueText } from './options.ts';

/** A text takes effect this long after the last key, in ms (specification). */
const QUIET_MS = 1_000;

/** A text box or a password. */
export function TextField({ name, label, form, value, busy, locked, acting, onValue }: FieldProps) {
  const shown = valueText(value);
  const [typed, setTyped] = useState(shown);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** What was told last: a value that comes back from the server must not take away what is typed after it. */
  const told = useRef(shown);
  useEffect(() => {
    if (shown === told.current) return;
    told.current = shown;
    setTyped(shown);
  }, [shown]);
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
  /** In a second; what is typed while the paragraph begins to run takes effect after that. */
  const soon = (now: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(
      () => (latest.current.busy ? soon(now) : latest.current.tell(now, true)),
      QUIET_MS,
    );
  };
  const off = busy || locked;
  return (
    <label className="field form-field">
      <span className="label">{label}</span>
      <span className={off ? 'input off' : 'input'}>
        <input
          type={form.type === 'Password' ? 'password' : 'text'}
          autoComplete={form.type === 'Password' ? 'new-password' : 'off'}
          value={locked ? shown : typed}
          readOnly={off}
          aria-disabled={off || undefined}
          title={locked ? text.fields.locked : undefined}
          onChange={(event) => {
            const now = event.target.value;
            setTyped(now);
            if (acting) soon(now);
          }}
          // What waits for its second still takes effect; without it, leaving the field is what saves the value.
          onBlur={() => timer.current === undefined && !off && tell(typed, false)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            if (!off) tell(typed, true);
          }}
        />
        {locked ? <Icon of={Lock} size="xs" className="dim" /> : null}
      </span>
    </label>
  );
}
