/**
 * Moving a paragraph by dragging: with the pointer from a grip or the outline, or with keys on the
 * grip. Drop positions are found by hit-testing the page, so other paragraphs are not involved. The
 * visible state is in `NoteUi.drag`.
 */

import { fill } from '../../text/fill.ts';
import { findTexts as t } from '../find/texts.ts';
import { paragraphTexts } from '../paragraph/texts.ts';
import type { NoteUi } from '../ui/note-ui.ts';
import { autoscroll } from './autoscroll.ts';
import type { DropLine } from './drag-state.ts';

/** Pointer distance after which a press becomes a drag, in px. */
const threshold = 5;
/** Thickness of the drop line, in px. */
const lineThickness = 3;

/**
 * A drop position: the index in the current order before which the paragraph would be placed, and
 * the line that shows it.
 */
interface Drop {
  readonly before: number;
  readonly line: DropLine;
}

const nameOf = (ui: NoteUi, id: string): string => {
  const { order, paragraphs } = ui.note.state;
  return paragraphs[id]?.server.title || fill(paragraphTexts.code, { n: order.indexOf(id) + 1 });
};

/** Index of the paragraph after it moves from `from` to before the element at `before`. */
const indexAt = (from: number, before: number): number => (before > from ? before - 1 : before);

/** Starts a drag once the pressed pointer moves. */
export function startDrag(ui: NoteUi, id: string, press: PointerEvent): void {
  if (press.button !== 0 || ui.drag.get().id !== undefined) return;
  const owner =
    press.currentTarget instanceof Element
      ? press.currentTarget
      : (press.composedPath()[0] as Element);
  const { pointerId, clientX: startX, clientY: startY } = press;
  let begun = false;
  let drop: Drop | undefined;
  let [x, y] = [startX, startY];
  const scroll = autoscroll(ui, () => aim());

  const aim = (): void => {
    drop = dropAt(ui, x, y);
    const { order } = ui.note.state;
    const from = order.indexOf(id);
    // A drop directly before or after the paragraph itself would not move it.
    const stays = !drop || drop.before === from || drop.before === from + 1;
    const announcement =
      drop && !stays
        ? fill(t.dragOver, { n: indexAt(from, drop.before) + 1, m: order.length })
        : ui.drag.get().announcement;
    ui.drag.set({ pointer: { x, y }, line: stays ? undefined : drop!.line, announcement });
    if (stays) drop = undefined;
  };
  const onMove = (event: PointerEvent): void => {
    if (event.pointerId !== pointerId) return;
    [x, y] = [event.clientX, event.clientY];
    if (!begun) {
      if (Math.hypot(x - startX, y - startY) < threshold) return;
      begun = true;
      try {
        owner.setPointerCapture(pointerId);
      } catch {
        // The pointer was already released; its end event follows.
      }
      const name = nameOf(ui, id);
      ui.drag.set({ id, name, announcement: fill(t.dragStart, { name }) });
    }
    event.preventDefault();
    aim();
    scroll.at(y);
  };
  const end = (taken: boolean): void => {
    scroll.stop();
    listening.abort();
    if (!begun) return;
    // The press that dragged must not also click.
    if (taken) window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
    finish(ui, id, taken ? drop?.before : undefined);
  };
  const onUp = (event: PointerEvent): void => void (event.pointerId === pointerId && end(true));
  const onCancel = (event: PointerEvent): void =>
    void (event.pointerId === pointerId && end(false));
  const onKey = (event: KeyboardEvent): void => {
    if (!begun || event.key !== 'Escape') return;
    swallow(event);
    end(false);
  };
  const listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  window.addEventListener('pointermove', onMove, options);
  window.addEventListener('pointerup', onUp, options);
  window.addEventListener('pointercancel', onCancel, options);
  window.addEventListener('keydown', onKey, options);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Ends a drag at an index of the order, or where it began. */
function finish(ui: NoteUi, id: string, before: number | undefined, then?: () => void): void {
  const { order } = ui.note.state;
  const from = order.indexOf(id);
  const { name } = ui.drag.get();
  const index = before === undefined || from < 0 ? from : indexAt(from, before);
  const moved = index !== from;
  ui.drag.set({
    id: undefined,
    pointer: undefined,
    line: undefined,
    announcement: moved
      ? fill(t.dragEnd, { name, n: index + 1, m: order.length })
      : fill(t.dragCancel, { name }),
  });
  if (moved) {
    void ui.messages.act(async () => {
      await ui.paragraphs.move(id, index);
      then?.();
    });
  }
}

/** Returns the drop position for a point in the window. */
function dropAt(ui: NoteUi, x: number, y: number): Drop | undefined {
  const root = ui.host.shadowRoot;
  if (!root) return undefined;
  const { order } = ui.note.state;
  // A point between two paragraphs counts as near one of them.
  for (const [dx, dy] of [
    [0, 0],
    [0, 14],
    [0, -14],
    [14, 0],
    [-14, 0],
  ] as const) {
    for (const element of root.elementsFromPoint(x + dx, y + dy)) {
      const entry = element.closest<HTMLElement>('[data-entry]');
      if (entry) return inOutline(entry, order, y);
      const cell = element.closest<HTMLElement>('.cell');
      const id = cell?.querySelector<HTMLElement>('[data-paragraph]')?.dataset['paragraph'];
      if (cell && id !== undefined) return inGrid(cell, order.indexOf(id), x, y);
    }
  }
  const area = root.querySelector('.grid12')?.getBoundingClientRect();
  const last = ui.viewport.element(order.at(-1) ?? '')?.closest<HTMLElement>('.cell');
  return area &&
    last &&
    y > last.getBoundingClientRect().bottom &&
    x >= area.left &&
    x <= area.right
    ? inGrid(last, order.length - 1, x, Infinity)
    : undefined;
}

/**
 * Returns a drop position beside a paragraph that shares its row, or above or below a full-width
 * one.
 */
function inGrid(cell: HTMLElement, index: number, x: number, y: number): Drop {
  const rect = cell.getBoundingClientRect();
  const grid = cell.parentElement!.getBoundingClientRect();
  const columns = rect.width < grid.width * 0.95;
  const reverse = getComputedStyle(cell).direction === 'rtl';
  const second =
    y === Infinity ||
    (columns ? x > rect.left + rect.width / 2 !== reverse : y > rect.top + rect.height / 2);
  const line = columns
    ? {
        left: (second !== reverse ? rect.right + 6 : rect.left - 6) - lineThickness / 2,
        top: rect.top,
        width: lineThickness,
        height: rect.height,
      }
    : lineAt(rect, second ? rect.bottom + 6 : rect.top - 6);
  return { before: second ? index + 1 : index, line };
}

/** Returns a line as wide as an element, whose middle is at `y`. */
const lineAt = ({ left, width }: DOMRect, y: number): DropLine => ({
  left,
  top: y - lineThickness / 2,
  width,
  height: lineThickness,
});

function inOutline(entry: HTMLElement, order: readonly string[], y: number): Drop {
  const rect = entry.getBoundingClientRect();
  const second = y > rect.top + rect.height / 2;
  const id = entry.dataset['entry']!;
  const index = order.indexOf(id);
  // A paragraph with several headings can't be split: drop before or after all of its entries.
  const side = second ? 'nextElementSibling' : 'previousElementSibling';
  let edge = entry;
  for (
    let next = edge[side];
    next instanceof HTMLElement && next.dataset['entry'] === id;
    next = edge[side]
  )
    edge = next;
  const { top, bottom } = edge.getBoundingClientRect();
  return { before: second ? index + 1 : index, line: lineAt(rect, second ? bottom : top) };
}

/** A drag by keyboard: one key press picks up, arrow keys move, another key press drops. */
export class KeyDrag {
  readonly #ui: NoteUi;
  readonly #id: string;
  #before: number;

  constructor(ui: NoteUi, id: string) {
    this.#ui = ui;
    this.#id = id;
    this.#before = ui.note.state.order.indexOf(id);
    const name = nameOf(ui, id);
    ui.drag.set({ id, name, announcement: `${fill(t.dragStart, { name })} ${t.dragKeys}` });
  }

  /** Moves the drop position by a number of places (negative: up) and stops at the ends. */
  step(places: number): void {
    const { order } = this.#ui.note.state;
    const from = order.indexOf(this.#id);
    const index = Math.max(0, Math.min(order.length - 1, indexAt(from, this.#before) + places));
    this.#before = index > from ? index + 1 : index;
    const second = this.#before > index;
    const cell = this.#ui.viewport.element(order[index]!)?.closest<HTMLElement>('.cell');
    cell?.scrollIntoView({ block: 'nearest' });
    const rect = cell?.getBoundingClientRect();
    const line =
      rect && index !== from ? lineAt(rect, second ? rect.bottom + 6 : rect.top - 6) : undefined;
    this.#ui.drag.set({ line, announcement: fill(t.dragOver, { n: index + 1, m: order.length }) });
  }

  /** Drops the paragraph, or cancels the drag. */
  end(taken: boolean): void {
    // The move re-creates the element, which takes the focus from the grip.
    finish(this.#ui, this.#id, taken ? this.#before : undefined, () =>
      this.#ui.viewport
        .element(this.#id)
        ?.querySelector<HTMLElement>('.grip')
        ?.focus({ preventScroll: true }),
    );
  }
}
