import { Copy } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { useCopy } from './use-copy.ts';

/** A value that can only be selected, with a button that copies it. */
export function CopyField({
  value,
  label,
  copy,
  copyLabel,
  className,
  autoFocus = false,
}: {
  value: string;
  label: string;
  /** Text of the button, until it reports what happened. */
  copy: string;
  copyLabel?: string;
  className: string;
  autoFocus?: boolean;
}) {
  const [text, onCopy] = useCopy(copy);
  return (
    <div className={className}>
      <span className="input">
        <input
          readOnly
          value={value}
          aria-label={label}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
        />
      </span>
      <Button
        kind="secondary"
        icon={Copy}
        label={copyLabel}
        autoFocus={autoFocus}
        onClick={() => onCopy(value)}
      >
        <span aria-live="polite">{text}</span>
      </Button>
    </div>
  );
}
