import { memo } from 'react';
import { networkText as words } from '../../../text/network.ts';
import { formatInteger } from '../../numbers.ts';
import type { Shape } from './shape.ts';

/** Nodes of the hidden list, and names after each; who wants more takes the table view. */
const most = 200;
const mostOthers = 20;

/** The network for those who read instead of look. */
export const Outline = memo(function Outline({
  shape,
  nameOf,
}: {
  shape: Shape;
  nameOf: (number: number) => string;
}) {
  const others = (number: number): string => {
    const near = shape.neighbours[number]!;
    const names = near.slice(0, mostOthers).map(nameOf);
    return [
      ...names,
      ...(near.length > mostOthers
        ? [words.moreOthers(formatInteger(near.length - mostOthers))]
        : []),
    ].join(', ');
  };
  return (
    <div className="visually-hidden">
      <ul aria-label={words.outline}>
        {shape.nodes.slice(0, most).map((_, number) => (
          <li key={number}>
            {shape.neighbours[number]!.length === 0
              ? words.alone(nameOf(number))
              : words.relatedTo(nameOf(number), others(number))}
          </li>
        ))}
      </ul>
      {shape.nodes.length > most && (
        <p>{words.moreNodes(formatInteger(shape.nodes.length - most))}</p>
      )}
    </div>
  );
});
