/** What a reader of files guesses, and what was chosen instead. */
import type { Guess } from '../messages.ts';
import { FileProblem } from './problem.ts';

/** Lines of a header that can be chosen. */
export const headerLines = ['none', ...Array.from({ length: 20 }, (_, at) => `${at + 1}`)];

export class Guesses {
  readonly #choices: Readonly<Record<string, string>>;
  readonly list: Guess[] = [];
  /** What the user should know. */
  readonly remarks: string[] = [];

  constructor(choices: Readonly<Record<string, string>>) {
    this.#choices = choices;
  }

  chosen(name: string): string | undefined {
    return Object.hasOwn(this.#choices, name) ? this.#choices[name] : undefined;
  }

  /** Returns the choice, or else the guess. Throws if the choice is not among the values. */
  take<Value extends string>(name: string, guess: Value, values: readonly Value[]): Value {
    const value = (this.chosen(name) ?? guess) as Value;
    if (value !== guess && values.length > 0 && !values.includes(value))
      throw new FileProblem(
        `can't be read with ${name} = ${value}. Choose one of ${values.join(', ')}.`,
      );
    this.list.push({ name, value, values: [...new Set([guess, ...values])] });
    return value;
  }

  /** Throws if something was chosen that this file doesn't have. */
  end(): void {
    const unknown = Object.keys(this.#choices).find(
      (name) => !this.list.some((guess) => guess.name === name),
    );
    if (unknown !== undefined)
      throw new FileProblem(
        `has no option ${unknown}. Its options are ` +
          `${this.list.map(({ name }) => name).join(', ')}.`,
      );
  }
}
