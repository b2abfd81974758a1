import type { TableData } from '@tiding/client/model';
import { type ReactNode, useEffect, useState } from 'react';
import type { DisplayProps } from '../../contract.ts';
import { type AskRows, RemoteRows } from '../../rows/remote-rows.ts';
import { TableResult } from './table-result.tsx';

interface RemoteTableResultProps extends DisplayProps {
  /** Asks the server about all rows. */
  ask: AskRows;
  /** The first rows as text, shown until the server has answered. */
  table: TableData;
  /** Shown if the server can't query this table. */
  fallback: ReactNode;
}

/** A table whose rows stay on the server, which filters, sorts and aggregates them. */
export function RemoteTableResult({ ask, table, fallback, ...rest }: RemoteTableResultProps) {
  const [rows, setRows] = useState<RemoteRows | 'refused' | null>(null);
  const [{ question, names }] = useState({
    question: ask,
    names: table.columns.map(({ name }) => name),
  });
  useEffect(() => {
    const abort = new AbortController();
    RemoteRows.open(question, names, abort.signal).then(setRows, () => {
      if (!abort.signal.aborted) setRows('refused');
    });
    return () => abort.abort();
  }, [question, names]);
  if (rows === 'refused') return fallback;
  return <TableResult table={table} source={rows?.source()} {...rest} />;
}
