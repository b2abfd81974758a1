import { CircleAlert, CircleCheck } from 'lucide-react';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { Icon } from '../ui/button.tsx';

/** A field with its name above it, as tall as the cards of a sign-in want it. */
export function Field({
  label,
  error,
  onText,
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & {
  label: string;
  error?: string | undefined;
  onText: (text: string) => void;
}) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <span className={error ? 'input lg error' : 'input lg'}>
        <input
          {...input}
          aria-invalid={error !== undefined || undefined}
          onChange={(event) => onText(event.target.value)}
        />
      </span>
      {error ? (
        <span className="hint error" role="alert">
          {error}
        </span>
      ) : null}
    </label>
  );
}

/** What went wrong. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="alert" role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </div>
  );
}

/** What went well. */
export function Success({ children }: { children: ReactNode }) {
  return (
    <div className="alert good" role="status">
      <Icon of={CircleCheck} />
      <span>{children}</span>
    </div>
  );
}
