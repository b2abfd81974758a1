import type { KeyboardEvent } from 'react';

const STEPS: Partial<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowDown: 1,
  ArrowLeft: -1,
  ArrowUp: -1,
};

/** Chooses the next or previous of `count` radio buttons with the arrow keys, and focuses it. */
export function chooseByArrow(
  event: KeyboardEvent<HTMLElement>,
  at: number,
  count: number,
  choose: (index: number) => void,
): void {
  const by = STEPS[event.key];
  if (by === undefined) return;
  event.stopPropagation();
  focusChoice(event, (at + by + count) % count, choose);
}

/** Chooses one of `count` tabs with the arrow keys, Home and End, and focuses it. */
export function chooseTab(
  event: KeyboardEvent<HTMLElement>,
  at: number,
  count: number,
  choose: (index: number) => void,
): void {
  const ahead = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
  const steps: Partial<Record<string, number>> = {
    ArrowRight: at + ahead,
    ArrowLeft: at - ahead,
    Home: 0,
    End: count - 1,
  };
  const next = steps[event.key];
  if (next !== undefined) focusChoice(event, (next + count) % count, choose);
}

function focusChoice(
  event: KeyboardEvent<HTMLElement>,
  index: number,
  choose: (index: number) => void,
): void {
  event.preventDefault();
  choose(index);
  const button = event.currentTarget.querySelectorAll('button')[index];
  button?.focus();
  button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
