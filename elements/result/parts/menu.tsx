/** Menus of results. Their code is loaded when the pointer or the focus reaches one of them. */
import {
  type ComponentProps,
  cloneElement,
  type FunctionComponent,
  type KeyboardEvent,
  type MouseEvent,
  useState,
} from 'react';
import { createLazyValue } from '../../ui/lazy.tsx';
import type { ChoiceProps, MenuProps } from './base-menu.tsx';

const code = createLazyValue(() => import('./base-menu.tsx'));

/** Starts loading the code of menus. A failure shows when a menu is opened and loads it again. */
const warm = (): void => void code.load().catch(() => {});

/** Menu whose popup stays in the shadow root of its trigger, where the style sheets are. */
export function Menu(props: MenuProps) {
  // Replaced only when it opens, so that a press doesn't end on another button than it began on.
  const [Opened, setOpened] = useState<FunctionComponent<MenuProps>>();
  if (Opened) return <Opened {...props} />;
  const { trigger, onRelease } = props;
  const { onPointerEnter, onFocus, onClick, onKeyDown } = trigger.props;
  const open = (): void =>
    void code.load().then(
      ({ Menu: Found }) => setOpened(() => Found),
      () => {},
    );
  return cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: (event) => {
      warm();
      onPointerEnter?.(event);
    },
    onFocus: (event) => {
      warm();
      onFocus?.(event);
    },
    onClick: (event) => {
      onClick?.(event);
      open();
    },
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      onKeyDown?.(event);
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') open();
    },
    ...(onRelease
      ? {}
      : { onMouseDown: ({ button }: MouseEvent) => void (button === 0 && open()) }),
  });
}

/** An entry of a menu. */
export function MenuItem(props: ComponentProps<typeof import('./base-menu.tsx').MenuItem>) {
  const Loaded = code.now()?.MenuItem;
  return Loaded ? <Loaded {...props} /> : null;
}

/** A labelled group of entries. */
export function MenuGroup(props: ComponentProps<typeof import('./base-menu.tsx').MenuGroup>) {
  const Loaded = code.now()?.MenuGroup;
  return Loaded ? <Loaded {...props} /> : null;
}

/** Entries of which one is selected. */
export function MenuChoice<Value extends string>(props: ChoiceProps<Value>) {
  const Loaded = code.now()?.MenuChoice;
  return Loaded ? <Loaded {...props} /> : null;
}

/** Separator between groups of entries. */
export function MenuRule() {
  const Loaded = code.now()?.MenuRule;
  return Loaded ? <Loaded /> : null;
}
