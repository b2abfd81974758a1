/**
 * Returns a format of numbers in the user's locale. It is made when it is first used: the first one
 * of a page takes 7 to 30 ms, which would be part of its start.
 */
export function numberFormat(options: Intl.NumberFormatOptions): Pick<Intl.NumberFormat, 'format'> {
  let made: Intl.NumberFormat | undefined;
  return {
    format: (value) => (made ??= new Intl.NumberFormat(undefined, options)).format(value),
  };
}

const integers = numberFormat({ maximumFractionDigits: 0 });

/** Formats an integer with grouped digits. */
export function formatInteger(value: number): string {
  return integers.format(value);
}

/** Replaces a leading hyphen with a typographic minus sign. */
export function withMinus(text: string): string {
  return text.replace(/^-/, '\u2212');
}

const tenths = numberFormat({ maximumFractionDigits: 1 });
const sizeUnits = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes: 31,240 is `31.2 kB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999,960 bytes are rounded to 1 MB, not to 1,000 kB.
  for (; unit < sizeUnits.length - 1 && Math.round(value * 10) >= 10_000; unit += 1) value /= 1_000;
  return `${tenths.format(value)} ${sizeUnits[unit]}`;
}

const thousands = numberFormat({ maximumFractionDigits: 3 });
const significant = numberFormat({
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
 * Formats a tick of a value axis. From one million on: three significant digits with an SI suffix,
 * but B for giga. Below: grouped digits with up to three decimals.
 */
export function formatTick(value: number): string {
  const size = Math.abs(value);
  // Rounding to three digits may carry into the next step: 999.9 M becomes 1.00 B.
  const rounded = Number(size.toPrecision(3));
  const step = size >= 1e6 ? steps.find(([from]) => rounded >= from) : undefined;
  if (!step) return withMinus(thousands.format(value));
  return withMinus(significant.format(value / step[0]) + step[1]);
}
