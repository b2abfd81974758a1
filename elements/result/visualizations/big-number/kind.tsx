import { numberFormat } from '../../parts/numbers.ts';
import { boundsOf, keyFormat } from '../chart/axes.ts';
import { axisSettings, numberFormatter } from '../chart/axis-settings.ts';
import type { ChartBodyProps, ChartKind } from '../chart/chart-kind.ts';
import { chartTexts } from '../chart/texts.ts';

const t = chartTexts.bigNumber;
const [WIDTH, HEIGHT] = [160, 36];
const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'always' });

/** Returns the change in words; a change from zero has no percentage. */
function changeText(now: number, before: number, format: (value: number) => string): string {
  const difference = now - before;
  if (difference === 0) return t.same;
  const arrow = difference > 0 ? '▲' : '▼';
  const amount = `${difference > 0 ? '+' : ''}${format(difference)}`;
  const part = percent.format(difference / Math.abs(before)).replace('-', '\u2212');
  return before === 0 ? `${arrow} ${amount}` : `${arrow} ${part} (${amount})`;
}

/** A line through the values, without axes. */
function Sparkline({ values }: { values: readonly (number | null)[] }) {
  const drawn = values.filter((value) => value !== null);
  const [low, high] = boundsOf(drawn);
  if (drawn.length < 3 || !(high > low)) return null;
  const path = values
    .flatMap((value, at) => {
      if (value === null) return [];
      const isFirst = at === 0 || values[at - 1] === null;
      const x = (at / (values.length - 1)) * WIDTH;
      const y = HEIGHT - 2 - ((value - low) / (high - low)) * (HEIGHT - 4);
      return [`${isFirst ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`];
    })
    .join('');
  return (
    <svg
      className="big-number-line"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** The last value of each series, and what it was one period before. */
function BigNumbers({ pivot, setting }: ChartBodyProps) {
  const format = numberFormatter(axisSettings(setting));
  const name = keyFormat(pivot);
  const { x, series, time } = pivot;
  const last = x.length - 1;
  return (
    <div className="big-numbers">
      {series.map(({ name: measure, values }, at) => {
        const now = values[last];
        const before = values[last - 1];
        return (
          <figure key={at} className="big-number">
            <figcaption>{measure}</figcaption>
            <p className="big-number-value">{now == null ? t.none : format(now)}</p>
            {time !== undefined && (
              <p className="secondary-text">
                {last === 0
                  ? name(x[last]!)
                  : now == null || before == null
                    ? t.noBefore(name(x[last]!), name(x[last - 1]!))
                    : t.change(
                        name(x[last]!),
                        changeText(now, before, format),
                        name(x[last - 1]!),
                        format(before),
                      )}
              </p>
            )}
            {time !== undefined && <Sparkline values={values} />}
          </figure>
        );
      })}
    </div>
  );
}

/** The value of the last period and its change; without dates, the value of all rows. */
export default {
  id: 'bigNumber',
  pivot: { scale: true, gather: false, maxSeries: 12, maxValues: 50_000 },
  isOneAxis: false,
  measures: 4,
  offers: ['grain', 'running', 'numbers'],
  config({ keys, groups, values }, _columns, types) {
    const isDated = keys.length === 1 && types[keys[0]!.index] === 'date';
    return { keys: isDated ? keys : [], groups, values };
  },
  Body: BigNumbers,
} satisfies ChartKind;
