import { ChevronDown, type LucideIcon } from 'lucide-react';
import { useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Button, Icon } from './button.tsx';
import type { MenuListProps } from './menu-list.tsx';

/** One entry of a menu; `'rule'` parts groups, `entries` open beside their entry; `current`: leads to the page that is shown; `data`: the label is somebody's own word. */
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

interface MenuButtonProps {
  label: string;
  icon?: LucideIcon;
  /** What the button shows; without it, its icon alone. */
  children?: ReactNode;
  /** Without the arrow behind what it shows. */
  plain?: boolean;
  size?: 'sm';
  className?: string;
  tabIndex?: number;
  /** Where the menu begins; at the button's end, unless told. */
  align?: 'start' | 'end';
  /** Told whenever the menu opens or closes. */
  onOpen?: (open: boolean) => void;
  /** Asked for when the menu opens. */
  entries: () => readonly MenuEntry[];
}

let loaded: ComponentType<MenuListProps> | undefined;
const load = () => import('./menu-list.tsx').then((module) => (loaded ??= module.MenuList));

/** A button with a menu. The menu's code is fetched when the pointer or the focus comes near. */
export function MenuButton({
  label,
  icon,
  size,
  children,
  plain,
  className,
  tabIndex,
  align = 'end',
  entries,
  onOpen,
}: MenuButtonProps) {
  const [open, setIsOpen] = useState(false);
  // Both halves of the first click open it, before anything is drawn: that is told once.
  const told = useRef(false);
  const setOpen = (next: boolean): void => {
    setIsOpen(next);
    if (next === told.current) return;
    told.current = next;
    onOpen?.(next);
  };
  // Only its opening puts the menu in the button's place: were it done in any drawing, a press could end on another button than it began on.
  const [List, setList] = useState(() => loaded);
  const warm = () => void (loaded ?? load());
  const show = () =>
    void load().then((found) => {
      setList(() => found);
      setOpen(true);
    });
  if (List) {
    return (
      <List
        {...{
          label,
          icon,
          size,
          plain,
          className,
          tabIndex,
          align,
          entries,
          open,
          onOpen: setOpen,
        }}
      >
        {children}
      </List>
    );
  }
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
      // As the menu's own button does: a press moves the focus, and with it what is on the page, so that it may end elsewhere than it began.
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
