import { type Output, outputText } from '../../core/outputs.ts';
import { jsonObjectOf, parseJson } from '../../model/json-object.ts';

/** A question of running code, as of Python's `input()`. */
export interface Question {
  /** Identifies the question; a later one of the same run has another id. */
  readonly id: string;
  /** Text that the code shows; may be empty. */
  readonly prompt: string;
  /** Whether the answer must not be shown. */
  readonly password: boolean;
}

/** Returns the question in an output of type INPUT; undefined for any other output. */
export function questionOf(output: Output): Question | undefined {
  if (output.type !== 'INPUT' || output.count === 0) return undefined;
  const { id, prompt, password } = jsonObjectOf(parseJson(outputText(output)));
  return typeof id === 'string' && typeof prompt === 'string'
    ? { id, prompt, password: password === true }
    : undefined;
}
