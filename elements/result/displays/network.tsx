import { type Output, outputText } from '@tiding/client';
import { type NetworkData, parseNetwork, type TextRows, textRows } from '@tiding/client/model';
import { useMemo } from 'react';
import { useSheets } from '../../runtime/use-sheets.ts';
import type { DisplayProps } from '../contract.ts';
import { Notice } from '../parts/notice.tsx';
import { tableSheets } from '../styles/table-sheets.ts';
import { findNetworkProblems, type NetworkProblems } from './network-problems.ts';
import { TableResult } from './table-result/table-result.tsx';

interface Read {
  readonly count: number;
  readonly faults: NetworkProblems;
  readonly table: NetworkData | null;
  readonly source: TextRows | null;
}

/** Parsed networks by output, so that nothing moves when an output scrolls back into view. */
const known = new WeakMap<Output['chunks'], Read>();

function read({ chunks, count }: Output, text: string): Read {
  const old = known.get(chunks);
  if (old?.count === count) return old;
  const faults = findNetworkProblems(text);
  const table = faults.fatal ? null : parseNetwork(text);
  const next = { count, faults, table, source: table && textRows(table) };
  known.set(chunks, next);
  return next;
}

/** NETWORK output: a drawing, and a table of its nodes and edges. */
export default function NetworkDisplay(props: DisplayProps) {
  useSheets(tableSheets);
  const { output, running } = props;
  const found = useMemo(() => {
    const text = outputText(output);
    // While the output is incomplete, so is its JSON; report syntax errors only at the end.
    return running && !text.trimEnd().endsWith('}') ? null : read(output, text);
  }, [output, running]);
  if (!found || (running && found.faults.fatal)) return null;
  const {
    faults: { fatal, parts },
    table,
    source,
  } = found;
  if (fatal || !table || !source) {
    return (
      <Notice kind="danger">
        {fatal?.sentence}
        {fatal?.near && (
          <>
            {' '}
            <code>{fatal.near}</code>
          </>
        )}
      </Notice>
    );
  }
  return (
    <>
      {parts.length > 0 && !running && (
        <Notice>
          {parts.length === 1
            ? parts[0]
            : parts.map((part) => (
                <span key={part} className="network-fault">
                  {part}
                </span>
              ))}
        </Notice>
      )}
      <TableResult {...props} source={source} comment="" network={table} />
    </>
  );
}
