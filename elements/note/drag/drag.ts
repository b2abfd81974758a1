/**
 * A paragraph on its way to another place: by pointer from a grip or the outline, or by keys on the grip. Nothing is known of the
 * paragraphs that stay: where the pointer is, the page itself is asked. What is drawn meanwhile is in `view.drag`.
 */
import { fill, text } from '../../text/en.ts';
import { findText as t } from '../../text/find.ts';
import { createStore, type Store } from '../../runtime/store.ts';
import type { NoteView } from '../view.tsx';
import { autoscroll } from './autoscroll.ts';

/** Where a line shows the place, in px of the window. */
export interface DropLine {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** See the head of this file. */
export interface DragState {
  /** The paragraph that is dragged. */
  readonly id: string | undefined;
  /** Its name, beside the pointer. */
  readonly name: string;
  readonly pointer: { readonly x: number; readonly y: number } | undefined;
  readonly line: DropLine | undefined;
  /** What is said to who does not see it; stays after the end. */
  readonly said: string;
}

/** Nothing is dragged. */
export const createDrag = (): Store<DragState> =>
  createStore<DragState>({
    id: undefined,
    name: '',
    pointer: undefined,
    line: undefined,
    said: '',
  });

/** The pointer goes this far before a press is a drag, in px. */
const threshold = 5;
/** Thickness of the line, in px. */
const thick = 3;

/** Before which place of the order the paragraph would go (from 0, the order as it is), and how that is shown. */
interface Drop {
  readonly before: number;
  readonly line: DropLine;
}

const nameOf = (view: NoteView, id: string): string => {
  const { order, paragraphs } = view.note.state;
  return paragraphs[id]?.server.title || fill(text.paragraph.code, { n: order.indexOf(id) + 1 });
};

/** Where it would stand, from 0, if it went before a place of the order. */
const indexAt = (from: number, before: number): number => (before > from ? before - 1 : before);

/** Begins a drag when the pressed pointer moves. */
export function startDrag(view: NoteView, id: string, press: PointerEvent): void {
  if (press.button !== 0 || view.drag.get().id !== undefined) return;
  const owner =
    press.currentTarget instanceof Element
      ? press.currentTarget
      : (press.composedPath()[0] as Element);
  const { pointerId, clientX: startX, clientY: startY } = press;
  let begun = false;
  let drop: Drop | undefined;
  let [x, y] = [startX, startY];
  const scroll = autoscroll(view, () => aim());

  const aim = (): void => {
    drop = dropAt(view, x, y);
    const { order } = view.note.state;
    const from = order.indexOf(id);
    // Its own place on either side is none.
    const stays = !drop || drop.before === from || drop.before === from + 1;
    const said =
      drop && !stays
        ? fill(t.dragOver, { n: indexAt(from, drop.before) + 1, m: order.length })
        : view.drag.get().said;
    view.drag.set({ pointer: { x, y }, line: stays ? undefined : drop!.line, said });
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
        // The pointer is gone already: its end is on its way.
      }
      const name = nameOf(view, id);
      view.drag.set({ id, name, said: fill(t.dragStart, { name }) });
    }
    event.preventDefault();
    aim();
    scroll.at(y);
  };
  const end = (taken: boolean): void => {
    scroll.stop();
    for (const [type, listener] of listeners)
      window.removeEventListener(type, listener as EventListener, { capture: true });
    if (!begun) return;
    // The press that dragged is not also a click.
    if (taken) window.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0);
    finish(view, id, taken ? drop?.before : undefined);
  };
  const onUp = (event: PointerEvent): void => void (event.pointerId === pointerId && end(true));
  const onCancel = (event: PointerEvent): void =>
    void (event.pointerId === pointerId && end(false));
  const onKey = (event: KeyboardEvent): void => {
    if (!begun || event.key !== 'Escape') return;
    swallow(event);
    end(false);
  };
  const listeners = [
    ['pointermove', onMove],
    ['pointerup', onUp],
    ['pointercancel', onCancel],
    ['keydown', onKey],
  ] as const;
  for (const [type, listener] of listeners)
    window.addEventListener(type, listener as EventListener, { capture: true });
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** Ends a drag: at a place of the order, or where it began. */
function finish(view: NoteView, id: string, before: number | undefined, then?: () => void): void {
  const { order } = view.note.state;
  const from = order.indexOf(id);
  const { name } = view.drag.get();
  const index = before === undefined || from < 0 ? from : indexAt(from, before);
  const moved = index !== from;
  view.drag.set({
    id: undefined,
    pointer: undefined,
    line: undefined,
    said: moved
      ? fill(t.dragEnd, { name, n: index + 1, m: order.length })
      : fill(t.dragCancel, { name }),
  });
  if (moved) {
    void view.act(async () => {
      await view.move(id, index);
      then?.();
    });
  }
}

