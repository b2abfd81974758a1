import { Menu } from '@base-ui/react/menu';
import { Check, ChevronDown, ChevronRight } from 'lucide-react';
import { useOverlayContainer } from '../../runtime/hooks.ts';
import { Button, Icon } from '../button.tsx';
import type { MenuButtonProps, MenuEntry } from './menu-button.tsx';

export interface MenuListProps extends Omit<MenuButtonProps, 'align' | 'onOpen'> {
  align: 'start' | 'end';
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** The menu of a {@link MenuButton}, loaded on demand. */
export function MenuList({
  label,
  icon,
  size,
  children,
  plain,
  className,
  tabIndex,
  align,
  entries,
  open,
  onOpen,
}: MenuListProps) {
  const container = useOverlayContainer();
  return (
    <Menu.Root open={open} onOpenChange={onOpen} modal={false}>
      <Menu.Trigger
        render={
          <Button
            {...(icon ? { icon } : {})}
            label={label}
            {...(size ? { size } : {})}
            {...(className ? { className } : {})}
            {...(tabIndex === undefined ? {} : { tabIndex })}
          >
            {children === undefined ? undefined : (
              <>
                {children}
                {plain ? null : <Icon of={ChevronDown} size="sm" className="dim" />}
              </>
            )}
          </Button>
        }
      />
      <Menu.Portal container={container}>
        <Menu.Positioner align={align} sideOffset={4} className="menu-positioner">
          <Menu.Popup className="menu">{open ? <Entries entries={entries()} /> : null}</Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entries({ entries }: { entries: readonly MenuEntry[] }) {
  const container = useOverlayContainer();
  // Keys follow the label, so that a press on an entry stays on it if entries before it come or go.
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const name = entry === 'rule' ? '' : entry.label;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const key = `${name} ${count}`;
    if (entry === 'rule') return <hr key={key} className="menu-rule" />;
    const label = (
      <>
        {entry.icon ? <Icon of={entry.icon} /> : null}
        {'data' in entry && entry.data ? (
          <bdi className="menu-data">{entry.label}</bdi>
        ) : (
          entry.label
        )}
      </>
    );
    if ('entries' in entry) {
      return (
        <Menu.SubmenuRoot key={key}>
          <Menu.SubmenuTrigger className="menu-item">
            {label}
            <Icon of={ChevronRight} size="sm" className="key" />
          </Menu.SubmenuTrigger>
          <Menu.Portal container={container}>
            <Menu.Positioner sideOffset={4} alignOffset={-4} className="menu-positioner">
              <Menu.Popup className="menu">
                <Entries entries={entry.entries} />
              </Menu.Popup>
            </Menu.Positioner>
          </Menu.Portal>
        </Menu.SubmenuRoot>
      );
    }
    return (
      <Menu.Item
        key={key}
        className={entry.danger ? 'menu-item danger' : 'menu-item'}
        disabled={entry.disabled ?? false}
        onClick={entry.onSelect}
        title={entry.hint}
        aria-current={entry.current ? 'page' : undefined}
        {...(entry.checked === undefined
          ? {}
          : { role: 'menuitemcheckbox', 'aria-checked': entry.checked })}
      >
        {label}
        {entry.checked || entry.current ? <Icon of={Check} size="sm" className="key" /> : null}
        {entry.keys ? <span className="key">{entry.keys}</span> : null}
      </Menu.Item>
    );
  });
}
