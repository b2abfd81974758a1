import { ChevronDown, type LucideIcon } from 'lucide-react';
import { useState, type ComponentType } from 'react';
import { Button, Icon } from './button.tsx';
import type { MenuListProps } from './menu-list.tsx';

/** One entry of a menu; `'rule'` parts groups, `entries` open beside their entry. */
export type MenuEntry =
  | 'rule'
  | { label: string; icon?: LucideIcon; entries: readonly MenuEntry[] }
  | { label: string; icon?: LucideIcon; keys?: string; danger?: boolean; disabled?: boolean; checked?: boolean; hint?: string; onSelect: () => void };

interface MenuButtonProps {
  label: string;
  icon?: LucideIcon;
  /** Visible text; without it the button shows its icon alone. */
  children?: string;
  size?: 'sm';
  /** Asked for when the menu opens. */
  entries: () => readonly MenuEntry[];
}

let loaded: ComponentType<MenuListProps> | undefined;
const load = () => import('./menu-list.tsx').then((module) => (loaded = module.MenuList));

/** A button with a menu. The menu's code is fetched when the pointer or the focus comes near. */
export function MenuButton({ label, icon, size, children, entries }: MenuButtonProps) {
  const [open, setOpen] = useState(false);
  const [, refresh] = useState(0);
  const warm = () => void (loaded ?? load());
  if (loaded) {
    const List = loaded;
    return <List {...{ label, icon, size, entries, open, onOpen: setOpen }}>{children}</List>;
  }
  return (
    <Button
      icon={icon!}
      label={label}
      {...(size ? { size } : {})}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={warm}
      onFocus={warm}
      onClick={() => void load().then(() => {
        setOpen(true);
        refresh((n) => n + 1);
      })}
    >
      {children === undefined ? undefined : <>{children}<Icon of={ChevronDown} size="sm" className="dim" /></>}
    </Button>
  );
}
