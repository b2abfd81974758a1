import jsonSheet from './displays/json/json.css';
import tableSheet from './displays/table-result/table-result.css';
import packagesSheet from './packages/packages.css';
import errorBoxSheet from './styles/error-box.css';
import mediaOutputSheet from './styles/media-output.css';
import proseSheet from './styles/prose.css';
import resizeHandleSheet from './styles/resize-handle.css';
import resultSheet from './styles/result.css';
import textOutputSheet from './styles/text-output.css';
import chartSheet from './visualizations/chart/chart.css';
import networkSheet from './visualizations/network/network.css';
import gridSheet from './visualizations/table/styles/grid.css';
import gridHeaderSheet from './visualizations/table/styles/grid-header.css';
import gridPanelsSheet from './visualizations/table/styles/grid-panels.css';
import gridPrintSheet from './visualizations/table/styles/grid-print.css';

export { resultText } from '../text/results/result.ts';
export type { Display, DisplayProps, DownloadFile, ResultContext, Selection } from './contract.ts';
export { displays } from './displays/index.ts';
export { registerDisplay } from './displays/registered.ts';
export { ErrorBox } from './errors/error-box.tsx';
export { splitTrace } from './errors/trace.ts';
export { ResultView, type ResultViewProps } from './result-view.tsx';
export type { Graph, GraphPatch, ResultEntry } from './view-settings.ts';
export type { Visualization, VisualizationProps } from './visualizations/contract.ts';
export { visualizations } from './visualizations/index.ts';
export { registerVisualization } from './visualizations/registered.ts';

/** Style sheets that an element must adopt to show results. */
export const resultSheets: string[] = [
  resultSheet,
  textOutputSheet,
  mediaOutputSheet,
  errorBoxSheet,
  resizeHandleSheet,
  proseSheet,
  tableSheet,
  gridSheet,
  gridHeaderSheet,
  gridPanelsSheet,
  gridPrintSheet,
  chartSheet,
  networkSheet,
  jsonSheet,
  packagesSheet,
];
