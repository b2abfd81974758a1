/** Sets the clock of the machine and lets time pass, independently of each other. */
import { vi } from 'vitest';

const realNow = performance.now.bind(performance);

/** Sets the clock forward by `ms`, or back if it is negative. No time passes. */
export const setClock = (ms: number): void =>
  void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** Lets `ms` pass, while the clock stays as it is. */
export const passTime = (ms: number): void =>
  void vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ms);

/** Undoes {@link setClock} and {@link passTime}. */
export function restoreTime(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
}
