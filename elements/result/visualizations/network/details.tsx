import type { NetworkGraph } from '@tiding/client/model';
import { X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { explicitColour } from './colours.ts';
import type { IndexedNetwork } from './indexed-network.ts';
import type { Entity } from './scene.ts';
import { networkTexts as uiText } from './texts.ts';

/** The text of a value in the data of a node or edge. */
export const dataText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Id, label and data of the selected node or edge. */
export function NetworkDetails({
  shape,
  labels,
  entity,
  onClose,
}: {
  shape: IndexedNetwork;
  labels: NetworkGraph['labels'];
  entity: Entity;
  onClose: () => void;
}) {
  const isNode = 'node' in entity;
  const edge = isNode ? undefined : shape.edges[entity.edge]!.edge;
  const { id, label, data } = isNode ? shape.nodes[entity.node]! : edge!;
  const fields = [
    ...(edge
      ? ([
          [uiText.from, edge.source],
          [uiText.to, edge.target],
        ] as const)
      : []),
    ...Object.entries(data).map(([name, value]) => [name, dataText(value)] as const),
  ];
  return (
    <section className="network-details" aria-label={uiText.chosen}>
      <div className="network-details-head">
        <b>{isNode ? uiText.node : uiText.relationship}</b>
        {id !== undefined && (
          <span>
            {uiText.id} <span className="network-id">{id}</span>
          </span>
        )}
        {label !== undefined && (
          <LabelChip
            name={label}
            colour={isNode ? explicitColour(labels, label) : undefined}
            plain={!isNode}
          />
        )}
        <span className="grow" />
        <Button size="sm" icon={X} label={uiText.close} onClick={onClose} />
      </div>
      {fields.length === 0 ? (
        <p className="secondary-text">{uiText.noData}</p>
      ) : (
        <dl tabIndex={0} aria-label={uiText.chosen}>
          {fields.map(([name, value], at) => (
            <div key={at}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** A node label with its colour. */
export function LabelChip({
  name,
  colour,
  plain,
}: {
  name: string;
  colour?: string | undefined;
  plain?: boolean;
}) {
  return (
    <span className="network-label">
      {!plain && (
        <span
          className="network-key"
          style={colour === undefined ? undefined : { background: colour }}
          aria-hidden="true"
        />
      )}
      <bdi>{name}</bdi>
    </span>
  );
}
