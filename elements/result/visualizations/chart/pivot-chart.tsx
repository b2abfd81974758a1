import type { EChartsCoreOption } from 'echarts/core';
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import {
  cleanPivot,
  missingColumns,
  pivotPlace,
  type Pivot,
  type PivotConfig,
  type PivotOptions,
} from 'tiding/model';
import { chartTexts } from '../../../text/charts.ts';
import { Notice } from '../../notice.tsx';
import { Skeleton } from '../../skeleton.tsx';
import { resultText } from '../../text.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { Fields } from '../fields/fields.tsx';
import type { Setting } from './axes.ts';
import { useHidden } from './use-hidden.ts';
import { ChartTable, chartSummary, leftNotes, Legend, type Entry } from './chart-parts.tsx';
import type { TipText } from './chart-tip.tsx';
import { EChart } from './echart.tsx';
import type { Palette } from './palette.ts';
import type { Pointing, Spot } from './pointing.ts';
import { usePivot } from './use-pivot.ts';
import { useWidth } from './use-width.ts';

const words = resultText.chart;

/** A pivot as one kind of chart draws it. */
export interface Drawing {
  readonly entries: readonly Entry[];
  /** The names stand at the ends of their lines, where there is room. */
  readonly named?: boolean;
  readonly option: (palette: Palette, shown: Shown) => EChartsCoreOption;
  readonly pointing: (hidden: ReadonlySet<string>) => Pointing;
  readonly tip: (spot: Spot, hidden: ReadonlySet<string>) => TipText | null;
  /** Series and point of the pivot that a drawn thing is. */
  readonly origin?: (spot: Spot) => Spot | null;
  readonly format?: (key: string | number) => string;
  /** What is not drawn. */
  readonly notes?: readonly string[];
}

/** What of a drawing is shown now. */
export interface Shown {
  readonly hidden: ReadonlySet<string>;
  /** What a reader has chosen stands out. */
  readonly picked: Spot | null;
  /** Names stand at the ends of lines. */
  readonly ends: boolean;
}

/** A kind of chart that draws pivots. */
export interface ChartKind {
  /** Of its view. */
  readonly id: string;
  readonly label: () => string;
  readonly pivot: PivotOptions;
  readonly draw: (pivot: Pivot, setting: Setting) => Drawing;
  /** Controls of its own settings. */
  readonly settings?: (
    setting: Setting,
    save: (patch: Setting, pause?: number) => void,
  ) => ReactNode;
}

/** Manners that people try one after another are stored so many ms after the last. */
export const mannerPause = 500;

/** Narrower charts have no room for names beside them. */
const roomForNames = 440;

/** A chart of a pivot: its fields and settings, the drawing, what it tells, chooses and leaves out. */
export function PivotChart({
  kind,
  table,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onSelect,
  onPicture,
}: OwnVisualizationProps & { kind: ChartKind }) {
  const { keys, groups, values } = graph;
  const config = useMemo(
    () => cleanPivot({ keys, groups, values }, table.columns),
    [keys, groups, values, table.columns],
  );
  const missing = useMemo(
    () => missingColumns([...(keys ?? []), ...(groups ?? []), ...(values ?? [])], table.columns),
    [keys, groups, values, table.columns],
  );
  const { shown, busy } = usePivot(table, config, kind.pivot);
  const pivot = shown?.pivot;
  const [hidden, toggle] = useHidden();
  const [choice, setChoice] = useState<{ of: Pivot; spot: Spot } | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const wide = useWidth(body, pivot !== undefined && pivot.series.length > 0) >= roomForNames;
  const setting = graph.setting[kind.id];
  const settingText = JSON.stringify(setting ?? {});
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the setting
  const drawing = useMemo(
    () => pivot && kind.draw(pivot, setting ?? {}),
    [kind, pivot, settingText],
  );
  const picked = choice && choice.of === pivot ? choice.spot : null;
  const ends = wide && drawing?.named === true;

  const option = useCallback(
    (palette: Palette) => drawing!.option(palette, { hidden, picked, ends }),
    [drawing, hidden, picked, ends],
  );
  const pointing = useMemo(() => drawing?.pointing(hidden), [drawing, hidden]);
  const pick = (spot: Spot | null): void => {
    const origin = spot && (drawing?.origin ? drawing.origin(spot) : spot);
    const place =
      origin && shown
        ? pivotPlace(shown.config, shown.pivot, origin.series, origin.point)
        : undefined;
    setChoice(place && spot ? { of: shown!.pivot, spot } : null);
    onSelect(place ?? null);
  };
  const setPivot = (next: PivotConfig): void =>
    onGraph({ keys: next.keys, groups: next.groups, values: next.values });
  const save = (patch: Setting, pause?: number): void =>
    onGraph({ setting: { ...graph.setting, [kind.id]: { ...setting, ...patch } } }, pause);
  const settings = kind.settings?.(setting ?? {}, save);
  const quiet = ends && !optionOpen && hidden.size === 0;
  const notes = [...(drawing?.notes ?? []), ...(pivot && !drawing?.origin ? leftNotes(pivot) : [])];
  return (
    <div className="chart-outer" aria-busy={busy}>
      {optionOpen && (
        <Fields columns={table.columns} pivot={config} onPivot={setPivot}>
          {settings && <div className="fields-settings">{settings}</div>}
        </Fields>
      )}
      {missing.length > 0 && (
        <Notice>{chartTexts.missing(missing.join(', '), missing.length === 1)}</Notice>
      )}
      {!pivot || !drawing ? (
        <Skeleton height={height} />
      ) : pivot.series.length === 0 ? (
        <div className="chart-empty" style={fill ? undefined : { minHeight: 120 }}>
          <p>
            {table.rows.length === 0 && config.values.length > 0 ? words.noRows : words.noValues}
          </p>
          {config.values.length === 0 && <p className="secondary-text">{words.noValuesHint}</p>}
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
