import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';

interface PopoverProps {
  /** Returns the rectangle to open next to. */
  anchor: () => DOMRect | undefined;
  label: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Dialog in the browser's top layer, so that no ancestor clips it. Escape or a click outside closes
 * it.
 */
export function Popover({ anchor, label, className, onClose, children }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null);
  const anchorNow = useEvent(anchor);
  useLayoutEffect(() => {
    const element = box.current!;
    element.showPopover();
    const place = (): void => {
      const around = anchorNow();
      if (!around) return;
      const view = element.ownerDocument.documentElement;
      const { offsetWidth, offsetHeight } = element;
      const rtl = getComputedStyle(element).direction === 'rtl';
      const start = rtl ? around.right - offsetWidth : around.left;
      const below = around.bottom + 4;
      element.style.left = `${Math.max(8, Math.min(start, view.clientWidth - offsetWidth - 8))}px`;
      element.style.top = `${Math.max(8, Math.min(below, view.clientHeight - offsetHeight - 8))}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    (element.querySelector<HTMLElement>('[data-autofocus]') ?? element).focus({
      preventScroll: true,
    });
    return () => observer.disconnect();
  }, [anchorNow]);
  return (
    <div
      ref={box}
      popover="auto"
      className={className ? `grid-panel ${className}` : 'grid-panel'}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        // Keys pressed in the panel must not reach the grid or the page.
        event.stopPropagation();
      }}
    >
      {children}
    </div>
  );
}
