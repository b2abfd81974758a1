import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

/** An icon in the design's sizes: 16 px, `sm` 14, `xs` 12. Decorative: its button carries the name. */
export function Icon({
  of: Glyph,
  size,
  fill,
  className,
}: {
  of: LucideIcon;
  size?: 'sm' | 'xs';
  fill?: boolean;
  className?: string;
}) {
  const classes = ['icon', size, fill && 'fill', className].filter(Boolean).join(' ');
  return <Glyph className={classes} aria-hidden="true" strokeWidth={undefined} />;
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  /** `primary` once a view; `danger` only in the dialog that confirms. */
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet';
  size?: 'sm' | 'lg';
  icon?: LucideIcon;
  /** Shows a spinner in the icon's place and takes no clicks. */
  busy?: boolean;
  /** Accessible name; required where there is no text. Also the tooltip of a button without text. */
  label?: string;
  children?: ReactNode;
};

/** A button of the design system. Without children it is an icon button and needs `label`. */
export function Button({
  kind = 'ghost',
  size,
  icon,
  busy,
  label,
  children,
  className,
  disabled,
  ...rest
}: ButtonProps) {
  const iconOnly = children === undefined || children === null;
  const classes = ['button', kind, size, iconOnly && 'icon-only', className]
    .filter(Boolean)
    .join(' ');
  return (
    <button
      type="button"
      className={classes}
      aria-label={label}
      title={iconOnly ? label : undefined}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? (
        <span className="spinner" aria-hidden="true" />
      ) : icon ? (
        <Icon of={icon} size={size === 'sm' ? 'sm' : undefined} />
      ) : null}
      {children}
    </button>
  );
}
