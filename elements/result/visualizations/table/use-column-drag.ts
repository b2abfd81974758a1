import { useMemo, useRef, useState, type PointerEvent, type RefObject } from 'react';
import { useEvent } from '../../../runtime/hooks.ts';
import { minWidth } from './columns.ts';

/** The pointer may shake so far before a press is a drag, px. */
const threshold = 6;

/** What the header needs to be moved and resized by the pointer. */
export interface ColumnDrag {
  /** Position of the column that is being moved; -1 for none. */
  readonly moving: number;
  /** Width of a column while it is resized. */
  readonly resizing: { readonly position: number; readonly width: number } | null;
  /** Where the line is drawn before which the column would be put; -1 for none. */
  readonly target: number;
  onMove(position: number, event: PointerEvent<HTMLElement>): void;
  onResize(position: number, width: number, event: PointerEvent<HTMLElement>): void;
  onFit(position: number): void;
  /** Whether a click is one, and not the end of a drag. */
  isClick(): boolean;
}

interface DragActions {
  box: RefObject<HTMLElement | null>;
  move: (from: number, before: number) => void;
  resize: (position: number, width: number) => void;
  fit: (position: number) => void;
}

/** Moves and resizes columns by the pointer; a width is kept when it is let go. */
export function useColumnDrag({ box, move, resize, fit }: DragActions): ColumnDrag {
  const [moving, setMoving] = useState(-1);
  const [target, setTarget] = useState(-1);
  const [resizing, setResizing] = useState<ColumnDrag['resizing']>(null);
  const dragged = useRef(false);

  /** Follows the pointer until it is let go; Escape gives up. */
  const follow = (
    event: PointerEvent<HTMLElement>,
    onPoint: (event: globalThis.PointerEvent) => void,
    onEnd: (kept: boolean) => void,
  ): void => {
    const view = event.currentTarget.ownerDocument.defaultView!;
    const controller = new AbortController();
    const end = (kept: boolean): void => {
      controller.abort();
      onEnd(kept);
    };
    const { signal } = controller;
    view.addEventListener('pointermove', onPoint, { signal });
    view.addEventListener('pointerup', () => end(true), { signal });
    view.addEventListener('pointercancel', () => end(false), { signal });
    view.addEventListener(
      'keydown',
      (key) => {
        if (key.key !== 'Escape') return;
        key.preventDefault();
        key.stopPropagation();
        end(false);
      },
      { signal, capture: true },
    );
  };
  const isRtl = (): boolean =>
    box.current !== null && getComputedStyle(box.current).direction === 'rtl';

  const onMove = useEvent((position: number, event: PointerEvent<HTMLElement>): void => {
    dragged.current = false;
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const start = event.clientX;
    let place = -1;
    follow(
      event,
      (point) => {
        if (!dragged.current && Math.abs(point.clientX - start) < threshold) return;
        dragged.current = true;
        place = dropPlace(box.current, point.clientX, isRtl());
        setMoving(position);
        setTarget(place);
      },
      (kept) => {
        setMoving(-1);
        setTarget(-1);
        if (kept && dragged.current && place >= 0 && place !== position && place !== position + 1)
          move(position, place);
      },
    );
  });
  const onResize = useEvent(
    (position: number, width: number, event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return;
      event.stopPropagation();
      event.preventDefault();
      const start = event.clientX;
      const sign = isRtl() ? -1 : 1;
      let now = width;
      follow(
        event,
        (point) => {
          now = Math.max(minWidth, Math.round(width + sign * (point.clientX - start)));
          setResizing({ position, width: now });
        },
        (kept) => {
          setResizing(null);
          if (kept && now !== width) resize(position, now);
        },
      );
    },
  );
  const onFit = useEvent(fit);
  const isClick = useEvent(() => !dragged.current);
  return useMemo(
    () => ({ moving, target, resizing, onMove, onResize, onFit, isClick }),
    [moving, target, resizing, onMove, onResize, onFit, isClick],
  );
}

/** The position before which a column would be put, by the headers that are in the window. */
function dropPlace(box: HTMLElement | null, x: number, rtl: boolean): number {
  let place = -1;
  for (const head of box?.querySelectorAll<HTMLElement>('.grid-cell.head') ?? []) {
    const { left, right } = head.getBoundingClientRect();
    const column = Number(head.dataset['column']);
    if (x >= left && x <= right) return x < (left + right) / 2 === rtl ? column + 1 : column;
    if (rtl ? x < left : x > right) place = Math.max(place, column + 1);
  }
  return place;
}