/** Where what is held at a point of the window would go. */
function dropAt(view: NoteView, x: number, y: number): Drop | undefined {
  const root = view.host.shadowRoot;
  if (!root) return undefined;
  const { order } = view.note.state;
  // Between two paragraphs is near one of them.
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
  const last = view.element(order.at(-1) ?? '')?.closest<HTMLElement>('.cell');
  return area &&
    last &&
    y > last.getBoundingClientRect().bottom &&
    x >= area.left &&
    x <= area.right
    ? inGrid(last, order.length - 1, x, Infinity)
    : undefined;
}

/** Beside a paragraph that leaves room in its row, above or below one that does not. */
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
        left: (second !== reverse ? rect.right + 6 : rect.left - 6) - thick / 2,
        top: rect.top,
        width: thick,
        height: rect.height,
      }
    : {
        left: rect.left,
        top: (second ? rect.bottom + 6 : rect.top - 6) - thick / 2,
        width: rect.width,
        height: thick,
      };
  return { before: second ? index + 1 : index, line };
}

function inOutline(entry: HTMLElement, order: readonly string[], y: number): Drop {
  const rect = entry.getBoundingClientRect();
  const second = y > rect.top + rect.height / 2;
  const id = entry.dataset['entry']!;
  const index = order.indexOf(id);
  // In the middle of a paragraph with several headings there is no place: it goes before or after all of them.
  const side = second ? 'nextElementSibling' : 'previousElementSibling';
  let edge = entry;
  for (
    let next = edge[side];
    next instanceof HTMLElement && next.dataset['entry'] === id;
    next = edge[side]
  )
    edge = next;
  const bounds = edge.getBoundingClientRect();
  return {
    before: second ? index + 1 : index,
    line: {
      left: rect.left,
      top: (second ? bounds.bottom : bounds.top) - thick / 2,
      width: rect.width,
      height: thick,
    },
  };
}

/** A drag by keys: taken up by one press, taken to places by arrows, put down by another press. */
export class KeyDrag {
  readonly #view: NoteView;
  readonly #id: string;
  #before: number;

  constructor(view: NoteView, id: string) {
    this.#view = view;
    this.#id = id;
    this.#before = view.note.state.order.indexOf(id);
    const name = nameOf(view, id);
    view.drag.set({ id, name, said: `${fill(t.dragStart, { name })} ${t.dragKeys}` });
  }

  /** Takes it some places on (negative: back); stops at the ends. */
  step(places: number): void {
    const { order } = this.#view.note.state;
    const from = order.indexOf(this.#id);
    const index = Math.max(0, Math.min(order.length - 1, indexAt(from, this.#before) + places));
    this.#before = index > from ? index + 1 : index;
    const second = this.#before > index;
    const cell = this.#view.element(order[index]!)?.closest<HTMLElement>('.cell');
    cell?.scrollIntoView({ block: 'nearest' });
    const rect = cell?.getBoundingClientRect();
    const line =
      rect && index !== from
        ? {
            left: rect.left,
            top: (second ? rect.bottom + 6 : rect.top - 6) - thick / 2,
            width: rect.width,
            height: thick,
          }
        : undefined;
    this.#view.drag.set({ line, said: fill(t.dragOver, { n: index + 1, m: order.length }) });
  }

  /** Puts it down there, or leaves it where it was. */
  end(taken: boolean): void {
    // The page puts its element elsewhere, which takes the focus from the grip.
    finish(this.#view, this.#id, taken ? this.#before : undefined, () =>
      this.#view
        .element(this.#id)
        ?.querySelector<HTMLElement>('.grip')
        ?.focus({ preventScroll: true }),
    );
  }
}
