import errorBoxSheet from './styles/error-box.css';
import mediaOutputSheet from './styles/media-output.css';
import resizeHandleSheet from './styles/resize-handle.css';
import resultSheet from './styles/result.css';
import textOutputSheet from './styles/text-output.css';

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

/**
 * Style sheets that an element must adopt to show results. Tables, charts and other views that are
 * loaded on demand adopt their own.
 */
export const resultSheets: string[] = [
  resultSheet,
  textOutputSheet,
  mediaOutputSheet,
  errorBoxSheet,
  resizeHandleSheet,
];
