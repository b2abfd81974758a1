import type { KeyboardEvent } from 'react';

/** Moves the focus between the buttons of a list that is one tab stop. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const places: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const next = buttons[places[event.key] ?? -1];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
