/** Whether an element takes typed keys: a text field, a selection list or an editor. */
export const takesText = (element: EventTarget | null | undefined): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement);
