import { useMemo } from 'react';
import type { Output } from 'tiding/client';
import { createTableParser, type TableData, type TableParser } from 'tiding/model';
import type { DisplayProps } from '../../contract.ts';
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

/** TABLE output: the result bar and the chosen view. */
export default function TableDisplay(props: DisplayProps) {
  const table = useMemo(() => tableOf(props.output), [props.output]);
  return <TableResult table={table} {...props} />;
}
