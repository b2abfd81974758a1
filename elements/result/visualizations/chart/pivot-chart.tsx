import {
  cleanPivot,
  missingColumns,
  type Pivot,
  type PivotConfig,
  pivotPointDetails,
  unusedMeasures,
} from '@tiding/client/model';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import { chartTexts } from '../../../text/results/charts.ts';
import { resultText } from '../../../text/results/result.ts';
import { Notice } from '../../parts/notice.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hasPeriods } from '../../rows/remote-groups.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { AxisControls } from '../fields/axis-controls.tsx';
import { PivotFields } from '../fields/pivot-fields.tsx';
import { useChartColumns } from '../use-chart-columns.ts';
import { useRemotePivot } from '../use-remote-chart.ts';
import type { ViewSetting } from './axes.ts';
import { arranged, axisSettings } from './axis-settings.ts';
import { categoriesOf } from './categories-of.ts';
import type { ChartKind } from './chart-kind.ts';
import { ChartTable, chartSummary, Legend, omissionNotes } from './chart-parts.tsx';
import type { ChartSpot } from './chart-pointing.ts';
import { EChart } from './echart.tsx';
import type { ChartPalette } from './palette.ts';
import { pivotNotes } from './pivot-notes.ts';
import { useHidden } from './use-hidden.ts';
import { usePivot } from './use-pivot.ts';
import { useWidth } from './use-width.ts';

const uiText = resultText.chart;

/** Minimum chart width in px for names beside the lines. */
const roomForNames = 440;

/** Chart of a pivot, with its field list, settings, legend, tooltips, selection and notes. */
export function PivotChart({
  kind,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onSelect,
  onPicture,
  source: rows,
  onCategories,
  hasCategories,
}: BuiltInVisualizationProps & { kind: ChartKind }) {
  const { keys, groups, values } = graph;
  const { columns, types } = useChartColumns(rows);
  const config = useMemo(
    () => cleanPivot({ keys, groups, values }, columns, types, kind.measures),
    [keys, groups, values, columns, types, kind],
  );
  const missing = useMemo(
    () => missingColumns([...(keys ?? []), ...(groups ?? []), ...(values ?? [])], columns),
    [keys, groups, values, columns],
  );
  const { remote } = rows;
  const stored = graph.setting[kind.id];
  // The object may be new without a change.
  const setting = useStableValue(stored, [JSON.stringify(stored ?? {})]);
  const axes = kind.axes === undefined ? undefined : axisSettings(setting ?? {});
  const grain = axes?.grain;
  const options = useMemo(
    () => ({ ...kind.pivot, grain, measure: chartTexts.measure }),
    [kind, grain],
  );
  const local = usePivot(remote ? undefined : rows, config, options);
  const onServer = useRemotePivot(remote, config, options);
  const { shown, busy } = onServer ?? local;
  const sort = kind.axes === 'sorted' && grain === undefined ? axes?.sort : undefined;
  const body = useRef<HTMLDivElement>(null);
  const width = useWidth(body, shown !== null && shown.pivot.series.length > 0);
  const order = useMemo(() => {
    if (!shown) return null;
    const made = arranged(shown.pivot, sort ?? 'none');
    return kind.fit?.(made, shown.config, sort ?? 'none', width) ?? made;
  }, [shown, sort, kind, width]);
  const pivot = order?.pivot;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: Pivot; spot: ChartSpot } | null>(null);
  const drawing = useMemo(() => pivot && kind.draw(pivot, setting ?? {}), [kind, pivot, setting]);
  const picked = choice && choice.of === pivot ? choice.spot : null;
  const ends = width >= roomForNames && drawing?.named === true;

  const option = useCallback(
    (palette: ChartPalette) => drawing!.option(palette, { hidden, picked, ends }),
    [drawing, hidden, picked, ends],
  );
  const pointing = useMemo(() => drawing?.pointing(hidden), [drawing, hidden]);
  const pick = (spot: ChartSpot | null): void => {
    const origin = spot && (drawing?.origin ? drawing.origin(spot) : spot);
    const place =
      origin && shown
        ? pivotPointDetails(
            shown.config,
            shown.pivot,
            origin.series,
            order?.points?.[origin.point] ?? origin.point,
          )
        : undefined;
    setChoice(place && spot ? { of: pivot!, spot } : null);
    onSelect(place ?? null);
    onCategories?.(
      place && shown ? categoriesOf(shown.config, place.values, grain, onServer?.grouped) : [],
    );
  };
  // Users can remove the selection elsewhere on the page.
  useEffect(() => {
    if (hasCategories === false) setChoice(null);
  }, [hasCategories]);
  const setPivot = (next: PivotConfig): void =>
    onGraph({ keys: next.keys, groups: next.groups, values: next.values });
  const save = (patch: ViewSetting, pause?: number): void =>
    onGraph({ setting: { ...graph.setting, [kind.id]: { ...setting, ...patch } } }, pause);
  const settings = kind.settings?.(setting ?? {}, save);
  const isDefault = !keys && !groups && !values;
  const quiet = ends && !optionOpen && hidden.size === 0;
  const [empty, hint] =
    rows.length === 0 && (config.values.length > 0 || !values)
      ? [uiText.noRows]
      : types.includes('number')
        ? [uiText.noValues, uiText.noValuesHint]
        : [uiText.noNumbers, uiText.noNumbersHint];
  const notes = [
    ...(onServer?.notes ?? []),
    ...(order?.note === undefined ? [] : [order.note]),
    ...(drawing?.notes ?? []),
    ...(pivot && !drawing?.origin ? omissionNotes(pivot) : []),
    ...(shown
      ? pivotNotes(
          shown.pivot,
          shown.config,
          rows.columns,
          isDefault ? unusedMeasures(config, columns, types) : [],
        )
      : []),
  ];
  return (
    <div className="chart-outer" aria-busy={busy}>
      {optionOpen && (
        <PivotFields columns={columns} pivot={config} onPivot={setPivot}>
          {settings && <div className="fields-settings">{settings}</div>}
          {axes && (
            <div className="fields-settings">
              <AxisControls
                setting={setting ?? {}}
                save={save}
                sorts={kind.axes === 'sorted'}
                dates={
                  (!remote || hasPeriods(rows, config.keys)) &&
                  (grain !== undefined || pivot?.time !== undefined)
                }
              />
            </div>
          )}
        </PivotFields>
      )}
      {missing.length > 0 && (
        <Notice>{chartTexts.missing(missing.join(', '), missing.length === 1)}</Notice>
      )}
      {!pivot || !drawing ? (
        <Skeleton height={height} />
      ) : pivot.series.length === 0 ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>{empty}</p>
          {hint && <p className="secondary-text">{hint}</p>}
        </div>
      ) : (
        <div ref={body} className="chart-body" style={fill ? undefined : { height }}>
          <Legend entries={drawing.entries} hidden={hidden} onToggle={toggle} quiet={quiet} />
          <EChart
            option={option}
            of={pivot}
            label={chartSummary(kind.label(), pivot)}
            pointing={pointing!}
            tip={(spot) => drawing.tip(spot, hidden)}
            onPick={pick}
            picture={{
              title,
              legend:
                ends || drawing.entries.length < 2
                  ? []
                  : drawing.entries.filter(({ name }) => !hidden.has(name)),
            }}
            onPicture={onPicture}
          />
          {notes.map((note) => (
            <p key={note} className="chart-more">
              {note}
            </p>
          ))}
          <ChartTable
            pivot={pivot}
            title={title}
            {...(drawing.format && { format: drawing.format })}
          />
        </div>
      )}
    </div>
  );
}
