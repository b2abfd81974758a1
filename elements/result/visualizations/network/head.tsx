import type { NetworkData } from 'tiding/model';
import { networkText as words } from '../../../text/network.ts';
import { formatInteger } from '../../numbers.ts';
import { ownColour } from './colours.ts';
import { LabelChip } from './details.tsx';

/** How many nodes and relationships there are, with their labels and types, where the network names any. */
export function NetworkHead({
  network: { networkNodes, networkRelationships },
}: {
  network: NetworkData;
}) {
  if (!networkNodes && !networkRelationships) return null;
  return (
    <div className="network-head">
      {networkNodes && (
        <div>
          <span className="label">
            {words.nodes} <b>{formatInteger(networkNodes.count)}</b>
          </span>
          {Object.keys(networkNodes.labels).map((label) => (
            <LabelChip key={label} name={label} colour={ownColour(networkNodes.labels, label)} />
          ))}
        </div>
      )}
      {networkRelationships && (
        <div>
          <span className="label">
            {words.relationships} <b>{formatInteger(networkRelationships.count)}</b>
          </span>
          {networkRelationships.types.map((type) => (
            <LabelChip key={type} name={type} plain />
          ))}
        </div>
      )}
    </div>
  );
}
