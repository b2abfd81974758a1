/** Marks mistakes that a checker finds while the user types. */
import { Compartment, StateEffect } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { editorCallbacks } from '../callbacks.ts';
import { showMistakes } from './diagnostics.ts';

/** Time without typing after which the code is checked, in ms. */
const QUIET_MS = 800;

class Checker {
  readonly #view: EditorView;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checked: unknown;

  constructor(view: EditorView) {
    this.#view = view;
    this.#wait();
  }

  update({ docChanged, focusChanged }: ViewUpdate): void {
    if (docChanged || focusChanged) this.#wait();
  }

  /** Only the editor that the user types in asks. */
  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), QUIET_MS);
  }

  async #check(): Promise<void> {
    const view = this.#view;
    const { doc } = view.state;
    if (!view.hasFocus || doc === this.#checked) return;
    this.#checked = doc;
    const found = await view.state.facet(editorCallbacks)().check?.(doc.toString());
    if (!found) this.#checked = undefined;
    else if (view.state.doc === doc) showMistakes(view, found);
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }
}

const checking = new Compartment();
const checker = ViewPlugin.fromClass(Checker);

/** Checks the code of an editor from now on. Returns a function that ends this. */
export function checkCode(view: EditorView): () => void {
  view.dispatch({
    effects: checking.get(view.state)
      ? checking.reconfigure(checker)
      : StateEffect.appendConfig.of(checking.of(checker)),
  });
  return () => {
    view.dispatch({ effects: checking.reconfigure([]) });
    showMistakes(view, []);
  };
}
