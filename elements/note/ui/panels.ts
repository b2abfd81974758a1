import { createViewStore, type ViewStore } from '../../runtime/store.ts';

/** Id of a right-hand panel. */
export type PanelId = 'bindings' | 'comments' | 'compare' | 'files' | 'permissions' | 'variables';

export interface PanelProps {
  /** Closes the panel. A guard set with `Panels.guardClosing` is asked first. */
  readonly onClose: () => void;
}

/** Which panels of a note page are open. */
interface PanelState {
  /** Whether the left panel (notes and outline) is open. */
  readonly left: boolean;
  /** The open right panel; at most one is open. */
  readonly right: PanelId | undefined;
  /** Whether an opened panel takes the focus: not one that opens by itself. */
  readonly takesFocus: boolean;
  /** Whether the layout is so narrow that an open panel covers the note. */
  readonly covers: boolean;
}

/** Whether an open panel covers the note. */
export const isNoteCovered = ({ covers, left, right }: PanelState): boolean =>
  covers && (left || right !== undefined);

/** The left and right panels of a note page. */
export class Panels {
  readonly state: ViewStore<PanelState>;
  #mayClose: (() => Promise<boolean>) | undefined;

  constructor(left: boolean) {
    this.state = createViewStore<PanelState>({
      left,
      right: undefined,
      takesFocus: false,
      covers: false,
    });
  }

  /** Opens or closes the left panel. */
  readonly toggleLeft = (): void =>
    this.state.set({ left: !this.state.get().left, takesFocus: true });

  /**
   * Asks `mayClose` before the open right panel closes; used by panels with unsaved changes.
   * Returns a function that removes the guard.
   */
  guardClosing(mayClose: () => Promise<boolean>): () => void {
    this.#mayClose = mayClose;
    return () => {
      if (this.#mayClose === mayClose) this.#mayClose = undefined;
    };
  }

  /** Opens a right panel, unless it is open. */
  readonly show = async (panel: PanelId): Promise<void> => {
    if (this.state.get().right !== panel) await this.toggle(panel);
  };

  /** Opens a right panel, or closes it if it is open. Only one is open at a time. */
  readonly toggle = async (panel: PanelId | undefined, takesFocus = true): Promise<void> => {
    const now = this.state.get().right;
    if (now !== undefined && this.#mayClose && !(await this.#mayClose())) return;
    this.#mayClose = undefined;
    this.state.set({ right: now === panel ? undefined : panel, takesFocus });
    if (now !== panel && panel !== undefined) window.scrollTo({ top: 0 });
  };
}
