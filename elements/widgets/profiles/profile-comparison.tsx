/**
 * Compares two profiles of the same data set: fields added, removed and changed, and by how much.
 */

import {
  type BadgeColour as Colour,
  type ComparedField,
  compareProfiles,
  type FieldChange,
  shareOf,
  type WidgetData,
} from '@tiding/client/widgets';
import { useMemo, useState } from 'react';
import { fill } from '../../text/fill.ts';
import { Switch } from '../../ui/page.tsx';
import type { WidgetModule } from '../contract.ts';
import { ColourBadge, Facts, moment, RecordTable, WidgetHead } from '../parts.tsx';
import { sentences } from '../sentences.ts';
import { count, percent, signed } from './format.ts';
import profileSheet from './profile.css';
import { profilesTexts as t } from './texts.ts';

type Data = WidgetData<'profile-comparison'>;
const colours: Readonly<Record<FieldChange, Colour>> = {
  added: 'success',
  removed: 'danger',
  type: 'warning',
  changed: 'info',
  same: 'default',
};

const nameOf = ({ before, after }: Data): string => after?.tableName || before?.tableName || '';
const number = (value: number | undefined): string => (value === undefined ? '' : count(value));
/** Returns `14 → 20`, or the value that exists. */
const both = (before: string, after: string): string =>
  before === after || before === '' || after === '' ? before || after : `${before} → ${after}`;
/** Returns `+3 points` or `+12.5 %`; empty if unchanged. */
const tenths = (value: number): string =>
  signed(Math.round(value * 10) / 10, (each) =>
    each.toLocaleString(undefined, { maximumFractionDigits: 1 }).replace(/^-/, '\u2212'),
  );

function Nulls({ of: { before, after, nullShare }, data }: { of: ComparedField; data: Data }) {
  const shares = both(
    percent(shareOf(before?.nullCount, data.before?.rowCount)),
    percent(shareOf(after?.nullCount, data.after?.rowCount)),
  );
  const points = nullShare === undefined ? 0 : Math.round(nullShare * 1000) / 10;
  return (
    <>
      {both(number(before?.nullCount), number(after?.nullCount))}
      <span className="secondary">
        {' '}
        {[shares, points === 0 ? '' : fill(t.points, { n: tenths(points) })]
          .filter((part) => part !== '')
          .join(', ')}
      </span>
    </>
  );
}

function Distinct({ of: { before, after, distinct } }: { of: ComparedField }) {
  const change =
    distinct === undefined || distinct === 0
      ? ''
      : Number.isFinite(distinct)
        ? fill(t.percentile, { n: tenths(distinct * 100) })
        : t.fromNone;
  return (
    <>
      {both(number(before?.distinctValueCount), number(after?.distinctValueCount))}
      {change === '' ? null : <span className="secondary"> {change}</span>}
    </>
  );
}

export const profileComparison: WidgetModule<Data> = {
  sheets: [profileSheet],
  describe: (data) => {
    const { fields } = compareProfiles(data.before, data.after);
    const of = (change: FieldChange) => fields.filter((field) => field.change === change).length;
    const [before, after] = [data.before?.rowCount, data.after?.rowCount];
    return sentences(
      fill(t.comparisonSummary, {
        name: nameOf(data) || t.thisData,
        added: of('added'),
        removed: of('removed'),
        type: of('type'),
        changed: of('changed'),
        same: of('same'),
      }),
      before !== undefined &&
        after !== undefined &&
        fill(t.comparisonRows, { before: count(before), after: count(after) }),
      fields[0] &&
        fields[0].change !== 'same' &&
        fill(t.changedMost, { name: fields[0].fieldName }),
    );
  },
  View: ({ data }) => {
    const { rows, fields } = useMemo(() => compareProfiles(data.before, data.after), [data]);
    const [only, setOnly] = useState(true);
    const { before, after } = data;
    const shown = useMemo(
      () => (only ? fields.filter(({ change }) => change !== 'same') : fields),
      [fields, only],
    );
    const name = nameOf(data);
    return (
      <>
        <WidgetHead
          title={name === '' ? t.comparisonPlain : fill(t.comparison, { name })}
          actions={<Switch label={t.onlyChanged} checked={only} onChange={setOnly} />}
        />
        <Facts
          of={[
            [
              t.rowCount,
              rows === undefined || rows === 0
                ? number(after?.rowCount ?? before?.rowCount)
                : fill(t.rowsChanged, {
                    before: number(before?.rowCount),
                    after: number(after?.rowCount),
                    change: signed(rows),
                  }),
            ],
            [t.before, moment(before?.createdAt)],
            [t.after, moment(after?.createdAt)],
          ]}
        />
        <RecordTable
          label={t.compared}
          rows={shown}
          empty={fields.length === 0 ? t.noFields : t.nothingChanged}
          keepEmpty
          columns={[
            { label: t.name, value: ({ fieldName }) => fieldName },
            {
              label: t.change,
              value: ({ change }) => t.changes[change],
              cell: ({ change }) => (
                <ColourBadge colour={colours[change]}>{t.changes[change]}</ColourBadge>
              ),
            },
            {
              label: t.type,
              value: (field) =>
                both(
                  field.before?.inferredProfileType ?? '',
                  field.after?.inferredProfileType ?? '',
                ),
            },
            {
              label: t.nulls,
              value: ({ nullShare }) => (nullShare === undefined ? undefined : Math.abs(nullShare)),
              cell: (field) => <Nulls of={field} data={data} />,
            },
            {
              label: t.distinct,
              value: ({ distinct }) => (distinct === undefined ? undefined : Math.abs(distinct)),
              cell: (field) => <Distinct of={field} />,
            },
          ]}
        />
      </>
    );
  },
};
