import { resultText } from '../../../../text/results/result.ts';
import { texts } from '../../../../text/set-texts.ts';
import { formatInteger } from '../../../parts/numbers.ts';
import { type CellRange, type CopyRequest, copyCells, copyText } from '../../../rows/copy-cells.ts';
import { runNow } from '../../../rows/run-generator.ts';

interface CopyInput extends Omit<CopyRequest, 'range'> {
  announce: (message: string) => void;
}

/** Creates the functions that copy cells to the clipboard and announce the outcome. */
export function cellCopying({ announce, ...cells }: CopyInput) {
  const uiText = texts.grid;
  return {
    textOf: (range: CellRange): string => runNow(copyText({ ...cells, range })),
    copy: (range: CellRange): void =>
      void copyCells({ ...cells, range }).then((succeeded) =>
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
