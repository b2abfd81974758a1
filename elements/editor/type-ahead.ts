/** What is typed before the editor that it is meant for is there. */
import { editorText } from '../text/editor.ts';

/** A command that was asked for, and what was typed before it. */
interface Held {
  readonly text: string;
  readonly act: () => void;
}

const fields = new WeakMap<EventTarget, TypeAhead>();

/** What collects the key of an event; `undefined` where it goes to something else. */
export const collectorOf = (event: Event): TypeAhead | undefined =>
  fields.get(event.composedPath()[0]!);

/**
 * A field that has the focus until an editor takes its place: it takes keys, pasted text and input methods as any field does. It
 * is seen only where that lasts.
 */
export class TypeAhead {
  readonly #insert: (text: string) => void;
  readonly #listeners = new Set<() => void>();
  #field: HTMLTextAreaElement | undefined;
  #held: Held[] = [];
  #before: HTMLElement | null = null;
  #composing = false;

  /** `insert`: types into the editor that stands, what followed a command that was held. */
  constructor(insert: (text: string) => void = () => {}) {
    this.#insert = insert;
  }

  /** Whether keys are collected. */
  get active(): boolean {
    return this.#field !== undefined;
  }

  /** Whether an input method is in the middle of something: the focus is not to be taken from it. */
  readonly isComposing = (): boolean => this.#composing;

  /** Told when `isComposing` has changed. Returns its undo. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes the focus, below `root`. Where keys are collected already, goes on with that. */
  begin(root: Document | ShadowRoot): void {
    if (!this.#field) {
      this.#before = root.activeElement as HTMLElement | null;
      this.#field = this.#made();
      (root instanceof Document ? root.body : root).append(this.#field);
      // Above everything: a box that contains its layout would be its window otherwise.
      this.#field.showPopover?.();
    }
    this.#field.focus({ preventScroll: true });
  }

  #made(): HTMLTextAreaElement {
    const field = document.createElement('textarea');
    fields.set(field, this);
    field.className = 'type-ahead';
    field.popover = 'manual';
    field.ariaLabel = editorText.ahead;
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

  /** Puts a command off until the editor is there: it is meant for that. */
  hold(act: () => void): void {
    if (!this.#field) return act();
    this.#held.push({ text: this.#field.value, act });
    this.#field.value = '';
  }

  /** Ends it, for an editor that has the focus now: what was typed. Commands that were held follow when the caller is done. */
  take(): string {
    const held = this.#held;
    const tail = this.#end();
    const [first, ...rest] = held;
    if (!first) return tail;
    queueMicrotask(() => this.#replay(first.act, rest, tail));
    return first.text;
  }

  /** Ends it without an editor: all that was typed. The focus goes back to where it was, and commands are forgotten. */
  abandon(): string {
    const held = this.#held;
    const before = this.#before;
    const focused = this.#field?.matches(':focus');
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
    // One that leads on to another paragraph: what came after it is meant for that one.
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
