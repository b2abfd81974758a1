import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { cleanHeight, minHeight } from './graph.ts';
import { resultText } from './text.ts';

const step = 10;
/** A height is stored this long after the last change. */
const commitAfter = 200;

interface ResizeHandleProps {
  height: number;
  /** Every step of a drag; null when the stored height is in force again. */
  onPreview: (height: number | null) => void;
  /** The height to keep. */
  onHeight: (height: number) => void;
}

/** The corner that makes a result higher or lower: by dragging, or with the arrow keys. */
export function ResizeHandle({ height, onPreview, onHeight }: ResizeHandleProps) {
  const drag = useRef<{ from: number; height: number } | null>(null);
  const wanted = useRef(height);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    wanted.current = height;
  }, [height]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const to = (next: number): void => {
    wanted.current = cleanHeight(Math.round(next / step) * step);
    onPreview(wanted.current);
  };
  const commit = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (wanted.current !== height) onHeight(wanted.current);
      onPreview(null);
    }, commitAfter);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    clearTimeout(timer.current);
    drag.current = { from: event.clientY, height: wanted.current };
  };
  const onPointerMove = (event: PointerEvent): void => {
    // Rests at the minimum while it is dragged; only stored settings fall back to the default.
    if (drag.current) to(Math.max(minHeight, drag.current.height + event.clientY - drag.current.from));
  };
  const onPointerUp = (): void => {
    if (drag.current) commit();
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowDown' ? step : event.key === 'ArrowUp' ? -step : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    to(Math.max(minHeight, wanted.current + by));
    commit();
  };
  return (
    <div
      className="resize-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label={resultText.table.height}
      aria-valuenow={height}
      aria-valuemin={minHeight}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M11 3 3 11M11 8l-3 3" />
      </svg>
    </div>
  );
}
