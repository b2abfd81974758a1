/** Details of a field: its numbers, histogram, top values and time charts. */
import { type FieldProfile, timeCounts, timeUnits, topValues } from '@tiding/client/widgets';
import { fill } from '../../text/fill.ts';
import { Distribution, TimeChart, TopValuesChart } from './charts.tsx';
import { count, dataTime, measure } from './format.ts';
import { profilesTexts as t } from './texts.ts';

type Stat = readonly [label: string, value: string | undefined];

/** Rows of a numerical profile: order statistics ascending, then mean, deviation and sum. */
function numbersOf({ numericalProfile: of }: FieldProfile): Stat[] {
  if (!of) return [];
  const said = (value: number | undefined) => (value === undefined ? undefined : measure(value));
  return [
    [t.minimum, said(of.min)],
    ...[...of.percentiles]
      .sort((a, b) => a.percentile - b.percentile)
      .map(
        ({ percentile, value }): Stat => [
          percentile === 50 ? t.median : fill(t.percentile, { n: measure(percentile) }),
          said(value),
        ],
      ),
    [t.maximum, said(of.max)],
    [t.mean, said(of.mean)],
    [t.deviation, said(of.standardDeviation)],
    [t.sum, said(of.sum)],
    [t.nonFinite, of.nonFiniteCount ? count(of.nonFiniteCount) : undefined],
  ];
}

const momentsOf = (of: FieldProfile['dateProfile']): Stat[] => [
  [t.earliest, of?.min === undefined ? undefined : dataTime(of.min)],
  [t.latest, of?.max === undefined ? undefined : dataTime(of.max)],
];

function Stats({ title, of }: { title: string; of: readonly Stat[] }) {
  const told = of.filter(([, value]) => value !== undefined);
  if (told.length === 0) return null;
  return (
    <section className="stats">
      <h4>{title}</h4>
      <dl>
        {told.map(([label, value], at) => (
          <div key={at}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function FieldDetail({
  profile,
  rowCount,
}: {
  profile: FieldProfile;
  rowCount: number | undefined;
}) {
  const bins = profile.numericalProfile?.histogram ?? [];
  const top = topValues(profile, rowCount);
  const stats = [
    [t.numerical, numbersOf(profile)],
    [t.date, momentsOf(profile.dateProfile)],
    [t.timestamp, momentsOf(profile.timestampProfile)],
  ] as const;
  const hasStats = stats.some(([, of]) => of.some(([, value]) => value !== undefined));
  const times = timeUnits.flatMap(([unit, of]) => {
    const counts = timeCounts(unit, of(profile));
    return counts ? [{ unit, counts }] : [];
  });
  if (!hasStats && !top && bins.length === 0 && times.length === 0)
    return <p className="profile-detail dim">{t.nothingMore}</p>;
  return (
    <div className="profile-detail">
      {hasStats || top || bins.length > 0 ? (
        <div className={bins.length > 0 ? 'numbers' : 'numbers short'}>
          {hasStats ? (
            <div className="stats-column">
              {stats.map(([title, of]) => (
                <Stats key={title} title={title} of={of} />
              ))}
            </div>
          ) : null}
          {bins.length > 0 ? <Distribution bins={bins} /> : null}
          {top ? <TopValuesChart {...top} /> : null}
        </div>
      ) : null}
      {times.length > 0 ? (
        <div className="times">
          {times.map((each) => (
            <TimeChart key={each.unit} {...each} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
