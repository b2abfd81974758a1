import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { DisplayProps, ResultWidth } from '../contract.ts';
import { resultText } from '../texts.ts';
import { MIN_RESULT_HEIGHT_PX, normalizeHeight } from '../view-settings.ts';

const STEP_PX = 10;
/** Columns of the paragraph grid. */
const GRID_COLUMNS = 12;
/** Delay in ms between the last change and storing it. */
const COMMIT_DELAY_MS = 200;

interface ResizeHandleProps {
  /** Current height in px; absent if the content determines the height. */
  height?: number;
  /** Called during a drag; null when the stored height applies again. */
  onPreview?: (height: number | null) => void;
  /** Called with the final height in px. */
  onHeight?: (height: number) => void;
  /** Width of the paragraph, if it can be changed. */
  width?: ResultWidth | undefined;
}

interface Drag {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly columns: number;
  /** Width of a column in px; negative in right-to-left text. */
  readonly column: number;
}

const uiText = resultText.resize;

/**
 * Handle in the corner that changes a result's height and its paragraph's width, by dragging or
 * with the arrow keys.
 */
export function ResizeHandle({ height, onPreview, onHeight, width }: ResizeHandleProps) {
  const drag = useRef<Drag | null>(null);
  const wanted = useRef(height);
  const wantedColumns = useRef(width?.columns);
  const [planned, setPlanned] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const columnsNow = width?.columns;
  // A later effect could run after the first key press and undo it.
  useLayoutEffect(() => {
    // Keys that have not been stored yet would be lost by the answer to earlier ones.
    if (timer.current !== undefined) return;
    wanted.current = height;
    wantedColumns.current = columnsNow;
  }, [height, columnsNow]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const to = (next: number): void => {
    if (height === undefined) return;
    wanted.current = normalizeHeight(Math.round(next / STEP_PX) * STEP_PX);
    onPreview?.(wanted.current);
  };
  const toColumns = (next: number): void => {
    if (!width) return;
    wantedColumns.current = Math.max(1, Math.min(GRID_COLUMNS, next));
    setPlanned(wantedColumns.current === width.columns ? null : wantedColumns.current);
  };
  const commit = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      if (wanted.current !== undefined && wanted.current !== height) onHeight?.(wanted.current);
      if (width && wantedColumns.current !== undefined && wantedColumns.current !== width.columns)
        width.onColumns(wantedColumns.current);
      setPlanned(null);
      onPreview?.(null);
    }, COMMIT_DELAY_MS);
  };
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    clearTimeout(timer.current);
    const now = wantedColumns.current ?? GRID_COLUMNS;
    drag.current = {
      x: event.clientX,
      y: event.clientY,
      height: wanted.current ?? 0,
      columns: now,
      column: columnAt(event.currentTarget, width?.columns ?? GRID_COLUMNS),
    };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
    const from = drag.current;
    if (!from) return;
    // Stop at the minimum while dragging; only stored heights fall back to the default.
    to(Math.max(MIN_RESULT_HEIGHT_PX, from.height + clientY - from.y));
    toColumns(from.columns + Math.round((clientX - from.x) / from.column));
  };
  const onPointerUp = (): void => {
    if (drag.current) commit();
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const up = event.key === 'ArrowDown' ? STEP_PX : event.key === 'ArrowUp' ? -STEP_PX : 0;
    const forward =
      getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const aside =
      !/^Arrow(?:Left|Right)$/.test(event.key) || !width ? 0 : event.key === forward ? 1 : -1;
    if ((up === 0 || height === undefined) && aside === 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (up !== 0) to(Math.max(MIN_RESULT_HEIGHT_PX, (wanted.current ?? 0) + up));
    else toColumns((wantedColumns.current ?? GRID_COLUMNS) + aside);
    commit();
  };
  const wide = planned ?? width?.columns;
  const size = [
    height === undefined ? '' : uiText.high(height),
    wide === undefined ? '' : uiText.wide(wide, GRID_COLUMNS),
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <div
      className={['resize-handle', height === undefined ? 'aside' : width && 'both']
        .filter(Boolean)
        .join(' ')}
      role="separator"
      aria-orientation={height === undefined ? 'vertical' : 'horizontal'}
      aria-label={width ? uiText.size : uiText.height}
      aria-valuenow={height ?? wide}
      aria-valuemin={height === undefined ? 1 : MIN_RESULT_HEIGHT_PX}
      aria-valuemax={height === undefined ? GRID_COLUMNS : undefined}
      aria-valuetext={size}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    >
      {planned !== null && (
        <span className="resize-tip" role="status">
          {uiText.wide(planned, GRID_COLUMNS)}
        </span>
      )}
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M11 3 3 11M11 8l-3 3" />
      </svg>
    </div>
  );
}

/** The height of a result in px, also during a drag, and the handle that changes it. */
export function useResultHeight({
  graph,
  onGraph,
  width,
}: Pick<DisplayProps, 'graph' | 'onGraph' | 'width'>): [height: number, handle: ReactNode] {
  const [preview, setPreview] = useState<number | null>(null);
  const handle = (
    <ResizeHandle
      width={width}
      height={graph.height}
      onPreview={setPreview}
      onHeight={(height) => onGraph({ height })}
    />
  );
  return [preview ?? graph.height, handle];
}

/** Returns the width of one grid column in px, derived from the paragraph's current width. */
function columnAt(element: Element, now: number): number {
  const paragraph = element.closest('.paragraph') ?? element.parentElement!;
  const width = paragraph.getBoundingClientRect().width / Math.max(1, now);
  return Math.max(20, width) * (getComputedStyle(element).direction === 'rtl' ? -1 : 1);
}
