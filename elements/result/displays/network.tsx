import { useMemo } from 'react';
import { outputText } from 'tiding/client';
import { parseNetwork } from 'tiding/model';
import type { DisplayProps } from '../contract.ts';
import { TableResult } from './table/table-result.tsx';

/** A network, as the table of its nodes and edges. */
export default function NetworkDisplay(props: DisplayProps) {
  const text = outputText(props.output);
  // While data still comes it is half a document; at the end it must be a whole one.
  const table = useMemo(() => {
    try {
      return parseNetwork(text);
    } catch (error) {
      if (props.running) return null;
      throw error;
    }
  }, [text, props.running]);
  return table && <TableResult table={table} {...props} />;
}
