import resultSheet from './result.css';
import proseSheet from './prose.css';
import tableSheet from './displays/table/table.css';
import chartSheet from './visualizations/chart/chart.css';
import packagesSheet from './packages/packages.css';
import gridSheet from './visualizations/table/grid.css';
import jsonSheet from './displays/json/json.css';
import networkSheet from './visualizations/network/network.css';

export { ResultView, type ResultViewProps } from './result-view.tsx';
export { ErrorBox } from './error-box.tsx';
export { splitTrace } from './trace.ts';
export { displays, registerDisplay } from './displays/index.ts';
export { registerVisualization, visualizations } from './visualizations/index.ts';
export { resultText } from './text.ts';
export type { Display, DisplayProps, DownloadFile, ResultPlace, Selection } from './contract.ts';
export type { Graph, GraphPatch, ResultEntry } from './graph.ts';
export type { Visualization, VisualizationProps } from './visualizations/contract.ts';

/** The sheets an element adopts to show results. */
export const resultSheets: string[] = [
  resultSheet,
  proseSheet,
  tableSheet,
  gridSheet,
  chartSheet,
  networkSheet,
  jsonSheet,
  packagesSheet,
];
