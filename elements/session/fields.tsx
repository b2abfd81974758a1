import type { InputHTMLAttributes } from 'react';

interface SignInFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  label: string;
  error?: string | undefined;
  onText: (text: string) => void;
}

/** Labelled field in the size of the sign-in cards. */
export function SignInField({ label, error, onText, ...input }: SignInFieldProps) {
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

/** A link below the fields of a card, to another one. */
export const CardLink = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <p className="login-links">
    <button type="button" className="link" onClick={onClick}>
      {children}
    </button>
  </p>
);
