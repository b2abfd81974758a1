const integers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

/** A count with its digits grouped. */
export function formatInteger(value: number): string {
  return integers.format(value);
}

/** A number's text with a real minus sign. */
export function withMinus(text: string): string {
  return text.replace(/^-/, '\u2212');
}

const thousands = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
const significant = new Intl.NumberFormat(undefined, {
  maximumSignificantDigits: 3,
  minimumSignificantDigits: 3,
});
const steps = [
  [1e24, 'Y'],
  [1e21, 'Z'],
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
] as const;

/**
 * A tick of a value axis: from a million on three significant digits with the SI suffix, giga written B; below with
 * grouped thousands and up to three decimals.
 */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  // Rounding to three digits may carry into the next step: 999.9 M is 1.00 B.
  const rounded = Number(size.toPrecision(3));
  const step = size >= 1e6 ? steps.find(([from]) => rounded >= from) : undefined;
  if (!step) return withMinus(thousands.format(value));
  return withMinus(significant.format(value / step[0]) + step[1]);
}
