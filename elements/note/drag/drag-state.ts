/** The visible state of a drag. */
import { createViewStore, type ViewStore } from '../../runtime/store.ts';

/** Position of the drop line, in px relative to the window. */
export interface DropLine {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface DragState {
  /** Id of the dragged paragraph. */
  readonly id: string | undefined;
  /** Its name, shown next to the pointer. */
  readonly name: string;
  readonly pointer: { readonly x: number; readonly y: number } | undefined;
  readonly line: DropLine | undefined;
  /** Screen reader announcement; stays after the drag ends. */
  readonly announcement: string;
}

/** Creates the state in which nothing is dragged. */
export const createDrag = (): ViewStore<DragState> =>
  createViewStore<DragState>({
    id: undefined,
    name: '',
    pointer: undefined,
    line: undefined,
    announcement: '',
  });
