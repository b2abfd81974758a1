import { useMemo, useState } from 'react';
import type { Output } from 'tiding/client';
import { createTableParser, type TableData, type TableParser } from 'tiding/model';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { Notice } from '../../notice.tsx';
import { formatInteger } from '../../numbers.ts';
import { ArrowTableResult } from './arrow-table-result.tsx';
import { TableResult } from './table-result.tsx';

/** One parser for all records of a growing output, with the number of chunks it has read. */
const parsers = new WeakMap<Output['chunks'], { readonly parser: TableParser; read: number }>();

/** The table of an output; of a growing one only what is new is read. */
export function tableOf({ chunks, count }: Output): TableData {
  let entry = parsers.get(chunks);
  if (!entry) parsers.set(chunks, (entry = { parser: createTableParser(), read: 0 }));
  for (; entry.read < count; entry.read++) entry.parser.write(chunks[entry.read]!);
  return entry.parser.table;
}

/** Cells that are fetched without being asked for: some tens of megabytes. A note may have many such tables. */
const MOST_CELLS = 4_000_000;

/** TABLE output: the result bar and the chosen view; all rows where the server keeps more than the text has. */
export default function TableDisplay(props: DisplayProps) {
  const { output, place, index, running, dateFinished } = props;
  const table = useMemo(() => tableOf(output), [output]);
  const paragraph = place?.paragraph;
  const [asked, setAsked] = useState(false);
  const more =
    !running &&
    paragraph !== undefined &&
    output.rows !== undefined &&
    output.rows > table.rows.length;
  if (!more) return <TableResult table={table} {...props} />;
  // The rows of another run are read anew, also where its text is the same.
  if (asked || output.rows! * table.columns.length <= MOST_CELLS)
    return (
      <ArrowTableResult
        key={dateFinished}
        rows={(signal) => paragraph.rows(index, { signal })}
        table={table}
        {...props}
      />
    );
  const words = texts.grid;
  return (
    <>
      <TableResult table={table} {...props} />
      <Notice
        action={
          <Button size="sm" kind="secondary" onClick={() => setAsked(true)}>
            {words.loadAll}
          </Button>
        }
      >
        {words.firstRows(formatInteger(table.rows.length), formatInteger(output.rows!))}
      </Notice>
    </>
  );
}
