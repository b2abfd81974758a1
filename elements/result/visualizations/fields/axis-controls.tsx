import { dateGrains } from '@tiding/client/model';
import { LabelledChoice } from '../../../ui/fields/labelled.tsx';
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
import { chartTexts } from '../chart/texts.ts';
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

/** The stored settings, a function that changes some of them, and controls of one setting. */
function controlsOf({ setting, save }: Pick<SharedControlsProps, 'setting' | 'save'>) {
  const stored = setting['axes'];
  const axes = axisSettings(setting);
  const change = (patch: Record<string, unknown>): void =>
    save({ axes: { ...(typeof stored === 'object' ? stored : {}), ...patch } });
  return {
    axes,
    change,
    words: (name: 'title' | 'subtitle' | 'xTitle' | 'yTitle') => (
      <Words
        label={t[name]}
        value={axes[name]}
        size={20}
        onSave={(text) => change({ [name]: text })}
      />
    ),
    check: (name: 'others' | 'labels' | 'trend' | 'facets' | 'log', value = axes[name]) => (
      <CheckboxControl
        label={t[name]}
        value={value === true}
        onValue={(on) => change({ [name]: on })}
      />
    ),
    choice: <Value extends string>(
      name: 'grain' | 'sort' | 'legend' | 'format',
      values: readonly Value[],
      texts: Readonly<Record<Value, string>>,
      value: string | undefined = axes[name],
    ) => (
      <LabelledChoice
        className="fields-control"
        label={t[name]}
        value={value ?? ''}
        options={values.map((each) => [each, texts[each]] as const)}
        onValue={(chosen) => change({ [name]: chosen })}
      />
    ),
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
  const { axes, change, check, choice } = controlsOf(shared);
  return (
    <>
      {offers.includes('grain') &&
        dates &&
        choice('grain', ['none', ...dateGrains], t.grains, axes.grain ?? 'none')}
      {offers.includes('sort') && axes.grain === undefined && choice('sort', sortOrders, t.sorts)}
      {offers.includes('top') && (
        <Words
          label={t.top}
          value={axes.top === undefined ? '' : String(axes.top)}
          size={6}
          placeholder={t.auto}
          accept={countText}
          onSave={(top) => change({ top: top === '' ? null : Number(top) })}
        />
      )}
      {offers.includes('top') &&
        offers.includes('sort') &&
        axes.top !== undefined &&
        check('others')}
    </>
  );
}

/** Settings of the look: heading, legend, values, trends and colours. */
export function LookControls({
  entries,
  ...shared
}: SharedControlsProps & { entries: readonly LegendEntry[] }) {
  const { offers } = shared;
  const { axes, change, check, choice, words } = controlsOf(shared);
  const { colors } = axes;
  const colorWith = (name: string, color: string): Record<string, number> => {
    const { [name]: _, ...others } = colors;
    return color === '' ? others : { ...others, [name]: Number(color) };
  };
  return (
    <>
      {words('title')}
      {words('subtitle')}
      {offers.includes('facets') && (entries.length > 1 || axes.facets) ? check('facets') : null}
      {entries.length > 1 ? choice('legend', legendPlaces, t.legends) : null}
      {offers.includes('labels')
        ? check('labels', axes.labels ?? !offers.includes('xTitle'))
        : null}
      {offers.includes('trend') ? check('trend') : null}
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
  const { axes, change, check, choice, words } = controlsOf(shared);
  return (
    <>
      {offers.includes('xTitle') ? words('xTitle') : null}
      {offers.includes('yTitle') ? words('yTitle') : null}
      {offers.includes('numbers') ? (
        <>
          {choice('format', numberFormats, t.formats)}
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
      {offers.includes('log') ? check('log') : null}
    </>
  );
}
