import type { NetworkData } from '@tiding/client/model';
import { formatInteger } from '../../parts/numbers.ts';
import { explicitColour } from './colours.ts';
import { LabelChip } from './details.tsx';
import { networkTexts as uiText } from './texts.ts';

/** Number of nodes and relationships, with the node labels and relationship types. */
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
            {uiText.nodes} <b>{formatInteger(networkNodes.count)}</b>
          </span>
          {Object.keys(networkNodes.labels).map((label) => (
            <LabelChip
              key={label}
              name={label}
              colour={explicitColour(networkNodes.labels, label)}
            />
          ))}
        </div>
      )}
      {networkRelationships && (
        <div>
          <span className="label">
            {uiText.relationships} <b>{formatInteger(networkRelationships.count)}</b>
          </span>
          {networkRelationships.types.map((type) => (
            <LabelChip key={type} name={type} plain />
          ))}
        </div>
      )}
    </div>
  );
}
