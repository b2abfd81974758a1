import { useMemo } from 'react';
import { outputText, type Output } from 'tiding/client';
import { parseNetwork, type NetworkData } from 'tiding/model';
import type { DisplayProps } from '../contract.ts';
import { Notice } from '../notice.tsx';
import { networkFaults, type NetworkFaults } from './network-faults.ts';
import { TableResult } from './table/table-result.tsx';

interface Read {
  readonly count: number;
  readonly faults: NetworkFaults;
  readonly table: NetworkData | null;
}

/** What was read of an output, so that nothing moves when it comes into sight again. */
const known = new WeakMap<Output['chunks'], Read>();

function read({ chunks, count }: Output, text: string): Read {
  const old = known.get(chunks);
  if (old?.count === count) return old;
  const faults = networkFaults(text);
  const next = { count, faults, table: faults.fatal ? null : parseNetwork(text) };
  known.set(chunks, next);
  return next;
}

/** A network: drawn, and as the table of its nodes and edges. */
export default function NetworkDisplay(props: DisplayProps) {
  const { output, running } = props;
  const found = useMemo(() => {
    const text = outputText(output);
    // While data still comes it is half a document; at the end it must be a whole one.
    return running && !text.trimEnd().endsWith('}') ? null : read(output, text);
  }, [output, running]);
  if (!found || (running && found.faults.fatal)) return null;
  const {
    faults: { fatal, parts },
    table,
  } = found;
  if (fatal || !table) {
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
      <TableResult table={table} {...props} />
    </>
  );
}
