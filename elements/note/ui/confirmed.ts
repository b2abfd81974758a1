/** Questions that this reader does not want to be asked again, stored in this browser. */
const KEY = 'tiding-confirmed';

/** Name of a question that can be switched off. */
export type RememberedQuestion = 'run-all' | 'remove-paragraph' | 'clear-all' | 'restart';

let inMemory: readonly RememberedQuestion[] = [];

function read(): readonly RememberedQuestion[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    // Without storage, the choice lasts as long as the page.
    return inMemory;
  }
}

function write(names: readonly RememberedQuestion[]): void {
  inMemory = names;
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // See above.
  }
}

/** Whether the reader has switched a question off. */
export const isConfirmed = (name: RememberedQuestion): boolean => read().includes(name);

/** Whether the reader has switched any question off. */
export const isAnyConfirmed = (): boolean => read().length > 0;

/** Switches a question off. */
export const confirmAlways = (name: RememberedQuestion): void =>
  write([...new Set([...read(), name])]);

/** Switches all questions on again. */
export const askAgain = (): void => write([]);
