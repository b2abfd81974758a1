/** Relationships between tables, highest score first. */

import {
  type ShownRelationship,
  scoreBadge,
  shownRelationships,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo } from 'react';
import { fill } from '../../text/fill.ts';
import type { WidgetModule } from '../contract.ts';
import { ColourBadge, RecordTable, WidgetHead } from '../parts.tsx';
import { sentences } from '../sentences.ts';
import { measure, pluralize } from './format.ts';
import profileSheet from './profile.css';
import { profilesTexts as t } from './texts.ts';

const pairsText = ({ pairs }: ShownRelationship): string =>
  pairs.map((pair) => fill(t.pair, pair)).join(', ');

export const relationships: WidgetModule<WidgetData<'relationships'>> = {
  sheets: [profileSheet],
  describe: ({ relationships: all }) => {
    const { from, to, cardinality, score } = shownRelationships(all)[0] ?? {};
    return sentences(
      `${pluralize(all.length, t.relationship, t.relationshipsCount)}.`,
      score !== undefined &&
        fill(t.strongest, {
          from: from!,
          to: to!,
          cardinality: cardinality!,
          score: measure(score),
        }),
    );
  },
  View: ({ data }) => {
    const all = useMemo(() => shownRelationships(data.relationships), [data]);
    return (
      <>
        <WidgetHead
          title={t.relationships}
          about={pluralize(all.length, t.relationship, t.relationshipsCount)}
        />
        <RecordTable
          label={t.relationshipsByScore}
          rows={all}
          keepEmpty
          columns={[
            { label: t.from, link: 'table', value: ({ from }) => from },
            { label: t.to, link: 'table', value: ({ to }) => to },
            {
              label: t.joined,
              value: pairsText,
              cell: ({ pairs }) => (
                <ul>
                  {pairs.map((pair, at) => (
                    <li key={at} dir="auto">
                      {fill(t.pair, pair)}
                    </li>
                  ))}
                </ul>
              ),
            },
            { label: t.cardinality, value: ({ cardinality }) => cardinality },
            {
              label: t.score,
              value: ({ score }) => score,
              cell: ({ score }) =>
                score === undefined ? null : (
                  <ColourBadge colour={scoreBadge(score)}>{measure(score)}</ColourBadge>
                ),
            },
          ]}
        />
      </>
    );
  },
};
