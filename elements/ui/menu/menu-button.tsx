import { ChevronDown, type LucideIcon } from 'lucide-react';
import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { Button, Icon } from '../button.tsx';
import type { MenuListProps } from './menu-list.tsx';

/**
 * A menu entry. `'rule'` is a separator, `entries` is a submenu, `current` marks the page that is
 * open, and `data` marks a label that is user data (its direction is isolated).
 */
export type MenuEntry =
  | 'rule'
  | { label: string; icon?: LucideIcon; entries: readonly MenuEntry[] }
  | {
      label: string;
      icon?: LucideIcon;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      checked?: boolean;
      current?: boolean;
      hint?: string;
      data?: boolean;
      onSelect: () => void;
    };

/** Joins groups of entries with separators; empty groups are left out. */
export const withRules = (groups: readonly (readonly MenuEntry[])[]): MenuEntry[] =>
  groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : (['rule', ...group] as const)));

export interface MenuButtonProps {
  label: string;
  icon?: LucideIcon;
  /** Content of the button; without it, only the icon is shown. */
  children?: ReactNode;
  /** Hides the arrow after the content. */
  plain?: boolean;
  size?: 'sm';
  className?: string;
  tabIndex?: number;
  /** Which edge of the button the menu is aligned to; default `end`. */
  align?: 'start' | 'end';
  /** Called whenever the menu opens or closes. */
  onOpen?: (open: boolean) => void;
  /** Called when the menu opens. */
  entries: () => readonly MenuEntry[];
}

let loaded: ComponentType<MenuListProps> | undefined;
const load = () => import('./menu-list.tsx').then((module) => (loaded ??= module.MenuList));

/** A button that opens a menu. The menu's code is loaded on hover or focus. */
export function MenuButton({ align = 'end', onOpen, ...rest }: MenuButtonProps) {
  const [open, setIsOpen] = useState(false);
  // Pressing and releasing on the first click both open the menu before anything is rendered;
  // `onOpen` must be called only once.
  const told = useRef(false);
  const setOpen = (next: boolean): void => {
    setIsOpen(next);
    if (next === told.current) return;
    told.current = next;
    onOpen?.(next);
  };
  // Replace the button with the loaded menu only when it opens. If any render could do that, a
  // press might end on a different button than it started on.
  const [List, setList] = useState(() => loaded);
  const warm = () => void (loaded ?? load());
  const show = () =>
    void load().then((found) => {
      setList(() => found);
      setOpen(true);
    });
  if (List) return <List {...rest} align={align} open={open} onOpen={setOpen} />;
  const { children, className, icon, label, plain, size, tabIndex } = rest;
  return (
    <Button
      icon={icon!}
      label={label}
      {...(size ? { size } : {})}
      {...(className ? { className } : {})}
      tabIndex={tabIndex}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={warm}
      onFocus={warm}
      // Open on mousedown, as the menu's own button does. A press moves the focus, which can change
      // the page, so mouseup may happen elsewhere.
      onMouseDown={({ button }) => button === 0 && show()}
      onClick={show}
    >
      {children === undefined ? undefined : (
        <>
          {children}
          {plain ? null : <Icon of={ChevronDown} size="sm" className="dim" />}
        </>
      )}
    </Button>
  );
}
