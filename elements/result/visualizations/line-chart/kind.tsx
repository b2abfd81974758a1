import { CustomChart, LineChart } from 'echarts/charts';
import { DataZoomSliderComponent, MarkLineComponent } from 'echarts/components';
import { use } from 'echarts/core';
import { xCoordinates } from '../chart/axes.ts';
import { axesOf, axisSettings } from '../chart/axis-settings.ts';
import { type ChartKind, seriesOptions } from '../chart/chart-kind.ts';
import { cartesianPointing } from '../chart/chart-pointing.ts';
import { facetEntries, facetOptions } from '../chart/facets.ts';
import { trendNotes, trendsOf } from '../chart/marks.ts';
import { pointTip } from '../chart/point-tip.ts';
import { chartTexts } from '../chart/texts.ts';
import { CheckboxControl, SavedField } from '../fields/controls.tsx';
import { lineOption, lineSetting } from './option.ts';

use([LineChart, CustomChart, DataZoomSliderComponent, MarkLineComponent]);

/** Maximum number of lines that are named at their ends. */
const mostNames = 6;

/** Lines of a pivot. */
export default {
  id: 'lineChart',
  pivot: { scale: true, gather: false, maxSeries: 200, maxValues: 200_000 },
  measures: 2,
  offers: seriesOptions,
  options: facetOptions,
  draw(pivot, stored) {
    const { x, series } = pivot;
    const { axes, settings, notes } = axesOf(stored, pivot);
    const places = xCoordinates(x);
    const trends = trendsOf(settings, axes.log, places, pivot);
    const { lines, labels: values = false, facets } = settings;
    const setting = lineSetting(stored, pivot, axes, { lines, trends, values, facets });
    return {
      notes: [
        ...notes,
        ...trendNotes(trends, (at) => ({ name: series[at]!.name, x: places }), axes.format),
      ],
      ...facetEntries(settings, pivot),
      named: !settings.facets && series.length > 1 && series.length <= mostNames,
      option: (palette, shown) => lineOption(pivot, setting, shown, palette),
      pointing: (hidden) =>
        cartesianPointing({
          x: places,
          facets: settings.facets,
          series: series.flatMap(({ name }, at) => (hidden.has(name) ? [] : [at])),
          top: (at, point) => series[at]?.values[point] ?? null,
        }),
      tip: ({ point }, hidden) =>
        pointTip(pivot, hidden, point, setting.format, undefined, axes.format),
      format: setting.format,
    };
  },
  settings: (setting, save) => (
    <>
      <CheckboxControl
        label={chartTexts.forceY}
        value={setting['forceY'] === true}
        onValue={(forceY) => save({ forceY })}
      />
      {axisSettings(setting).facets ? null : (
        <CheckboxControl
          label={chartTexts.zoom}
          value={setting['lineWithFocus'] === true}
          onValue={(lineWithFocus) => save({ lineWithFocus })}
        />
      )}
      <span className="fields-control">
        <CheckboxControl
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
        <span className="small-text dim">{chartTexts.zoomHint}</span>
      )}
    </>
  ),
} satisfies ChartKind;
