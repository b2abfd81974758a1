/** Menus of results. Their code is loaded when the pointer or the focus reaches one of them. */
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  useState,
} from 'react';
import { createLazyValue } from '../../runtime/lazy-code.tsx';
import type { Menu as BaseMenu, ChoiceProps, MenuProps } from './base-menu.tsx';

const code = createLazyValue(() => import('./base-menu.tsx'));

/** Starts loading the code of menus. A failure shows when a menu is opened and loads it again. */
const warm = (): void => void code.load().catch(() => {});

/** Menu whose popup stays in the shadow root of its trigger, where the style sheets are. */
export function Menu(props: MenuProps) {
  // Replaced only when it opens, so that a press doesn't end on another button than it began on.
  const [opened, setOpened] = useState<{ byKeyboard: boolean; Loaded: typeof BaseMenu }>();
  if (opened) return <opened.Loaded {...props} byKeyboard={opened.byKeyboard} />;
  const { trigger, onRelease } = props;
  const { onPointerEnter, onFocus, onClick, onKeyDown } = trigger.props;
  const open = (byKeyboard: boolean): void =>
    void code.load().then(
      ({ Menu: Loaded }) => setOpened((before) => before ?? { byKeyboard, Loaded }),
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
      open(event.detail === 0);
    },
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => {
      onKeyDown?.(event);
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') open(true);
    },
    ...(onRelease
      ? {}
      : { onMouseDown: ({ button }: MouseEvent) => void (button === 0 && open(false)) }),
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
