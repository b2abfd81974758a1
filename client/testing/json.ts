import { Refusal } from '../notebook/index.ts';

/** Parses JSON; throws a 400 refusal if the text is not JSON. */
export function parsedJson(text: string, what = 'The body'): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, `${what} must be JSON.`);
  }
}
