/** What must be the same in a notebook after an import and an export. */
import { expect } from 'vitest';
import { joinedText, withSortedKeys } from '../../client/model/formats/jupyter-outputs.ts';
import type { Notebook } from '../../client/model/formats/jupyter-types.ts';

/** Returns a notebook as nbformat reads it: texts are strings, and what must be there is. */
export const notebookParts = ({ cells, metadata = {}, nbformat_minor: minor }: Notebook) => ({
  metadata,
  minor,
  cells: cells.map(({ source, outputs, execution_count, ...cell }) =>
    withSortedKeys({
      ...cell,
      id: minor >= 5 ? expect.any(String) : undefined,
      metadata: cell.metadata ?? {},
      source: joinedText(source),
      ...(cell.cell_type === 'code'
        ? {
            execution_count: execution_count ?? null,
            outputs: (outputs ?? []).map((output) => ({
              ...output,
              ...('text' in output ? { text: joinedText(output.text) } : {}),
              ...('data' in output
                ? {
                    data: Object.fromEntries(
                      Object.entries(output.data).map(([type, value]) => [
                        type,
                        typeof value === 'object' && !Array.isArray(value)
                          ? value
                          : joinedText(value),
                      ]),
                    ),
                  }
                : {}),
            })),
          }
        : {}),
    }),
  ),
});
