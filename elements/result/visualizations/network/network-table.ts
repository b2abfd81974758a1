import type { NetworkData, TableData } from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import { networkTexts as uiText } from './texts.ts';

/** Whether a table contains a network. */
export function isNetwork(table: TableData): table is NetworkData {
  return 'graph' in table && 'networkNodes' in table;
}

/** Describes the number of nodes and edges. */
export function networkSummary({ graph: { nodes, edges } }: NetworkData): string {
  return uiText.summary(
    formatInteger(nodes.length),
    nodes.length === 1,
    formatInteger(edges.length),
    edges.length === 1,
  );
}
