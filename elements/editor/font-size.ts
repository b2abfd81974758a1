import type { CSSProperties } from 'react';

/** Stored size, in points, that stands for the default; it is shown in the design's size. */
const DEFAULT_STORED_POINTS = 9;
const MAX_POINTS = 20;
const pixelsPerPoint = 4 / 3;

/**
 * Returns custom properties for a paragraph's font size, stored in points from 9 to 20. The line
 * height is 7 px more than the font size. Undefined for the smallest size, which is the default.
 */
export function codeSize(fontSize: number | undefined): CSSProperties | undefined {
  if (fontSize === undefined || !(fontSize > DEFAULT_STORED_POINTS)) return undefined;
  const size = Math.round(Math.min(MAX_POINTS, fontSize) * pixelsPerPoint);
  return { '--_text-code': `${size}px`, '--_leading-code': `${size + 7}px` } as CSSProperties;
}
