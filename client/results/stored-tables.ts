import type { CallOptions } from '../core/abort.ts';
import { createOutput } from '../core/outputs.ts';
import { readArrowRows } from '../model/rows/arrow-rows.ts';
import type { StoredTables, TypedRows } from '../model/rows/typed-rows.ts';
import { readRows } from '../note/paragraph/rows.ts';
import type { Note } from '../protocol/index.ts';
import type { ClientContext } from '../session/client-context.ts';

/** Which rows of a note's tables are read. */
export interface StoredTablesOptions extends CallOptions {
  /** Maximum number of rows of each table. Default: 10,000, as many as its text has. */
  readonly rows?: number;
}

/**
 * Reads the tables of a note that the server stores. Those that can't be read are left out: the
 * note has their first rows as text.
 */
export async function readStoredTables(
  context: Pick<ClientContext, 'call'>,
  { id, paragraphs = [] }: Pick<Note, 'id' | 'paragraphs'>,
  { rows: limit = 10_000, ...options }: StoredTablesOptions = {},
): Promise<StoredTables> {
  const tables = new Map<string, TypedRows>();
  for (const { id: paragraphId, results } of paragraphs)
    for (const [index, { type, rows }] of (results?.msg ?? []).entries()) {
      if (type !== 'TABLE' || rows === undefined) continue;
      const output = createOutput(type, '', { rows });
      const place = {
        context,
        noteId: id,
        paragraphId,
        isRevision: false,
        outputs: () => undefined,
      };
      try {
        const found = await readRows(output, index, place, { ...options, limit });
        tables.set(`${paragraphId}.${index}`, await readArrowRows(found, rows));
      } catch {
        options.signal?.throwIfAborted();
      }
    }
  return tables;
}
