import { Menu } from '@base-ui/react/menu';
import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { usePortal } from '../runtime/hooks.ts';
import { Button, Icon } from './button.tsx';
import type { MenuEntry } from './menu-button.tsx';

export interface MenuListProps {
  label: string;
  icon?: LucideIcon | undefined;
  size?: 'sm' | undefined;
  children?: string | undefined;
  entries: () => readonly MenuEntry[];
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The loaded menu of a {@link MenuButton}. */
export function MenuList({ label, icon, size, children, entries, open, onOpen }: MenuListProps) {
  const portal = usePortal();
  return (
    <Menu.Root open={open} onOpenChange={onOpen} modal={false}>
      <Menu.Trigger
        render={
          <Button {...(icon ? { icon } : {})} label={label} {...(size ? { size } : {})}>
            {children === undefined ? undefined : <>{children}<Icon of={ChevronDown} size="sm" className="dim" /></>}
          </Button>
        }
      />
      <Menu.Portal container={portal}>
        <Menu.Positioner align="end" sideOffset={4} className="menu-positioner">
          <Menu.Popup className="menu">
            {open
              ? entries().map((entry, index) =>
                  entry === 'rule' ? (
                    <hr key={index} className="menu-rule" />
                  ) : (
                    <Menu.Item
                      key={index}
                      className={entry.danger ? 'menu-item danger' : 'menu-item'}
                      disabled={entry.disabled ?? false}
                      onClick={entry.onSelect}
                    >
                      {entry.icon ? <Icon of={entry.icon} /> : null}
                      {entry.label}
                      {entry.checked ? <Icon of={Check} size="sm" className="key" /> : null}
                      {entry.keys ? <span className="key">{entry.keys}</span> : null}
                    </Menu.Item>
                  ),
                )
              : null}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
