import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { useNoteUi } from '../ui/note-ui.ts';

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** Elements that close something of their own with Escape. */
const CLOSES_ITSELF =
  '[role=menu], [role=listbox], [role=dialog], [role=alertdialog], ' +
  '[role=combobox][aria-expanded=true], [aria-haspopup][aria-expanded=true]';

/** Whether Tab stops at an element. Of a group of radio buttons, only the checked one counts. */
const isTabStop = (element: HTMLElement): boolean =>
  element.tabIndex >= 0 &&
  !element.matches(':disabled, [inert] *, [type=radio]:not(:checked)') &&
  element.checkVisibility({ visibilityProperty: true });

/** The element to which Tab wraps at the end of the panel, or Shift+Tab at its start. */
function wrappedStop(panel: HTMLElement, from: Node, backwards: boolean): HTMLElement | undefined {
  const stops = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isTabStop);
  const ahead = backwards ? Node.DOCUMENT_POSITION_PRECEDING : Node.DOCUMENT_POSITION_FOLLOWING;
  if (stops.some((stop) => (from.compareDocumentPosition(stop) & ahead) !== 0 && stop !== from))
    return undefined;
  return backwards ? stops.at(-1) : stops[0];
}

/**
 * In a narrow layout, where an open panel covers the note: keeps Tab inside the panel and closes it
 * with Escape. Returns the key handler of the panel.
 *
 * @param open the open panel; `undefined` if none is
 */
export function useCoveringPanel(
  open: string | undefined,
  panel: RefObject<HTMLElement | null>,
  close: () => void,
): (event: KeyboardEvent) => void {
  const { panels, host } = useNoteUi();
  useEffect(() => {
    const element = panel.current;
    if (open === undefined || !element) return undefined;
    // The style sheet knows the width from which on panels stand beside the note.
    const observer = new ResizeObserver(() => {
      const covers = getComputedStyle(element).position === 'fixed';
      const { covers: before } = panels.state.get();
      panels.state.set({ covers });
      // The note loses the focus when it becomes inert.
      const focused = host.shadowRoot?.activeElement;
      if (covers && !before && focused?.closest('.note-area'))
        element.focus({ preventScroll: true });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [open, panel, panels, host]);

  return (event) => {
    const [element, target] = [panel.current, event.target as HTMLElement];
    // React also reports keys in the menus and dialogs that a panel opens elsewhere in the page.
    if (!panels.state.get().covers || event.defaultPrevented || !element?.contains(target)) return;
    if (event.key === 'Escape' && !target.closest(CLOSES_ITSELF)) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
    if (event.key !== 'Tab' || event.ctrlKey || event.altKey || event.metaKey) return;
    const next = wrappedStop(element, target, event.shiftKey);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
}
