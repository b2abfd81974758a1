import { dateGrains } from '@tiding/client/model';
import { chartTexts } from '../../../text/results/charts.ts';
import type { ViewSetting } from '../chart/axes.ts';
import { axisSettings, numberFormats, sortOrders } from '../chart/axis-settings.ts';
import { CheckboxControl, SavedField } from './controls.tsx';

const t = chartTexts.axisSettings;

interface AxisControlsProps {
  setting: ViewSetting;
  save: (patch: ViewSetting) => void;
  /** Whether categories can be sorted, as in a bar chart. */
  sorts?: boolean;
  /** Whether the first key is a column of dates. */
  dates: boolean;
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
  onSave,
}: {
  label: string;
  value: string;
  size: number;
  onSave: (text: string) => void;
}) {
  return (
    <span className="fields-control">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <SavedField
        label={label}
        value={value}
        size={size}
        accept={(text) => text.trim()}
        onSave={onSave}
      />
    </span>
  );
}

/** A number, or nothing. */
function numberText(text: string): string | null {
  const typed = text.trim().replace('\u2212', '-');
  return typed === '' ? '' : Number.isFinite(Number(typed)) ? String(Number(typed)) : null;
}

/** Settings of the axes: titles, number format, order, scale, periods and a reference line. */
export function AxisControls({ setting, save, sorts = false, dates }: AxisControlsProps) {
  const axes = axisSettings(setting);
  const stored = setting['axes'];
  const change = (patch: Record<string, unknown>): void =>
    save({ axes: { ...(typeof stored === 'object' ? stored : {}), ...patch } });
  return (
    <>
      {dates ? (
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
      {sorts && axes.grain === undefined ? (
        <Choice
          label={t.sort}
          value={axes.sort}
          options={sortOrders.map((each) => [each, t.sorts[each]] as const)}
          onValue={(sort) => change({ sort })}
        />
      ) : null}
      <Words
        label={t.xTitle}
        value={axes.xTitle}
        size={20}
        onSave={(xTitle) => change({ xTitle })}
      />
      <Words
        label={t.yTitle}
        value={axes.yTitle}
        size={20}
        onSave={(yTitle) => change({ yTitle })}
      />
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
      <span className="fields-control">
        <span className="label" aria-hidden="true">
          {t.line}
        </span>
        <SavedField
          label={t.line}
          value={axes.line === undefined ? '' : String(axes.line)}
          size={6}
          accept={numberText}
          onSave={(line) => change({ line: line === '' ? null : Number(line) })}
        />
      </span>
      <CheckboxControl label={t.log} value={axes.log} onValue={(log) => change({ log })} />
    </>
  );
}
