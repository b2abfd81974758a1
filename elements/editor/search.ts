import {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  search,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import { StateEffect } from '@codemirror/state';
import type { EditorView, KeyBinding, Panel } from '@codemirror/view';
import { editorText } from '../text/editor.ts';

/** A field that searches as it is typed into: Enter and Ctrl+S go on, Ctrl+R goes back, Escape returns to the code. */
function panel(view: EditorView): Panel {
  const dom = document.createElement('div');
  dom.className = 'search-inside';
  const field = dom.appendChild(document.createElement('input'));
  field.type = 'text';
  field.setAttribute('main-field', 'true');
  field.setAttribute('aria-label', editorText.searchInside);
  field.placeholder = editorText.searchInside;
  field.addEventListener('input', () => {
    view.dispatch({
      effects: setSearchQuery.of(new SearchQuery({ search: field.value, literal: true })),
      selection: { anchor: view.state.selection.main.from },
    });
    if (field.value === '') return;
    findNext(view);
    // Going on selects what stands in the field.
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

/** Opens the incremental search of one editor, or goes into its field. */
export function openSearch(view: EditorView): boolean {
  if (!prepared.has(view)) {
    prepared.add(view);
    view.dispatch({ effects: StateEffect.appendConfig.of(searchInside) });
  }
  return openSearchPanel(view);
}

/** Its keys in the code. */
export const searchKeys: readonly KeyBinding[] = [
  { key: 'Ctrl-s', run: openSearch, preventDefault: true },
  { key: 'Ctrl-r', run: openSearch, preventDefault: true },
];
