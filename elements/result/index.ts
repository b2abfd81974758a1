export type { DownloadFile, ResultContext, Selection } from './contract.ts';
export { displays } from './displays/index.ts';
export { ErrorBox } from './errors/error-box.tsx';
export { ResultView } from './result-view.tsx';
export { resultSheets } from './styles/result-sheets.ts';
export { resultText } from './texts.ts';
export type { ResultEntry } from './view-settings.ts';
export { visualizations } from './visualizations/index.ts';
export { registerVisualization } from './visualizations/registered.ts';
