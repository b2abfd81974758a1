import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

interface IconProps {
  of: LucideIcon;
  size?: 'sm' | 'xs';
  fill?: boolean;
  className?: string;
}

/**
 * An icon in a size of the design system: 16 px, `sm` 14 px, `xs` 12 px. Decorative; the button
 * carries the accessible name.
 */
export function Icon({ of: Glyph, size, fill, className }: IconProps) {
  const classes = ['icon', size, fill && 'fill', className].filter(Boolean).join(' ');
  return <Glyph className={classes} aria-hidden="true" strokeWidth={undefined} />;
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  /** Use `primary` once per view and `danger` only in the confirming dialog. */
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet';
  size?: 'sm' | 'lg';
  icon?: LucideIcon;
  /** Shows a spinner in place of the icon and ignores clicks. The button keeps the focus. */
  busy?: boolean;
  /** Accessible name; required for a button without text, where it is also the tooltip. */
  label?: string;
  /** Why the button can't be used; disables it. Shown as its tooltip. */
  disabledReason?: string | undefined;
  children?: ReactNode;
};

/** A button of the design system. Without children it is an icon button and needs a `label`. */
export function Button({
  kind = 'ghost',
  size,
  icon,
  busy,
  label,
  children,
  className,
  disabled,
  disabledReason,
  onClick,
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
      title={disabledReason ?? (iconOnly ? label : undefined)}
      aria-description={disabledReason}
      disabled={disabled || disabledReason !== undefined}
      aria-busy={busy || undefined}
      // A disabled button would lose the focus, which a dialog at the end of the work returns here.
      aria-disabled={busy || undefined}
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
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
