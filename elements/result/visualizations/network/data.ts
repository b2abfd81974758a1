import type { NetworkData, TableData } from 'tiding/model';
import { networkText as words } from '../../../text/network.ts';
import { formatInteger } from '../../numbers.ts';

/** Whether a table is that of a network. */
export function isNetwork(table: TableData): table is NetworkData {
  return 'graph' in table && 'networkNodes' in table;
}

/** How many nodes and edges a network has. */
export function summaryOf({ graph: { nodes, edges } }: NetworkData): string {
  return words.summary(
    formatInteger(nodes.length),
    nodes.length === 1,
    formatInteger(edges.length),
    edges.length === 1,
  );
}
