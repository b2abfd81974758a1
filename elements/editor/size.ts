import type { CSSProperties } from 'react';

/** The size that stored settings hold when nobody has chosen one; it is shown in the design's own size. */
const unchosen = 9;
const largest = 20;
const pixelsPerPoint = 4 / 3;

/**
 * Custom properties for a paragraph's own font size, stored in points from 9 to 20: the line is 7 px higher than the
 * letters. None for the smallest, which is the default.
 */
export function codeSize(fontSize: number | undefined): CSSProperties | undefined {
  if (fontSize === undefined || !(fontSize > unchosen)) return undefined;
  const size = Math.round(Math.min(largest, fontSize) * pixelsPerPoint);
  return { '--_text-code': `${size}px`, '--_leading-code': `${size + 7}px` } as CSSProperties;
}
