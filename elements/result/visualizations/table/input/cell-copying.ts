import { runNow } from '@tiding/client/model';
import { formatInteger } from '../../../parts/numbers.ts';
import { type CellRange, type CopyRequest, copyCells, copyText } from '../../../rows/copy-cells.ts';
import { resultText } from '../../../texts.ts';
import { gridTexts } from '../texts.ts';

interface CopyInput extends Omit<CopyRequest, 'range'> {
  announce: (message: string) => void;
}

/** Creates the functions that copy cells to the clipboard and announce the outcome. */
export function cellCopying({ announce, ...cells }: CopyInput) {
  const uiText = gridTexts;
  return {
    textOf: (range: CellRange): string => runNow(copyText({ ...cells, range })),
    copy: (range: CellRange): void =>
      void loaded(cells, range)
        .then(copyCells, () => false)
        .then((succeeded) =>
          announce(
            succeeded
              ? uiText.copied(
                  resultText.table.rows(
                    formatInteger(range.bottom - range.top + 1),
                    range.bottom === range.top,
                  ),
                )
              : uiText.copyFailed,
          ),
        ),
  };
}

/** Rows that are copied from a table on the server. The clipboard holds them as one text. */
const MAX_COPIED_ROWS = 200_000;

/** Loads the rows of a range that are on the server only. */
async function loaded(cells: Omit<CopyRequest, 'range'>, range: CellRange): Promise<CopyRequest> {
  const { remote } = cells.source;
  if (!remote) return { ...cells, range };
  const top = Math.max(0, range.top);
  const rows = range.bottom - top + 1;
  if (rows > MAX_COPIED_ROWS) throw new Error('too many rows');
  const first = cells.rowAt(top);
  const source = await remote.read(first, first + rows, new AbortController().signal);
  const shifted = (position: number): number => cells.rowAt(position) - first;
  return { ...cells, source, rowAt: shifted, range };
}
