/** What a PDF contains, as a reader, a search or a screen reader finds it. */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';

const pagesOf = async (pdf: Buffer) => {
  const document = await getDocumentProxy(new Uint8Array(pdf), { verbosity: 0 });
  return Promise.all(
    Array.from({ length: document.numPages }, (_, page) => document.getPage(page + 1)),
  );
};

/** Text of each page. The end of a line counts as a space. */
export async function pdfPages(pdf: Buffer): Promise<string[]> {
  const contents = (await pagesOf(pdf)).map((page) => page.getTextContent());
  return (await Promise.all(contents)).map(({ items }) =>
    items
      .map((item) => ('str' in item ? `${item.str}${item.hasEOL ? ' ' : ''}` : ''))
      .join('')
      .replace(/\s+/g, ' '),
  );
}

/** A filled shape on a page. */
interface PdfFill {
  /** Index of the page. */
  readonly page: number;
  /** As `#rrggbb`. */
  readonly color: string;
  /** Bounds in points, from the left and bottom edge of the paper. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Reads the filled shapes of a PDF, in drawing order. */
export async function pdfFills(pdf: Buffer): Promise<PdfFill[]> {
  const { OPS, Util } = await getResolvedPDFJS();
  const fills: PdfFill[] = [];
  for (const [page, each] of (await pagesOf(pdf)).entries()) {
    const { fnArray, argsArray } = await each.getOperatorList();
    const stack: { matrix: number[]; color: string }[] = [];
    let state = { matrix: [1, 0, 0, 1, 0, 0], color: '#000000' };
    for (const [at, operation] of fnArray.entries()) {
      const args = argsArray[at];
      if (operation === OPS.save) stack.push(state);
      else if (operation === OPS.restore) state = stack.pop() ?? state;
      else if (operation === OPS.transform)
        state = { ...state, matrix: Util.transform(state.matrix, args) as number[] };
      else if (operation === OPS.setFillRGBColor) state = { ...state, color: args[0] };
      else if (operation === OPS.constructPath && [OPS.fill, OPS.eoFill].includes(args[0])) {
        const bounds = [Infinity, Infinity, -Infinity, -Infinity];
        Util.axialAlignedBoundingBox([...args[2]], state.matrix, bounds);
        const [left, bottom, right, top] = bounds as [number, number, number, number];
        fills.push({ page, color: state.color, left, right, bottom, top });
      }
    }
  }
  return fills;
}
