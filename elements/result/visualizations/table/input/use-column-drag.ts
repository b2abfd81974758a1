import { type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { useEvent } from '../../../../runtime/hooks.ts';
import { MIN_COLUMN_WIDTH_PX } from '../layout/columns.ts';

/** Distance in px the pointer must move before a press becomes a drag. */
const threshold = 6;

/** Moving and resizing of columns by pointer. */
export interface ColumnDrag {
  /** Position of the column being moved; -1 if none. */
  readonly moving: number;
  /** Column being resized and its current width in px. */
  readonly resizing: { readonly position: number; readonly width: number } | null;
  /** Position before which the dragged column would be dropped; -1 if none. */
  readonly target: number;
  onMove(position: number, event: PointerEvent<HTMLElement>): void;
  onResize(position: number, width: number, event: PointerEvent<HTMLElement>): void;
  onFit(position: number): void;
  /** Whether a click event is a real click and not the end of a drag. */
  isClick(): boolean;
}

interface DragActions {
  box: RefObject<HTMLElement | null>;
  move: (from: number, before: number) => void;
  resize: (position: number, width: number) => void;
  fit: (position: number) => void;
}

/**
 * Handles moving and resizing of columns by pointer. A new width is stored when the pointer is
 * released.
 */
export function useColumnDrag({ box, move, resize, fit }: DragActions): ColumnDrag {
  const [moving, setMoving] = useState(-1);
  const [target, setTarget] = useState(-1);
  const [resizing, setResizing] = useState<ColumnDrag['resizing']>(null);
  const dragged = useRef(false);

  /** Tracks the pointer until it is released; Escape cancels. */
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
          now = Math.max(MIN_COLUMN_WIDTH_PX, Math.round(width + sign * (point.clientX - start)));
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

/**
 * Returns the position before which a column would be dropped, according to the rendered headers.
 */
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
