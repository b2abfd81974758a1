import { isSameJson } from '@tiding/client/model';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';

/** Dimensions that the theme gives the grid, in px. */
interface GridMetrics {
  readonly rowHeight: number;
  /** Left padding of the first column, which aligns it with code and text outputs. */
  readonly gutter: number;
  /** Width of the scroll container. */
  readonly width: number;
  /** Returns the width of a text in px. */
  measure(text: string, header: boolean): number;
}

/**
 * Reads row height, gutter and fonts from two hidden probe elements, again whenever density or
 * fonts change.
 *
 * @param cell probe with the height of a row, the gutter as left padding and the font of a cell
 * @param head probe with the font of a header
 * @param scrollBox the scroll container
 */
export function useMetrics(
  cell: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  scrollBox: RefObject<HTMLElement | null>,
): GridMetrics {
  const [sizes, setSizes] = useState({ rowHeight: 30, gutter: 40, width: 0, faces: '' });
  useLayoutEffect(() => {
    if (!cell.current || !head.current || !scrollBox.current) return;
    const [cellProbe, headProbe, scroller] = [cell.current, head.current, scrollBox.current];
    const read = (): void => {
      const next = {
        rowHeight: cellProbe.offsetHeight || 30,
        gutter: Number.parseFloat(getComputedStyle(cellProbe).paddingInlineStart) || 0,
        width: scroller.clientWidth,
        faces: `${faceOf(cellProbe)}|${faceOf(headProbe)}`,
      };
      setSizes((old) => (isSameJson(old, next) ? old : next));
    };
    read();
    const observer = new ResizeObserver(read);
    for (const element of [cellProbe, headProbe, scroller]) observer.observe(element);
    return () => observer.disconnect();
  }, [cell, head, scrollBox]);

  const [fontsLoaded, setFontsLoaded] = useState(0);
  useEffect(() => {
    // `ready` is settled before the first text asks for a font, which is loaded later.
    const again = (): void => setFontsLoaded((times) => times + 1);
    document.fonts?.addEventListener('loadingdone', again);
    return () => document.fonts?.removeEventListener('loadingdone', again);
  }, []);
  const { faces } = sizes;
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded fonts change the width of text
  const measure = useMemo(() => measurer(faces), [faces, fontsLoaded]);
  return useMemo(() => ({ ...sizes, measure }), [sizes, measure]);
}

function faceOf(element: HTMLElement): string {
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  return `${fontWeight} ${fontSize} ${fontFamily}`;
}

function measurer(faces: string): GridMetrics['measure'] {
  const [cell = '', head = ''] = faces.split('|');
  const context = faces === '' ? null : document.createElement('canvas').getContext('2d');
  return (text, header) => {
    if (!context) return text.length * 7.5;
    context.font = header ? head : cell;
    // Cells use tabular figures, which a canvas doesn't. Among them, every digit and every hyphen
    // is as wide as `0`.
    return context.measureText(text.replace(/[\d-]/g, '0')).width;
  };
}
