import { TidingError } from './errors.ts';

/**
 * Throws `protocol` for an option that a method doesn't have, with those that it has. Calls that
 * get the options which a method has left don't know the others.
 */
export function requireKnown<Options extends object>(
  options: Options,
  known: readonly (keyof Options & string)[],
  operation: string,
  isComplete = true,
): void {
  const unknown = Object.keys(options).find((name) => !(known as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new TidingError(
      'protocol',
      `There is no option '${unknown}'.` +
        (isComplete ? ` The options are ${known.join(', ')}.` : ''),
      { operation },
    );
}
