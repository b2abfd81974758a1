import type { KeyboardEvent, SyntheticEvent } from 'react';

/** Handles the submit event of a form without leaving the page. */
export const onSubmit = (act: () => unknown) => (event: SyntheticEvent) => {
  event.preventDefault();
  act();
};

/** Handles Enter in a field, which then submits no form. */
export const onEnter = (act: (() => void) | undefined) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !act) return;
  event.preventDefault();
  act();
};
