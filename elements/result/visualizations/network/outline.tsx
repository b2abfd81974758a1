import { memo } from 'react';
import { formatInteger } from '../../parts/numbers.ts';
import type { IndexedNetwork } from './indexed-network.ts';
import { networkTexts as uiText } from './texts.ts';

/** Limits of the hidden list: nodes, and neighbours per node. The table view shows everything. */
const maxNodes = 200;
const mostOthers = 20;

/** Visually hidden list of the nodes for screen readers. */
export const NetworkOutline = memo(function Outline({
  shape,
  nameOf,
}: {
  shape: IndexedNetwork;
  nameOf: (number: number) => string;
}) {
  const others = (number: number): string => {
    const near = shape.neighbours[number]!;
    const names = near.slice(0, mostOthers).map(nameOf);
    return [
      ...names,
      ...(near.length > mostOthers
        ? [uiText.moreOthers(formatInteger(near.length - mostOthers))]
        : []),
    ].join(', ');
  };
  return (
    <div className="visually-hidden">
      <ul aria-label={uiText.outline}>
        {shape.nodes.slice(0, maxNodes).map((_, number) => (
          <li key={number}>
            {shape.neighbours[number]!.length === 0
              ? uiText.alone(nameOf(number))
              : uiText.relatedTo(nameOf(number), others(number))}
          </li>
        ))}
      </ul>
      {shape.nodes.length > maxNodes && (
        <p>{uiText.moreNodes(formatInteger(shape.nodes.length - maxNodes))}</p>
      )}
    </div>
  );
});
