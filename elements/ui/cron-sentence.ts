import cronstrue from 'cronstrue';

/**
 * Describes a Quartz expression as a sentence. Only for expressions that `parseQuartz` accepts; its
 * error describes what is wrong with others.
 */
export function cronSentence(expression: string): string {
  return cronstrue.toString(expression.trim(), {
    dayOfWeekStartIndexZero: false,
    use24HourTimeFormat: true,
    throwExceptionOnParseError: false,
  });
}
