/** Buffers keys that are typed before the editor they are meant for is ready. */
import { editorTexts } from './texts.ts';

/** A deferred command, and the text typed before it. */
interface Held {
  readonly text: string;
  readonly act: () => void;
}

const fields = new WeakMap<EventTarget, TypeAhead>();

/** Returns the buffer that collects an event's key; `undefined` if the key goes elsewhere. */
export const collectorOf = (event: Event): TypeAhead | undefined =>
  fields.get(event.composedPath()[0]!);

/**
 * A text field that has the focus until an editor replaces it. It takes keys, pasted text and input
 * methods like any field, and becomes visible only if loading takes long.
 */
export class TypeAhead {
  readonly #insert: (text: string) => void;
  readonly #listeners = new Set<() => void>();
  #field: HTMLTextAreaElement | undefined;
  #held: Held[] = [];
  #before: HTMLElement | null = null;
  #composing = false;

  /** `insert` types text into the open editor: the text that followed a deferred command. */
  constructor(insert: (text: string) => void = () => {}) {
    this.#insert = insert;
  }

  /** Whether keys are being collected. */
  get active(): boolean {
    return this.#field !== undefined;
  }

  /** Whether keys are being collected and the focus is in the field. */
  get focused(): boolean {
    return this.#field?.matches(':focus') ?? false;
  }

  /** Whether an input method is composing; the focus must not be taken from it then. */
  readonly isComposing = (): boolean => this.#composing;

  /** Calls `listener` when `isComposing` changes. Returns an unsubscribe function. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Takes the focus, in a field below `root`. If keys are already being collected, continues with
   * that field.
   */
  begin(root: Document | ShadowRoot): void {
    if (!this.#field) {
      this.#before = root.activeElement as HTMLElement | null;
      this.#field = this.#made();
      (root instanceof Document ? root.body : root).append(this.#field);
      // Show it in the top layer: otherwise an ancestor with layout containment would be its
      // viewport.
      this.#field.showPopover?.();
    }
    this.#field.focus({ preventScroll: true });
  }

  #made(): HTMLTextAreaElement {
    const field = document.createElement('textarea');
    fields.set(field, this);
    field.className = 'type-ahead';
    field.popover = 'manual';
    field.ariaLabel = editorTexts.ahead;
    field.spellcheck = false;
    const compose = (composing: boolean) => (): void => {
      this.#composing = composing;
      for (const listener of this.#listeners) listener();
    };
    field.addEventListener('compositionstart', compose(true));
    field.addEventListener('compositionend', compose(false));
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab' || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey)
        return;
      event.preventDefault();
      field.setRangeText('\t', field.selectionStart, field.selectionEnd, 'end');
    });
    return field;
  }

  /** Defers a command until the editor it is meant for is ready. */
  hold(act: () => void): void {
    if (!this.#field) return act();
    this.#held.push({ text: this.#field.value, act });
    this.#field.value = '';
  }

  /** Whether a deferred command still waits. */
  holds(act: (() => void) | undefined): boolean {
    return this.#held.some((held) => held.act === act);
  }

  /**
   * Ends collecting for an editor that now has the focus, and returns the typed text. Deferred
   * commands run after the caller returns.
   */
  take(): string {
    const held = this.#held;
    const tail = this.#end();
    const [first, ...rest] = held;
    if (!first) return tail;
    queueMicrotask(() => this.#replay(first.act, rest, tail));
    return first.text;
  }

  /**
   * Ends collecting without an editor and returns all typed text. The focus returns to where it
   * was, and deferred commands are dropped.
   */
  abandon(): string {
    const held = this.#held;
    const before = this.#before;
    const { focused } = this;
    const tail = this.#end();
    if (focused && before?.isConnected) before.focus({ preventScroll: true });
    return held.map(({ text }) => text).join('') + tail;
  }

  #end(): string {
    const text = this.#field?.value ?? '';
    const field = this.#field;
    this.#field = undefined;
    this.#held = [];
    this.#before = null;
    this.#composing = false;
    field?.remove();
    return text;
  }

  #replay(act: () => void, rest: readonly Held[], tail: string): void {
    act();
    // The command leads to another paragraph: the rest of the input is meant for that one.
    if (this.#field) {
      this.#held = [...rest];
      this.#field.value = tail;
      return;
    }
    const [next, ...others] = rest;
    const text = next ? next.text : tail;
    if (text !== '') this.#insert(text);
    if (next) this.#replay(next.act, others, tail);
  }
}
