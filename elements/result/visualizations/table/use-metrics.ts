import { useEffect, useLayoutEffect, useMemo, useState, type RefObject } from 'react';

/** What the theme says about a grid, in px. */
export interface GridMetrics {
  readonly rowHeight: number;
  /** Left padding of the first column: the edge that code and text share. */
  readonly gutter: number;
  /** Width of the box the grid scrolls in. */
  readonly width: number;
  measure(text: string, header: boolean): number;
}

/**
 * Reads row height, gutter and faces from two probe elements that wear them, again when density or fonts change.
 *
 * @param cell has the height of a row, the gutter as left padding and the face of a cell
 * @param head has the face of a header
 */
export function useMetrics(
  cell: RefObject<HTMLElement | null>,
  head: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
): GridMetrics {
  const [sizes, setSizes] = useState({ rowHeight: 30, gutter: 40, width: 0, faces: '' });
  useLayoutEffect(() => {
    if (!cell.current || !head.current || !box.current) return;
    const [cellProbe, headProbe, scroller] = [cell.current, head.current, box.current];
    const read = (): void => {
      const next = {
        rowHeight: cellProbe.offsetHeight || 30,
        gutter: Number.parseFloat(getComputedStyle(cellProbe).paddingInlineStart) || 0,
        width: scroller.clientWidth,
        faces: `${faceOf(cellProbe)}|${faceOf(headProbe)}`,
      };
      setSizes((old) =>
        old.rowHeight === next.rowHeight &&
        old.gutter === next.gutter &&
        old.width === next.width &&
        old.faces === next.faces
          ? old
          : next,
      );
    };
    read();
    const observer = new ResizeObserver(read);
    for (const element of [cellProbe, headProbe, scroller]) observer.observe(element);
    return () => observer.disconnect();
  }, [cell, head, box]);

  const [fonts, setFonts] = useState(0);
  useEffect(() => {
    let live = true;
    void document.fonts?.ready.then(() => live && setFonts(1));
    return () => {
      live = false;
    };
  }, []);
  const { faces } = sizes;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the same face measures differently once it is loaded
  const measure = useMemo(() => measurer(faces), [faces, fonts]);
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
    // Digits are set at equal width, which a canvas does not know.
    return context.measureText(text.replace(/\d/g, '0')).width;
  };
}
