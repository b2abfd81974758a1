import { CustomChart, LineChart } from 'echarts/charts';
import { DataZoomSliderComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { chartTexts } from '../../../text/charts.ts';
import { resultText } from '../../text.ts';
import { entriesOf } from '../chart/chart-parts.tsx';
import { PivotChart, type ChartKind } from '../chart/pivot-chart.tsx';
import { cartesianPointing } from '../chart/pointing.ts';
import { pointTip } from '../chart/tips.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import { Check, SavedField, XLabelControl } from '../fields/controls.tsx';
import { coordinates, lineOption, lineSetting } from './option.ts';

use([LineChart, CustomChart, DataZoomSliderComponent]);

/** Up to so many lines are named at their ends. */
const mostNames = 6;

const kind: ChartKind = {
  id: 'lineChart',
  label: () => resultText.views.lineChart,
  pivot: { fill: null, gather: false, mostSeries: 200, mostValues: 200_000 },
  draw(pivot, stored) {
    const { x, series } = pivot;
    const setting = lineSetting(stored);
    return {
      entries: entriesOf(series.map(({ name }) => name)),
      named: series.length > 1 && series.length <= mostNames,
      option: (palette, shown) => lineOption(pivot, setting, shown, palette),
      pointing: (hidden) =>
        cartesianPointing({
          x: coordinates(x),
          series: series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at])),
          top: (at, point) => series[at]?.values[point] ?? null,
        }),
      tip: ({ point }, hidden) => pointTip(pivot, hidden, point, setting.format),
      format: setting.format,
    };
  },
  settings: (setting, save) => (
    <>
      <XLabelControl setting={setting} save={save} />
      <Check
        label={chartTexts.forceY}
        value={setting['forceY'] === true}
        onValue={(forceY) => save({ forceY })}
      />
      <Check
        label={chartTexts.zoom}
        value={setting['lineWithFocus'] === true}
        onValue={(lineWithFocus) => save({ lineWithFocus })}
      />
      <span className="fields-control">
        <Check
          label={chartTexts.dateFormat}
          value={setting['isDateFormat'] === true}
          onValue={(isDateFormat) => save({ isDateFormat })}
        />
        {setting['isDateFormat'] === true && (
          <SavedField
            label={chartTexts.datePattern}
            value={typeof setting['dateFormat'] === 'string' ? setting['dateFormat'] : ''}
            placeholder="YYYY-MM-DD HH:mm:ss"
            size={20}
            accept={(text) => text.trim()}
            onSave={(dateFormat) => save({ dateFormat })}
          />
        )}
      </span>
      {setting['lineWithFocus'] === true && (
        <span className="well-hint">{chartTexts.zoomHint}</span>
      )}
    </>
  ),
};

/** Lines of a pivot. */
export default function LineView(props: OwnVisualizationProps) {
  return <PivotChart {...props} kind={kind} />;
}
