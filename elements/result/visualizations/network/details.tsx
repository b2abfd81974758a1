import { X } from 'lucide-react';
import type { NetworkGraph } from 'tiding/model';
import { networkText as words } from '../../../text/network.ts';
import { Button } from '../../../ui/button.tsx';
import { ownColour } from './colours.ts';
import type { Entity } from './scene.ts';
import type { Shape } from './shape.ts';

const asText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Id, label and data of what was chosen. */
export function Details({
  shape,
  labels,
  entity,
  onClose,
}: {
  shape: Shape;
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
          [words.from, edge.source],
          [words.to, edge.target],
        ] as const)
      : []),
    ...Object.entries(data).map(([name, value]) => [name, asText(value)] as const),
  ];
  return (
    <section className="network-details" aria-label={words.chosen}>
      <div className="network-details-head">
        <b>{isNode ? words.node : words.relationship}</b>
        {id !== undefined && (
          <span>
            {words.id} <span className="network-id">{id}</span>
          </span>
        )}
        {label !== undefined && (
          <LabelChip
            name={label}
            colour={isNode ? ownColour(labels, label) : undefined}
            plain={!isNode}
          />
        )}
        <span className="grow" />
        <Button size="sm" icon={X} label={words.close} onClick={onClose} />
      </div>
      {fields.length === 0 ? (
        <p className="secondary-text">{words.noData}</p>
      ) : (
        <dl tabIndex={0} aria-label={words.chosen}>
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

/** The name of a label beside its colour. */
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
