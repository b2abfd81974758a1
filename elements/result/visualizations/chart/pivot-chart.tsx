import {
  cleanPivot,
  missingColumns,
  type Pivot,
  pivotPointDetails,
  unusedMeasures,
} from '@tiding/client/model';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import { Skeleton } from '../../parts/skeleton.tsx';
import { hasPeriods } from '../../rows/remote-groups.ts';
import { resultText } from '../../texts.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { AxisControls, DataControls, LookControls } from '../fields/axis-controls.tsx';
import { PivotFields } from '../fields/pivot-fields.tsx';
import { useChartColumns } from '../use-chart-columns.ts';
import type { ViewSetting } from './axes.ts';
import { axisSettings } from './axis-settings.ts';
import { categoriesOf } from './categories-of.ts';
import type { ChartKind } from './chart-kind.ts';
import { ChartDrawing, ChartLayout, ChartPanel } from './chart-layout.tsx';
import {
  ChartHeading,
  ChartNotes,
  ChartTable,
  chartSummary,
  omittedNotes,
} from './chart-parts.tsx';
import type { ChartSpot } from './chart-pointing.ts';
import { type ChartPalette, chosenColors } from './palette.ts';
import { pivotNotes } from './pivot-notes.ts';
import { preparedPivot } from './prepared-pivot.ts';
import { chartTexts } from './texts.ts';
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
  const isDefault = !keys && !groups && !values;
  const chosen = useMemo(
    () => cleanPivot({ keys, groups, values }, columns, types, kind.measures),
    [keys, groups, values, columns, types, kind],
  );
  const config = useMemo(
    () => kind.config?.(chosen, columns, types, isDefault) ?? chosen,
    [chosen, columns, types, kind, isDefault],
  );
  const missing = useMemo(
    () => missingColumns([...(keys ?? []), ...(groups ?? []), ...(values ?? [])], columns),
    [keys, groups, values, columns],
  );
  const stored = graph.setting[kind.id];
  // The object may be new without a change.
  const setting = useStableValue(stored, [JSON.stringify(stored ?? {})]);
  const shared = useMemo(() => axisSettings(setting ?? {}), [setting]);
  const grain = kind.offers.includes('grain') ? shared.grain : undefined;
  const options = useMemo(
    () => ({
      ...kind.pivot,
      ...kind.options?.(setting ?? {}),
      grain,
      measure: chartTexts.measure,
    }),
    [kind, grain, setting],
  );
  const { shown, busy, notes: sourceNotes, grouped } = usePivot(rows, config, options);
  const body = useRef<HTMLDivElement>(null);
  const width = useWidth(body, shown !== null && shown.pivot.series.length > 0);
  const order = useMemo(() => {
    if (!shown) return null;
    return preparedPivot(kind, shown.pivot, shown.config, setting ?? {}, width);
  }, [shown, setting, kind, width]);
  const pivot = order?.pivot;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: Pivot; spot: ChartSpot } | null>(null);
  const drawing = useMemo(() => pivot && kind.draw?.(pivot, setting ?? {}), [kind, pivot, setting]);
  const picked = choice && choice.of === pivot ? choice.spot : null;
  const ends = width >= roomForNames && drawing?.named === true && shared.legend === 'auto';

  // A drawing that changes while it is animated keeps the old shapes.
  const isStill = width === 0 && drawing?.named === true;
  const option = useCallback(
    (palette: ChartPalette) => ({
      ...drawing!.option(palette, { hidden, picked, ends, width }),
      ...(isStill && { animation: false }),
    }),
    [drawing, hidden, picked, ends, width, isStill],
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
      place && shown
        ? categoriesOf(
            shown.config,
            place.values,
            grain,
            shown.pivot.width === undefined ? grouped : shown.config.keys.map(({ name }) => name),
          )
        : [],
    );
  };
  // Users can remove the selection elsewhere on the page.
  useEffect(() => {
    if (hasCategories === false) setChoice(null);
  }, [hasCategories]);
  const save = (patch: ViewSetting, pause?: number): void =>
    onGraph({ setting: { ...graph.setting, [kind.id]: { ...setting, ...patch } } }, pause);
  const settings = kind.settings?.(setting ?? {}, save);
  const entries = drawing?.entries ?? [];
  const [empty, hint] =
    rows.length === 0 && (config.values.length > 0 || !values)
      ? [uiText.noRows]
      : types.includes('number')
        ? [uiText.noValues, uiText.noValuesHint]
        : [uiText.noNumbers, uiText.noNumbersHint];
  const notes = [
    ...sourceNotes,
    ...(order?.note === undefined ? [] : [order.note]),
    ...(drawing?.notes ?? []),
    ...(pivot && !drawing?.origin ? omittedNotes(pivot.omitted) : []),
    ...(shown
      ? pivotNotes(
          shown.pivot,
          shown.config,
          rows.columns,
          isDefault ? unusedMeasures(chosen, columns, types) : [],
          kind,
        )
      : []),
  ];
  const controls = { setting: setting ?? {}, save, offers: kind.offers };
  const panel = optionOpen && (
    <ChartPanel
      height={fill ? undefined : height}
      data={
        <>
          <PivotFields
            columns={columns}
            pivot={chosen}
            onPivot={({ keys, groups, values }) => onGraph({ keys, groups, values })}
            runs={kind.offers.includes('running')}
          />
          <DataControls
            {...controls}
            dates={
              (!rows.remote || hasPeriods(rows, config.keys)) &&
              (grain !== undefined || pivot?.time !== undefined)
            }
          />
        </>
      }
      look={
        <>
          {settings}
          <LookControls {...controls} entries={entries} />
        </>
      }
      axes={kind.offers.includes('numbers') && <AxisControls {...controls} />}
    />
  );
  const { Body } = kind;
  return (
    <ChartLayout {...{ busy, panel, missing }} colors={chosenColors(entries, shared.colors)}>
      {!pivot ? (
        <Skeleton height={height} />
      ) : pivot.series.length === 0 ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>{empty}</p>
          {hint && <p className="secondary-text">{hint}</p>}
        </div>
      ) : (
        <div
          ref={body}
          className="chart-body"
          style={
            fill ? undefined : { height: Math.max(height, drawing?.leastHeight?.(width) ?? 0) }
          }
        >
          <ChartHeading title={shared.title} subtitle={shared.subtitle} />
          {Body && <Body pivot={pivot} setting={setting ?? {}} />}
          {drawing && (
            <ChartDrawing
              {...{ entries, hidden, toggle, title, option, onPicture }}
              settings={shared}
              quiet={(ends && !optionOpen && hidden.size === 0) || shared.legend === 'none'}
              isNamed={ends || shared.legend === 'none'}
              of={pivot}
              label={chartSummary(kind.id, pivot, shared.title)}
              pointing={pointing!}
              tip={(spot) => drawing.tip(spot, hidden)}
              onPick={pick}
            />
          )}
          <ChartNotes notes={notes} />
          <ChartTable pivot={pivot} title={shared.title || title} format={drawing?.format} />
        </div>
      )}
    </ChartLayout>
  );
}
