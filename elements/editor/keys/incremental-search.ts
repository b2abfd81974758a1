import {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  SearchQuery,
  search,
  setSearchQuery,
} from '@codemirror/search';
import { StateEffect } from '@codemirror/state';
import type { EditorView, KeyBinding, Panel } from '@codemirror/view';
import { editorTexts } from '../texts.ts';

/**
 * Incremental search panel: Enter and Ctrl+S go to the next match, Ctrl+R to the previous one,
 * Escape returns to the code.
 */
function panel(view: EditorView): Panel {
  const dom = document.createElement('div');
  dom.className = 'search-inside';
  const field = dom.appendChild(document.createElement('input'));
  field.type = 'text';
  field.setAttribute('main-field', 'true');
  field.setAttribute('aria-label', editorTexts.searchInside);
  field.placeholder = editorTexts.searchInside;
  field.addEventListener('input', () => {
    view.dispatch({
      effects: setSearchQuery.of(new SearchQuery({ search: field.value, literal: true })),
      selection: { anchor: view.state.selection.main.from },
    });
    if (field.value === '') return;
    findNext(view);
    // `findNext` selects the text in the field, so restore the cursor.
    field.setSelectionRange(field.value.length, field.value.length);
  });
  field.addEventListener('keydown', (event) => {
    const { key, ctrlKey } = event;
    if (key === 'Escape' || (ctrlKey && key === 'g')) {
      closeSearchPanel(view);
      view.focus();
    } else if (key === 'Enter' || (ctrlKey && key === 's'))
      (event.shiftKey ? findPrevious : findNext)(view);
    else if (ctrlKey && key === 'r') findPrevious(view);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return { dom, top: true, mount: () => field.focus() };
}

const searchInside = search({ top: true, createPanel: panel });
const prepared = new WeakSet<EditorView>();

/** Opens the incremental search of an editor, or focuses its field. */
export function openSearch(view: EditorView): boolean {
  if (!prepared.has(view)) {
    prepared.add(view);
    view.dispatch({ effects: StateEffect.appendConfig.of(searchInside) });
  }
  return openSearchPanel(view);
}

export const searchKeys: readonly KeyBinding[] = [
  { key: 'Ctrl-s', run: openSearch, preventDefault: true },
  { key: 'Ctrl-r', run: openSearch, preventDefault: true },
];
