import cronstrue from 'cronstrue';

/** What an expression of Quartz means, as a sentence. For those that `parseQuartz` takes: it says what is wrong in others. */
export function cronSentence(expression: string): string {
  return cronstrue.toString(expression.trim(), {
    dayOfWeekStartIndexZero: false,
    use24HourTimeFormat: true,
    throwExceptionOnParseError: false,
  });
}
