import { Menu as Base } from '@base-ui/react/menu';
import {
  type ButtonHTMLAttributes,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ButtonHTMLAttributes<HTMLButtonElement>>;
  /** An element of the same shadow root. While it is full screen, the menu opens inside it. */
  within: RefObject<HTMLElement | null>;
  align?: 'start' | 'end';
  /** Open on release instead of on press, for a trigger that can also be dragged. */
  onRelease?: boolean;
  children: ReactNode;
}

/** The element that a menu opens inside of. */
export function containerOf(element: Element): HTMLElement | ShadowRoot {
  const root = element.getRootNode();
  return (
    element.closest<HTMLElement>(':popover-open') ??
    (root instanceof ShadowRoot ? root : element.ownerDocument.body)
  );
}

/**
 * A menu that opens when it appears, because it replaces the trigger that asked for its code.
 * `byKeyboard`: its first entry gets the focus.
 */
export function Menu({
  trigger,
  within,
  align = 'end',
  onRelease = false,
  byKeyboard,
  children,
}: MenuProps & { byKeyboard: boolean }) {
  const containerNow = () => (within.current ? containerOf(within.current) : undefined);
  const [container, setContainer] = useState(containerNow);
  const [open, setOpen] = useState(!byKeyboard);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!byKeyboard) return;
    button.current?.focus();
    button.current?.click();
  }, [byKeyboard]);
  const change = (next: boolean): void => {
    if (next) setContainer(containerNow);
    setOpen(next);
  };
  const onOpenChange = (next: boolean, details: Base.Root.ChangeEventDetails): void => {
    if (
      onRelease &&
      details.reason === 'trigger-press' &&
      details.event.type !== 'click' &&
      !(details.event instanceof KeyboardEvent)
    )
      return;
    change(next);
  };
  return (
    <Base.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Base.Trigger
        ref={button}
        render={trigger}
        onClick={onRelease ? () => change(!open) : undefined}
      />
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={4} align={align} className="menu-positioner">
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** An entry of a menu. */
export function MenuItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Base.Item className="menu-item" onClick={onClick}>
      {children}
    </Base.Item>
  );
}

/** A labelled group of entries. */
export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-heading">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly {
    readonly value: Value;
    readonly label: string;
    readonly icon?: ReactNode;
    /** Shown after the label. */
    readonly mark?: ReactNode;
  }[];
  onValue: (value: Value) => void;
}

/** Entries of which one is selected. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onValue,
}: ChoiceProps<Value>) {
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(next: Value) => onValue(next)}
      aria-label={label}
    >
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          className="menu-item menu-choice"
          closeOnClick
        >
          {option.icon}
          {option.label}
          {option.mark}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** Separator between groups of entries. */
export function MenuRule() {
  return <Base.Separator className="menu-rule" />;
}
