import { dateGrains } from '@tiding/client/model';
import { chartTexts } from '../../../text/results/charts.ts';
import type { ViewSetting } from '../chart/axes.ts';
import {
  axisSettings,
  COLOR_COUNT,
  legendPlaces,
  linesText,
  numberFormats,
  parseLines,
  sortOrders,
} from '../chart/axis-settings.ts';
import type { SharedOption } from '../chart/chart-kind.ts';
import type { LegendEntry } from '../chart/chart-parts.tsx';
import { seriesToken } from '../chart/palette.ts';
import { CheckboxControl, SavedField, XLabelControl } from './controls.tsx';

const t = chartTexts.axisSettings;
/** Series that have a control for their colour. */
const MAX_COLORED = 12;

interface SharedControlsProps {
  setting: ViewSetting;
  save: (patch: ViewSetting) => void;
  /** The settings that the chart has. */
  offers: readonly SharedOption[];
}

function Choice<Value extends string>({
  label,
  value,
  options,
  onValue,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [Value, string])[];
  onValue: (value: Value) => void;
}) {
  return (
    <label className="fields-control">
      <span className="label">{label}</span>
      <select
        className="select"
        value={value}
        onChange={(event) => onValue(event.target.value as Value)}
      >
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Words({
  label,
  value,
  size,
  placeholder = '',
  accept = (text) => text.trim(),
  onSave,
}: {
  label: string;
  value: string;
  size: number;
  placeholder?: string;
  accept?: (text: string) => string | null;
  onSave: (text: string) => void;
}) {
  return (
    <span className="fields-control">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <SavedField {...{ label, value, size, placeholder, accept, onSave }} />
    </span>
  );
}

/** The stored settings, and a function that changes some of them. */
function sharedOf({ setting, save }: Pick<SharedControlsProps, 'setting' | 'save'>) {
  const stored = setting['axes'];
  return {
    axes: axisSettings(setting),
    change: (patch: Record<string, unknown>): void =>
      save({ axes: { ...(typeof stored === 'object' ? stored : {}), ...patch } }),
  };
}

/** A whole number from 1, or nothing. */
function countText(text: string): string | null {
  const count = Number(text.trim());
  return text.trim() === '' ? '' : Number.isInteger(count) && count > 0 ? String(count) : null;
}

/** Settings of the data: periods, order and number of categories. */
export function DataControls({
  dates,
  ...shared
}: SharedControlsProps & {
  /** Whether the first key is a column of dates. */
  dates: boolean;
}) {
  const { offers } = shared;
  const { axes, change } = sharedOf(shared);
  return (
    <>
      {offers.includes('grain') && dates ? (
        <Choice
          label={t.grain}
          value={axes.grain ?? 'none'}
          options={[
            ['none', t.grains.none],
            ...dateGrains.map((each) => [each, t.grains[each]] as const),
          ]}
          onValue={(grain) => change({ grain })}
        />
      ) : null}
      {offers.includes('sort') && axes.grain === undefined ? (
        <Choice
          label={t.sort}
          value={axes.sort}
          options={sortOrders.map((each) => [each, t.sorts[each]] as const)}
          onValue={(sort) => change({ sort })}
        />
      ) : null}
      {offers.includes('top') ? (
        <Words
          label={t.top}
          value={axes.top === undefined ? '' : String(axes.top)}
          size={6}
          placeholder={t.auto}
          accept={countText}
          onSave={(top) => change({ top: top === '' ? null : Number(top) })}
        />
      ) : null}
      {offers.includes('top') && offers.includes('sort') && axes.top !== undefined ? (
        <CheckboxControl
          label={t.others}
          value={axes.others}
          onValue={(others) => change({ others })}
        />
      ) : null}
    </>
  );
}

/** Settings of the look: heading, legend, values, trends and colours. */
export function LookControls({
  entries,
  ...shared
}: SharedControlsProps & { entries: readonly LegendEntry[] }) {
  const { offers } = shared;
  const { axes, change } = sharedOf(shared);
  const { colors } = axes;
  const colorWith = (name: string, color: string): Record<string, number> => {
    const { [name]: _, ...others } = colors;
    return color === '' ? others : { ...others, [name]: Number(color) };
  };
  return (
    <>
      <Words label={t.title} value={axes.title} size={20} onSave={(title) => change({ title })} />
      <Words
        label={t.subtitle}
        value={axes.subtitle}
        size={20}
        onSave={(subtitle) => change({ subtitle })}
      />
      {entries.length > 1 ? (
        <Choice
          label={t.legend}
          value={axes.legend}
          options={legendPlaces.map((each) => [each, t.legends[each]] as const)}
          onValue={(legend) => change({ legend })}
        />
      ) : null}
      {offers.includes('labels') ? (
        <CheckboxControl
          label={t.labels}
          value={axes.labels ?? !offers.includes('xTitle')}
          onValue={(labels) => change({ labels })}
        />
      ) : null}
      {offers.includes('trend') ? (
        <CheckboxControl
          label={t.trend}
          value={axes.trend}
          onValue={(trend) => change({ trend })}
        />
      ) : null}
      {entries.slice(0, MAX_COLORED).map(({ name, at, count }) => (
        <label key={at} className="fields-control">
          <span className="label fields-color">
            <span
              className="chart-key"
              style={{ background: seriesToken(at, count) }}
              aria-hidden="true"
            />
            <span className="visually-hidden">{t.colorOf}</span> {name}
          </span>
          <select
            className="select"
            value={colors[name] ?? ''}
            onChange={(event) => change({ colors: colorWith(name, event.target.value) })}
          >
            <option value="">{t.auto}</option>
            {Array.from({ length: COLOR_COUNT }, (_, color) => (
              <option key={color} value={color}>
                {t.color(color + 1)}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
}

/** Settings of the axes: titles, number format, scale and reference lines. */
export function AxisControls(shared: SharedControlsProps) {
  const { offers, setting, save } = shared;
  const { axes, change } = sharedOf(shared);
  return (
    <>
      {offers.includes('xTitle') ? (
        <Words
          label={t.xTitle}
          value={axes.xTitle}
          size={20}
          onSave={(xTitle) => change({ xTitle })}
        />
      ) : null}
      {offers.includes('yTitle') ? (
        <Words
          label={t.yTitle}
          value={axes.yTitle}
          size={20}
          onSave={(yTitle) => change({ yTitle })}
        />
      ) : null}
      {offers.includes('numbers') ? (
        <>
          <Choice
            label={t.format}
            value={axes.format}
            options={numberFormats.map((each) => [each, t.formats[each]] as const)}
            onValue={(format) => change({ format })}
          />
          <Words
            label={axes.format === 'currency' ? t.currency : t.unit}
            value={axes.unit}
            size={6}
            onSave={(unit) => change({ unit })}
          />
        </>
      ) : null}
      {offers.includes('lines') ? (
        <Words
          label={t.line}
          value={linesText(axes.lines)}
          size={20}
          placeholder={t.lineHint}
          accept={(text) => {
            const lines = parseLines(text);
            return lines && linesText(lines);
          }}
          onSave={(text) => change({ lines: parseLines(text), line: null })}
        />
      ) : null}
      {offers.includes('xLabels') ? <XLabelControl setting={setting} save={save} /> : null}
      {offers.includes('log') ? (
        <CheckboxControl label={t.log} value={axes.log} onValue={(log) => change({ log })} />
      ) : null}
    </>
  );
}
