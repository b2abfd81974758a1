/** Menus of results. Their code is loaded when the pointer or the focus reaches one of them. */
import {
  cloneElement,
  type FunctionComponent,
  type KeyboardEvent,
  type MouseEvent,
  useState,
} from 'react';
import { createLazyValue } from '../../runtime/lazy-value.ts';
import type { Menu as BaseMenu, MenuProps } from './base-menu.tsx';

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

type Code = typeof import('./base-menu.tsx');

/** A part of a menu, which is rendered only once the code has been loaded. */
const part = <Name extends 'MenuItem' | 'MenuGroup' | 'MenuChoice' | 'MenuRule'>(name: Name) =>
  function MenuPart(props: object) {
    const Loaded = code.now()?.[name] as FunctionComponent | undefined;
    return Loaded ? <Loaded {...props} /> : null;
  } as Code[Name];

/** An entry of a menu. */
export const MenuItem = part('MenuItem');
/** A labelled group of entries. */
export const MenuGroup = part('MenuGroup');
/** Entries of which one is selected. */
export const MenuChoice = part('MenuChoice');
/** Separator between groups of entries. */
export const MenuRule = part('MenuRule');
